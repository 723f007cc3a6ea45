import PluginAPI
import PluginJSON

/// Asks an openBIS server of today, V3, for what it has.
struct NativeService: Sendable {
  /// Who calls the server.
  let caller: any RPCCaller

  /// Creates a service.
  init(_ caller: any RPCCaller) {
    self.caller = caller
  }

  // MARK: The server

  /// What the server says of itself to those who are logged in, such as `api-version`.
  func serverInformation() async throws -> [String: String] { try await texts("getServerInformation") }

  /// The name of the user whose session it is; nil if the server does not say.
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

  /// Hands over a page of objects, those first that are unchanged for longest; see ``NativePaging`` for the next one.
  ///
  /// - Parameters:
  ///   - kind: Their kind; a page of spaces has all of them, whatever is asked.
  ///   - request: Which page.
  ///   - idsOnly: Whether only permId, code, identifier, times are wanted, for finding what is gone.
  ///   - channel: The transfer pauses while it is full.
  ///   - handler: Takes objects in order, some hundred at a time; on the thread of all transfers, so it never waits.
  ///     What it took is good only if the call returns: an answer may turn out to be broken later.
  /// - Returns: What the page held.
  /// - Throws: ``GraphError``; what the caller and the handler throw.
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
    // All spaces come at once: there are few, and nothing says since when.
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

  /// The number of objects that changed in a time; of spaces all.
  ///
  /// - Parameters:
  ///   - since: The beginning, in milliseconds since 1970; nil for none.
  ///   - before: The end, which is not part of it; nil for none.
  /// - Returns: nil if the server does not count.
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

  /// Calls the server; again if the call failed because somebody deleted an object meanwhile.
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

  /// The number of times a call is repeated that failed because others changed data meanwhile.
  private static let repetitions = 3

  /// The store takes as many rows at a time.
  static let batchSize = 512

  /// Servers sort all that fits before the first byte of a page comes, which takes large ones more than the usual time.
  static let searchInSeconds = 120

  /// Objects by permId, of a space by code, in the order of the answer; those that are gone or not allowed are missing.
  func objects(_ kind: NativeKind, _ permIDs: [String]) async throws -> [NativeObject] {
    if permIDs.isEmpty { return [] }
    let ids = Value.list(permIDs.map { NativeRequest.permID(kind, $0) })
    return try await collect(call("get\(kind.name)s", [ids, NativeRequest.fetching(kind)]), .map) {
      NativeObject(kind, $1, in: $0)
    }
  }

  /// Some of the objects that belong to any of others by a relation, those first that are unchanged for longest.
  ///
  /// What is changed meanwhile may come twice or not at all: who keeps a cache learns of that as a change.
  ///
  /// - Parameters:
  ///   - way: The kind of those that are wanted and their relation to the others.
  ///   - permIDs: The others; of spaces their codes.
  ///   - from: How many are passed over.
  ///   - count: How many are asked for.
  /// - Returns: Them, and whether there may be more.
  func belonging(
    _ way: Mapping.Way, to permIDs: [String], from: Int, count: Int
  ) async throws -> (objects: [NativeObject], hasMore: Bool) {
    guard !permIDs.isEmpty, let criteria = NativeRequest.belonging(way, to: permIDs) else { return ([], false) }
    let page = NativePageRequest(from: from, count: count)
    let objects = try await search(
      "search\(way.kind.name)s", [criteria, NativeRequest.fetching(way.kind, page: page)]
    ) { graph, node in FoundObject(object: NativeObject(way.kind, node, in: graph)) }
    // More than were asked for: the server knows no pages, and these are all.
    return (objects.compactMap(\.object), objects.count == count)
  }

  // MARK: Calling

  /// A call of the application server.
  func call(_ method: String, _ parameters: [Value]) -> RPCCall {
    RPCCall(interface: .application, method: method, parameters: parameters.map(NativeRequest.json))
  }

  /// The elements of a search's result.
  func search<Element: Sendable>(
    _ method: String, _ parameters: [Value], _ element: @escaping @Sendable (ObjectGraph, ObjectGraph.Node) -> Element?
  ) async throws -> [Element] {
    try await collect(call(method, parameters), .search, element)
  }

  /// The elements of an answer; those that are nil are left out.
  func collect<Element: Sendable>(
    _ call: RPCCall, _ shape: GraphParser.Shape,
    _ element: @escaping @Sendable (ObjectGraph, ObjectGraph.Node) -> Element?
  ) async throws -> [Element] {
    try await collectWithAnswer(call, shape, element).elements
  }

  /// As ``collect(_:_:_:)``, with what the answer tells beside.
  func collectWithAnswer<Element: Sendable>(
    _ call: RPCCall, _ shape: GraphParser.Shape,
    _ element: @escaping @Sendable (ObjectGraph, ObjectGraph.Node) -> Element?
  ) async throws -> (elements: [Element], answer: RPCAnswer) {
    let found = Collected<[Element]>([])
    let answer = try await send(call, GraphReader(shape) { if let new = element($0, $1) { found.value.append(new) } })
    return (found.value, answer)
  }
}

/// What a reader finds: the transfer's until the call returns, the caller's afterwards.
private final class Collected<Element> {
  var value: Element

  init(_ value: Element) {
    self.value = value
  }
}

extension Collected {
  /// Gives what is there and begins anew.
  func take<Item>() -> [Item] where Element == [Item] {
    defer { value = [] }
    return value
  }
}

/// An object that was found; nil if it cannot be used, which counts for the length of a page.
private struct FoundObject: Sendable {
  var object: NativeObject?
}
