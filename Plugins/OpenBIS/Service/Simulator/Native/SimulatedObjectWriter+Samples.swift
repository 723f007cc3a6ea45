extension SimulatedObjectWriter {
  mutating func sample(_ index: Int, _ fetch: SimulatedFetch) {
    let fetch = sharesObjects ? outer ?? fetch : fetch
    // Lists leave out deleted entities and those that the user may not see.
    guard let entity = view.entity(index) else { return buffer.add("null") }
    guard begin("as.dto.sample.Sample", .sample, index, fetch) else { return }
    fetchOptions(fetch)
    let native = entity.native
    id(#","permId":"#, "as.dto.sample.id.SamplePermId", #","permId":"#, native.permID)
    let identifier = "\(view.frame.identifier(ofProject: native.experiment))/\(native.code)"
    id(#","identifier":"#, "as.dto.sample.id.SampleIdentifier", #","identifier":"#, identifier)
    field(#","code":"#, native.code)
    buffer.add(
      #","frozen":false,"frozenForComponents":false,"frozenForChildren":false,"frozenForParents":false,"frozenForDataSets":false"#
    )
    dates(entity.registered, entity.modified)
    buffer.add(#","type":"#)
    sampleType(view.sampleTypePlaces[native.typeCode] ?? 0, fetch.type)
    buffer.add(#","project":"#)
    project(view.frame.experiments[native.experiment].project, fetch.project)
    buffer.add(#","space":"#)
    space(view.frame.project(ofExperiment: native.experiment).space, fetch.space)
    buffer.add(#","experiment":"#)
    experiment(native.experiment, fetch.experiment)
    properties(of: entity, isFetched: fetch.hasProperties)
    buffer.add(#","materialProperties":null,"sampleProperties":null,"parents":"#)
    samples(native.parents, fetch.parents)
    buffer.add(#","parentsRelationships":null,"children":"#)
    samples(native.children, fetch.children)
    buffer.add(#","childrenRelationships":null,"container":null,"components":"#)
    buffer.add(fetch["components"] == nil ? "null" : "[]")
    buffer.add(#","dataSets":"#)
    dataSets(ofSample: index, fetch["dataSets"])
    buffer.add(
      #","history":null,"propertiesHistory":null,"spaceHistory":null,"projectHistory":null,"experimentHistory":null,"parentsHistory":null,"childrenHistory":null,"containerHistory":null,"componentsHistory":null,"dataSetsHistory":null,"unknownHistory":null,"tags":"#
    )
    buffer.add(fetch["tags"] == nil ? "null" : "[]")
    people(fetch)
    buffer.add(#","attachments":"#)
    buffer.add(fetch["attachments"] == nil ? "null" : "[]")
    buffer.add(#","metaData":{}}"#)
  }

  private mutating func samples(_ places: [Int], _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    buffer.add("[")
    var isFirst = true
    for place in places where view.changes.isEmpty && view.hidden.isEmpty || view.entity(place) != nil {
      if !isFirst { buffer.add(",") }
      isFirst = false
      sample(place, fetch)
    }
    buffer.add("]")
  }

  private mutating func properties(of entity: SimulatedEntity, isFetched: Bool) {
    guard isFetched else { return buffer.add(#","properties":null"#) }
    buffer.add(#","properties":{"#)
    var isFirst = true
    for property in entity.properties {
      guard let value = property.value, property.key != "REVISION", property.key != "#PERM_ID" else { continue }
      if !isFirst { buffer.add(",") }
      isFirst = false
      buffer.add(quoted: property.key)
      buffer.add(":")
      buffer.add(quoted: value)
    }
    buffer.add("}")
  }
}
