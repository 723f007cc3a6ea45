import PluginAPI
import PluginJSON

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
  func serverInformation() async throws -> [String: String] { try await texts("getServerInformation") }

  /// Returns the name of the session's user; nil if the server does not report it.
  func userOfSession() async throws -> String? {
    let call = RPCCall(interface: .application, method: "getSessionInformation")
    let user = try await caller.callForValue(call)["userName"].text
    return user?.isEmpty == true ? nil : user
  }

  private func texts(_ method: String) async throws -> [String: String] {
    let found = Collected<[NativeProperty]>([])
    let reader = GraphReader(.texts) { graph, node in found.value = graph.pairs(of: node) }
    _ = try await caller.call(RPCCall(interface: .application, method: method), reader)
    return Dictionary(found.value.map { ($0.code, $0.value) }) { _, last in last }
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
      "search\(kind.name)s",
      [
        NativeRequest.criteria(kind, NativeRequest.modified(since: page?.modifiedSince, before: page?.modifiedBefore)),
        NativeRequest.fetching(kind, page: page, idsOnly: idsOnly),
      ])
    call.stallInSeconds = Self.searchInSeconds
    let answer = try await send(call, reader)
    if !batch.value.isEmpty { try handler(batch.take()) }
    counted.value.totalCount = reader.totalCount
    counted.value.serverTimeInSeconds = answer.serverTimeInSeconds
    counted.value.sizeInBytes = answer.sizeInBytes
    return counted.value
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
      "search\(kind.name)s",
      [
        NativeRequest.criteria(kind, NativeRequest.modified(since: since, before: before)),
        NativeRequest.counting(kind),
      ])
    call.stallInSeconds = Self.searchInSeconds
    _ = try await send(call, reader)
    return reader.totalCount
  }

  /// Calls the server; retries if the call failed because an object was deleted concurrently.
  func send(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCAnswer {
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
  ///   - way: The kind of the objects to return, and their relation to the given ones.
  ///   - permIDs: The permIds of the given objects; for spaces, their codes.
  ///   - from: The number of objects to skip.
  ///   - count: The largest number of objects to return.
  /// - Returns: The objects, and true if there may be more.
  func belonging(
    _ way: Mapping.Way, to permIDs: [String], from: Int, count: Int
  ) async throws -> (objects: [NativeObject], hasMore: Bool) {
    guard !permIDs.isEmpty, let criteria = NativeRequest.belonging(way, to: permIDs) else { return ([], false) }
    let page = NativePageRequest(from: from, count: count)
    let objects = try await search(
      "search\(way.kind.name)s", [criteria, NativeRequest.fetching(way.kind, page: page)]
    ) { graph, node in FoundObject(object: NativeObject(way.kind, node, in: graph)) }
    // More objects than requested: the server ignores pages, and these are all.
    return (objects.compactMap(\.object), objects.count == count)
  }

  // MARK: Calls

  /// Returns a call of the application server.
  func call(_ method: String, _ parameters: [Value]) -> RPCCall {
    RPCCall(interface: .application, method: method, parameters: parameters.map(NativeRequest.json))
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
  ) async throws -> (elements: [Element], answer: RPCAnswer) {
    let found = Collected<[Element]>([])
    let answer = try await send(call, GraphReader(shape) { if let new = element($0, $1) { found.value.append(new) } })
    return (found.value, answer)
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
