import PluginAPI
import PluginJSON
import Synchronization

/// The V3 interface of an openBIS server.
struct NativeService: Sendable {
  /// The caller of the server.
  let caller: any RPCCaller

  /// Creates a service.
  init(_ caller: any RPCCaller) {
    self.caller = caller
  }

  // MARK: Server

  /// Returns the information that the server gives to logged-in users, such as `api-version`.
  func serverInformation() async throws -> [String: String] {
    let found = Collected<[NativeProperty]>([])
    let reader = GraphReader(.texts) { graph, node in found.value = graph.pairs(of: node) }
    _ = try await caller.call(RPCCall(interface: .application, method: "getServerInformation"), reader)
    return Dictionary(found.value.map { ($0.code, $0.value) }) { _, last in last }
  }

  /// Returns the name of the session's user; nil if the server does not report it.
  func userOfSession() async throws -> String? {
    let call = RPCCall(interface: .application, method: "getSessionInformation")
    let user = try await caller.callForValue(call)["userName"].text
    return user?.isEmpty == true ? nil : user
  }

  // MARK: Objects

  /// Fetches a page of objects in the order of their last change; see ``NativePaging`` for the next page.
  ///
  /// - Parameters:
  ///   - kind: The kind of the objects; a page of spaces always contains all of them.
  ///   - request: The page to fetch.
  ///   - idsOnly: True to fetch only permId, code, identifier and times, for finding removed objects.
  ///   - channel: The channel for rows; the transfer pauses while it is full.
  ///   - handler: Receives objects in order, some hundred at a time; called on the thread of all transfers, so it must
  ///     not wait. The objects are valid only if this function returns: a response may turn out to be broken later.
  /// - Returns: The summary of the page.
  /// - Throws: ``GraphError``; errors of the caller and the handler.
  func page(
    _ kind: NativeKind, _ request: NativePageRequest, idsOnly: Bool = false, channel: RowChannel? = nil,
    _ handler: @escaping @Sendable ([NativeObject]) throws -> Void
  ) async throws -> NativePageSummary {
    let batch = Collected<[NativeObject]>([])
    let counted = Collected(NativePageSummary())
    let reader = GraphReader(.search, channel: channel) { graph, node in
      guard let object = NativeObject(kind, node, in: graph) else { return counted.value.unusableCount += 1 }
      counted.value.count += 1
      if object.modifiedAt > 0 {
        counted.value.latestModification = max(counted.value.latestModification ?? 0, object.modifiedAt)
      }
      batch.value.append(object)
      if batch.value.count >= Self.batchSize { try handler(batch.take()) }
    }
    // All spaces arrive at once: they are few, and nothing limits them by time.
    let page = kind == .space ? nil : request
    var call = call(
      kind.searchMethod,
      [
        NativeRequest.criteria(kind, page.map(NativeRequest.window) ?? []),
        NativeRequest.fetching(kind, page: page, idsOnly: idsOnly),
      ])
    call.stallInSeconds = Self.searchInSeconds
    let response = try await send(call, reader)
    if !batch.value.isEmpty { try handler(batch.take()) }
    counted.value.totalCount = reader.totalCount
    counted.value.serverTimeInSeconds = response.serverTimeInSeconds
    counted.value.sizeInBytes = response.sizeInBytes
    return counted.value
  }

  /// Returns the permId of the first object of a page; nil if the page is empty.
  func firstPermID(_ kind: NativeKind, _ request: NativePageRequest) async throws -> String? {
    let found = Mutex<String?>(nil)
    _ = try await page(kind, request, idsOnly: true) { objects in
      found.withLock { $0 = $0 ?? objects.first?.permID }
    }
    return found.withLock { $0 }
  }

  /// Returns the number of objects that changed in a time range; for spaces, the number of all.
  ///
  /// - Parameters:
  ///   - since: The beginning, in milliseconds since 1970; nil for none.
  ///   - before: The exclusive end, in milliseconds since 1970; nil for none.
  /// - Returns: The number; nil if the server does not count.
  func count(_ kind: NativeKind, since: Int? = nil, before: Int? = nil) async throws -> Int? {
    let reader = GraphReader(.search) { _, _ in }
    var call = call(
      kind.searchMethod,
      [
        NativeRequest.criteria(kind, NativeRequest.modified(since: since, before: before)),
        NativeRequest.counting(kind),
      ])
    call.stallInSeconds = Self.searchInSeconds
    _ = try await send(call, reader)
    return reader.totalCount
  }

