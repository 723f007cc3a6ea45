import PluginAPI
import PluginServer
import Synchronization

extension SimulatorCore {
  /// Answers a call of V3's application server.
  func nativeOutcome(of call: SimulatedCall) throws(SimulatedFailure) -> SimulatedOutcome {
    switch call.method {
    case "login":
      guard call.parameters.count == 2 else { throw .badParameters(call.method) }
      return logIn(call).map { .text($0) } ?? .null
    case "isSessionActive": return .words(isActive(call) ? "true" : "false")
    case "logout":
      logOut(call)
      return .null
    case "getServerPublicInformation": return .words(Self.publicInformation)
    case "loginAsAnonymousUser": return .null
    default: break
    }
    let user = try user(of: call)
    let view = view(hidden: user.hidden)
    if call.method.hasPrefix("search") || call.method.hasPrefix("get"),
      let outcome = try listOutcome(of: call, view)
    {
      return outcome
    }
    switch call.method {
    case "getServerInformation": return .words(Self.information)
    case "getSessionInformation": return sessionInformation(call, user)
    case "executeAggregationService":
      guard call.parameters.count == 2, let key = call.parameters[0]["permId"].text,
        let store = call.parameters[0]["dataStoreId"]["permId"].text
      else { throw .badParameters(call.method) }
      return try report(store, key, call.parameters[1]["parameters"], user, .v3)
    case "executeCustomASService":
      guard call.parameters.count == 2, let key = call.parameters[0]["permId"].text else {
        throw .badParameters(call.method)
      }
      guard key == Self.serviceKey else { throw .user("Unknown custom AS service '\(key)'") }
      return try report(view.dataStores[0], key, call.parameters[1]["parameters"], user, .v3)
    case "createPersonalAccessTokens": return try createTokens(call, user)
    default: throw .unknownMethod(call.method)
    }
  }

  private static let publicInformation =
    #"{"authentication-service":"file-authentication-service","openbis.support.email":"keeper@example.org","api-version":"3.7"}"#
  private static let information =
    #"{"api-version":"3.7","openbis-version":"S20.10.11","archiving-configured":"false","authentication-service":"file-authentication-service","enabled-technologies":"","project-samples-enabled":"true","create-continuous-sample-codes":"false","personal-access-tokens-enabled":"true","personal-access-tokens-max-validity-period":"2592000","personal-access-tokens-validity-warning-period":"259200","openbis.support.email":"keeper@example.org"}"#

