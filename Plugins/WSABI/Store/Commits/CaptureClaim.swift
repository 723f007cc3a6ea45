import Glibc
import Synchronization

/// Tells other processes that this one captures, so that none takes what is under way for what was left over.
///
/// A lock of the system on a file beside the store: it goes with the process, however that ends.
final class CaptureClaim: Sendable {
  private let path: String
  private let file = Mutex<Int32>(-1)

  /// - Parameter folder: The folder of the store, which may be made later.
  init(folder: String) { path = folder + "/capturing" }

  deinit { file.withLock { if $0 >= 0 { close($0) } } }

  /// The file, opened once there is a folder for it; -1 before.
  private var descriptor: Int32 {
    file.withLock { file in
      if file < 0 { file = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600) }
      return file
    }
  }

  /// Claims beside others.
  ///
  /// - Returns: False while another process finishes what was left over; without a file there is nothing to claim.
  func share() -> Bool {
    let descriptor = descriptor
    return descriptor < 0 || flock(descriptor, LOCK_SH | LOCK_NB) == 0
  }

  /// Claims no more.
  func leave() {
    let descriptor = descriptor
    if descriptor >= 0 { flock(descriptor, LOCK_UN) }
  }

  /// Claims alone, until ``share()``; false if another process captures.
  func claimAlone() -> Bool {
    let descriptor = descriptor
    guard descriptor >= 0 else { return false }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    // The system took the shared lock away before it refused the other.
    _ = share()
    return false
  }
}
