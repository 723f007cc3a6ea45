import PluginAPI
import Synchronization

/// A V3 search, or a request by id.
struct SimulatedSearch {
  let core: SimulatorCore
  let call: SimulatedCall
  let view: SimulatedView
  let criteria: Value
  let options: Value
  let fetch: SimulatedFetch
  /// A Boolean value indicating whether ids are given instead of criteria; the response is a map then.
  let isByID: Bool

  init(_ core: SimulatorCore, _ call: SimulatedCall, _ view: SimulatedView) {
    (self.core, self.call, self.view) = (core, call, view)
    criteria = call.parameters.first ?? .null
    options = call.parameters.dropFirst().first ?? .null
    var fetches = SimulatedFetches()
    fetch = fetches.read(options)
    isByID = call.method.hasPrefix("get")
  }

  /// Returns the response; nil if the search is unknown.
  func outcome() throws(SimulatedFailure) -> SimulatedOutcome? {
    switch call.method.drop(while: { $0.isLowercase }) {
    case "Samples", "DataSets": return try objects()
    case "Spaces": return spaces()
    case "Projects": return projects()
    case "Experiments": return experiments()
    case "SampleTypes": return types("SampleType", view.frame.sampleTypes) { $1.sampleType($0, fetch) }
    case "ExperimentTypes":
      return types("ExperimentType", view.frame.experimentTypes) { $1.experimentType($0, fetch) }
    case "DataSetTypes": return types("DataSetType", view.frame.dataSetTypes) { $1.dataSetType($0, fetch) }
    case "PropertyTypes":
      let all = view.propertyTypes.map { SimulatedSubject(code: $0.code, permID: $0.code) }
      return write(places("PropertyType", all)) { $1.propertyType(view.propertyTypes[$0], fetch) }
    case "DataStores":
      let all = view.dataStores.map { SimulatedSubject(code: $0, permID: $0) }
      return write(places("DataStore", all)) { $1.dataStore($0, fetch) }
    case "Vocabularies", "VocabularyTerms", "Tags", "Persons", "SemanticAnnotations", "Plugins", "Deletions":
      return write([]) { _, _ in }
    case "Globally": return globally()
    case "ObjectKindModifications": return modifications()
    case "AggregationServices": return services()
    case "CustomASServices": return customServices()
    case "PersonalAccessTokens": return personalTokens()
    case "Events":
      throw .rights(
        "Authorization failure: ERROR: \"None of method roles '[INSTANCE_ADMIN]' could be found in roles of user.\".")
    default: return nil
    }
  }

  // MARK: Spaces, projects, experiments, types

  private func spaces() -> SimulatedOutcome {
    let frame = view.frame
    let found = places("Space", frame.spaces.map { SimulatedSubject(code: $0, permID: $0) })
    return write(found.filter { !view.hidden.contains(frame.spaces[$0.index]) }) { $1.space($0, fetch) }
  }

  private func space(ofProject index: Int) -> SimulatedSubject {
    let code = view.frame.spaces[view.frame.projects[index].space]
    return SimulatedSubject(code: code, permID: code)
  }

  private func project(_ index: Int) -> SimulatedSubject {
    let project = view.frame.projects[index]
    return SimulatedSubject(
      code: project.code, permID: project.permID, identifier: view.frame.identifier(ofProject: index))
  }

  private func projects() -> SimulatedOutcome {
    let all = view.frame.projects.indices.map { index in
      var subject = project(index)
      if let move = view.changes.movedProjects[index] { subject.modified = move.at }
      return subject
    }
    let found = places("Project", all) { projectIndex, relation in
      relation == .space ? [space(ofProject: projectIndex)] : []
    }
    return write(found.filter { !view.hidden.contains(space(ofProject: $0.index).code) }) { $1.project($0, fetch) }
  }

  private func experiments() -> SimulatedOutcome {
    let frame = view.frame
    let all = frame.experiments.indices.map {
      SimulatedSubject(
        code: frame.experiments[$0].code, permID: frame.experiments[$0].permID,
        identifier: frame.identifier(ofExperiment: $0))
    }
    let found = places("Experiment", all) { index, relation in
      switch relation {
      case .space: [space(ofProject: frame.experiments[index].project)]
      case .project: [project(frame.experiments[index].project)]
      case .type: [SimulatedSubject(code: frame.experiments[index].typeCode)]
      default: []
      }
    }
    return write(found.filter { !view.hidden.contains(frame.space(ofExperiment: $0.index)) }) {
      $1.experiment($0, fetch)
    }
  }

  private func types(
    _ kind: String, _ types: [SimulatedFrame.TypeOfThings], _ write: (Int, inout SimulatedObjectWriter) -> Void
  ) -> SimulatedOutcome {
    self.write(places(kind, types.map { SimulatedSubject(code: $0.code, permID: $0.code) }), write)
  }

