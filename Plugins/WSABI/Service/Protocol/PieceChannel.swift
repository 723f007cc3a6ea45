import PluginNet
import Synchronization

/// A channel that carries the body of a response from the network thread to the task that reads it; only a little of it
/// is buffered.
final class PieceChannel: Sendable {
  private struct State {
    var waiting: [UInt8] = []
    var hasEnded = false
    var head: HTTPHead?
    var reader: CheckedContinuation<[UInt8]?, Never>?
  }

  /// So much may wait before the server is held back.
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
