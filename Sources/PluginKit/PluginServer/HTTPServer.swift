internal import CServing
public import PluginAPI
internal import Synchronization

/// An HTTP/1.1 or HTTPS server, for simulators and local interfaces.
///
/// It has a thread of its own for every 120 possible connections. The threads do not wait for handlers: handlers are
/// tasks on threads of their own, and a connection is suspended while its handler works. libmicrohttpd is opened by the
/// first server. While a connection is suspended, the server does not notice that its client has disconnected.
///
/// ```swift
/// let server = try HTTPServer { request in ServerResponse(text: "you asked for \(request.path)\n") }
/// print(server.url)
/// await server.stop(deadlineInSeconds: 1)
/// ```
public final class HTTPServer: Sendable {
  /// A function that responds to a request; an error that it throws becomes status 500.
  public typealias Handler = @Sendable (ServerRequest) async throws -> ServerResponse

  /// The address, limits and certificates of a server.
  public struct Configuration: Sendable, Hashable {
    /// The numeric address; any but that of the loopback interface makes the server reachable from other machines.
    public var address = "127.0.0.1"
    /// The port; 0 for any free one.
    public var port = 0
    /// The certificates, the server's own first, as PEM; nil for no TLS.
    public var certificate: [UInt8]?
    /// The private key of the certificate, as PEM without password.
    public var key: [UInt8]?
    /// The certificate authorities of clients, as PEM: clients without a certificate of theirs are rejected; nil to ask
    /// for none.
    public var clientAuthorities: [UInt8]?
    /// The maximum number of simultaneous connections.
    public var connections = 256
    /// The maximum size of a request's head, including its bookkeeping.
    public var headInBytes = 32 << 10
    /// The maximum size of a request's body.
    public var bodyInBytes = 64 << 20
    /// The time after which an idle connection is closed; 0 for never.
    public var idleInSeconds = 60

    /// Creates the default configuration: HTTP on the loopback interface, at a free port.
    public init() {}
  }

  /// The port.
  public let port: Int
  /// The prefix of its addresses: `http://127.0.0.1:8080`.
  public let url: String
  private let core: ServerCore

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - configuration: The address, limits and certificates.
  ///   - handler: Responds to requests, several at a time.
  /// - Throws: ``ServerError``.
  public init(_ configuration: Configuration = Configuration(), _ handler: @escaping Handler) throws(ServerError) {
    if let problem = serving_open() { throw .libraryMissing(reason: String(cString: problem)) }
    var port = UInt16(clamping: configuration.port)
    let listener = serving_listen(configuration.address, &port)
    if listener < 0 { throw Self.error(-listener, configuration) }
    core = ServerCore(limitInBytes: configuration.bodyInBytes, handler)
    guard core.start(configuration, listener) else {
      throw configuration.certificate == nil ? .notStarted : .badCertificate
    }
    self.port = Int(port)
    let host =
      configuration.address.utf8.contains(UInt8(ascii: ":")) ? "[\(configuration.address)]" : configuration.address
    url = "\(configuration.certificate == nil ? "http" : "https")://\(host):\(port)"
  }

  deinit { core.cutAndStop {} }

  /// Stops accepting requests, lets running ones finish, and waits until everything is closed.
  ///
  /// - Parameter deadlineInSeconds: The time after which unfinished requests are cut off.
  public func stop(deadlineInSeconds: Double = 5) async {
    core.quiesce()
    let end = ContinuousClock.now + .seconds(deadlineInSeconds)
    while core.isBusy, ContinuousClock.now < end { try? await Task.sleep(for: .milliseconds(2)) }
    await withCheckedContinuation { continuation in core.cutAndStop { continuation.resume() } }
  }

  private static func error(_ number: Int32, _ configuration: Configuration) -> ServerError {
    switch serving_kind(number) {
    case SERVING_TAKEN: .portTaken(address: configuration.address, port: configuration.port)
    case SERVING_BAD_ADDRESS: .badAddress(configuration.address)
    default:
      .notListening(
        address: configuration.address, port: configuration.port, reason: String(cString: serving_words(number)))
    }
  }
}

/// The state that a server's thread works with; it lives until the thread has ended.
private final class ServerCore: Sendable {
  private struct State {
    /// The engine's address; 0 before it starts and after it stops.
    var engine: UInt = 0
    var isStopping = false
    var exchanges: [ObjectIdentifier: Exchange] = [:]
  }

