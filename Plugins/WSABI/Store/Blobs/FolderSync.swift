import Glibc
import PluginStore
import Synchronization

/// Has the names in a folder written to the device, once for all who wait for it at the same time.
final class FolderSync: Sendable {
  private let asked = Atomic(0)
  /// Up to which asking all names are on the device.
  private let done = Mutex(0)

  /// Waits until the names that are in a folder now are on the device.
  ///
  /// Whoever waits while somebody else's writing is under way is served with all others by the next one.
  /// - Throws: ``VaultError/file(path:number:)``.
  func synchronize(_ path: String) throws {
    let own = asked.add(1, ordering: .sequentiallyConsistent).newValue
    try done.withLock { done in
      guard done < own else { return }
      // Whoever asked up to here has made their files before.
      let covered = asked.load(ordering: .sequentiallyConsistent)
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      guard descriptor >= 0 else { throw VaultError.file(path: path, number: errno) }
      defer { Glibc.close(descriptor) }
      if fsync(descriptor) != 0, errno != EINVAL { throw VaultError.file(path: path, number: errno) }
      done = covered
    }
  }
}