  // MARK: Samples and data sets

  private func objects() throws(SimulatedFailure) -> SimulatedOutcome {
    let isSample = call.method.hasSuffix("Samples")
    if !isSample, options["sort"]["sortings"].list?.contains(where: { $0["field"].text == "PERM_ID" }) == true {
      // The table of data sets has no such column.
      throw .exception("java.lang.RuntimeException", "ERROR: column t0.perm_id does not exist")
    }
    func write(_ index: Int, _ writer: inout SimulatedObjectWriter) {
      if isSample { writer.sample(index, fetch) } else { writer.dataSet(index, fetch) }
    }
    if isByID {
      let asked = (criteria.list ?? []).map { $0["permId"].text ?? $0["identifier"].text ?? "" }
      let found = asked.compactMap { name -> Found? in
        let index = isSample ? samplePlace(name) : SimulatedDataSet.index(ofCode: name)
        return index.flatMap { (isSample ? view.entity($0) != nil : view.hasDataSet($0)) ? ($0, name) : nil }
      }
      return self.write(found, write)
    }
    if call.fault == .deepObjects { return Self.deepObjects(core.configuration.largeSize / 50) }
    var page = core.queries.page(
      isSample ? .sample : .dataSet, criteria, options, view, version: "\(view.changes.version)", fault: call.fault,
      turn: call.number)
    if call.fault == .shortPages, page.places.count > 1 { page.places.removeLast(page.places.count / 3) }
    if call.fault == .movingTotal { page.totalCount += call.number % 7 - 3 }
    return self.write(page.places.map { ($0, "") }, totalCount: page.totalCount, write)
  }

  private func samplePlace(_ name: String) -> Int? {
    if let index = view.index(ofNativePermID: name) { return index }
    guard name.hasPrefix("/"), let code = name.split(separator: "/").last.map(String.init) else { return nil }
    // In a plain lab the code gives the index; entities added later follow.
    let count = view.lab is PlainLab ? view.lab.count : 0
    if code.hasPrefix("S"), let number = Int(code.dropFirst()), number > 0, number <= count {
      return view.entity(number - 1).map { view.nativeIdentifier(of: $0) == name } == true ? number - 1 : nil
    }
    return (count..<view.count).first { view.entity($0).map { view.nativeIdentifier(of: $0) == name } ?? false }
  }