  /// Calls the server; retries if the call failed because an object was deleted concurrently.
  func send(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse {
    for _ in 0..<Self.repetitions {
      do {
        return try await caller.call(call, reader)
      } catch let error as RPCError where error.isOfConcurrentChange {
        try Task.checkCancellation()
      }
    }
    return try await caller.call(call, reader)
  }

  /// The number of attempts of a call that fails because of concurrent changes.
  private static let repetitions = 3

  /// The number of objects per batch, equal to that of rows in the store.
  static let batchSize = 512

  /// The time limit of a search, in seconds: servers sort all matches before the first byte of a page, so large ones
  /// take long.
  static let searchInSeconds = 120

  /// Returns objects by permId, and spaces by code, in the order of the response, without those removed or not allowed.
  func objects(_ kind: NativeKind, _ permIDs: [String]) async throws -> [NativeObject] {
    if permIDs.isEmpty { return [] }
    let ids = Value.list(permIDs.map { NativeRequest.permID(kind, $0) })
    return try await collect(call("get\(kind.name)s", [ids, NativeRequest.fetching(kind)]), .map) {
      NativeObject(kind, $1, in: $0)
    }
  }

  /// Returns some of the objects with a relation to any of the given objects, in the order of their last change.
  ///
  /// Objects changed meanwhile may be returned twice or not at all: a cache receives them later as changes.
  ///
  /// - Parameters:
  ///   - edge: The kind of the objects to return, and their relation to the given ones.
  ///   - permIDs: The permIds of the given objects; for spaces, their codes.
  ///   - from: The number of objects to skip.
  ///   - count: The largest number of objects to return.
  /// - Returns: The objects, and true if there may be more.
  func belonging(
    _ edge: Mapping.Edge, to permIDs: [String], from: Int, count: Int
  ) async throws -> (objects: [NativeObject], hasMore: Bool) {
    guard !permIDs.isEmpty, let criteria = NativeRequest.belonging(edge, to: permIDs) else { return ([], false) }
    let page = NativePageRequest(from: from, count: count)
    let objects = try await search(
      edge.kind.searchMethod, [criteria, NativeRequest.fetching(edge.kind, page: page)]
    ) { graph, node in FoundObject(object: NativeObject(edge.kind, node, in: graph)) }
    // More objects than requested: the server ignores pages, and these are all.
    return (objects.compactMap(\.object), objects.count == count)
  }

  // MARK: Calls

  /// Returns a call of the application server.
  func call(_ method: String, _ parameters: [Value]) -> RPCCall {
    RPCCall(interface: .application, method: method, parameters: parameters.map(\.json))
  }

  /// Returns the elements of a search's result.
  func search<Element: Sendable>(
    _ method: String, _ parameters: [Value], _ element: @escaping @Sendable (ObjectGraph, ObjectGraph.Node) -> Element?
  ) async throws -> [Element] {
    try await collect(call(method, parameters), .search, element)
  }

  /// Returns the elements of a response, without those that are nil.
  func collect<Element: Sendable>(
    _ call: RPCCall, _ shape: GraphParser.Shape,
    _ element: @escaping @Sendable (ObjectGraph, ObjectGraph.Node) -> Element?
  ) async throws -> [Element] {
    try await collectWithAnswer(call, shape, element).elements
  }

  /// Returns the result of ``collect(_:_:_:)`` and the data sent with the response.
  func collectWithAnswer<Element: Sendable>(
    _ call: RPCCall, _ shape: GraphParser.Shape,
    _ element: @escaping @Sendable (ObjectGraph, ObjectGraph.Node) -> Element?
  ) async throws -> (elements: [Element], response: RPCResponse) {
    let found = Collected<[Element]>([])
    let response = try await send(call, GraphReader(shape) { if let new = element($0, $1) { found.value.append(new) } })
    return (found.value, response)
  }
}

/// The elements that a reader finds; owned by the transfer until the call returns, then by the caller.
private final class Collected<Element> {
  var value: Element

