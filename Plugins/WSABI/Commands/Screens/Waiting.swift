import Glibc
import Synchronization

/// Blocking waits for stores and links, on a thread that may block.
///
/// Computed effects of screens have their own threads, so that no thread shared by tasks is ever blocked.
enum Waiting {
  /// The interval at which cancellation is checked, in milliseconds.
  private static let lookInMilliseconds = 50

  /// Returns the value of a task, or throws its error.
  ///
  /// - Parameter isCancelled: Returns true if the task should end; called every 50 ms.
  static func value<Value: Sendable>(
    unless isCancelled: () -> Bool = { false }, _ work: @escaping @Sendable () async throws -> Value
  ) throws -> Value {
    let bell = Bell()
    let outcome = Outcome<Value>()
    let task = Task.detached {
      do {
        let value = try await work()
        outcome.content.withLock { $0 = .success(value) }
      } catch {
        outcome.content.withLock { $0 = .failure(error) }
      }
      bell.ring()
    }
    while !bell.wait(milliseconds: lookInMilliseconds) { if isCancelled() { task.cancel() } }
    guard let found = outcome.content.withLock({ $0 }) else { throw CancellationError() }
    return try found.get()
  }

  private final class Outcome<Value: Sendable>: Sendable {
    let content = Mutex<Result<Value, any Error>?>(nil)
  }
}

/// Wakes one thread that waits.
private final class Bell: Sendable {
  // A semaphore of C has one address for all its life, and may be used on any thread.
  private nonisolated(unsafe) let semaphore = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() { sem_init(semaphore, 0, 0) }

  deinit {
    sem_destroy(semaphore)
    semaphore.deallocate()
  }

  func ring() { sem_post(semaphore) }

  /// Waits for the bell and returns true if it rang within the given number of milliseconds, at most 999.
  func wait(milliseconds: Int) -> Bool {
    var time = timespec()
    clock_gettime(CLOCK_REALTIME, &time)
    time.tv_nsec += milliseconds * 1_000_000
    if time.tv_nsec >= 1_000_000_000 { (time.tv_sec, time.tv_nsec) = (time.tv_sec + 1, time.tv_nsec - 1_000_000_000) }
    return sem_timedwait(semaphore, &time) == 0
  }
}
