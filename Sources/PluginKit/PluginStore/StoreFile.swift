internal import CSQLite
internal import Glibc

/// The file of a store; it creates the file and its folder, and opens connections to it.
struct StoreFile: Sendable {
  let path: String
  /// The reason why SQLite is unusable; nil if it is usable.
  ///
  /// SQLite is opened at first use: a plugin that may not need a store starts sooner.
  private static let problem: String? = csqlite_open().map { String(cString: $0) }

  /// Creates the folder (0700) and the file (0600) if they are missing.
  func make() throws {
    try StoreFile.makeFolder(StoreFile.folder(of: path))
    let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0o600)
    if descriptor < 0 { throw StoreError(systemError: errno, path: path) }
    defer { Glibc.close(descriptor) }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { throw StoreError(systemError: errno, path: path) }
    if status.st_mode & S_IFMT != S_IFREG { throw StoreError.notADatabase(path: path) }
  }

  private static func makeFolder(_ path: String) throws {
    if path.isEmpty || path == "/" { return }
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT else { throw StoreError(systemError: errno, path: path) }
    try makeFolder(folder(of: path))
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw StoreError(systemError: errno, path: path) }
  }

  /// The use of a file by a connection.
  enum Use: Sendable {
    case writing
    /// Read-only, while others may write: SQLite creates its extra files beside it if permitted.
    case reading
    /// Read-only, for a file that never changes: no locks, and no extra files beside it.
    case readingFrozen
  }

  /// Returns the way to read an existing file without writing; nil if this is unnecessary or impossible.
  ///
  /// - Parameter isFrozen: True if the file no longer changes.
  /// - Source: SQLite, "Write-Ahead Logging", section 5 (read-only databases), https://sqlite.org/wal.html.
  func unwrittenUse(isFrozen: Bool) -> Use? {
    // SQLite keeps the log beside the file that a symbolic link leads to.
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    let target = String(cString: resolved)
    var status = stat()
    guard stat(target, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let places = [target, StoreFile.folder(of: target)]
    let isWritable = places.allSatisfy { (place: String) in faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) == 0 }
    if isWritable, !isFrozen { return nil }
    var log = stat()
    let hasLog = stat(target + "-wal", &log) == 0 && log.st_size > 0
    // The content of the log would be ignored.
    if hasLog { return isWritable ? nil : .reading }
    return .readingFrozen
  }

  /// Opens a connection with the kit's usual setup.
  ///
  /// - Parameters:
  ///   - use: The use of the file.
  ///   - lockTimeoutInSeconds: The maximum time to wait for another process's lock.
  func connect(for use: Use, lockTimeoutInSeconds: Double) throws -> Connection {
    if let problem = StoreFile.problem {
      throw StoreError(
        code: SQLITE_CANTOPEN, message: "\(problem); install SQLite with 'sudo apt-get install libsqlite3-0'", sql: nil,
        path: path)
    }
    var handle: OpaquePointer?
    let access = use == .writing ? SQLITE_OPEN_READWRITE : SQLITE_OPEN_READONLY
    let result = csqlite_open_v2(
      use == .readingFrozen ? frozenAddress : path, &handle,
      access | (use == .readingFrozen ? SQLITE_OPEN_URI : 0) | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_PRIVATECACHE
        | SQLITE_OPEN_EXRESCODE, nil)
    guard let handle else {
      throw StoreError(code: SQLITE_NOMEM, message: "there is no memory left", sql: nil, path: path)
    }
    let connection = Connection(handle: handle, path: path, lockTimeoutInSeconds: lockTimeoutInSeconds)
    if result != SQLITE_OK { throw connection.error(result, sql: nil) }
    csqlite_harden(handle)
    return connection
  }

  /// The file as a URI that marks it as immutable.
  ///
  /// - Source: SQLite, "Uniform Resource Identifiers", section 3, https://sqlite.org/uri.html.
  private var frozenAddress: String {
    var bytes: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      // Characters that would end the path or begin an escape.
      let isSpecial = [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(byte)
      bytes += isSpecial ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
    }
    return (path.hasPrefix("/") ? "file://" : "file:") + String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }

  /// The mode bits of the file; nil if it does not exist.
  var mode: UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  var exists: Bool { mode != nil }

  /// Looks up the file.
  ///
  /// - Returns: The error number of `stat`; 0 if the file exists.
  func lookUp() -> Int32 {
    var status = stat()
    return stat(path, &status) == 0 ? 0 : errno
  }

  /// Waits until the file and its name are on the device.
  func synchronize() throws {
    for name in [path, StoreFile.folder(of: path)] {
      let descriptor = open(name, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { throw StoreError(systemError: errno, path: name) }
      defer { Glibc.close(descriptor) }
      if fsync(descriptor) != 0, errno != EINVAL { throw StoreError(systemError: errno, path: name) }
    }
  }

  /// Renames the file; the new name must be free unless `replacing`.
  func move(to target: String, replacing: Bool = false) throws {
    if !replacing, StoreFile(path: target).exists { throw StoreError.fileExists(path: target) }
    if rename(path, target) != 0 { throw StoreError(systemError: errno, path: target) }
  }

  /// Removes the file and the extra files SQLite keeps beside it.
  func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// Returns the folder of a path; `.` for a bare name.
  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
