import Synchronization

@testable import WSABI

/// A sink for sensor data in the tests' own memory.
final class KeptBytes: DataSink {
  struct Full: Error {}

  private struct State {
    var bytes: [UInt8] = []
    var pieces = 0
    var isAbandoned = false
  }

  private let limit: Int
  private let state = Mutex(State())

  /// Creates a sink that accepts a number of bytes.
  init(limit: Int = .max) { self.limit = limit }

  var bytes: [UInt8] { state.withLock { $0.bytes } }
  var largestCount: Int { state.withLock { $0.pieces } }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    try state.withLock { state in
      if state.bytes.count + bytes.count > limit { throw Full() }
      state.bytes.append(contentsOf: bytes)
      state.pieces = max(state.pieces, bytes.count)
    }
  }

  func abandon() { state.withLock { $0.isAbandoned = true } }
}