  private func sessionInformation(
    _ call: SimulatedCall, _ user: SimulatorConfiguration.User
  ) -> SimulatedOutcome {
    .words(
      #"{"@type":"as.dto.session.SessionInformation","@id":1,"userName":\#(user.name.asSimulatedJSON),"homeGroupCode":null,"#
        + #""person":null,"creatorPerson":null,"sessionToken":\#(call.token.asSimulatedJSON),"personalAccessTokenSession":"#
        + #"\#(call.token.hasPrefix("$pat-")),"personalAccessTokenSessionName":null}"#)
  }

  private func createTokens(
    _ call: SimulatedCall, _ user: SimulatorConfiguration.User
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    if call.token.hasPrefix("$pat-") {
      throw .user("Personal access tokens cannot be used to manage personal access tokens.")
    }
    // Servers take one for a list of one.
    let wanted = call.parameters.first?.list ?? call.parameters.filter { $0.record != nil }
    if wanted.isEmpty { throw .badParameters(call.method) }
    let now = self.now
    let tokens = state.withLock { state in
      wanted.map { creation in
        let token = state.begin(user.name, now: now, isForPrograms: true)
        state.tokens.append(
          .init(
            token: token, owner: user.name, sessionName: creation["sessionName"].text ?? "",
            from: creation["validFromDate"].integer ?? now, to: creation["validToDate"].integer ?? now))
        return token
      }
    }
    let ids = tokens.enumerated().map { index, token in
      #"{"@type":"as.dto.pat.id.PersonalAccessTokenPermId","@id":\#(index + 1),"permId":\#(token.asSimulatedJSON)}"#
    }
    return .words("[" + ids.joined(separator: ",") + "]")
  }

  // MARK: Searches

  private func writer(_ view: SimulatedView, _ call: SimulatedCall) -> SimulatedObjectWriter {
    SimulatedObjectWriter(
      view, sharesObjects: configuration.sharesObjects, fault: call.fault?.stage == .objects ? call.fault : nil)
  }

  private func listOutcome(
    of call: SimulatedCall, _ view: SimulatedView
  ) throws(SimulatedFailure) -> SimulatedOutcome? {
    let frame = view.lab.frame
    let criteria = call.parameters.first ?? .null
    var fetches = SimulatedFetches()
    let options = call.parameters.dropFirst().first ?? .null
    let fetch = fetches.read(options)
    let isByID = call.method.hasPrefix("get")
    var writer = writer(view, call)
    writer.outer = fetch
    func places(_ kind: String, _ subjects: [SimulatedSubject]) -> [(Int, String)] {
      Self.places(isByID, kind, criteria, subjects)
    }
    let spaces = frame.spaces.indices.map { SimulatedSubject(code: frame.spaces[$0], permID: frame.spaces[$0]) }
    switch call.method.drop(while: { $0.isLowercase }) {
    case "Samples", "DataSets":
      return try objects(call, criteria, options, fetch, &writer)
    case "Spaces":
      let found = places("Space", spaces).filter { !view.hidden.contains(frame.spaces[$0.0]) }
      return write(found, isByID, options, &writer) { $1.space($0, fetch) }
    case "Projects":
      let all = frame.projects.indices.map {
        SimulatedSubject(
          code: frame.projects[$0].code, permID: frame.projects[$0].permID,
          identifier: frame.identifier(ofProject: $0))
      }
      let found = Self.places(isByID, "Project", criteria, all) { [spaces[frame.projects[$0].space]] }
      return write(
        found.filter { !view.hidden.contains(frame.spaces[frame.projects[$0.0].space]) }, isByID, options, &writer
      ) {
        $1.project($0, fetch)
      }
    case "Experiments":
      let all = frame.experiments.indices.map {
        SimulatedSubject(
          code: frame.experiments[$0].code, permID: frame.experiments[$0].permID,
          identifier: frame.identifier(ofExperiment: $0), modified: SimulatedTime.birth)
      }
      let found = Self.places(isByID, "Experiment", criteria, all) { index in
        let project = frame.experiments[index].project
        return [
          spaces[frame.projects[project].space],
          SimulatedSubject(
            code: frame.projects[project].code, permID: frame.projects[project].permID,
            identifier: frame.identifier(ofProject: project)),
        ]
      }
      return write(found.filter { !view.hidden.contains(frame.space(ofExperiment: $0.0)) }, isByID, options, &writer) {
        $1.experiment($0, fetch)
      }
    case "SampleTypes":
      return write(places("SampleType", frame.sampleTypes.map(Self.subject)), isByID, options, &writer) {
        $1.sampleType($0, fetch)
      }
    case "ExperimentTypes":
      return write(places("ExperimentType", frame.experimentTypes.map(Self.subject)), isByID, options, &writer) {
        $1.experimentType($0, fetch)
      }
    case "DataSetTypes":
      return write(places("DataSetType", frame.dataSetTypes.map(Self.subject)), isByID, options, &writer) {
        $1.dataSetType($0, fetch)
      }
    case "PropertyTypes":
      let all = view.propertyTypes.map { SimulatedSubject(code: $0.code, permID: $0.code) }
      return write(places("PropertyType", all), isByID, options, &writer) {
        $1.propertyType(view.propertyTypes[$0], fetch)
      }
    case "DataStores":
      let all = view.dataStores.map { SimulatedSubject(code: $0, permID: $0) }
      return write(places("DataStore", all), isByID, options, &writer) { $1.dataStore($0, fetch) }
    case "Vocabularies", "VocabularyTerms", "Tags", "Persons", "SemanticAnnotations", "Plugins", "Deletions":
      return write([], isByID, options, &writer) { _, _ in }
    case "Globally": return globally(criteria, options, fetch, &writer)
    case "ObjectKindModifications": return modifications(criteria, fetch, &writer)
    case "AggregationServices": return services(fetch, &writer)
    case "PersonalAccessTokens": return personalTokens(call, isByID, fetch, &writer)
    case "Events":
      throw .rights(
        "Authorization failure: ERROR: \"None of method roles '[INSTANCE_ADMIN]' could be found in roles of user.\".")
    default: return nil
    }
  }

  private static func subject(_ type: SimulatedFrame.TypeOfThings) -> SimulatedSubject {
    SimulatedSubject(code: type.code, permID: type.code)
  }

  /// The places of what fits, or of what ids name, each with the id's text.
  private static func places(
    _ isByID: Bool, _ kind: String, _ criteria: Value, _ subjects: [SimulatedSubject],
    _ above: (Int) -> [SimulatedSubject] = { _ in [] }
  ) -> [(Int, String)] {
    if isByID {
      return (criteria.list ?? []).compactMap { id in
        let name = id["permId"].text ?? id["identifier"].text ?? ""
        return subjects.firstIndex { $0.permID == name || $0.identifier == name }.map { ($0, name) }
      }
    }
    let criterion = SimulatedCriterion(criteria, of: kind)
    return subjects.indices.filter { index in
      criterion.holds(for: subjects[index]) { relation in
        let above = above(index)
        return relation == .space ? Array(above.prefix(1)) : Array(above.dropFirst())
      }
    }.map { ($0, "") }
  }

  /// Writes a list that was searched for, or a map of what was asked by id.
  private func write(
    _ found: [(Int, String)], _ isByID: Bool, _ options: Value, _ writer: inout SimulatedObjectWriter,
    totalCount: Int? = nil, _ write: (Int, inout SimulatedObjectWriter) -> Void
  ) -> SimulatedOutcome {
    if isByID {
      writer.buffer.add("{")
      for (position, (place, name)) in found.enumerated() {
        if position > 0 { writer.buffer.add(",") }
        writer.buffer.add(quoted: name)
        writer.buffer.add(":")
        write(place, &writer)
      }
      writer.buffer.add("}")
      return writer.outcome
    }
    let first = totalCount == nil ? min(max(0, options["from"].integer ?? 0), found.count) : 0
    let last =
      totalCount == nil ? min(found.count, first + max(0, options["count"].integer ?? found.count)) : found.count
    writer.begin("as.dto.common.search.SearchResult")
    writer.buffer.add(#","objects":["#)
    for position in first..<max(first, last) {
      if position > first { writer.buffer.add(",") }
      write(found[position].0, &writer)
    }
    writer.buffer.add("]")
    writer.field(#","totalCount":"#, totalCount ?? found.count)
    writer.end()
    return writer.outcome
  }

  private func objects(
    _ call: SimulatedCall, _ criteria: Value, _ options: Value, _ fetch: SimulatedFetch,
    _ writer: inout SimulatedObjectWriter
  ) throws(SimulatedFailure) -> SimulatedOutcome {
    let view = writer.view
    let isSample = call.method.hasSuffix("Samples")
    if call.method.hasPrefix("get") {
      let asked = (criteria.list ?? []).map { $0["permId"].text ?? $0["identifier"].text ?? "" }
      let found = asked.compactMap { name -> (Int, String)? in
        let place = isSample ? samplePlace(name, view) : SimulatedDataSet.index(ofCode: name)
        return place.flatMap { (isSample ? view.entity($0) != nil : view.hasDataSet($0)) ? ($0, name) : nil }
      }
      return write(found, true, options, &writer) { place, writer in
        if isSample { writer.sample(place, fetch) } else { writer.dataSet(place, fetch) }
      }
    }
    if call.fault == .deepObjects { return Self.deepObjects }
    var page = queries.page(
      isSample ? .sample : .dataSet, criteria, options, view, version: "\(view.changes.version)")
    if call.fault == .shortPages, page.places.count > 1 { page.places.removeLast(page.places.count / 3) }
    if call.fault == .movingTotal { page.totalCount += call.number % 7 - 3 }
    return write(page.places.map { ($0, "") }, false, options, &writer, totalCount: page.totalCount) { place, writer in
      if isSample { writer.sample(place, fetch) } else { writer.dataSet(place, fetch) }
    }
  }

  /// A sample with parents of parents of parents.
  private static var deepObjects: SimulatedOutcome {
    let depth = 20_000
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

  private func samplePlace(_ name: String, _ view: SimulatedView) -> Int? {
    if let place = view.index(ofNativePermID: name) { return place }
    guard name.hasPrefix("/"), let code = name.split(separator: "/").last.map(String.init) else { return nil }
    if code.hasPrefix("S"), view.lab is PlainLab, let number = Int(code.dropFirst()), number > 0, number <= view.count,
      view.entity(number - 1).map({ view.nativeIdentifier(of: $0) == name }) == true
    {
      return number - 1
    }
    if view.lab is PlainLab { return nil }
    return (0..<view.count).first { view.entity($0).map { view.nativeIdentifier(of: $0) == name } ?? false }
  }

  private func globally(
    _ criteria: Value, _ options: Value, _ fetch: SimulatedFetch, _ writer: inout SimulatedObjectWriter
  ) -> SimulatedOutcome {
    let view = writer.view
    let criterion = SimulatedCriterion(criteria, of: "Global")
    let end = min(view.count, 50_000)
    let found = (0..<end).filter { view.fits($0, .sample, criterion) }.map { ($0, "") }
    return write(found, false, options, &writer) { place, writer in
      guard let entity = view.entity(place) else { return }
      writer.begin("as.dto.global.GlobalSearchObject")
      writer.fetchOptions(fetch)
      writer.buffer.add(#","objectKind":"SAMPLE""#)
      writer.id(#","objectPermId":"#, "as.dto.sample.id.SamplePermId", #","permId":"#, entity.native.permID)
      writer.id(
        #","objectIdentifier":"#, "as.dto.sample.id.SampleIdentifier", #","identifier":"#,
        view.nativeIdentifier(of: entity))
      writer.field(#","match":"#, "Code: \(entity.native.code)")
      writer.buffer.add(#","score":1.0,"experiment":null,"sample":"#)
      if let sample = fetch["sample"] { writer.sample(place, sample) } else { writer.buffer.add("null") }
      writer.buffer.add(#","dataSet":null,"material":null}"#)
    }
  }

  private func modifications(
    _ criteria: Value, _ fetch: SimulatedFetch, _ writer: inout SimulatedObjectWriter
  ) -> SimulatedOutcome {
    let view = writer.view
    var (kinds, operations) = (Set<String>(), Set<String>())
    for part in criteria["criteria"].list ?? [] {
      kinds.formUnion(part["objectKinds"].list?.compactMap(\.text) ?? [])
      operations.formUnion(part["operationKinds"].list?.compactMap(\.text) ?? [])
    }
    let base = SimulatedTime.birth + view.lab.count
    var rows: [(String, String, Int)] = []
    for kind in ["SAMPLE", "EXPERIMENT", "DATA_SET", "PROJECT", "SPACE"] where kinds.isEmpty || kinds.contains(kind) {
      // A data set comes, changes and goes with its sample.
      let source = SimulatedKind(rawValue: kind == "DATA_SET" ? "SAMPLE" : kind)
      rows.append((kind, "CREATE_OR_DELETE", source.flatMap { view.changes.lastCreateOrDelete[$0] } ?? base))
      rows.append((kind, "UPDATE", source.flatMap { view.changes.lastUpdate[$0] } ?? base))
    }
    let wanted = rows.filter { operations.isEmpty || operations.contains($0.1) }
    return write(wanted.indices.map { ($0, "") }, false, .null, &writer) { place, writer in
      writer.begin("as.dto.objectkindmodification.ObjectKindModification")
      writer.fetchOptions(fetch)
      writer.field(#","objectKind":"#, wanted[place].0)
      writer.field(#","operationKind":"#, wanted[place].1)
      writer.field(#","lastModificationTimeStamp":"#, wanted[place].2)
      writer.end()
    }
  }

  private func services(_ fetch: SimulatedFetch, _ writer: inout SimulatedObjectWriter) -> SimulatedOutcome {
    let isMissing = state.withLock { $0.has(.serviceMissing) }
    let stores = writer.view.dataStores
    var all: [(store: String, key: String)] = []
    for store in stores {
      all.append((store, "plate-overview"))
      if !isMissing { all.append((store, Self.serviceKey)) }
    }
    return write(all.indices.map { ($0, "") }, false, .null, &writer) { place, writer in
      writer.begin("as.dto.service.AggregationService")
      writer.fetchOptions(fetch)
      writer.buffer.add(#","permId":"#)
      writer.begin("as.dto.service.id.DssServicePermId")
      writer.field(#","permId":"#, all[place].key)
      writer.id(#","dataStoreId":"#, "as.dto.datastore.id.DataStorePermId", #","permId":"#, all[place].store)
      writer.end()
      writer.field(#","name":"#, all[place].key)
      writer.field(#","label":"#, all[place].key)
      writer.buffer.add(#","type":"REPORT"}"#)
    }
  }

  private func personalTokens(
    _ call: SimulatedCall, _ isByID: Bool, _ fetch: SimulatedFetch, _ writer: inout SimulatedObjectWriter
  ) -> SimulatedOutcome {
    let owner = (try? user(of: call))?.name
    let all = state.withLock { $0.tokens }.filter { $0.owner == owner }
    let found = Self.places(
      isByID, "PersonalAccessToken", isByID ? call.parameters.first ?? .null : .null,
      all.map { SimulatedSubject(permID: $0.token) })
    return write(found, isByID, .null, &writer) { place, writer in
      let token = all[place]
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
