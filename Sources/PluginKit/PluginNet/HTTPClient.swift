internal import Synchronization

/// Asks servers of the web.
///
/// All clients share one thread and its open connections. libcurl is opened by the first request, not before.
///
/// ```swift
/// let client = HTTPClient(.init(isOffline: context.isOffline))
/// let answer = try await client.send(HTTPRequest("https://example.org/list"))
/// try answer.head.checked()
/// ```
public struct HTTPClient: Sendable {
  /// Public keys by which a host is known.
  public struct Pins: Sendable, Hashable {
    /// Base64 of the SHA-256 of public keys, any of which will do.
    public var keys: [String]
    /// Whether these keys alone say who is trusted, so that a certificate may be signed by nobody we know.
    public var trustsAlone: Bool

    /// Creates pins.
    public init(_ keys: [String], trustsAlone: Bool = false) {
      self.keys = keys
      self.trustsAlone = trustsAlone
    }
  }

  /// What holds for all requests of a client.
  public struct Configuration: Sendable, Hashable {
    /// Whether the user asked for no network: every request then ends at once with ``HTTPError/offline(address:)``.
    public var isOffline: Bool
    /// How the client names itself.
    public var userAgent = "workbench"
    /// The path of a PEM file with the certificates to trust; nil for the system's.
    public var certificates: String?
    /// The path of a PEM file with the certificate by which the client shows who it is, if a server asks; nil for none.
    public var clientCertificate: String?
    /// The path of a PEM file with the private key of that certificate, without password; nil if it is in the same file.
    public var clientKey: String?
    /// Pins by host and port (`example.org:8443`), or by host for all ports without pins of their own; small letters.
    public var pins: [String: Pins] = [:]
    /// How many redirects are followed; from https only to https.
    public var redirectLimit = 5
    /// Whether redirects are followed only where the same host and port answers, or its https in place of http.
    ///
    /// The method and the body are sent again, which they are not otherwise; a redirect elsewhere ends with an error.
    public var staysOnHost = false
    /// The time to reach a host.
    public var connectDeadlineInSeconds = 15.0
    /// How often a request that may be repeated is repeated.
    public var repeatLimit = 2
    /// The time before the first repetition unless the server says; each next one takes twice as long.
    public var firstDelayInSeconds = 0.5
    /// A server that wants to be asked later than this is not asked again.
    public var longestDelayInSeconds = 20.0

    /// Creates a configuration.
    public init(isOffline: Bool) {
      self.isOffline = isOffline
    }

    /// The pins of whoever answers at an address.
    func pins(for address: String) -> Pins? {
      pins[HTTPAddress.hostAndPort(of: address)] ?? pins[HTTPAddress.host(of: address)]
    }
  }

  /// What holds for all requests.
  public var configuration: Configuration

  /// Creates a client.
  public init(_ configuration: Configuration) {
    self.configuration = configuration
  }

  /// Asks, and gives the whole answer, whatever its status.
  ///
  /// A request that may be repeated is repeated when the server is busy (429, 502, 503, 504) or the connection is lost.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was cancelled.
  public func send(_ request: HTTPRequest) async throws -> HTTPResponse {
    let collector = BodyCollector()
    let head = try await repeated(request, canBeginAgain: true, onHead: collector.begin) { collector.take($0) }
    return HTTPResponse(head: head, body: collector.bytes)
  }

  /// Asks, and hands the answer over while it arrives.
  ///
  /// Both closures run on the thread of all transfers: they must be quick and never wait. What they throw ends the
  /// request and is thrown here. As long as no piece of the body was handed over, requests are repeated as by
  /// ``send(_:)``.
  /// - Parameters:
  ///   - request: The request.
  ///   - onHead: Takes the head, once.
  ///   - receive: Takes a piece of the body, good only within the call; `enough` drops the connection.
  /// - Returns: The head.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was cancelled.
  @discardableResult
  public func stream(
    _ request: HTTPRequest, onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow = { _ in .more },
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    try await repeated(request, canBeginAgain: false, onHead: onHead, receive: receive)
  }

  /// Asks, and hands the answer over while it arrives and as fast as the receiver lets it.
  ///
  /// As without a gate; the receiver closes it when it has no room.
  /// - Parameters:
  ///   - request: The request.
  ///   - gate: Holds the stream back while it is closed.
  ///   - onHead: Takes the head, once.
  ///   - receive: Takes a piece of the body, good only within the call; `enough` drops the connection.
  /// - Returns: The head.
  /// - Throws: ``HTTPError``; `CancellationError` soon after the task was cancelled.
  @discardableResult
  public func stream(
    _ request: HTTPRequest, gate: HTTPGate, onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow = { _ in .more },
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  ) async throws -> HTTPHead {
    try await repeated(request, canBeginAgain: false, gate: gate, onHead: onHead, receive: receive)
  }

  /// Asks until there is an answer worth having.
  ///
  /// - Parameter canBeginAgain: Whether the receiver forgets what it has when a second head comes.
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

  /// Statuses of servers that may answer later.
  ///
  /// - Source: RFC 9110, section 15.6; RFC 6585, section 4.
  static let busyStatuses: Set<Int> = [429, 502, 503, 504]

  /// The time before the next attempt; nil if it is not worth waiting.
  private func delay(_ attempt: Int, _ head: HTTPHead?) -> Double? {
    let stated = head?.headers["Retry-After"].flatMap { RetryAfter.seconds($0, now: RetryAfter.now()) }
    let delay = stated ?? configuration.firstDelayInSeconds * Double(1 << attempt)
    return delay <= configuration.longestDelayInSeconds ? delay : nil
  }

  private func wait(_ seconds: Double) async throws {
    if seconds > 0 { try await Task.sleep(for: .milliseconds(Int64(seconds * 1000))) }
    try Task.checkCancellation()
  }

  /// Asks once, and again where a redirect leads if that is not left to libcurl.
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

  /// Asks for what the server's certificate says.
  func ask(_ certificate: CertificateReceiver, of address: String) async throws {
    var request = HTTPRequest(address)
    request.deadlineInSeconds = configuration.connectDeadlineInSeconds
    _ = try await asked(request, certificate: certificate, onHead: { _ in .more }, receive: { _ in .more })
  }

  /// Asks one server once.
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

/// Puts the pieces of a body together.
private final class BodyCollector: Sendable {
  private let state = Mutex<[UInt8]>([])

  var bytes: [UInt8] { state.withLock { $0 } }

  func begin(_ head: HTTPHead) -> HTTPFlow {
    state.withLock { bytes in
      bytes = []
      // A stated length is only believed as far as it costs little.
      if let length = head.statedLength { bytes.reserveCapacity(min(length, 1 << 20)) }
    }
    return .more
  }

  func take(_ piece: UnsafeRawBufferPointer) -> HTTPFlow {
    state.withLock { $0.append(contentsOf: piece) }
    return .more
  }
}

/// Notes whether the receiver saw anything of an attempt.
private final class AttemptWatch: Sendable {
  private let delivered = Mutex(false)
  var isDelivered: Bool { delivered.withLock { $0 } }
  func setDelivered() { delivered.withLock { $0 = true } }
}
