import Synchronization

/// Files and folders of this process that must not outlive it.
final class TemporaryFiles: Sendable {
  private let paths = Mutex<Set<String>>([])

  /// Registers a file or folder.
  func add(_ path: String) { paths.withLock { _ = $0.insert(path) } }

  /// Forgets a file that was renamed or removed.
  func forget(_ path: String) { paths.withLock { _ = $0.remove(path) } }

  /// Removes a registered file, or folder with all it holds.
  func remove(_ path: String) {
    guard paths.withLock({ $0.remove(path) }) != nil else { return }
    try? HostFile.remove(path)
  }

  /// Removes everything, before the process ends.
  func removeAll() {
    for path in paths.withLock({ $0 }) { remove(path) }
  }

  /// Returns whether a path leads into a registered folder.
  func hold(_ path: String) -> Bool {
    paths.withLock { $0.contains { path.hasPrefix($0 + "/") } }
  }
}
