import Synchronization

/// A sink for the data of one capture, which seals it piece by piece as it arrives.
///
/// Small data stays in memory and goes into the database; larger data goes to a file. Nothing counts before it is
/// committed. Data that could not be stored because the disk was full remains, and can be stored later.
final class CaptureSink: DataSink {
  private let writer: Mutex<CaptureWriter>

  init(_ folder: CaptureFolder) {
    writer = Mutex(CaptureWriter(folder))
  }

  /// Creates a sink whose file is written by a replacement of write(2).
  init(_ folder: CaptureFolder, writing: @escaping CaptureWriter.Write) {
    writer = Mutex(CaptureWriter(folder, writing: writing))
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try writer.withLock { try $0.write(bytes) }
  }

  func abandon() {
    writer.withLock { $0.abandon() }
  }

  /// Ends the data and waits until it is on the device.
  ///
  /// A second call returns the same result, for a caller that could not store the row. If the disk was full at the end
  /// of a file, the call can be retried. A file that failed otherwise has failed permanently.
  func finish() throws -> WrittenCapture {
    try writer.withLock { try $0.finish() }
  }

  /// Notes that the row of the capture is committed.
  func settle() {
    writer.withLock { $0.settle() }
  }
}

/// The data written to a sink.
struct WrittenCapture: Sendable {
  var sizeInBytes: Int
  var sha256: [UInt8]
  /// The first bytes, 64 at most.
  var start: [UInt8]
  var content: StoredContent
}
