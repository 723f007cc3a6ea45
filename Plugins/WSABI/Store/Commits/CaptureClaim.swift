import Glibc

/// Tells other processes that this one captures, so that none takes what is under way for what was left over.
///
/// A lock of the system on a file beside the store: it goes with the process, however that ends.
final class CaptureClaim: Sendable {
  private let descriptor: Int32

  /// - Parameter folder: The folder of the store.
  init(folder: String) {
    descriptor = open(folder + "/capturing", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0o600)
  }

  deinit { if descriptor >= 0 { close(descriptor) } }

  /// Claims beside others.
  ///
  /// - Returns: False while another process finishes what was left over; without a file there is nothing to claim.
  func share() -> Bool { descriptor < 0 || flock(descriptor, LOCK_SH | LOCK_NB) == 0 }

  /// Claims alone, until ``share()``; false if another process captures.
  func claimAlone() -> Bool {
    guard descriptor >= 0 else { return false }
    if flock(descriptor, LOCK_EX | LOCK_NB) == 0 { return true }
    // The system took the shared lock away before it refused the other.
    _ = share()
    return false
  }
}
