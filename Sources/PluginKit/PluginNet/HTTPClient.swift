internal import Synchronization

/// An HTTP client.
///
/// All clients share one thread and its open connections. libcurl is opened at the first request.
///
/// ```swift
/// let client = HTTPClient(.init(isOffline: context.isOffline))
/// let answer = try await client.send(HTTPRequest("https://example.org/list"))
/// try answer.head.checked()
/// ```
public struct HTTPClient: Sendable {
  /// The pinned public keys of a host.
  public struct Pins: Sendable, Hashable {
    /// The base64-encoded SHA-256 of each accepted public key.
    public var keys: [String]
    /// A Boolean value indicating whether the keys alone establish trust, so that the certificate's issuer may be
    /// unknown.
    public var trustsAlone: Bool

    /// Creates pins.
    public init(_ keys: [String], trustsAlone: Bool = false) {
      self.keys = keys
      self.trustsAlone = trustsAlone
    }
  }

  /// The settings for all requests of a client.
  public struct Configuration: Sendable, Hashable {
    /// A Boolean value indicating whether the user disabled the network: every request then fails at once with
    /// ``HTTPError/offline(address:)``.
    public var isOffline: Bool
    /// The user agent of the client.
    public var userAgent = "workbench"
    /// The path of a PEM file with the trusted certificates; nil for the system's.
    public var certificates: String?
    /// The path of a PEM file with the client's certificate, for servers that ask for one; nil for none.
    public var clientCertificate: String?
    /// The path of a PEM file with the private key of that certificate, without a password; nil if it is in the same
    /// file.
    public var clientKey: String?
    /// Pins by host and port (`example.org:8443`), or by host for all ports without pins of their own; in lower case.
    public var pins: [String: Pins] = [:]
    /// The maximum number of redirects followed; from https only to https.
    public var redirectLimit = 5
    /// A Boolean value indicating whether redirects are followed only to the same host and port, or from http to its
    /// https.
    ///
    /// Such redirects repeat the method and the body, which others do not. A redirect elsewhere fails with an error.
    public var staysOnHost = false
    /// The maximum time to connect to a host.
    public var connectDeadlineInSeconds = 15.0
    /// The maximum number of retries of a repeatable request.
    public var repeatLimit = 2
    /// The delay before the first retry unless the server sets one; each further delay is twice as long.
    public var firstDelayInSeconds = 0.5
    /// The longest delay that a server may request; with a longer one the request is not retried.
    public var longestDelayInSeconds = 20.0

    /// Creates a configuration.
    public init(isOffline: Bool) {
      self.isOffline = isOffline
    }

    /// Returns the pins for the host of an address.
    func pins(for address: String) -> Pins? {
      pins[HTTPAddress.hostAndPort(of: address)] ?? pins[HTTPAddress.host(of: address)]
    }
  }

  /// The settings for all requests.
  public var configuration: Configuration

