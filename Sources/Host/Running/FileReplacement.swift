import Glibc
import Synchronization

/// The new content of a file, which replaces the old one in one step when it is complete.
///
/// A file that is replaced keeps its mode; a link is followed. Pipes and devices are written to directly.
struct FileReplacement {
  /// A counter that distinguishes the new files that this process writes at the same time.
  private static let count = Atomic(0)

  /// The descriptor to write to.
  let descriptor: Int32
  /// The path that errors name.
  private let path: String
  private let target: String
  /// The new file until it gets its name; nil for pipes and devices.
  let draft: String?

  /// Creates the new file beside the old one.
  ///
  /// - Parameter mode: The mode of a file that did not exist, from which the umask is taken.
  init(of path: String, mode: mode_t) throws(HostFileError) {
    self.path = path
    target = FilePath.real(path) ?? path
    var status = stat()
    let exists = stat(target, &status) == 0
    if exists, status.st_mode & S_IFMT != S_IFREG {
      draft = nil
      descriptor = try HostFile.open(target, O_WRONLY, named: path)
      return
    }
    let draft = target + ".\(getpid())-\(Self.count.add(1, ordering: .relaxed).newValue).new"
    // A killed process with the same process id may have left one.
    unlink(draft)
    self.draft = draft
    // Private until it has the mode of the file it replaces, which may be private too.
    descriptor = try HostFile.open(
      draft, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: exists ? 0o600 : mode, named: path)
    if exists, fchmod(descriptor, status.st_mode & 0o777) != 0 {
      let failure = errno
      discard()
      throw .cannot(.write, path, code: failure)
    }
  }

  /// Checks that a file can be created or replaced; pipes and devices are not touched.
  ///
  /// - Throws: The error that creating the new file would throw.
  static func check(_ path: String) throws(HostFileError) {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG { return }
    try FileReplacement(of: path, mode: 0o600).discard()
  }

  /// A Boolean value indicating whether nothing was written yet.
  var isEmpty: Bool {
    var status = stat()
    return fstat(descriptor, &status) == 0 && status.st_size == 0
  }

  /// Gives the new content the name of the file and closes it.
  ///
  /// - Parameter isDurable: True if the content must survive a loss of power once this returns.
  func commit(isDurable: Bool) throws(HostFileError) {
    var failure: Int32 = 0
    if draft != nil, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    guard let draft else {
      if failure != 0 { throw .cannot(.write, path, code: failure) }
      return
    }
    if failure == 0, rename(draft, target) != 0 { failure = errno }
    if failure != 0 {
      unlink(draft)
      throw .cannot(.write, path, code: failure)
    }
    if isDurable { HostFile.synchronize(folder: FilePath.folder(of: target)) }
  }

  /// Closes and removes the new content; the old one stays.
  func discard() {
    close(descriptor)
    if let draft { unlink(draft) }
  }
}

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

  /// True if a path leads into a registered folder.
  func hold(_ path: String) -> Bool {
    paths.withLock { $0.contains { path.hasPrefix($0 + "/") } }
  }
}
