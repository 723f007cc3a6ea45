import Glibc

extension HostFile {
  /// Runs work that reads and rewrites a file, while no other process does the same in that folder.
  ///
  /// The lock is one of `flock` on the folder, so it leaves no file behind and ends with its process. If the file
  /// system has no locks, the work runs without one.
  /// - Parameters:
  ///   - path: The file; its folder is made if it is missing.
  ///   - patienceInSeconds: The maximum time to wait for another process.
  ///   - work: Reads and writes the file.
  /// - Throws: ``HostFileError`` if the folder cannot be opened or another process keeps the lock, and what the work throws.
  static func whileAlone<Result>(
    with path: String, patienceInSeconds: Double = 5, _ work: () throws -> Result
  ) throws -> Result {
    let folder = FilePath.folder(of: FilePath.real(path) ?? path)
    try makeFolder(folder)
    let descriptor = Glibc.open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { throw HostFileError.cannot(.write, folder, code: errno) }
    defer { close(descriptor) }
    let pause: useconds_t = 5_000
    var pauses = Int(patienceInSeconds * 1e6) / Int(pause)
    while flock(descriptor, LOCK_EX | LOCK_NB) != 0, errno == EWOULDBLOCK || errno == EINTR {
      guard pauses > 0 else { throw HostFileError.cannot(.write, path, code: EWOULDBLOCK) }
      pauses -= 1
      usleep(pause)
    }
    return try work()
  }
}
