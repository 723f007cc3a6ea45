import PluginAPI
import PluginStore
import PluginText

/// A receiver that decodes the data of a sensor as it arrives, hashes it and passes it on; never holds more than a few
/// pages.
final class DataReceiver {
  private let sink: any DataSink
  private let limitInBytes: Int
  private var decoder = Base64Decoder()
  private var hash = SHA256()
  private var sizeInBytes = 0
  /// Decoded bytes that were not handed on yet.
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
    var rest = text[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.pieceInBytes)
      rest = rest.dropFirst(piece.count)
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
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(Self.pageInBytes - filled)
      rest = rest.dropFirst(piece.count)
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
    if sizeInBytes == 0 { throw .brokenData(reason: "it is empty") }
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
      ?? ErrorReport(code: "wsabi.not-kept", kind: .failure, "its place failed without a reason")
  }

  private static func kind(_ fault: Base64Decoder.Fault) -> SensorFault.Kind {
    switch fault {
    case .junk(let place): .brokenData(reason: "character \(place + 1) is none of base64")
    case .padding(let place): .brokenData(reason: "its padding does not stand at its end (character \(place + 1))")
    case .cut: .brokenData(reason: "its base64 is cut short")
    }
  }
}
