import PluginAPI
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
      var response = try reader.finish()
      if !isXML {
        response.oddities.append("the response has the type '\(SanitizedText.line(type, limit: 80))', not XML")
      }
      return response
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
    switch (kind, type) {
    case (.notAService, "text/html"), (.malformed, "text/html"): .notAService(found: "a web page")
    case (.notAService(let found), _) where !type.isEmpty && !isXML: .notAService(found: "\(found) (\(type))")
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
    var response = SensorAnswer(status: .success, namespace: namespace ?? .bioserv)
    response.contentType = SanitizedText.line(channel.head?.headers["Content-Type"] ?? "", limit: 200)
    if type == "text/plain" {
      response.message = SanitizedText.line(String(decoding: text, as: UTF8.self).trimmed(), limit: 2000)
      let status = OperationStatus(word: response.message)
      response.status = OperationStatus.standard.contains(status) && status != .success ? status : .failure
      return response
    }
    response.data = try data?.finish()
    return response
  }

  /// Returns the first bytes of a response, up to a point where sensor data may begin.
  private static func withoutData(_ start: [UInt8]) -> [UInt8] {
    Array(start[..<(ByteSearch.firstIndex(of: "sensorData".utf8, in: start) ?? start.endIndex)])
  }

  /// Passes on the body of a response as it arrives.
  private func pieces(_ take: (UnsafeRawBufferPointer) throws -> Void) async throws {
    let (client, http, limits, channel) = (client, http, limits, channel)
    let isDownload = request.operation.bringsData
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

/// A channel that carries the body of a response from the network thread to the task that reads it; only a little of it
/// is buffered.
final class PieceChannel: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var hasEnded = false
    var head: HTTPHead?
    var reader: CheckedContinuation<[UInt8]?, Never>?
  }

  /// The number of bytes that may wait before the server is held back.
  private static let roomInBytes = 1 << 20

  /// Holds the transfer back.
  let gate = HTTPGate()
  private let state = Mutex(State())

  /// The head in front of the body; nil before it is received.
  var head: HTTPHead? { state.withLock { $0.head } }

  /// Sets the head in front of the body.
  func begin(_ head: HTTPHead) { state.withLock { $0.head = head } }

  /// Puts a piece at the end; never waits.
  func put(_ bytes: UnsafeRawBufferPointer) {
    let reader = state.withLock { state -> CheckedContinuation<[UInt8]?, Never>? in
      if let reader = state.reader {
        state.reader = nil
        return reader
      }
      state.waiting.append(contentsOf: bytes)
      // Under the lock: otherwise the reader could take everything and open the gate before it is closed, and it would
      // stay closed.
      if state.waiting.count >= Self.roomInBytes { gate.close() }
      return nil
    }
    reader?.resume(returning: Array(bytes))
  }

  /// Marks that no more pieces arrive, or none are wanted.
  func finish() {
    let reader = state.withLock { state in
      state.hasEnded = true
      defer { state.reader = nil }
      return state.reader
    }
    reader?.resume(returning: nil)
  }

  /// Waits for the next pieces; nil at the end.
  ///
  /// For one task at a time.
  func next() async -> [UInt8]? {
    await withCheckedContinuation { continuation in
      let ready: [UInt8]?? = state.withLock { state in
        if !state.waiting.isEmpty {
          defer { state.waiting = [] }
          gate.open()
          return .some(.some(state.waiting))
        }
        if state.hasEnded { return .some(.none) }
        state.reader = continuation
        return .none
      }
      if let ready { continuation.resume(returning: ready) }
    }
  }
}

/// A detector of responses that arrive too slowly to finish.
struct RateWatch {
  private let minimumInBytesPerSecond: Int
  private let windowInSeconds: Double
  private var start: Double?
  private var received = 0

  init(minimumInBytesPerSecond: Int, windowInSeconds: Double) {
    self.minimumInBytesPerSecond = minimumInBytesPerSecond
    self.windowInSeconds = windowInSeconds
  }

  /// Starts a new window with the next piece, as after a pause in reading.
  mutating func restart() { start = nil }

