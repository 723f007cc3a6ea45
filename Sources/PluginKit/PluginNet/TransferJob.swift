internal import CTransfer
internal import Glibc
internal import Synchronization

/// A request in progress, passed from the waiting call to the transfer thread.
// Its variables belong to the transfer thread once it is handed over.
final class TransferJob: @unchecked Sendable {
  let request: HTTPRequest
  let configuration: HTTPClient.Configuration
  private let gate: HTTPGate?
  private let certificate: CertificateReceiver?
  private let continuation: CheckedContinuation<HTTPHead, any Error>

  /// The receivers of the response; nil once the call has returned, so that nothing outlives it.
  private var takers: Takers?
  /// The transfer; nil before it begins.
  var transfer: OpaquePointer?
  /// The handle that cancels it; nil before it begins.
  var ticket: TransferTicket?
  private var headers = HTTPHeaders()
  private var status = 0
  private var head: HTTPHead?
  private var received = 0
  private var headSize = 0
  private var failure: (any Error)?

  private struct Takers {
    let head: @Sendable (HTTPHead) throws -> HTTPFlow
    let piece: @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow
  }

  init(
    _ request: HTTPRequest, _ configuration: HTTPClient.Configuration, gate: HTTPGate? = nil,
    certificate: CertificateReceiver? = nil,
    onHead: @escaping @Sendable (HTTPHead) throws -> HTTPFlow,
    receive: @escaping @Sendable (UnsafeRawBufferPointer) throws -> HTTPFlow,
    continuation: CheckedContinuation<HTTPHead, any Error>
  ) {
    self.request = request
    self.configuration = configuration
    self.gate = gate
    self.certificate = certificate
    takers = Takers(head: onHead, piece: receive)
    self.continuation = continuation
  }

  /// The maximum length of a head in bytes, including those of preceding redirects.
  private static let headInBytes = 1 << 18

  /// Reads a line of a head; the next head replaces that of a redirect.
  ///
  /// - Returns: True to continue.
  func take(line: UnsafeRawBufferPointer) -> Bool {
    headSize += line.count
    if headSize > Self.headInBytes {
      failure = HTTPError.damaged(host: HTTPAddress.host(of: request.address), reason: "its header has no end")
      return false
    }
    let bytes = [UInt8](line)
    if bytes.starts(with: "HTTP/".utf8) {
      headers = HTTPHeaders()
      let words = bytes.split(separator: 0x20)
      status = words.count > 1 ? Int(String(decoding: words[1].prefix(3), as: UTF8.self)) ?? 0 : 0
    } else if head == nil {
      headers.take(line: bytes)
    }
    return true
  }

  /// A Boolean value indicating whether reading of the body is paused.
  var isHeld: Bool { gate?.isClosed ?? false }

  /// A Boolean value indicating whether only the server's certificate is wanted; nothing is sent then.
  var onlyConnects: Bool { certificate != nil }

  /// A Boolean value indicating whether a certificate from any issuer is wanted.
  var trustsAnybody: Bool { certificate?.trustsAnybody ?? false }

  /// Delivers a piece of the body, cut at the size limit.
  ///
  /// - Returns: True if the next piece is wanted, and when.
  func take(piece: UnsafeRawBufferPointer) -> transfer_flow {
    do {
      guard let takers, try deliverHead(to: takers) == .more else { return TRANSFER_ENOUGH }
      let allowed = min(piece.count, request.limitInBytes - received)
      received += allowed
      let flow = try allowed == 0 ? .more : takers.piece(UnsafeRawBufferPointer(rebasing: piece[..<allowed]))
      if flow == .more, allowed < piece.count {
        throw HTTPError.tooLarge(address: HTTPAddress.shown(request.address), limitInBytes: request.limitInBytes)
      }
      return flow == .enough ? TRANSFER_ENOUGH : isHeld ? TRANSFER_PAUSE : TRANSFER_MORE
    } catch {
      failure = error
      return TRANSFER_ENOUGH
    }
  }

  private func deliverHead(to takers: Takers) throws -> HTTPFlow {
    if head != nil { return .more }
    let address = transfer.flatMap { transfer_final_address($0) }.map { String(cString: $0) } ?? request.address
    let length = transfer.map { transfer_stated_length($0) } ?? -1
    let new = HTTPHead(
      status: status, headers: headers, address: address, statedLength: length < 0 ? nil : Int(length))
    head = new
    return try takers.head(new)
  }

  /// Completes the waiting call.
  func end(_ outcome: transfer_outcome) {
    do {
      answer(.success(try head(after: outcome)))
    } catch {
      answer(.failure(error))
    }
  }

