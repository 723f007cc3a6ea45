internal import CTransfer
internal import Glibc

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