  init(_ value: Element) {
    self.value = value
  }
}

extension Collected {
  /// Returns the elements and empties the collection.
  func take<Item>() -> [Item] where Element == [Item] {
    defer { value = [] }
    return value
  }
}

/// An object that was found; nil if it is unusable, which still counts towards the length of a page.
private struct FoundObject: Sendable {
  var object: NativeObject?
}

extension NativeKind {
  /// The method that searches for objects of the kind.
  fileprivate var searchMethod: String { "search\(name)s" }
}

extension RPCError {
  /// Returns true if the server refused the search for a kind, so that the user may see none of its objects.
  ///
  /// `UnauthorizedObjectAccessException` refuses a single object, not the search.
  func isWithdrawal(of kind: NativeKind) -> Bool {
    guard case .remote(let target, let exception, _) = self else { return false }
    return isNotAllowed && target.method == kind.searchMethod
      && !exception.hasSuffix("UnauthorizedObjectAccessException")
  }
}

extension NativeService {
  /// Returns the times of the last creation, deletion and change of objects by kind; a cheap call to make first.
  ///
  /// - Returns: The times, and the server's clock in seconds since 1970; nil if it does not report it.
  func modifications(
    _ kinds: [NativeKind] = [.project, .experiment, .sample, .dataSet]
  ) async throws -> (changes: [NativeModification], serverTimeInSeconds: Double?) {
    let fetching = NativeRequest.object(
      "as.dto.objectkindmodification.fetchoptions.ObjectKindModificationFetchOptions")
    let call = call("searchObjectKindModifications", [NativeRequest.modifications(kinds), fetching])
    let (changes, response) = try await collectWithAnswer(call, .search) { graph, node -> NativeModification? in
      guard let kind = graph.text(.objectKind, of: node),
        let operation = graph.text(.operationKind, of: node).flatMap(NativeModification.Operation.init),
        let time = graph.integer(.lastModificationTimeStamp, of: node)
      else { return nil }
      return NativeModification(kind: kind, operation: operation, at: time)
    }
    return (changes, response.serverTimeInSeconds)
  }

  /// Returns the codes of the spaces that the user may see, in order.
  func spaceCodes() async throws -> [String] {
    let parameters = [NativeRequest.criteria(.space), NativeRequest.fetching(.space, idsOnly: true)]
    return try await search("searchSpaces", parameters) { graph, node in graph.code(node) }.sorted()
  }

  /// Returns objects that contain a text anywhere, in the server's order, without kinds that are not browsed.
  func searchGlobally(_ text: String, limit: Int = 50) async throws -> [NativeMatch] {
    let fetching = NativeRequest.object(
      "as.dto.global.fetchoptions.GlobalSearchObjectFetchOptions", [.init("from", 0), .init("count", .integer(limit))])
    return try await search("searchGlobally", [NativeRequest.text(text), fetching]) { graph, node in
      guard let kind = graph.text(.objectKind, of: node).flatMap(NativeKind.init),
        let permID = graph.node(.objectPermId, of: node).flatMap(graph.key)
      else { return nil }
      return NativeMatch(
        kind: kind, permID: permID, identifier: graph.node(.objectIdentifier, of: node).flatMap(graph.key) ?? "",
        text: graph.text(.match, of: node) ?? "")
    }
  }

  /// Returns the result of ``spaceCodes()``; nil if the server has no V3.
  func spacesIfKnown() async throws -> [String]? {
    do {
      return try await spaceCodes()
    } catch let error as RPCError {
      switch error {
      case .methodMissing, .notJSON, .remote, .refused: return nil
      case .loginFailed, .sessionEnded, .unreadable, .protocolBroken, .useless, .graph, .busy, .unreached, .interrupted,
        .unsafe, .noTables:
        throw error
      }
    }
  }

  /// Returns the properties of each type, by the type's code, in the order set by the users.
  func propertyTypes(_ kind: NativeKind) async throws -> [String: [NativePropertyType]] {
    // Spaces and projects have neither types nor properties.
    if kind == .space || kind == .project { return [:] }
    let criteria = NativeRequest.object("as.dto.\(kind.package).search.\(kind.name)TypeSearchCriteria")
    let types = try await search("search\(kind.name)Types", [criteria, NativeRequest.fetchingTypes(kind)]) {
      graph, node in graph.code(node).map { ($0, graph.propertyTypes(of: node)) }
    }
    return Dictionary(types) { _, last in last }
  }

