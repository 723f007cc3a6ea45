/// A writer of objects in the format of V3: each in full at its first occurrence, and by its number from then on.
struct SimulatedObjectWriter {
  /// The kind of an object; objects are identified by kind, index and fetch options.
  enum Kind: Int {
    case fetch, person, space, project, experiment, sample, dataSet, sampleType, experimentType, dataSetType
    case propertyType, dataStore, physicalData
  }

  let view: SimulatedView
  /// A Boolean value indicating whether repeated samples are the same object for all fetch options, so that graphs have
  /// cycles.
  let sharesObjects: Bool
  let fault: SimulatorFault?
  var buffer = WireBuffer(reserving: 1 << 16)
  private(set) var nextID = 1
  private var written: [Int: Int] = [:]
  private var objectCount = 0
  /// The fetch options of the samples in the outermost list.
  var outer: SimulatedFetch?

  init(_ view: SimulatedView, sharesObjects: Bool = false, fault: SimulatorFault? = nil) {
    (self.view, self.sharesObjects, self.fault) = (view, sharesObjects, fault)
  }

  var outcome: SimulatedOutcome { .json(buffer) }

  /// Begins an object; if it was written before, writes its number instead and returns false.
  mutating func begin(_ type: StaticString, _ kind: Kind, _ index: Int, _ fetch: SimulatedFetch?) -> Bool {
    let key = kind.rawValue << 56 | (fetch?.number ?? 0) << 40 | index
    if let number = written[key] {
      buffer.add(number)
      return false
    }
    objectCount += 1
    if fault == .forwardReference, objectCount == 4 {
      buffer.add(nextID + 100_000)
      return false
    }
    written[key] = nextID
    begin(type)
    return true
  }