  /// Completes the waiting call with an error.
  func end(throwing error: any Error) { answer(.failure(error)) }

  private func answer(_ result: Result<HTTPHead, any Error>) {
    takers = nil
    continuation.resume(with: result)
  }

  private func head(after outcome: transfer_outcome) throws -> HTTPHead {
    if let failure { throw failure }
    if outcome.end == TRANSFER_DONE, let transfer { certificate?.take(from: transfer) }
    if outcome.end == TRANSFER_DONE || outcome.end == TRANSFER_STOPPED {
      if let takers { _ = try deliverHead(to: takers) }
      if let head { return head }
    }
    throw error(outcome)
  }

  private func error(_ outcome: transfer_outcome) -> HTTPError {
    let (host, address) = (HTTPAddress.host(of: request.address), HTTPAddress.shown(request.address))
    let words = withUnsafeBytes(of: outcome.message) { raw in
      String(decoding: raw.prefix { $0 != 0 }, as: UTF8.self)
    }
    let system = outcome.system_error > 0 ? String(cString: strerror(Int32(outcome.system_error))) : words
    return switch outcome.end {
    case TRANSFER_BAD_ADDRESS: .badAddress(address)
    // A response without a head is HTTP/0.9 to libcurl, and not HTTP to anyone else.
    case TRANSFER_PROTOCOL_REFUSED where words.hasPrefix("Received HTTP/0.9"):
      .damaged(host: host, reason: "it is not HTTP")
    case TRANSFER_PROTOCOL_REFUSED: .protocolRefused(address: address)
    case TRANSFER_NOT_RESOLVED: .unknownHost(host)
    case TRANSFER_NOT_CONNECTED: .notConnected(host: host, reason: system)
    case TRANSFER_TLS: .notTrusted(host: host, reason: words)
    case TRANSFER_PIN_MISMATCH: .otherKey(host: host)
    case TRANSFER_TIMED_OUT where outcome.is_sent == 0 && transfer != nil:
      .notConnected(host: host, reason: "the connection timed out")
    case TRANSFER_TIMED_OUT: .timedOut(host: host, seconds: timeLimit(words))
    case TRANSFER_TOO_MANY_REDIRECTS:
      .tooManyRedirects(address: address, limit: configuration.redirectLimit)
    case TRANSFER_TOO_LARGE: .tooLarge(address: address, limitInBytes: request.limitInBytes)
    // In TLS 1.3 the server reports this after the handshake, and data sent before is not read.
    case TRANSFER_CUT_SHORT where Self.has(words, "alert certificate required"):
      .notTrusted(host: host, reason: "it requires a client certificate")
    case TRANSFER_CUT_SHORT where Self.refusals.contains(where: { Self.has(words, $0) }):
      .notTrusted(host: host, reason: "it rejects the client certificate")
    case TRANSFER_CUT_SHORT: .cutShort(host: host, reason: words)
    case TRANSFER_BAD_ENCODING: .damaged(host: host, reason: words)
    default: .failed(host: host, reason: words)
    }
  }

  /// The messages by which OpenSSL reports that a server rejects the client's certificate.
  ///
  /// - Source: RFC 8446, section 6.2 (the alerts); OpenSSL 3.0, ssl/ssl_err.c (the wording).
  private static let refusals = [
    "alert bad certificate", "alert unknown ca", "alert certificate expired", "alert certificate revoked",
    "alert certificate unknown", "alert unsupported certificate", "alert access denied",
  ]

  private static func has(_ text: String, _ part: String) -> Bool {
    let (text, part) = (Array(text.utf8), Array(part.utf8))
    return text.indices.contains { text[$0...].starts(with: part) }
  }

  /// Returns the time limit that was reached; nil if it cannot be determined.
  ///
  /// - Source: libcurl 7.88, lib/speedcheck.c and lib/multi.c (the wording).
  private func timeLimit(_ words: String) -> Double? {
    if words.hasPrefix("Operation too slow") { return request.stallInSeconds.map(Double.init) }
    return request.deadlineInSeconds
  }
}

/// The number of a job, with a flag for cancellation.
final class TransferTicket: Sendable {
  private let cancelled = Mutex(false)
  var isCancelled: Bool { cancelled.withLock { $0 } }
  func cancel() { cancelled.withLock { $0 = true } }
}

/// A request in the form that libcurl needs.
struct TransferSetup {
  private let job: TransferJob

  init(_ job: TransferJob) {
    self.job = job
  }