  /// Returns the data store servers.
  func dataStores() async throws -> [NativeDataStore] {
    let criteria = NativeRequest.object("as.dto.datastore.search.DataStoreSearchCriteria")
    let fetching = NativeRequest.object("as.dto.datastore.fetchoptions.DataStoreFetchOptions")
    return try await search("searchDataStores", [criteria, fetching]) { graph, node in
      guard let code = graph.text(.code, of: node) else { return nil }
      return NativeDataStore(code: code, downloadAddress: graph.text(.downloadUrl, of: node) ?? "")
    }
  }

  /// Returns the services of all data stores that respond with tables.
  func aggregationServices() async throws -> [NativeAggregationService] {
    let criteria = NativeRequest.object("as.dto.service.search.AggregationServiceSearchCriteria")
    let fetching = NativeRequest.object("as.dto.service.fetchoptions.AggregationServiceFetchOptions")
    return try await search("searchAggregationServices", [criteria, fetching]) { graph, node in
      guard let id = graph.node(.permId, of: node), let key = graph.text(.permId, of: id) else { return nil }
      let label = graph.text(.label, of: node) ?? graph.text(.name, of: node) ?? key
      return NativeAggregationService(
        key: key, dataStore: graph.node(.dataStoreId, of: id).flatMap(graph.key) ?? "", label: label)
    }
  }

  /// Returns the custom services of the application server.
  func customServices() async throws -> [NativeCustomService] {
    let criteria = NativeRequest.object("as.dto.service.search.CustomASServiceSearchCriteria")
    let fetching = NativeRequest.object("as.dto.service.fetchoptions.CustomASServiceFetchOptions")
    return try await search("searchCustomASServices", [criteria, fetching]) { graph, node in
      guard let code = graph.node(.code, of: node).flatMap(graph.key) ?? graph.text(.code, of: node) else { return nil }
      return NativeCustomService(code: code, label: graph.text(.label, of: node) ?? code)
    }
  }

  /// Returns the files and folders of a data set, as its data store lists them.
  ///
  /// - Parameter store: The address of the data store server.
  func files(of dataSet: String, at store: String) async throws -> [DataSetFile] {
    let fetching = NativeRequest.object("dss.dto.datasetfile.fetchoptions.DataSetFileFetchOptions")
    let call = RPCCall(
      interface: .dataStore(store), method: "searchFiles",
      parameters: [NativeRequest.files(of: dataSet), fetching].map(\.json))
    return try await collect(call, .search) { graph, node in
      guard let path = graph.text(.path, of: node) else { return nil }
      let size = max(0, graph.integer(.fileLength, of: node) ?? 0)
      let checksum = graph.integer(.checksumCRC32, of: node).map { UInt32(truncatingIfNeeded: $0) }
      let owner = graph.node(.dataSetPermId, of: node).flatMap(graph.key) ?? dataSet
      return DataSetFile(
        dataSet: owner, path: String(path.drop { $0 == "/" }), isFolder: graph.integer(.directory, of: node) == 1,
        size: size,
        // The store writes 0 if it has no checksum; for an empty file 0 is the checksum.
        checksum: checksum == 0 && size > 0 ? nil : checksum, store: store)
    }
  }

  /// Creates a long-lived token, which works wherever a session's token does.
  ///
  /// - Parameters:
  ///   - name: The purpose of the token; tokens of one name share a session.
  ///   - from: The beginning of its validity, in milliseconds since 1970.
  ///   - to: The end of its validity, in milliseconds since 1970; the server may grant less.
  /// - Returns: The token, a secret.
  func createAccessToken(name: String, from: Int, to: Int) async throws -> String {
    let creation = NativeRequest.object(
      "as.dto.pat.create.PersonalAccessTokenCreation",
      [.init("sessionName", .text(name)), .init("validFromDate", .integer(from)), .init("validToDate", .integer(to))])
    let tokens = try await collect(call("createPersonalAccessTokens", [.list([creation])]), .list) { $0.key($1) }
    guard let token = tokens.first else {
      throw GraphError.otherShape(expected: "the id of a personal access token", found: "nothing")
    }
    return token
  }

