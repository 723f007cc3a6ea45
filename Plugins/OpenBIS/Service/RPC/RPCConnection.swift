import PluginAPI
import PluginJSON
import PluginNet
import Synchronization

/// A call of a server's method.
struct RPCCall: Sendable {
  /// The interfaces of a server.
  enum Interface: Sendable, Hashable {
    /// V1, `rmi-query-v1.json`.
    case query
    /// V1, `rmi-general-information-v1.json`.
    case generalInformation
    /// V3 of the application server.
    case application
    /// V3 of the data store server at this address.
    case dataStore(String)

    /// A Boolean value indicating whether the interface belongs to a data store server, not to the application server.
    var isOfDataStore: Bool { if case .dataStore = self { true } else { false } }
  }

  var interface: Interface
  var method: String
  /// A Boolean value indicating whether the session's token precedes the parameters.
  var takesToken = true
  /// Each parameter as JSON text, in order, without the token.
  var parameters: [[UInt8]] = []
  /// The time without a received byte after which the call fails, in seconds; there is no limit while bytes arrive.
  var stallInSeconds = 30
}

/// A reader of the value of `result` while a response arrives; called on the thread of all transfers, so it must not
/// wait.
protocol RPCResultReader: AnyObject {
  /// Processes the next event of the value.
  ///
  /// - Throws: The error that makes the response useless; the transfer is aborted then.
  func take(_ event: JSONEvent) throws -> JSONFlow

  /// The channel for rows, if they are read while the response arrives; the transfer pauses while it is full.
  var channel: RowChannel? { get }
}

extension RPCResultReader {
  var channel: RowChannel? { nil }
}

/// The data sent with a response in addition to its result.
struct RPCResponse: Sendable {
  /// The server's clock, in seconds since 1970, by the Date field of the head; nil if there is none.
  var serverTimeInSeconds: Double?
  /// The size of the body in bytes, decoded.
  var sizeInBytes: Int
  /// The number of unpaired surrogates that were replaced by U+FFFD.
  var replacedSurrogates = 0
}

/// A caller of a server: a session, or a test.
protocol RPCCaller: Sendable {
  /// Calls a method and passes the value of `result` to a reader.
  ///
  /// - Throws: `RPCError`, `HTTPError`, errors of the reader; `CancellationError` soon after the task was canceled.
  func call(_ call: RPCCall, _ reader: any RPCResultReader & Sendable) async throws -> RPCResponse
}

/// A connection that calls methods of one server over HTTP, without sessions.
struct RPCConnection: Sendable {
  /// The server.
  let server: ServerAddress
  /// The retries of requests to a busy server.
  var backOff = RPCBackOff()
  private let client: HTTPClient

  /// The size of the largest response, in bytes: more than any server sends, less than what would fill a disk.
  private static let limitInBytes = 64 << 30

  /// Creates a connection.
  ///
  /// - Parameters:
  ///   - server: The address of the server.
  ///   - client: The client for requests; redirects to another host are never followed, whatever its configuration.
  ///   - backOff: The retries of requests to a busy server.
  init(_ server: ServerAddress, _ client: HTTPClient, backOff: RPCBackOff = RPCBackOff()) {
    self.server = server
    self.backOff = backOff
    var client = client
    client.configuration.staysOnHost = true
    self.client = client
  }

  /// Returns the address of an interface of the server.
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

  /// Returns the address of an interface's server, as messages show it.
  private func base(of interface: RPCCall.Interface) -> String {
    if case .dataStore(let address) = interface { return DataStoreAddress.base(address) }
    return server.base
  }

