import Synchronization

/// A sink that passes data on and keeps its first bytes, which determine the type.
final class HeadSink: DataSink {
  /// The destination of the data.
  let inner: any DataSink
  private let head = Mutex<[UInt8]>([])
  private static let limit = 64

  init(_ inner: any DataSink) { self.inner = inner }

  /// The first bytes, 64 at most.
  var start: [UInt8] { head.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    head.withLock { head in
      guard head.count < Self.limit else { return }
      head += bytes.prefix(Self.limit - head.count)
    }
    try inner.write(bytes)
  }

  func abandon() { inner.abandon() }
}