  /// Returns the personal access tokens of the user; servers list them only after a login by password.
  func accessTokens() async throws -> [NativeAccessToken] {
    let criteria = NativeRequest.object("as.dto.pat.search.PersonalAccessTokenSearchCriteria")
    let fetching = NativeRequest.object("as.dto.pat.fetchoptions.PersonalAccessTokenFetchOptions")
    return try await search("searchPersonalAccessTokens", [criteria, fetching]) { graph, node in
      guard let token = graph.permID(node) else { return nil }
      return NativeAccessToken(
        token: Secret(token), id: Secret(token).fingerprint, name: graph.text(.sessionName, of: node) ?? "",
        from: graph.integer(.validFromDate, of: node), to: graph.integer(.validToDate, of: node),
        usedAt: graph.integer(.accessDate, of: node))
    }
  }

  /// Revokes a personal access token.
  func revoke(_ token: NativeAccessToken) async throws {
    let id = NativeRequest.object("as.dto.pat.id.PersonalAccessTokenPermId", [.init("permId", .text(token.token.text))])
    let options = NativeRequest.object(
      "as.dto.pat.delete.PersonalAccessTokenDeletionOptions", [.init("reason", "revoked by its owner")])
    _ = try await caller.callForValue(call("deletePersonalAccessTokens", [.list([id]), options]))
  }

  /// Returns the end of a personal access token's validity, in milliseconds since 1970; nil if the server does not
  /// report it.
  func endOfAccessToken(_ token: Secret) async throws -> Int? {
    let id = NativeRequest.object("as.dto.pat.id.PersonalAccessTokenPermId", [.init("permId", .text(token.text))])
    let fetching = NativeRequest.object("as.dto.pat.fetchoptions.PersonalAccessTokenFetchOptions")
    let ends = try await collect(call("getPersonalAccessTokens", [.list([id]), fetching]), .map) {
      $0.integer(.validToDate, of: $1)
    }
    return ends.first
  }
}

extension ObjectGraph {
  /// Returns the labels of the terms of a property type's vocabulary, by code.
  fileprivate func terms(of propertyType: Node) -> [String: String] {
    guard let vocabulary = node(.vocabulary, of: propertyType) else { return [:] }
    let terms = nodes(.terms, of: vocabulary).compactMap { term -> (String, String)? in
      guard let code = text(.code, of: term), let label = text(.label, of: term), !label.isEmpty else { return nil }
      return (code, label)
    }
    return Dictionary(terms) { first, _ in first }
  }

  /// Returns the property types assigned to an entity type, in their order.
  fileprivate func propertyTypes(of type: Node) -> [NativePropertyType] {
    let assignments = nodes(.propertyAssignments, of: type).enumerated().map { index, assignment in
      (index: index, ordinal: integer(.ordinal, of: assignment) ?? Int.max, assignment: assignment)
    }
    let sorted = assignments.sorted { ($0.ordinal, $0.index) < ($1.ordinal, $1.index) }
    return sorted.compactMap { _, _, assignment in
      guard let propertyType = node(.propertyType, of: assignment), let code = code(propertyType) else { return nil }
      let label = text(.label, of: propertyType) ?? ""
      return NativePropertyType(
        code: code, label: label.isEmpty ? code : label, dataType: text(.dataType, of: propertyType) ?? "",
        terms: terms(of: propertyType))
    }
  }
}

extension NativeService {
  /// Returns the files of a data set from the data store that holds it; tries all data stores if it is unknown.
  ///
  /// - Throws: Errors of the data store; with several, those of the last one if none responds.
  func files(of code: String, among stores: [NativeDataStore]) async throws -> [DataSetFile] {
    if stores.count > 1 {
      let owner = try await objects(.dataSet, [code]).first?.dataStore
      if let store = stores.first(where: { $0.code == owner }) {
        return try await files(of: code, at: store.downloadAddress)
      }
    }
    var failure: (any Error)?
    var hasAnswer = false
    for store in stores {
      do {
        let found = try await files(of: code, at: store.downloadAddress)
        if !found.isEmpty { return found }
        hasAnswer = true
      } catch is CancellationError {
        throw CancellationError()
      } catch {
        failure = error
      }
    }
    if let failure, !hasAnswer { throw failure }
    return []
  }
}