  private let limitInBytes: Int
  private let handler: HTTPServer.Handler
  private let state = Mutex(State())

  init(limitInBytes: Int, _ handler: @escaping HTTPServer.Handler) {
    self.limitInBytes = limitInBytes
    self.handler = handler
  }

  /// A Boolean value indicating whether any requests are in progress.
  var isBusy: Bool { state.withLock { !$0.exchanges.isEmpty } }

  /// Starts the thread; returns false if it cannot be started.
  func start(_ configuration: HTTPServer.Configuration, _ listener: Int32) -> Bool {
    var setup = serving_setup()
    setup.listener = listener
    setup.connections = UInt32(clamping: configuration.connections)
    setup.head_bytes = max(1024, configuration.headInBytes)
    setup.idle_seconds = UInt32(clamping: configuration.idleInSeconds)
    let context = Unmanaged.passRetained(self)
    let engine: OpaquePointer? =
      if let certificate = configuration.certificate {
        // Read while it starts.
        text(certificate).withUnsafeBufferPointer { certificate in
          text(configuration.key ?? []).withUnsafeBufferPointer { key in
            text(configuration.clientAuthorities ?? []).withUnsafeBufferPointer { authorities in
              setup.certificate = certificate.baseAddress
              setup.key = key.baseAddress
              if configuration.clientAuthorities != nil { setup.client_authorities = authorities.baseAddress }
              return serving_start(setup, receiver(context.toOpaque()))
            }
          }
        }
      } else {
        serving_start(setup, receiver(context.toOpaque()))
      }
    if engine == nil { context.release() }
    state.withLock { $0.engine = UInt(bitPattern: engine) }
    return engine != nil
  }

  private func text(_ bytes: [UInt8]) -> [CChar] { bytes.map { CChar(bitPattern: $0) } + [0] }

  /// Stops accepting connections and requests.
  func quiesce() {
    state.withLock { state in
      state.isStopping = true
      if let engine = OpaquePointer(bitPattern: state.engine) { serving_quiesce(engine) }
    }
  }

  /// Cuts off running requests, ends the thread, and then calls back; at once if it was stopped before.
  func cutAndStop(_ done: @escaping @Sendable () -> Void) {
    let (engine, exchanges) = state.withLock { state in
      state.isStopping = true
      defer { state.engine = 0 }
      return (state.engine, Array(state.exchanges.values))
    }
    guard let engine = OpaquePointer(bitPattern: engine) else { return done() }
    serving_quiesce(engine)
    for exchange in exchanges { exchange.cut() }
    let box = Unmanaged.passRetained(Ending(core: self, done: done)).toOpaque()
    let isEnding = serving_stop(
      engine,
      { box in
        if let box { Unmanaged<Ending>.fromOpaque(box).takeRetainedValue().end() }
      }, box)
    precondition(isEnding != 0, "the system cannot create another thread")
  }

  /// The action performed when the thread has ended.
  private final class Ending: Sendable {
    let core: ServerCore
    let done: @Sendable () -> Void

    init(core: ServerCore, done: @escaping @Sendable () -> Void) {
      (self.core, self.done) = (core, done)
    }

    func end() {
      // The reference that the thread held.
      Unmanaged.passUnretained(core).release()
      done()
    }
  }

  // MARK: The server's thread

  private func begin(_ connection: OpaquePointer, method: String, path: String) -> Exchange? {
    let exchange = Exchange(connection: connection, limitInBytes: limitInBytes)
    let isTaken = state.withLock { state in
      if !state.isStopping { state.exchanges[ObjectIdentifier(exchange)] = exchange }
      return !state.isStopping
    }
    guard isTaken else { return nil }
    let query = fields(connection, isQuery: true).map {
      ServerRequest.Field(
        PercentText.undone($0.name, plusIsBlank: true), PercentText.undone($0.value, plusIsBlank: true))
    }
    let request = ServerRequest(
      method: method, path: PercentText.undone(path), query: query, headers: fields(connection, isQuery: false),
      body: RequestBody(exchange: exchange))
    exchange.start(request, handler)
    return exchange
  }

  private func end(_ exchange: Exchange) {
    exchange.end()
    state.withLock { _ = $0.exchanges.removeValue(forKey: ObjectIdentifier(exchange)) }
  }