  /// Notes received bytes.
  ///
  /// - Parameter seconds: A time that never goes back.
  /// - Returns: The rate in bytes a second, if it was too low over a whole window; nil if all is well.
  mutating func take(_ count: Int, at seconds: Double) -> Int? {
    guard let begun = start else {
      (start, received) = (seconds, count)
      return nil
    }
    received += count
    let passed = seconds - begun
    if passed < windowInSeconds { return nil }
    let rate = Int(Double(received) / passed)
    (start, received) = (seconds, 0)
    return rate < minimumInBytesPerSecond ? rate : nil
  }
}

/// A receiver that decodes the data of a sensor as it arrives, hashes it and passes it on; never holds more than a few
/// pages.
final class DataReceiver {
  private let sink: any DataSink
  private let limitInBytes: Int
  private var decoder = Base64Decoder()
  private var hash = SHA256()
  private var sizeInBytes = 0
  /// Decoded bytes that were not passed on yet.
  private let room: UnsafeMutablePointer<UInt8>
  private var filled = 0
  /// True if any data was received, so that the sink is no longer new.
  private(set) var hasWritten = false
  private(set) var hasBegun = false

  /// The number of bytes passed on at a time.
  private static let pageInBytes = 1 << 18
  /// The number of bytes decoded at a time.
  private static let pieceInBytes = 1 << 15

  init(_ sink: any DataSink, limitInBytes: Int) {
    self.sink = sink
    self.limitInBytes = limitInBytes
    room = .allocate(capacity: Self.pageInBytes + Base64Decoder.room(for: Self.pieceInBytes))
  }

  deinit { room.deallocate() }

  /// Marks the start of the data.
  func begin() { hasBegun = true }

  /// Decodes a piece of base64.
  func take(base64 text: UnsafeBufferPointer<UInt8>) throws(SensorFault.Kind) {
    var remaining = text[...]
    while !remaining.isEmpty {
      let piece = remaining.prefix(Self.pieceInBytes)
      remaining = remaining.dropFirst(piece.count)
      do {
        filled += try decoder.decode(UnsafeBufferPointer(rebasing: piece), into: room + filled)
      } catch {
        throw Self.kind(error)
      }
      if filled >= Self.pageInBytes { try handOn() }
    }
  }

  /// Adds a piece of undecoded data.
  func take(raw bytes: UnsafeRawBufferPointer) throws(SensorFault.Kind) {
    hasBegun = true
    var remaining = bytes[...]
    while !remaining.isEmpty {
      let piece = remaining.prefix(Self.pageInBytes - filled)
      remaining = remaining.dropFirst(piece.count)
      UnsafeMutableRawBufferPointer(start: room + filled, count: piece.count)
        .copyMemory(from: UnsafeRawBufferPointer(rebasing: piece))
      filled += piece.count
      if filled >= Self.pageInBytes { try handOn() }
    }
  }

  /// Marks the end of the data.
  ///
  /// - Returns: Its size and hash.
  func finish() throws(SensorFault.Kind) -> SensorData {
    do {
      try decoder.finish()
    } catch {
      throw Self.kind(error)
    }
    try handOn()
    if sizeInBytes == 0 { throw .brokenData(reason: "the data is empty") }
    return SensorData(sizeInBytes: sizeInBytes, sha256: hash.finish())
  }

  private func handOn() throws(SensorFault.Kind) {
    if filled == 0 { return }
    sizeInBytes += filled
    if sizeInBytes > limitInBytes { throw .tooLarge(limitInBytes: limitInBytes) }
    let page = UnsafeBufferPointer(start: room, count: filled)
    hash.update(page)
    hasWritten = true
    do {
      try sink.write(UnsafeRawBufferPointer(page))
    } catch {
      throw .notKept(Self.report(error))
    }
    filled = 0
  }

  private static func report(_ error: any Error) -> ErrorReport {
    (error as? any ReportableError)?.report
      ?? ErrorReport(code: "wsabi.not-kept", kind: .failure, "writing failed for an unknown reason")
  }

  private static func kind(_ fault: Base64Decoder.Fault) -> SensorFault.Kind {
    switch fault {
    case .junk(let index): .brokenData(reason: "character \(index + 1) is not valid in base64")
    case .padding(let index): .brokenData(reason: "base64 padding before the end (character \(index + 1))")
    case .cut: .brokenData(reason: "the base64 text is incomplete")
    }
  }
}