  /// Begins an object that occurs once.
  mutating func begin(_ type: StaticString) {
    buffer.add(#"{"@type":""#)
    buffer.add(type)
    buffer.add(#"","@id":"#)
    buffer.add(fault == .reusedID && nextID > 2 ? 2 : nextID)
    nextID += 1
  }

  mutating func end() { buffer.add("}") }

  mutating func field(_ name: StaticString, _ text: String) {
    buffer.add(name)
    buffer.add(quoted: text)
  }

  mutating func field(_ name: StaticString, _ number: Int) {
    buffer.add(name)
    buffer.add(number)
  }

  /// Writes an id as an object of its own.
  mutating func id(_ name: StaticString, _ type: StaticString, _ key: StaticString, _ text: String) {
    buffer.add(name)
    begin(type)
    buffer.add(key)
    buffer.add(quoted: text)
    end()
  }

  mutating func fetchOptions(_ fetch: SimulatedFetch) {
    buffer.add(#","fetchOptions":"#)
    options(fetch)
  }

  /// Writes the fetch options of an object: once in full, then by number.
  private mutating func options(_ fetch: SimulatedFetch) {
    let key = Kind.fetch.rawValue << 56 | fetch.number
    if let number = written[key] { return buffer.add(number) }
    written[key] = nextID
    ownOptions(fetch)
  }

  /// Writes options in full; each data set has its own, as pybis examines them.
  mutating func ownOptions(_ fetch: SimulatedFetch) {
    buffer.add(#"{"@type":"#)
    buffer.add(quoted: fetch.typeName)
    buffer.add(#","@id":"#)
    buffer.add(nextID)
    nextID += 1
    buffer.add(#","from":null,"count":null,"cacheMode":"NO_CACHE","sort":null"#)
    for name in fetch.names {
      guard let part = fetch[name] else { continue }
      buffer.add(",")
      buffer.add(quoted: name)
      buffer.add(":")
      options(part)
    }
    if fetch.isOfRelatives {
      if fetch.parents == nil { buffer.add(#","parents":null"#) }
      if fetch.children == nil { buffer.add(#","children":null"#) }
    }
    buffer.add("}")
  }
}

extension SimulatedObjectWriter {
  mutating func person(_ name: StaticString, _ fetch: SimulatedFetch?) {
    buffer.add(name)
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.person.Person", .person, 0, fetch) else { return }
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.person.id.PersonPermId", #","permId":"#, "keeper")
    field(#","userId":"#, "keeper")
    buffer.add(
      #","firstName":"Kim","lastName":"Keeper","email":"keeper@example.org","registrationDate":1704110400000,"active":true,"space":null,"roleAssignments":null,"registrator":null,"webAppSettings":null}"#
    )
  }

  mutating func people(_ fetch: SimulatedFetch) {
    person(#","registrator":"#, fetch.registrator)
    person(#","modifier":"#, fetch.modifier)
  }

  mutating func dates(_ registered: Int = SimulatedTime.birth, _ modified: Int = SimulatedTime.birth) {
    field(#","registrationDate":"#, registered)
    field(#","modificationDate":"#, modified)
  }

  mutating func space(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.space.Space", .space, index, fetch) else { return }
    let code = view.frame.spaces[index]
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.space.id.SpacePermId", #","permId":"#, code)
    field(#","code":"#, code)
    field(#","description":"#, "The things of \(code)")
    buffer.add(#","frozen":false,"frozenForProjects":false,"frozenForSamples":false"#)
    dates()
    person(#","registrator":"#, fetch.registrator)
    if let projects = fetch["projects"] {
      buffer.add(#","projects":["#)
      let all = view.frame.projects.indices.filter { view.frame.projects[$0].space == index }
      for (position, index) in all.enumerated() {
        if position > 0 { buffer.add(",") }
        project(index, projects)
      }
      buffer.add(#"],"samples":null}"#)
    } else {
      buffer.add(#","samples":null,"projects":null}"#)
    }
  }

  mutating func project(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.project.Project", .project, index, fetch) else { return }
    let frame = view.frame
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.project.id.ProjectPermId", #","permId":"#, frame.projects[index].permID)
    id(
      #","identifier":"#, "as.dto.project.id.ProjectIdentifier", #","identifier":"#, frame.identifier(ofProject: index))
    field(#","code":"#, frame.projects[index].code)
    field(#","description":"#, "Work of \(frame.projects[index].code)")
    buffer.add(#","frozen":false,"frozenForExperiments":false,"frozenForSamples":false"#)
    dates(SimulatedTime.birth, view.changes.movedProjects[index]?.at ?? SimulatedTime.birth)
    buffer.add(#","experiments":null,"samples":null,"space":"#)
    space(frame.projects[index].space, fetch.space)
    people(fetch)
    buffer.add(#","leader":null,"attachments":null,"history":null}"#)
  }

  mutating func experiment(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.experiment.Experiment", .experiment, index, fetch) else { return }
    let frame = view.frame
    let experiment = frame.experiments[index]
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.experiment.id.ExperimentPermId", #","permId":"#, experiment.permID)
    id(
      #","identifier":"#, "as.dto.experiment.id.ExperimentIdentifier", #","identifier":"#,
      frame.identifier(ofExperiment: index))
    field(#","code":"#, experiment.code)
    buffer.add(#","frozen":false,"frozenForDataSets":false,"frozenForSamples":false"#)
    dates()
    buffer.add(#","type":"#)
    experimentType(0, fetch.type)
    buffer.add(#","project":"#)
    project(experiment.project, fetch.project)
    buffer.add(#","dataSets":null,"samples":null"#)
    if fetch.hasProperties {
      field(#","properties":{"$NAME":"#, "Collection \(index + 1)")
      buffer.add("}")
    } else {
      buffer.add(#","properties":null"#)
    }
    buffer.add(#","materialProperties":null,"history":null,"tags":"#)
    buffer.add(fetch["tags"] == nil ? "null" : "[]")
    people(fetch)
    buffer.add(#","attachments":null,"metaData":{}}"#)
  }
}

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
    for index in places where view.changes.isEmpty && view.hidden.isEmpty || view.entity(index) != nil {
      if !isFirst { buffer.add(",") }
      isFirst = false
      sample(index, fetch)
    }
    buffer.add("]")
  }

  private mutating func properties(of entity: SimulatedEntity, isFetched: Bool) {
    guard isFetched else { return buffer.add(#","properties":null"#) }
    buffer.add(#","properties":{"#)
    var isFirst = true
    for property in entity.properties + entity.native.properties {
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

extension SimulatedObjectWriter {
  mutating func sampleType(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.sample.SampleType", .sampleType, index, fetch) else { return }
    type(view.frame.sampleTypes[index], "SAMPLE", index, fetch)
    buffer.add(
      #","autoGeneratedCode":false,"generatedCodePrefix":"S","listable":true,"subcodeUnique":false,"showContainer":false,"showParents":true,"showParentMetadata":false}"#
    )
  }

  mutating func experimentType(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.experiment.ExperimentType", .experimentType, index, fetch) else { return }
    type(view.frame.experimentTypes[index], "EXPERIMENT", index, fetch)
    buffer.add("}")
  }

  mutating func dataSetType(_ index: Int, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    guard begin("as.dto.dataset.DataSetType", .dataSetType, index, fetch) else { return }
    type(view.frame.dataSetTypes[index], "DATA_SET", index, fetch)
    buffer.add(#","mainDataSetPattern":null,"mainDataSetPath":null,"disallowDeletion":false}"#)
  }

  private mutating func type(
    _ type: SimulatedFrame.TypeOfThings, _ kind: String, _ index: Int, _ fetch: SimulatedFetch
  ) {
    fetchOptions(fetch)
    typeID(type.code, kind)
    field(#","code":"#, type.code)
    field(#","description":"#, type.description)
    buffer.add(#","managedInternally":false,"semanticAnnotations":null,"validationPlugin":null,"metaData":{}"#)
    dates()
    guard let assignments = fetch["propertyAssignments"] else { return buffer.add(#","propertyAssignments":null"#) }
    buffer.add(#","propertyAssignments":["#)
    for (ordinal, property) in type.properties.enumerated() {
      if ordinal > 0 { buffer.add(",") }
      assignment(property, ordinal + 1, type.code, kind, assignments)
    }
    buffer.add("]")
  }

  private mutating func typeID(_ code: String, _ kind: String) {
    buffer.add(#","permId":"#)
    begin("as.dto.entitytype.id.EntityTypePermId")
    field(#","permId":"#, code)
    field(#","entityKind":"#, kind)
    end()
  }

  private mutating func assignment(
    _ property: SimulatedFrame.PropertyType, _ ordinal: Int, _ typeCode: String, _ kind: String,
    _ fetch: SimulatedFetch
  ) {
    begin("as.dto.property.PropertyAssignment")
    fetchOptions(fetch)
    buffer.add(#","permId":"#)
    begin("as.dto.property.id.PropertyAssignmentPermId")
    buffer.add(#","entityTypeId":"#)
    begin("as.dto.entitytype.id.EntityTypePermId")
    field(#","permId":"#, typeCode)
    field(#","entityKind":"#, kind)
    end()
    id(#","propertyTypeId":"#, "as.dto.property.id.PropertyTypePermId", #","permId":"#, property.code)
    end()
    buffer.add(#","section":null"#)
    field(#","ordinal":"#, ordinal)
    buffer.add(
      #","mandatory":false,"showInEditView":true,"showRawValueInForms":false,"initialValueForExistingEntities":null,"pattern":null,"patternType":null,"unique":false,"managedInternally":false,"semanticAnnotations":null,"semanticAnnotationsInherited":null,"registrationDate":1704110400000,"entityType":null,"plugin":null,"registrator":null,"propertyType":"#
    )
    propertyType(property, fetch["propertyType"])
    end()
  }

  mutating func propertyType(_ property: SimulatedFrame.PropertyType, _ fetch: SimulatedFetch?) {
    guard let fetch else { return buffer.add("null") }
    let index = view.propertyTypes.firstIndex(of: property) ?? 0
    guard begin("as.dto.property.PropertyType", .propertyType, index, fetch) else { return }
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.property.id.PropertyTypePermId", #","permId":"#, property.code)
    field(#","code":"#, property.code)
    field(#","label":"#, property.label)
    field(#","description":"#, property.label)
    field(#","dataType":"#, property.dataType)
    buffer.add(
      #","managedInternally":false,"internalNameSpace":false,"schema":null,"transformation":null,"multiValue":false,"metaData":{},"vocabulary":"#
    )
    vocabulary(property, fetch["vocabulary"])
    buffer.add(
      #","materialType":null,"sampleType":null,"semanticAnnotations":null,"registrator":null,"registrationDate":1704110400000}"#
    )
  }

  private mutating func vocabulary(_ property: SimulatedFrame.PropertyType, _ fetch: SimulatedFetch?) {
    guard let fetch, !property.terms.isEmpty else { return buffer.add("null") }
    begin("as.dto.vocabulary.Vocabulary")
    fetchOptions(fetch)
    id(#","permId":"#, "as.dto.vocabulary.id.VocabularyPermId", #","permId":"#, property.code)
    field(#","code":"#, property.code)
    buffer.add(#","terms":"#)
    if let terms = fetch["terms"] {
      buffer.add("[")
      for (index, term) in property.terms.enumerated() {
        if index > 0 { buffer.add(",") }
        begin("as.dto.vocabulary.VocabularyTerm")
        fetchOptions(terms)
        field(#","code":"#, term.code)
        field(#","label":"#, term.label)
        field(#","ordinal":"#, index + 1)
        end()
      }
      buffer.add("]")
    } else {
      buffer.add("null")
    }
    end()
  }
}