  private func fields(_ connection: OpaquePointer, isQuery: Bool) -> [ServerRequest.Field] {
    final class Box { var fields: [ServerRequest.Field] = [] }
    let box = Box()
    withExtendedLifetime(box) {
      serving_fields(
        connection, isQuery ? 1 : 0,
        { context, name, value in
          guard let context, let name else { return }
          let field = ServerRequest.Field(String(cString: name), value.map { String(cString: $0) } ?? "")
          Unmanaged<Box>.fromOpaque(context).takeUnretainedValue().fields.append(field)
        }, Unmanaged.passUnretained(box).toOpaque())
    }
    return box.fields
  }

  private func receiver(_ context: UnsafeMutableRawPointer) -> serving_receiver {
    var receiver = serving_receiver()
    receiver.context = context
    receiver.begin = { context, connection, method, path in
      guard let context, let connection, let method, let path else { return nil }
      let core = Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue()
      let exchange = core.begin(connection, method: String(cString: method), path: String(cString: path))
      return exchange.map { Unmanaged.passUnretained($0).toOpaque() }
    }
    receiver.body = { request, bytes, count in
      guard let request, let count else { return SERVING_DROP }
      let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
      return exchange.take(bytes, &count.pointee) { request, room, count in
        guard let request, let room else { return -2 }
        return Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue().fill(
          UnsafeMutableRawBufferPointer(start: room, count: count))
      }
    }
    receiver.end = { context, request in
      guard let context, let request else { return }
      let exchange = Unmanaged<Exchange>.fromOpaque(request).takeUnretainedValue()
      Unmanaged<ServerCore>.fromOpaque(context).takeUnretainedValue().end(exchange)
    }
    return receiver
  }
}

/// An error of a server.
@frozen
public enum ServerError: Error, Equatable, Sendable {
  /// Another process uses the port.
  case portTaken(address: String, port: Int)
  /// The system refuses the address; the reason is its message.
  case notListening(address: String, port: Int, reason: String)
  /// The address does not belong to this machine, or is not an address.
  case badAddress(String)
  /// The certificate and key are not a matching pair of PEM files.
  case badCertificate
  /// The server cannot be started.
  case notStarted
  /// The body of a request exceeds the limit.
  case bodyTooLarge(limitInBytes: Int)
  /// The system's libmicrohttpd is missing or unsuitable.
  case libraryMissing(reason: String)
}

extension ServerError: ReportableError, CustomStringConvertible {
  /// The error as users and scripts see it; the exit status is 6, network, or 1.
  public var report: ErrorReport {
    switch self {
    case .portTaken(let address, let port):
      ErrorReport(
        code: "server.port-taken", kind: .network, "port \(port) of '\(address)' is in use by another program",
        advice: "use another port, or 0 for a free one", isRetryable: true)
    case .notListening(let address, let port, let reason):
      ErrorReport(
        code: "server.not-listening", kind: .network, "cannot listen on port \(port) of '\(address)': \(reason)",
        advice: "use another port, or 0 for a free one")
    case .badAddress(let address):
      ErrorReport(
        code: "server.bad-address", kind: .usage, "'\(address)' is not an address of this machine",
        advice: "write it in numbers, such as 127.0.0.1 or ::1")
    case .badCertificate:
      ErrorReport(
        code: "server.bad-certificate", kind: .unusableInput, "cannot use the certificate and its key",
        advice: "specify both as PEM, the key without a password")
    case .notStarted:
      ErrorReport(code: "server.not-started", kind: .failure, "cannot start the server: no memory or thread available")
    case .bodyTooLarge(let limit):
      ErrorReport(
        code: "server.body-too-large", kind: .unusableInput,
        "the request body is larger than the limit of \(limit) bytes", advice: "send less, or raise the limit")
    case .libraryMissing(let reason):
      ErrorReport(
        code: "server.library-missing", kind: .failure, "cannot use libmicrohttpd: \(reason)",
        advice: "install it with 'sudo apt-get install libmicrohttpd12'")
    }
  }

  /// The error in words.
  public var description: String { report.description }

  /// The stable codes.
  public static let errorCodes: [ErrorCodeDescription] = [
    .init("server.port-taken", "another program uses the port"),
    .init("server.not-listening", "the server cannot listen on the port"),
    .init("server.bad-address", "the address does not belong to this machine"),
    .init("server.bad-certificate", "the certificate and key are not a matching pair of PEM texts"),
    .init("server.not-started", "the server cannot be started"),
    .init("server.body-too-large", "the request body is too large"),
    .init("server.library-missing", "the system library libmicrohttpd is not installed"),
  ]
}
