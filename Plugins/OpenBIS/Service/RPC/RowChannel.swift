import Glibc
import Synchronization

/// A queue of rows from the thread of all transfers to the thread of a store; at most a few batches wait in it.
///
/// The sender never waits: it checks ``isFull`` and pauses its transfer until ``whenThereIsRoom(_:)`` calls back.
final class RowChannel: RowSource {
  private struct State {
    var waiting: [[EntityRow]] = []
    var outcome: Result<Void, any Error>?
    var onRoom: (@Sendable () -> Void)?
    /// The number of rows added.
    var count = 0
  }

  private let capacity: Int
  private let limit: Int
  private let signal = Signal()
  private let state = Mutex(State())

  /// Creates a channel with a capacity, in batches.
  ///
  /// - Parameter limit: The largest number of rows; the channel fails with `UselessResult` if more are added.
  init(capacity: Int = 4, limit: Int = .max) {
    self.capacity = capacity
    self.limit = limit
  }

  /// A Boolean value indicating whether the sender should pause.
  var isFull: Bool { state.withLock { $0.waiting.count >= capacity && $0.outcome == nil } }

  /// A Boolean value indicating whether the reader has stopped, or all rows were added.
  var hasEnded: Bool { state.withLock { $0.outcome != nil } }

  /// Appends rows; they are dropped after the channel ended.
  func push(_ rows: [EntityRow]) {
    if rows.isEmpty { return }
    let isTooMuch = state.withLock { state in
      guard state.outcome == nil else { return false }
      state.count += rows.count
      if state.count <= limit { state.waiting.append(rows) }
      return state.count > limit
    }
    if isTooMuch { return fail(UselessResult("it has more than \(limit) rows")) }
    signal.raise()
  }

  /// Calls back once, on the reading thread, as soon as there is room or the channel has ended; immediately if that is
  /// so now.
  func whenThereIsRoom(_ callBack: @escaping @Sendable () -> Void) {
    let isNow = state.withLock { state in
      if state.waiting.count < capacity || state.outcome != nil { return true }
      state.onRoom = callBack
      return false
    }
    if isNow { callBack() }
  }

  /// Ends the channel after its last row.
  func finish() { end(.success(())) }

  /// Ends the channel because the response is broken; waiting rows are dropped.
  func fail(_ error: any Error) { end(.failure(error)) }

  private func end(_ outcome: Result<Void, any Error>) {
    let callBack = state.withLock { state -> (@Sendable () -> Void)? in
      guard state.outcome == nil else { return nil }
      state.outcome = outcome
      if case .failure = outcome { state.waiting = [] }
      defer { state.onRoom = nil }
      return state.onRoom
    }
    signal.raise()
    callBack?()
  }

  func next() throws -> [EntityRow]? {
    while true {
      let (found, callBack) = try state.withLock { state in
        if !state.waiting.isEmpty {
          let rows = state.waiting.removeFirst()
          defer { state.onRoom = nil }
          return (Optional(Optional(rows)), state.onRoom)
        }
        switch state.outcome {
        case .success: return (Optional(Optional<[EntityRow]>.none), nil)
        case .failure(let error): throw error
        case nil: return (nil, nil)
        }
      }
      callBack?()
      if let found { return found }
      signal.wait()
    }
  }
}

/// A signal that wakes one waiting thread; a thread that waits after it was raised does not block.
private final class Signal: @unchecked Sendable {
  // A C handle; semaphores may be used on any thread.
  private let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func raise() { sem_post(semaphore) }

  func wait() {
    while sem_wait(semaphore) != 0, errno == EINTR {}
    // Several raises in succession count once.
    while sem_trywait(semaphore) == 0 {}
  }
}
