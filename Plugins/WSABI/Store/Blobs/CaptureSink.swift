import Synchronization

/// Takes the data of one capture, and seals it piece by piece while it comes.
///
/// Small data stays in memory and goes into the database; what is larger goes to a file. Nothing counts before it was
/// kept; what could not be kept, as the disk was full, is there still and can be kept later.
final class CaptureSink: DataSink {
  private let writer: Mutex<CaptureWriter>

  init(_ folder: CaptureFolder) {
    writer = Mutex(CaptureWriter(folder))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try writer.withLock { try $0.write(bytes) }
  }

  func abandon() {
    writer.withLock { $0.abandon() }
  }

  /// Ends the data and waits until it is on the device.
  ///
  /// What it gave once it gives again, for who could not keep the row; a file that could not be written to its end is
  /// failed for good.
  func finish() throws -> WrittenCapture {
    try writer.withLock { try $0.finish() }
  }

  /// Says that the row of the capture is kept.
  func settle() {
    writer.withLock { $0.settle() }
  }
}

/// What a sink took.
struct WrittenCapture: Sendable {
  var sizeInBytes: Int
  var sha256: [UInt8]
  /// The first bytes, 64 at most.
  var start: [UInt8]
  var content: StoredContent
}
