import Glibc
import PluginStore
import Synchronization

/// A synchronizer that writes the names in a folder to the device, once for all concurrent callers.
final class FolderSync: Sendable {
  private let asked = Atomic(0)
  /// The number of the last request whose names are on the device.
  private let done = Mutex(0)

  /// Waits until the current names in a folder are on the device.
  ///
  /// Callers that wait while a synchronization runs are served together by the next one.
  /// - Throws: ``VaultError/file(path:number:)``.
  func synchronize(_ path: String) throws {
    let own = asked.add(1, ordering: .sequentiallyConsistent).newValue
    try done.withLock { done in
      guard done < own else { return }
      // All requests up to here made their files before.
      let covered = asked.load(ordering: .sequentiallyConsistent)
      let descriptor = Glibc.open(path, O_RDONLY | O_CLOEXEC | O_DIRECTORY)
      guard descriptor >= 0 else { throw VaultError.file(path: path, number: errno) }
      defer { Glibc.close(descriptor) }
      if fsync(descriptor) != 0, errno != EINVAL { throw VaultError.file(path: path, number: errno) }
      done = covered
    }
  }
}
