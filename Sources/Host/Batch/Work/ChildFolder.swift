import Glibc

/// The state folder of a child, which is locked until the child ends.
///
/// A worker removes the folder after the end of its child, and a child after the end of its worker. If both are killed,
/// the folder stays, without a lock, and the next worker on the machine removes it.
struct ChildFolder {
  private static let prefix = "workbench-batch-child-"
  /// The lowest descriptor, above those that a child has.
  private static let firstDescriptor: Int32 = 16

  let path: String
  /// The open folder, with the lock, which a child that inherits it has too.
  let descriptor: Int32

  /// Makes a folder and locks it.
  static func make(under parent: String) throws(HostFileError) -> ChildFolder {
    while true {
      let path = try HostFile.makeTemporaryFolder(under: parent, prefix: prefix)
      // Until it has the lock, another worker may remove it.
      if let descriptor = try lock(path) { return ChildFolder(path: path, descriptor: descriptor) }
    }
  }

  /// Opens and locks a new folder; on a file system without locks it is only opened.
  ///
  /// - Returns: nil if another worker removes the folder.
  private static func lock(_ path: String) throws(HostFileError) -> Int32? {
    let opened = Glibc.open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if opened < 0 {
      if errno == ENOENT { return nil }
      throw .cannot(.read, path, code: errno)
    }
    defer { Glibc.close(opened) }
    let isTaken = flock(opened, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK
    if isTaken || !isNamed(path, opened) { return nil }
    let descriptor = fcntl(opened, F_DUPFD_CLOEXEC, firstDescriptor)
    if descriptor < 0 { throw .cannot(.read, path, code: errno) }
    return descriptor
  }

  /// Returns true if a path still leads to an open folder.
  private static func isNamed(_ path: String, _ descriptor: Int32) -> Bool {
    var (named, opened) = (stat(), stat())
    return lstat(path, &named) == 0 && fstat(descriptor, &opened) == 0 && named.st_ino == opened.st_ino
      && named.st_dev == opened.st_dev
  }

  /// Closes the folder, which stays locked while a child has it; called once.
  func close() { Glibc.close(descriptor) }

  /// Removes this user's folders whose workers and children were killed.
  ///
  /// - Parameter parent: The folder for temporary folders.
  static func removeAbandoned(under parent: String) {
    for name in HostFile.names(in: parent) where name.hasPrefix(prefix) {
      let path = parent + "/" + name
      guard let descriptor = try? HostFile.open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW) else { continue }
      defer { Glibc.close(descriptor) }
      var status = stat()
      guard fstat(descriptor, &status) == 0, status.st_uid == geteuid(), flock(descriptor, LOCK_EX | LOCK_NB) == 0
      else { continue }
      try? HostFile.remove(path)
    }
  }
}
