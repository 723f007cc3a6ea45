internal import Glibc

/// A counting semaphore for threads.
// The memory is that of one POSIX semaphore, which any thread may use.
final class Semaphore: @unchecked Sendable {
  private let handle = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)

  init() {
    let result = sem_init(handle, 0, 0)
    precondition(result == 0, "a count of zero is allowed")
  }

  deinit {
    sem_destroy(handle)
    handle.deallocate()
  }

  /// Wakes one waiting thread.
  func signal() { sem_post(handle) }

  /// Waits for a signal.
  func wait() {
    // A signal handler may interrupt the wait.
    while sem_wait(handle) != 0, errno == EINTR {}
  }
}