  /// Creates a client.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Sends a request and returns the complete response, whatever its status.
  ///
  /// A repeatable request is retried when the server is busy (429, 502, 503, 504) or the connection is lost.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was canceled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let collector = BodyCollector()
    let head = try await repeated(request, canBeginAgain: true, onHead: collector.begin) { collector.take($0) }
    return HTTPResponse(head: head, body: collector.bytes)
  }

  /// Sends a request and streams the response.
  ///
  /// Both closures run on the thread of all transfers: they must be quick and never wait. An error that they throw ends
  /// the request and is rethrown. Until the first piece of the body arrives, requests are retried as by ``send(_:)``.
  /// - Parameters:
  ///   - request: The request.
  ///   - onHead: Receives the head, once.
  ///   - receive: Receives a piece of the body, valid only within the call; `enough` drops the connection.
  /// - Returns: The head.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was canceled.
  @discardableResult
  public func stream(
    _ request: HTTPRequest, onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow = { _ in .more },
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    try await repeated(request, canBeginAgain: false, onHead: onHead, receive: receive)
  }

  /// Sends a request and streams the response at the pace of the receiver.
  ///
  /// As without a gate; the receiver closes the gate when it has no room.
  /// - Parameters:
  ///   - request: The request.
  ///   - gate: Pauses the stream while it is closed.
  ///   - onHead: Receives the head, once.
  ///   - receive: Receives a piece of the body, valid only within the call; `enough` drops the connection.
  /// - Returns: The head.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was canceled.
  @discardableResult
  public func stream(
    _ request: HTTPRequest, gate: HTTPGate, onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow = { _ in .more },
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    try await repeated(request, canBeginAgain: false, gate: gate, onHead: onHead, receive: receive)
  }

  /// Sends a request, with retries, until there is a final response.
  ///
  /// - Parameter canBeginAgain: True if the receiver discards its data when a second head arrives.
  private func repeated(
    _ request: HTTPRequest, canBeginAgain: Bool, gate: HTTPGate? = nil,
    onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow,
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    let repeats = request.isRepeatable ? configuration.repeatLimit : 0
    for attempt in 0..<repeats {
      let watch = AttemptWatch()
      do {
        let head = try await once(
          request, gate: gate,
          onHead: { head in
            if Self.busyStatuses.contains(head.status), delay(attempt, head) != nil { return .enough }
            watch.setDelivered()
            return try onHead(head)
          }, receive: receive)
        if watch.isDelivered { return head }
        try await wait(delay(attempt, head) ?? 0)
      } catch let error as HTTPError {
        guard canBeginAgain || !watch.isDelivered, case .cutShort = error else { throw error }
        try await wait(delay(attempt, nil) ?? 0)
      }
    }
    return try await once(request, gate: gate, onHead: onHead, receive: receive)
  }

  /// The statuses of servers that may respond later.
  ///
  /// - Source: RFC 9110, section 15.6; RFC 6585, section 4.
  static let busyStatuses: Set<Int> = [429, 502, 503, 504]

  /// Returns the delay before the next attempt; nil if another attempt is not worthwhile.
  private func delay(_ attempt: Int, _ head: HTTPHead?) -> Double? {
    let stated = head?.headers["Retry-After"].flatMap { RetryAfter.seconds($0, now: RetryAfter.now()) }
    let delay = stated ?? configuration.firstDelayInSeconds * Double(1 << attempt)
    return delay <= configuration.longestDelayInSeconds ? delay : nil
  }

  private func wait(_ seconds: Double) async throws {
    if seconds > 0 { try await Task.sleep(for: .milliseconds(Int64(seconds * 1000))) }
    try Task.checkCancellation()
  }

  /// Sends a request once, and again for a redirect unless libcurl handles it.
  private func once(
    _ request: HTTPRequest, gate: HTTPGate?, onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow,
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    guard configuration.staysOnHost else {
      return try await asked(request, gate: gate, onHead: onHead, receive: receive)
    }
    var request = request
    for _ in 0...max(0, configuration.redirectLimit) {
      let head = try await asked(
        request, gate: gate, onHead: { try Redirect.isOne($0) ? .enough : onHead($0) }, receive: receive)
      guard Redirect.isOne(head) else { return head }
      request = try Redirect.request(request, head)
    }
    throw HTTPError.tooManyRedirects(
      address: HTTPAddress.shown(request.address), limit: configuration.redirectLimit)
  }

  /// Requests a server's certificate.
  func ask(_ certificate: CertificateReceiver, of address: String) async throws {
    var request = HTTPRequest(address)
    request.deadlineInSeconds = configuration.connectDeadlineInSeconds
    _ = try await asked(request, certificate: certificate, onHead: { _ in .more }, receive: { _ in .more })
  }

  /// Sends one request to one server.
  private func asked(
    _ request: HTTPRequest, gate: HTTPGate? = nil, certificate: CertificateReceiver? = nil,
    onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow,
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    guard HTTPAddress.isUsable(request.address) else {
      throw HTTPError.badAddress(HTTPAddress.shown(request.address))
    }
    if configuration.isOffline { throw HTTPError.offline(address: HTTPAddress.shown(request.address)) }
    try Task.checkCancellation()
    let ticket = TransferTicket()
    gate?.attach(ticket)
    return try await withTaskCancellationHandler {
      try await withCheckedThrowingContinuation { continuation in
        TransferThread.shared.begin(
          ticket,
          TransferJob(
            request, configuration, gate: gate, certificate: certificate, onHead: onHead, receive: receive,
            continuation: continuation))
      }
    } onCancel: {
      TransferThread.shared.cancel(ticket)
    }
  }
}

/// A collector of the pieces of a body.
private final class BodyCollector: Sendable {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func begin(_ head: HTTPHead) -> HTTPFlow {
    state.withLock { bytes in
      bytes = []
      // A stated length is trusted only as far as it costs little.
      if let length = head.statedLength { bytes.reserveCapacity(min(length, 1 << 20)) }
    }
    return .more
  }

  func take(_ piece: UnsafeRawBufferPointer) -> HTTPFlow {
    state.withLock { $0.append(contentsOf: piece) }
    return .more
  }
}

/// A record of whether the receiver has seen any part of an attempt.
private final class AttemptWatch: Sendable {
  private let delivered = Mutex(false)
  var isDelivered: Bool { delivered.withLock { $0 } }
  func setDelivered() { delivered.withLock { $0 = true } }
}

/// A gate that pauses a stream while its receiver has no room.
///
/// While the gate is closed, no more data is read from the server, which then waits as well. Data that was already
/// read, up to 64 KiB before decoding, is still delivered. The pause does not count as silence of the server, but it
/// does count toward the request's deadline. A gate serves one stream at a time.
public final class HTTPGate: Sendable {
  private struct State {
    var isClosed = false
    var ticket: TransferTicket?
  }

  private let state = Mutex(State())

  /// Creates an open gate.
  public init() {}

  /// A Boolean value indicating whether the stream is paused.
  public var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Pauses the stream after the piece being delivered, or before the next one.
  ///
  /// May be called on any thread.
  public func close() { state.withLock { $0.isClosed = true } }

  /// Resumes the stream.
  ///
  /// May be called on any thread.
  public func open() {
    let ticket = state.withLock { state -> TransferTicket? in
      defer { state.isClosed = false }
      return state.isClosed ? state.ticket : nil
    }
    if let ticket { TransferThread.shared.resume(ticket) }
  }

  /// Sets the transfer that the gate pauses and resumes.
  func attach(_ ticket: TransferTicket) { state.withLock { $0.ticket = ticket } }
}
