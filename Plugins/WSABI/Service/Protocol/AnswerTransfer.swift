import PluginNet
import PluginText
import Synchronization

/// One attempt at a request: sends it and reads the response as it arrives.
struct AnswerTransfer {
  let client: HTTPClient
  let request: SensorRequest
  let http: HTTPRequest
  let address: String
  let limits: SensorLimits
  /// The receiver of a download's data; nil for other operations.
  let data: DataReceiver?
  /// The namespace the service writes as far as that is known.
  let namespace: ProtocolNamespace?
  private let channel = PieceChannel()

  init(
    _ client: HTTPClient, _ request: SensorRequest, _ http: HTTPRequest, address: String, limits: SensorLimits,
    data: DataReceiver?, namespace: ProtocolNamespace?
  ) {
    self.client = client
    self.request = request
    self.http = http
    self.address = address
    self.limits = limits
    self.data = data
    self.namespace = namespace
  }

  /// Returns the response of the service.
  func run() async throws(SensorFault) -> SensorAnswer {
    var start: [UInt8] = []
    do {
      return request.operation == .rawDownload ? try await raw() : try await document(&start)
    } catch {
      var fault = SensorFault(error, request.operation, address: address)
      // The limit of the encoded response follows from that of the data, which is the one that users can change.
      if data != nil, fault.kind == .tooLarge(limitInBytes: limits.answerInBytes(withData: true)) {
        fault.kind = .tooLarge(limitInBytes: limits.dataInBytes)
      }
      if Task.isCancelled { fault.kind = .cancelled }
      fault.start = Self.withoutData(start)
      throw fault
    }
  }

  private func document(_ start: inout [UInt8]) async throws -> SensorAnswer {
    let reader = try DocumentReader(limits: limits, data: data)
    var first: [UInt8] = []
    defer { start = first }
    do {
      try await pieces { bytes in
        if first.count < 256 { first += bytes.prefix(256 - first.count) }
        try reader.push(bytes)
      }
      var answer = try reader.finish()
      if !isXML { answer.oddities.append("the answer calls itself '\(SanitizedText.line(type, limit: 80))', not XML") }
      return answer
    } catch let kind as SensorFault.Kind {
      throw plainer(kind)
    }
  }

  /// The received media type.
  private var type: String { channel.head?.mediaType ?? "" }

  private var isXML: Bool { type == "application/xml" || type == "text/xml" || type.hasSuffix("+xml") }

  /// Returns the fault in terms of the received content: an HTML page is reported as a page, not as a malformed
  /// document.
  private func plainer(_ kind: SensorFault.Kind) -> SensorFault.Kind {
    switch kind {
    case .notAService where type == "text/html", .malformed where type == "text/html": .notAService(found: "a web page")
    case .notAService(let found) where !type.isEmpty && !isXML: .notAService(found: "\(found) (\(type))")
    default: kind
    }
  }

  /// Reads bare data; NIST's service reports errors as plain text with HTTP status 200.
  private func raw() async throws -> SensorAnswer {
    var text: [UInt8] = []
    try await pieces { bytes in
      if type == "text/plain" {
        text += bytes.prefix(4096 - min(4096, text.count))
      } else {
        try data?.take(raw: bytes)
      }
    }
    var answer = SensorAnswer(status: .success, namespace: namespace ?? .bioserv)
    answer.contentType = SanitizedText.line(channel.head?.headers["Content-Type"] ?? "", limit: 200)
    if type == "text/plain" {
      answer.message = SanitizedText.line(String(decoding: text, as: UTF8.self).trimmed(), limit: 2000)
      let status = OperationStatus(word: answer.message)
      answer.status = OperationStatus.standard.contains(status) && status != .success ? status : .failure
      return answer
    }
    answer.data = try data?.finish()
    return answer
  }

  /// Returns the first bytes of a response, up to a point where sensor data may begin.
  private static func withoutData(_ start: [UInt8]) -> [UInt8] {
    Array(start[..<(ByteSearch.firstIndex(of: "sensorData".utf8, in: start) ?? start.endIndex)])
  }

  /// Passes on the body of a response as it arrives.
  private func pieces(_ take: (UnsafeRawBufferPointer) throws -> Void) async throws {
    let (client, http, limits, channel) = (client, http, limits, channel)
    let isDownload = [.download, .thriftyDownload, .rawDownload].contains(request.operation)
    async let ended: HTTPHead = Self.transferred(client, http, limits, isDownload: isDownload, to: channel)
    while let piece = await channel.next() {
      try piece.withUnsafeBytes { bytes in try take(bytes) }
    }
    let head = try await ended
    if head.status != 200 { throw SensorFault.Kind.status(head.status) }
  }

  private static func transferred(
    _ client: HTTPClient, _ http: HTTPRequest, _ limits: SensorLimits, isDownload: Bool, to channel: PieceChannel
  ) async throws -> HTTPHead {
    defer { channel.finish() }
    let watch = Mutex(
      RateWatch(
        minimumInBytesPerSecond: limits.minimumRateInBytesPerSecond, windowInSeconds: limits.rateWindowInSeconds))
    return try await client.stream(
      http, gate: channel.gate,
      onHead: { head in
        // Data whose stated size exceeds the limit is refused by its head, before any of it is read. For other
        // responses the beginning is more informative than their size.
        if isDownload, head.status == 200, let stated = head.statedLength, stated > http.limitInBytes {
          throw SensorFault.Kind.tooLarge(limitInBytes: http.limitInBytes)
        }
        channel.begin(head)
        return head.status == 200 ? .more : .enough
      },
      receive: { bytes in
        channel.put(bytes)
        let slow = watch.withLock { watch -> Int? in
          // While reading is paused, nothing can arrive.
          if channel.gate.isClosed { watch.restart() }
          return watch.take(bytes.count, at: Uptime.seconds())
        }
        if let slow { throw SensorFault.Kind.tooSlow(bytesPerSecond: slow) }
        return .more
      })
  }
}

/// A time that never goes back.
enum Uptime {
  private static let origin = ContinuousClock.now

  /// Returns seconds since the first call.
  static func seconds() -> Double {
    let passed = (ContinuousClock.now - origin).components
    return Double(passed.seconds) + Double(passed.attoseconds) * 1e-18
  }
}
