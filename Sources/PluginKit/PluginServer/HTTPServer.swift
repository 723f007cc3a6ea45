internal import CServing
internal import Synchronization

/// An HTTP/1.1 or HTTPS server, for simulators and local interfaces.
///
/// It has a thread of its own for every 120 possible connections. The threads do not wait for handlers: handlers are
/// tasks, and a connection is suspended while its handler works. libmicrohttpd is opened by the first server. While a
/// connection is suspended, the server does not notice that its client has disconnected.
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
