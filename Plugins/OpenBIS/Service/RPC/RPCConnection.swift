import PluginAPI
import PluginJSON
import PluginNet
import Synchronization

/// Calls methods of one server over HTTP; knows nothing of sessions.
struct RPCConnection: Sendable {
  /// The server.
  let server: ServerAddress
  /// When a busy server is asked again.
  var backOff = RPCBackOff()
  private let client: HTTPClient

  /// How large an answer may be: more than any server sends, less than what would fill a disk.
  private static let limitInBytes = 64 << 30

  /// Creates a connection.
  ///
  /// - Parameters:
  ///   - server: Where the server is.
  ///   - client: Asks it; redirects are followed only where they stay on their host, whatever it says.
  ///   - backOff: When a busy server is asked again.
  init(_ server: ServerAddress, _ client: HTTPClient, backOff: RPCBackOff = RPCBackOff()) {
    self.server = server
    self.backOff = backOff
    var client = client
    client.configuration.staysOnHost = true
    self.client = client
  }

  /// Where an interface of the server is.
  ///
  /// - Source: the sources of openBIS, its V1 and V3 interfaces
  func address(of interface: RPCCall.Interface) -> String {
    switch interface {
    case .query: server.base + "/openbis/openbis/rmi-query-v1.json"
    case .generalInformation: server.base + "/openbis/openbis/rmi-general-information-v1.json"
    case .application: server.base + "/openbis/openbis/rmi-application-server-v3.json"
    case .dataStore(let address): DataStoreAddress.base(address) + "/datastore_server/rmi-data-store-server-v3.json"
    }
  }

  /// The address of whoever offers an interface, as messages name it.
  private func base(of interface: RPCCall.Interface) -> String {
    if case .dataStore(let address) = interface { return DataStoreAddress.base(address) }
    return server.base
  }

  /// Calls a method and hands the value of `result` to a reader.
  ///
  /// - Parameters:
  ///   - call: What is called.
  ///   - token: Stands before the parameters if the call takes one.
  ///   - secrets: What must not be in any message beside the token.
  ///   - reader: Takes the result on the thread of all transfers.
  /// - Throws: `RPCFailure` with all that is known, `HTTPError`, what the reader throws, `CancellationError`.
  func call(
    _ call: RPCCall, token: Secret?, hiding secrets: [Secret] = [], _ reader: any RPCResultReader & Sendable
  ) async throws -> RPCAnswer {
    let address = address(of: call.interface)
    let place = RPCPlace(
      method: call.method, server: HTTPAddress.shown(base(of: call.interface)),
      isOfDataStore: call.interface.isOfDataStore)
    if call.takesToken, server.base.lowercased().hasPrefix("https:"), !address.lowercased().hasPrefix("https:") {
      throw RPCError.unsafe(place)
    }
    let words = RPCWords(hiding: [token] + secrets)
    for attempt in 0... {
      let answer = RPCAnswerReader(place, words, id: RPCIdentifiers.next(), reader)
      let head = try await ask(request(call, token, id: answer.id, address), answer, place)
      guard Self.busyStatuses.contains(head.status) else { return try answer.finish(head) }
      guard attempt < backOff.delaysInSeconds.count else {
        throw RPCError.busy(place, status: head.status, attempts: attempt + 1)
      }
      let delay = backOff.delaysInSeconds[attempt]
      try await backOff.wait(delay + backOff.jitter(delay))
    }
    preconditionFailure("a range without end has ended")
  }

  /// Statuses of proxies and servers that may answer later.
  private static let busyStatuses: Set<Int> = [429, 502, 503, 504]

  private func ask(_ request: HTTPRequest, _ answer: RPCAnswerReader, _ place: RPCPlace) async throws -> HTTPHead {
    let gate = HTTPGate()
    do {
      return try await client.stream(
        request, gate: gate,
        onHead: { head in
          if Self.busyStatuses.contains(head.status) { return .enough }
          answer.begin(head)
          return .more
        },
        receive: { try answer.take($0, gate) })
    } catch let error as HTTPError {
      switch error {
      case .timedOut(let host, let seconds) where seconds != request.stallInSeconds.map(Double.init):
        // Calls have no other limits than those for connecting and for silence. It is as if nobody were there: a
        // network that one is not in often drops what is sent to it.
        let limit = client.configuration.connectDeadlineInSeconds
        throw RPCError.unreached(place, .notConnected(host: host, reason: "it did not answer within \(limit) s"))
      case .cutShort, .timedOut, .damaged, .tooLarge, .failed: throw RPCError.interrupted(place, error)
      case .offline, .unknownHost, .notConnected, .redirectedElsewhere: throw RPCError.unreached(place, error)
      default: throw error
      }
    }
  }

  private func request(_ call: RPCCall, _ token: Secret?, id: Int, _ address: String) -> HTTPRequest {
    var writer = JSONWriter()
    writer.beginObject()
    writer.key("jsonrpc")
    writer.write("2.0")
    writer.key("id")
    writer.write(id)
    writer.key("method")
    writer.write(call.method)
    writer.key("params")
    writer.beginArray()
    if call.takesToken, let token { writer.write(token.text) }
    for parameter in call.parameters { writer.write(raw: parameter) }
    writer.endArray()
    writer.endObject()
    var request = HTTPRequest(
      address, body: writer.take(), headers: ["Content-Type": "application/json", "Accept": "application/json"],
      limitInBytes: Self.limitInBytes)
    request.deadlineInSeconds = nil
    request.stallInSeconds = call.stallInSeconds
    return request
  }
}

/// Numbers calls, so that no answer is taken for that of another call.
private enum RPCIdentifiers {
  private static let last = Atomic(0)

  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
