internal import CServing
internal import Synchronization

/// An HTTP/1.1 or HTTPS server, for simulators and local interfaces.
///
/// It has a thread of its own for each 120 connections there may be. None waits for a handler: handlers are tasks, and a
/// connection rests while its handler works. libmicrohttpd is opened by the first server, not before. While a connection
/// rests, it is not noticed that its client has gone.
///
/// ```swift
/// let server = try HTTPServer { request in ServerResponse(text: "you asked for \(request.path)\n") }
/// print(server.url)
/// await server.stop(deadlineInSeconds: 1)
/// ```
public final class HTTPServer: Sendable {
  /// Answers a request; what it throws becomes status 500.
  public typealias Handler = @Sendable (ServerRequest) async throws -> ServerResponse

  /// Where and how a server serves.
  public struct Configuration: Sendable, Hashable {
    /// The address in numbers; anything but the loopback interface lets others in.
    public var address = "127.0.0.1"
    /// The port; 0 for any that is free.
    public var port = 0
    /// The certificates, the server's own first, as PEM; nil for no TLS.
    public var certificate: [UInt8]?
    /// The private key of the certificate, as PEM without password.
    public var key: [UInt8]?
    /// Those who sign the certificates of clients, as PEM: who shows none of theirs is refused; nil to ask for none.
    public var clientAuthorities: [UInt8]?
    /// How many connections there may be at once.
    public var connections = 256
    /// How large the head of a request may be, with what is kept beside it.
    public var headInBytes = 32 << 10
    /// How large the body of a request may be.
    public var bodyInBytes = 64 << 20
    /// How long a connection may be silent; 0 for ever.
    public var idleInSeconds = 60

    /// Creates the usual configuration: HTTP on the loopback interface, at a free port.
    public init() {}
  }

  /// The port it listens at.
  public let port: Int
  /// The beginning of its addresses: `http://127.0.0.1:8080`.
  public let url: String
  private let core: ServerCore

  /// Starts a server.
  ///
  /// - Parameters:
  ///   - configuration: Where and how it serves.
  ///   - handler: Answers requests, several at once.
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

  /// Takes no more requests, lets those that are being answered end, and waits until all is closed.
  ///
  /// - Parameter deadlineInSeconds: When what has not ended is cut off.
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