  /// Returns a sample with a chain of parents.
  private static func deepObjects(_ depth: Int) -> SimulatedOutcome {
    var buffer = WireBuffer(reserving: depth * 400)
    buffer.add(#"{"@type":"as.dto.common.search.SearchResult","@id":1,"objects":["#)
    for level in 1...depth {
      buffer.add(#"{"@type":"as.dto.sample.Sample","@id":"#)
      buffer.add(2 * level)
      buffer.add(#","permId":{"@type":"as.dto.sample.id.SamplePermId","@id":"#)
      buffer.add(2 * level + 1)
      buffer.add(#","permId":"DEEP-"#)
      buffer.add(level)
      buffer.add(#""},"code":"DEEP"#)
      buffer.add(level)
      buffer.add(#"","registrationDate":1704110400000,"modificationDate":1704110400000,"type":null,"parents":["#)
    }
    for _ in 1...depth { buffer.add(#"],"children":null}"#) }
    buffer.add(#"],"totalCount":1}"#)
    return .json(buffer)
  }

  // MARK: Search and output

  /// An index, and the text of the id by which it was requested.
  typealias Found = (index: Int, name: String)

  /// Returns the indices of matches, or of the objects with the given ids.
  func places(
    _ kind: String, _ subjects: [SimulatedSubject],
    _ related: (Int, SimulatedCriterion.Relation) -> [SimulatedSubject] = { _, _ in [] }
  ) -> [Found] {
    if isByID {
      return (criteria.list ?? []).compactMap { id in
        let name = id["permId"].text ?? id["identifier"].text ?? ""
        return subjects.firstIndex { $0.permID == name || $0.identifier == name }.map { ($0, name) }
      }
    }
    let criterion = SimulatedCriterion(criteria, of: kind)
    return subjects.indices.filter { index in
      criterion.holds(for: subjects[index]) { related(index, $0) }
    }.map { ($0, "") }
  }

  /// Writes the list of a search, or the map of a request by id.
  ///
  /// - Parameter totalCount: The total number if the objects are one page of them; nil if they are all.
  func write(
    _ found: [Found], totalCount: Int? = nil, _ write: (Int, inout SimulatedObjectWriter) -> Void
  ) -> SimulatedOutcome {
    var writer = SimulatedObjectWriter(
      view, sharesObjects: core.configuration.sharesObjects, fault: call.fault?.stage == .objects ? call.fault : nil)
    writer.outer = fetch
    if isByID {
      writer.buffer.add("{")
      for (position, found) in found.enumerated() {
        if position > 0 { writer.buffer.add(",") }
        writer.buffer.add(quoted: found.name)
        writer.buffer.add(":")
        write(found.index, &writer)
      }
      writer.buffer.add("}")
      return writer.outcome
    }
    let page = totalCount == nil ? self.page(of: found) : found[...]
    core.state.withLock { $0.note(examined: totalCount ?? found.count, by: call) }
    writer.begin("as.dto.common.search.SearchResult")
    writer.buffer.add(#","objects":["#)
    for (position, found) in page.enumerated() {
      if position > 0 { writer.buffer.add(",") }
      write(found.index, &writer)
    }
    writer.buffer.add("]")
    writer.field(#","totalCount":"#, totalCount ?? found.count)
    writer.end()
    return writer.outcome
  }

  private func page(of found: [Found]) -> ArraySlice<Found> {
    if call.fault == .ignoresPaging { return found[...] }
    return found.dropFirst(max(0, options["from"].integer ?? 0)).prefix(max(0, options["count"].integer ?? found.count))
  }
}

extension SimulatedSearch {
  /// Returns the objects that contain a text anywhere.
  func globally() -> SimulatedOutcome {
    let criterion = SimulatedCriterion(criteria, of: "Global")
    let end = min(view.count, 50_000)
    let found = (0..<end).filter { view.fits($0, .sample, criterion) }.map { (index: $0, name: "") }
    return write(found) { index, writer in
      guard let entity = view.entity(index) else { return }
      writer.begin("as.dto.global.GlobalSearchObject")
      writer.fetchOptions(fetch)
      writer.buffer.add(#","objectKind":"SAMPLE""#)
      writer.id(#","objectPermId":"#, "as.dto.sample.id.SamplePermId", #","permId":"#, entity.native.permID)
      writer.id(
        #","objectIdentifier":"#, "as.dto.sample.id.SampleIdentifier", #","identifier":"#,
        view.nativeIdentifier(of: entity))
      writer.field(#","match":"#, "Code: \(entity.native.code)")
      writer.buffer.add(#","score":1.0,"experiment":null,"sample":"#)
      if let sample = fetch["sample"] { writer.sample(index, sample) } else { writer.buffer.add("null") }
      writer.buffer.add(#","dataSet":null,"material":null}"#)
    }
  }

  /// Returns the times of the last creation, deletion and change of each kind.
  func modifications() -> SimulatedOutcome {
    var (kinds, operations) = (Set<String>(), Set<String>())
    for part in criteria["criteria"].list ?? [] {
      kinds.formUnion(part["objectKinds"].list?.compactMap(\.text) ?? [])
      operations.formUnion(part["operationKinds"].list?.compactMap(\.text) ?? [])
    }
    let base = SimulatedTime.birth + view.lab.count
    var rows: [(kind: String, operation: String, at: Int)] = []
    for kind in ["SAMPLE", "EXPERIMENT", "DATA_SET", "PROJECT", "SPACE"] where kinds.isEmpty || kinds.contains(kind) {
      // A data set is created, changed and deleted with its sample.
      let source = SimulatedKind(rawValue: kind == "DATA_SET" ? "SAMPLE" : kind)
      rows.append((kind, "CREATE_OR_DELETE", source.flatMap { view.changes.lastCreateOrDelete[$0] } ?? base))
      let moves = kind == "PROJECT" ? view.changes.movedProjects.values.map(\.at).max() : nil
      rows.append((kind, "UPDATE", moves ?? source.flatMap { view.changes.lastUpdate[$0] } ?? base))
    }
    let wanted = rows.filter { operations.isEmpty || operations.contains($0.operation) }
    return write(wanted.indices.map { ($0, "") }) { index, writer in
      writer.begin("as.dto.objectkindmodification.ObjectKindModification")
      writer.fetchOptions(fetch)
      writer.field(#","objectKind":"#, wanted[index].kind)
      writer.field(#","operationKind":"#, wanted[index].operation)
      writer.field(#","lastModificationTimeStamp":"#, wanted[index].at)
      writer.end()
    }
  }

  /// Returns the services of the data stores.
  func services() -> SimulatedOutcome {
    let isMissing = core.state.withLock { $0.has(.serviceMissing) }
    let all = view.dataStores.flatMap { store in
      ["plate-overview", SimulatorCore.serviceKey].map { (store: store, key: $0) }
    }.filter { !isMissing || $0.key != SimulatorCore.serviceKey }
    return write(all.indices.map { ($0, "") }) { index, writer in
      writer.begin("as.dto.service.AggregationService")
      writer.fetchOptions(fetch)
      writer.buffer.add(#","permId":"#)
      writer.begin("as.dto.service.id.DssServicePermId")
      writer.field(#","permId":"#, all[index].key)
      writer.id(#","dataStoreId":"#, "as.dto.datastore.id.DataStorePermId", #","permId":"#, all[index].store)
      writer.end()
      writer.field(#","name":"#, all[index].key)
      writer.field(#","label":"#, all[index].key)
      writer.buffer.add(#","type":"REPORT"}"#)
    }
  }

  /// Returns the custom services of the application server.
  func customServices() -> SimulatedOutcome {
    let isMissing = core.state.withLock { $0.has(.serviceMissing) }
    return write(isMissing ? [] : [(0, "")]) { _, writer in
      writer.begin("as.dto.service.CustomASService")
      writer.fetchOptions(fetch)
      writer.id(
        #","code":"#, "as.dto.service.id.CustomASServiceCode", #","permId":"#, SimulatorCore.serviceKey)
      writer.field(#","label":"#, "iPad Read Service")
      writer.field(#","description":"#, "the table service, hosted by the application server")
      writer.end()
    }
  }

  /// Returns the user's personal access tokens.
  func personalTokens() -> SimulatedOutcome {
    let all = core.state.withLock { state in
      state.tokens.filter { $0.owner == state.sessions[call.token]?.user }
    }
    let found =
      isByID
      ? places("PersonalAccessToken", all.map { SimulatedSubject(permID: $0.token) }) : all.indices.map { ($0, "") }
    return write(found) { index, writer in
      let token = all[index]
      writer.begin("as.dto.pat.PersonalAccessToken")
      writer.fetchOptions(fetch)
      writer.id(#","permId":"#, "as.dto.pat.id.PersonalAccessTokenPermId", #","permId":"#, token.token)
      writer.field(#","hash":"#, token.token)
      writer.field(#","sessionName":"#, token.sessionName)
      writer.field(#","validFromDate":"#, token.from)
      writer.field(#","validToDate":"#, token.to)
      writer.field(#","registrationDate":"#, token.from)
      writer.field(#","modificationDate":"#, token.from)
      writer.buffer.add(#","accessDate":null"#)
      writer.person(#","owner":"#, fetch["owner"])
      writer.person(#","registrator":"#, fetch.registrator)
      writer.person(#","modifier":"#, fetch.modifier)
      writer.end()
    }
  }
}

/// The fetch options of a V3 call as a tree; equal trees are one object.
final class SimulatedFetch {
  let typeName: String
  /// The number of the tree among the distinct trees of a call; objects fetched alike are the same object.
  let number: Int
  private let parts: [String: SimulatedFetch]

  // The options requested of every object.
  let space: SimulatedFetch?
  let project: SimulatedFetch?
  let experiment: SimulatedFetch?
  let type: SimulatedFetch?
  let hasProperties: Bool
  let parents: SimulatedFetch?
  let children: SimulatedFetch?
  let registrator: SimulatedFetch?
  let modifier: SimulatedFetch?
  /// A Boolean value indicating whether the fetched objects can have parents and children.
  let isOfRelatives: Bool

  init(_ typeName: String, number: Int, _ parts: [String: SimulatedFetch]) {
    (self.typeName, self.number, self.parts) = (typeName, number, parts)
    (space, project, experiment, type) = (parts["space"], parts["project"], parts["experiment"], parts["type"])
    (hasProperties, parents, children) = (parts["properties"] != nil, parts["parents"], parts["children"])
    (registrator, modifier) = (parts["registrator"], parts["modifier"])
    isOfRelatives = typeName.hasSuffix(".SampleFetchOptions") || typeName.hasSuffix(".DataSetFetchOptions")
  }

  subscript(name: String) -> SimulatedFetch? { parts[name] }

  /// The names of the fetched members, in order.
  var names: [String] { parts.keys.sorted() }
}

/// A parser of the fetch options of calls.
struct SimulatedFetches {
  private var numbers: [String: SimulatedFetch] = [:]

  /// Parses one value; a value that is not an object becomes options that fetch nothing.
  mutating func read(_ value: Value) -> SimulatedFetch {
    var parts: [String: SimulatedFetch] = [:]
    for field in value.record?.fields ?? [] where field.value.record != nil && field.name != "sort" {
      parts[field.name] = read(field.value)
    }
    let typeName = value["@type"].text ?? ""
    let key = typeName + parts.keys.sorted().map { "|\($0)=\(parts[$0]?.number ?? 0)" }.joined()
    if let known = numbers[key] { return known }
    let fetch = SimulatedFetch(typeName, number: numbers.count + 1, parts)
    numbers[key] = fetch
    return fetch
  }
}