  /// Calls a method and passes the value of `result` to a reader.
  ///
  /// - Parameters:
  ///   - call: The call to send.
  ///   - token: The token that precedes the parameters if the call takes one.
  ///   - secrets: Further texts that must not appear in messages, in addition to the token.
  ///   - reader: The reader of the result, called on the thread of all transfers.
  /// - Throws: `RPCFailure` for an error reported by the server, `HTTPError`, errors of the reader,
  ///   `CancellationError`.
  func call(
    _ call: RPCCall, token: Secret?, hiding secrets: [Secret] = [], _ reader: any RPCResultReader & Sendable
  ) async throws -> RPCResponse {
    let address = address(of: call.interface)
    let target = RPCTarget(
      method: call.method, server: HTTPAddress.shown(base(of: call.interface)),
      isOfDataStore: call.interface.isOfDataStore)
    if call.takesToken, server.base.lowercased().hasPrefix("https:"), !address.lowercased().hasPrefix("https:") {
      throw RPCError.unsafe(target)
    }
    let sanitizer = MessageSanitizer(hiding: [token] + secrets)
    for attempt in 0... {
      let responseReader = RPCResponseReader(target, sanitizer, id: RPCIdentifiers.next(), reader)
      let head = try await ask(request(call, token, id: responseReader.id, address), responseReader, target)
      guard Self.busyStatuses.contains(head.status) else { return try responseReader.finish(head) }
      guard attempt < backOff.delaysInSeconds.count else {
        throw RPCError.busy(target, status: head.status, attempts: attempt + 1)
      }
      let delay = backOff.delaysInSeconds[attempt]
      try await backOff.wait(delay + backOff.jitter(delay))
    }
    preconditionFailure("a range without end has ended")
  }

  /// The statuses of proxies and servers that may respond later.
  private static let busyStatuses: Set<Int> = [429, 502, 503, 504]

  private func ask(_ request: HTTPRequest, _ reader: RPCResponseReader, _ target: RPCTarget) async throws -> HTTPHead {
    let gate = HTTPGate()
    do {
      return try await client.stream(
        request, gate: gate,
        onHead: { head in
          if Self.busyStatuses.contains(head.status) { return .enough }
          reader.begin(head)
          return .more
        },
        receive: { try reader.take($0, gate) })
    } catch let error as HTTPError {
      switch error {
      case .timedOut(let host, let seconds) where seconds != request.stallInSeconds.map(Double.init):
        // Calls are limited only by the deadlines for connecting and for silence. The error is that of an unreachable
        // server: foreign networks often drop packets.
        let limit = client.configuration.connectDeadlineInSeconds
        throw RPCError.unreached(target, .notConnected(host: host, reason: "no response within \(limit) s"))
      case .cutShort, .timedOut, .damaged, .tooLarge, .failed: throw RPCError.interrupted(target, error)
      case .offline, .unknownHost, .notConnected, .redirectedElsewhere: throw RPCError.unreached(target, error)
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

/// The ids of calls, by which a response cannot be mistaken for that of another call.
private enum RPCIdentifiers {
  private static let last = Atomic(0)

  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}

/// The retries of requests to a busy server.
struct RPCBackOff: Sendable {
  /// The delays in seconds, one for each retry.
  var delaysInSeconds: [Double] = [1, 2, 4]
  /// The random time added to a delay, so that many clients do not return together.
  var jitter: @Sendable (Double) -> Double = { Double.random(in: 0...(0.25 * $0)) }
  /// Waits for a number of seconds; ends soon with `CancellationError` if the task is canceled.
  var wait: @Sendable (Double) async throws -> Void = { try await Task.sleep(for: .milliseconds(Int64($0 * 1000))) }
}

/// A reader of a small result as a whole.
// Its value belongs to the thread of all transfers until the call has ended.
final class ValueReader: RPCResultReader, @unchecked Sendable {
  /// The result; null before it is received.
  private(set) var value = Value.null
  private let depth: Int

  /// Creates a reader of values with a maximum nesting depth.
  init(depth: Int = 256) {
    self.depth = depth
  }

  func take(_ event: JSONEvent) throws -> JSONFlow {
    switch event {
    case .beginObject, .beginArray: return .raw
    case .raw(let text): value = try Value(json: Array(text.bytes), depth: depth, sizeInBytes: text.bytes.count)
    case .text(let text): value = .text(text.string)
    case .bool(let flag): value = .bool(flag)
    case .number(let text):
      value = text.integer.map(Value.integer) ?? text.number.map(Value.number) ?? .decimal(text.string)
    default: value = .null
    }
    return .more
  }
}

extension RPCCaller {
  /// Calls a method with a small result, and returns that as a value.
  ///
  /// - Throws: Errors of the call.
  func callForValue(_ call: RPCCall) async throws -> Value {
    let reader = ValueReader()
    _ = try await self.call(call, reader)
    return reader.value
  }
}

extension Value {
  /// The value as JSON.
  var json: [UInt8] {
    var writer = JSONWriter()
    writer.write(self)
    return writer.take()
  }
}
