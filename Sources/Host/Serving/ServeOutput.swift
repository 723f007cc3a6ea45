import Glibc
import Synchronization

/// The output to a client of `serve`: bytes that are written as it reads them.
///
/// Only ``room()`` and ``waitForRoom()`` wait for the client: they stop the calls of a client that does not read, and
/// the reading of its requests.
final class ServeOutput: Sendable {
  private struct State {
    /// Bytes to write, in order; `start` bytes of the first chunk are written.
    ///
    /// Large messages are chunks of their own, which nothing copies.
    var chunks: [[UInt8]] = []
    var start = 0
    /// The number of bytes that are not written.
    var backlog = 0
    var isDraining = false
    var isClosed = false
    /// The tasks that wait for room.
    var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
    var lastWaiting = 0
    var isReaderWaiting = false
    /// The task that waits until everything is written.
    var ending: CheckedContinuation<Void, Never>?
  }

  /// The maximum number of bytes that a pipe or socket with room takes without waiting.
  ///
  /// - Source: pipe(7), PIPE_BUF; poll(2).
  private static let pieceBytes = 4096
  /// The maximum number of bytes that are written at a time while other threads wait.
  private static let turnBytes = 1 << 16
  private static let timers = WorkQueue("workbench.serve-timers")

  private let descriptor: Int32
  private let limit: Int
  private let state = Mutex(State())
  private let queue = WorkQueue("workbench.serve-output", isUrgent: true)
  private let reader = WorkSemaphore()

  /// Creates the output on a descriptor, which stays open.
  ///
  /// - Parameter limit: The bytes that the client may leave unread before others wait for it.
  init(descriptor: Int32, limit: Int) {
    (self.descriptor, self.limit) = (descriptor, limit)
  }

  /// A Boolean value indicating whether the client has read enough for more; true after the end.
  var hasRoom: Bool { state.withLock { $0.isClosed || $0.backlog <= limit } }

  /// A Boolean value indicating whether the output was closed, or the client no longer reads it.
  var isClosed: Bool { state.withLock { $0.isClosed } }

  /// Adds bytes: written at once if the client reads, else later; dropped after the end.
  func write(_ bytes: [UInt8]) {
    let startsDraining = state.withLock { state in
      if state.isClosed { return false }
      Self.add(bytes, &state)
      if state.isDraining { return false }
      if bytes.count <= Self.turnBytes { writeSome(&state) }
      if state.isClosed || state.backlog == 0 { return false }
      state.isDraining = true
      return true
    }
    if startsDraining { queue.async { self.drain() } }
  }

  private static func add(_ bytes: [UInt8], _ state: inout State) {
    state.backlog += bytes.count
    if let last = state.chunks.indices.last, state.chunks[last].count + bytes.count <= turnBytes {
      state.chunks[last] += bytes
    } else if !bytes.isEmpty {
      state.chunks.append(bytes)
    }
  }

  /// Waits until the client has read enough, the output was closed, or the task is canceled.
  func room() async {
    let id = state.withLock { state in
      state.lastWaiting += 1
      return state.lastWaiting
    }
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isReady = state.withLock { state in
          if state.isClosed || state.backlog <= limit || Task.isCancelled { return true }
          state.waiting[id] = continuation
          return false
        }
        if isReady { continuation.resume() }
      }
    } onCancel: {
      state.withLock { $0.waiting.removeValue(forKey: id) }?.resume()
    }
  }

  /// Blocks the thread, that of the reader of requests, until the client has read enough or the output was closed.
  func waitForRoom() {
    while true {
      let mustWait = state.withLock { state in
        state.isReaderWaiting = !state.isClosed && state.backlog > limit
        return state.isReaderWaiting
      }
      if !mustWait { return }
      reader.wait()
    }
  }

  /// Waits until everything is written, but not longer than a time, and closes the output.
  func end(withinSeconds seconds: Double) async {
    await withCheckedContinuation { continuation in
      let isDone = state.withLock { state in
        if state.isClosed || state.backlog == 0 { return true }
        state.ending = continuation
        return false
      }
      if isDone { return continuation.resume() }
      Self.timers.async(afterSeconds: seconds) { [weak self] in self?.close() }
    }
    close()
  }

  /// Drops unwritten output, and all further output.
  private func close() {
    release { Self.close(&$0) }
  }

  private static func close(_ state: inout State) {
    state.isClosed = true
    (state.chunks, state.start, state.backlog) = ([], 0, 0)
  }

  /// Changes the state, and wakes those whose wait ends by that.
  private func release(_ change: (inout State) -> Void) {
    let (waiting, ending, wakesReader) = state.withLock { state in
      change(&state)
      let hasRoom = state.isClosed || state.backlog <= limit
      let waiting = hasRoom ? Array(state.waiting.values) : []
      if hasRoom { state.waiting = [:] }
      let ending = state.isClosed || state.backlog == 0 ? state.ending : nil
      if ending != nil { state.ending = nil }
      let wakesReader = hasRoom && state.isReaderWaiting
      if wakesReader { state.isReaderWaiting = false }
      return (waiting, ending, wakesReader)
    }
    for continuation in waiting { continuation.resume() }
    ending?.resume()
    if wakesReader { reader.signal() }
  }

  private func drain() {
    while true {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      poll(&room, 1, 100)
      var isDone = false
      release { state in
        if !state.isClosed { writeSome(&state) }
        isDone = state.isClosed || state.backlog == 0
        state.isDraining = !isDone
      }
      if isDone { return }
    }
  }

  /// Writes bytes while that does not block, at most those of a turn.
  private func writeSome(_ state: inout State) {
    var remaining = min(state.backlog, Self.turnBytes)
    while remaining > 0, let chunk = state.chunks.first {
      var room = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
      guard poll(&room, 1, 0) > 0 else { break }
      if Int32(room.revents) & (POLLERR | POLLHUP | POLLNVAL) != 0 { return Self.close(&state) }
      let length = min(chunk.count - state.start, remaining, Self.pieceBytes)
      let count = chunk.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + state.start }, length)
      }
      if count < 0, errno == EINTR { continue }
      if count < 0, errno == EAGAIN { break }
      if count <= 0 { return Self.close(&state) }
      state.start += count
      state.backlog -= count
      remaining -= count
      if state.start == chunk.count {
        state.chunks.removeFirst()
        state.start = 0
      }
    }
  }
}
