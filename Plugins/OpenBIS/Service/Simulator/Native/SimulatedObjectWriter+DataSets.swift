extension SimulatedObjectWriter {
  mutating func dataSets(ofSample index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    buffer.add("[")
    if view.hasDataSet(index) { dataSet(index, fetch) }
    buffer.add("]")
  }

  /// Writes the data set of the sample at an index.
  mutating func dataSet(_ index: Int, _ fetch: SimulatedFetch) {
    guard let entity = view.entity(index) else { return buffer.add("null") }
    guard begin("as.dto.dataset.DataSet", .dataSet, index, fetch) else { return }
    let code = SimulatedDataSet.code(index)
    buffer.add(#","fetchOptions":"#)
    ownOptions(fetch)
    id(#","permId":"#, "as.dto.dataset.id.DataSetPermId", #","permId":"#, code)
    field(#","code":"#, code)
    buffer.add(
      #","frozen":false,"frozenForChildren":false,"frozenForParents":false,"frozenForComponents":false,"frozenForContainers":false,"kind":"PHYSICAL","measured":true,"postRegistered":true,"dataProducer":null,"dataProductionDate":null,"accessDate":1704110400000"#
    )
    dates(entity.registered, entity.modified)
    buffer.add(#","type":"#)
    dataSetType(0, fetch.type)
    buffer.add(#","dataStore":"#)
    dataStore(0, fetch["dataStore"])
    buffer.add(#","physicalData":"#)
    physicalData(index, fetch["physicalData"])
    buffer.add(#","linkedData":null,"experiment":"#)
    experiment(entity.native.experiment, fetch.experiment)
    buffer.add(#","sample":"#)
    if let sampleFetch = fetch["sample"] { sample(index, sampleFetch) } else { buffer.add("null") }
    if fetch.hasProperties {
      field(#","properties":{"$NAME":"#, "Data of \(entity.native.code)")
      field(#","NOTES":"#, entity.summary)
      buffer.add("}")
    } else {
      buffer.add(#","properties":null"#)
    }
    buffer.add(#","materialProperties":null,"sampleProperties":null"#)
    for name in ["parents", "children", "containers", "components"] {
      buffer.add(",")
      buffer.add(quoted: name)
      buffer.add(fetch[name] == nil ? ":null" : ":[]")
    }
    buffer.add(fetch["tags"] == nil ? #","tags":null,"history":null"# : #","tags":[],"history":null"#)
    people(fetch)
    buffer.add(#","metaData":{}}"#)
  }

  private mutating func physicalData(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.dataset.PhysicalData", .physicalData, index, fetch) else { return }
    fetchOptions(fetch)
    field(#","shareId":"#, "1")
    field(#","location":"#, "A1/\(SimulatedDataSet.code(index))")
    field(#","size":"#, SimulatedDataSet.files(index).reduce(0) { $0 + $1.bytes.count })
    buffer.add(
      #","storageFormat":null,"fileFormatType":null,"locatorType":null,"complete":"YES","status":"AVAILABLE","presentInArchive":false,"storageConfirmation":true,"speedHint":-50,"archivingRequested":false}"#
    )
  }

  mutating func dataStore(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.datastore.DataStore", .dataStore, index, fetch) else { return }
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.datastore.id.DataStorePermId", #","permId":"#, view.dataStores[index])
    field(#","code":"#, view.dataStores[index])
    field(#","downloadUrl":"#, view.dataStoreBase)
    field(#","remoteUrl":"#, view.dataStoreBase)
    dates()
    buffer.add("}")
  }
}