  /// Begins the transfer; returns nil and sets the outcome if it cannot begin.
  func begin(on engine: OpaquePointer, _ outcome: inout transfer_outcome) -> OpaquePointer? {
    let texts = CTexts()
    var question = transfer_request()
    setLimits(&question)
    setTrust(&question, texts)
    let (request, configuration) = (job.request, job.configuration)
    question.address = texts.keep(request.address)
    question.method = request.method.map(texts.keep) ?? nil
    question.user_agent = texts.keep(configuration.userAgent)
    question.protocols = texts.keep("http,https")
    let isSafe = request.address.lowercased().hasPrefix("https:")
    question.redirect_protocols = texts.keep(isSafe ? "https" : "http,https")
    // `Expect: 100-continue` costs a second with servers that do not know it.
    let lines = request.headers.lines.map { texts.keep($0) } + [texts.keep("Expect:")]
    return lines.withUnsafeBufferPointer { lines in
      question.headers = lines.baseAddress
      question.header_count = lines.count
      return withBody { bytes in
        question.body = bytes?.baseAddress
        question.body_count = bytes?.count ?? 0
        return transfer_begin(engine, &question, receiver, &outcome)
      }
    }
  }

  /// Calls a closure with the body; nil for none.
  private func withBody(_ use: (UnsafeBufferPointer<UInt8>?) -> OpaquePointer?) -> OpaquePointer? {
    guard let body = job.request.body else { return use(nil) }
    // An empty array may have no address, which would mean no body.
    return (body + [0]).withUnsafeBufferPointer { use(UnsafeBufferPointer(rebasing: $0.dropLast())) }
  }

  private func setLimits(_ question: inout transfer_request) {
    let (request, configuration) = (job.request, job.configuration)
    question.redirects = configuration.staysOnHost ? 0 : configuration.redirectLimit
    question.deadline_in_milliseconds = Self.milliseconds(request.deadlineInSeconds ?? 0)
    question.connect_deadline_in_milliseconds = Self.milliseconds(configuration.connectDeadlineInSeconds)
    question.stall_in_seconds = request.stallInSeconds ?? 0
    // From an endless response, little more than the limit is read.
    question.buffer_in_bytes = min(max(1024, request.limitInBytes), 1 << 16)
    question.decodes = request.decodesContent ? 1 : 0
    question.is_fresh = request.isSentOnce ? 1 : 0
    question.is_direct = HTTPAddress.isLoopback(request.address) ? 1 : 0
  }

  private static func milliseconds(_ seconds: Double) -> Int {
    seconds > 0 ? max(1, Int(min(seconds, 1e9) * 1000)) : 0
  }

  private func setTrust(_ question: inout transfer_request, _ texts: CTexts) {
    let configuration = job.configuration
    question.certificates = configuration.certificates.map(texts.keep) ?? nil
    question.client_certificate = configuration.clientCertificate.map(texts.keep) ?? nil
    question.client_key = configuration.clientKey.map(texts.keep) ?? nil
    question.only_connects = job.onlyConnects ? 1 : 0
    question.trusts_anybody = job.trustsAnybody ? 1 : 0
    guard !job.onlyConnects, let pins = configuration.pins(for: job.request.address), !pins.keys.isEmpty else { return }
    question.pins = texts.keep(pins.keys.map { $0.hasPrefix("sha256//") ? $0 : "sha256//" + $0 }.joined(separator: ";"))
    question.trusts_pins_alone = pins.trustsAlone ? 1 : 0
  }

  private var receiver: transfer_receiver {
    transfer_receiver(
      context: Unmanaged.passUnretained(job).toOpaque(),
      header: { context, line, count in
        guard let context else { return 0 }
        let job = Unmanaged<TransferJob>.fromOpaque(context).takeUnretainedValue()
        return job.take(line: UnsafeRawBufferPointer(start: line, count: count)) ? 1 : 0
      },
      body: { context, bytes, count in
        guard let context else { return TRANSFER_ENOUGH }
        let job = Unmanaged<TransferJob>.fromOpaque(context).takeUnretainedValue()
        return job.take(piece: UnsafeRawBufferPointer(start: bytes, count: count))
      })
  }
}

/// C strings that live as long as this object.
private final class CTexts {
  private var kept: [UnsafeMutablePointer<CChar>] = []

  deinit { for text in kept { free(text) } }

  func keep(_ text: String) -> UnsafePointer<CChar>? {
    guard let copy = strdup(text) else { return nil }
    kept.append(copy)
    return UnsafePointer(copy)
  }
}
