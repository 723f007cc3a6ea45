internal import CSQLite
internal import Glibc

/// The file of a store: makes it and its folder, opens connections to it.
struct StoreFile: Sendable {
  let path: String
  /// The reason why SQLite cannot be used; nil if it can.
  ///
  /// It is opened at its first use: a plugin that may need no store starts sooner.
  private static let problem: String? = csqlite_open().map { String(cString: $0) }

  /// Makes the folder (0700) and the file (0600) where they are missing.
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

  /// What a connection does with the file.
  enum Use: Sendable {
    case writing
    /// Only reads, while others may write: SQLite keeps its files beside it where it may.
    case reading
    /// Only reads what nobody changes: nothing is locked, and nothing made beside it.
    case readingFrozen
  }

  /// How a file that is there can be read without writing; nil if it need not or cannot be.
  ///
  /// - Parameter isFrozen: Whether nobody changes the file any more.
  /// - Source: SQLite, "Write-Ahead Logging", section 5 (read-only databases), https://sqlite.org/wal.html.
  func unwrittenUse(isFrozen: Bool) -> Use? {
    var status = stat()
    guard stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
    let places = [path, StoreFile.folder(of: path)]
    let isWritable = places.allSatisfy { (place: String) in faccessat(AT_FDCWD, place, W_OK, AT_EACCESS) == 0 }
    if isWritable, !isFrozen { return nil }
    var log = stat()
    let hasLog = stat(path + "-wal", &log) == 0 && log.st_size > 0
    // What the log holds would be passed over.
    if hasLog { return isWritable ? nil : .reading }
    return .readingFrozen
  }

  /// Opens a connection as every connection of the kit is set up.
  ///
  /// - Parameters:
  ///   - use: What is done with the file.
  ///   - lockTimeoutInSeconds: How long a lock of another process is waited for.
  func connect(for use: Use, lockTimeoutInSeconds: Double) throws -> Connection {
    if let problem = StoreFile.problem {
      throw StoreError(
        code: SQLITE_CANTOPEN, message: "\(problem); install SQLite: sudo apt-get install libsqlite3-0", sql: nil,
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

  /// The file as an address that tells SQLite that nobody changes it.
  ///
  /// - Source: SQLite, "Uniform Resource Identifiers", section 3, https://sqlite.org/uri.html.
  private var frozenAddress: String {
    var bytes: [UInt8] = []
    let digits = Array("0123456789ABCDEF".utf8)
    for byte in path.utf8 {
      // What would end the path, or begin an escape.
      let isSpecial = [UInt8(ascii: "%"), UInt8(ascii: "?"), UInt8(ascii: "#")].contains(byte)
      bytes += isSpecial ? [UInt8(ascii: "%"), digits[Int(byte >> 4)], digits[Int(byte & 15)]] : [byte]
    }
    return (path.hasPrefix("/") ? "file://" : "file:") + String(decoding: bytes, as: UTF8.self) + "?immutable=1"
  }

  /// The mode bits of the file; nil if it is not there.
  var mode: UInt32? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o7777 : nil
  }

  var exists: Bool { mode != nil }

  /// Waits until the file and its name are on the device.
  func synchronize() throws {
    for name in [path, StoreFile.folder(of: path)] {
      let descriptor = open(name, O_RDONLY | O_CLOEXEC)
      if descriptor < 0 { throw StoreError(systemError: errno, path: name) }
      defer { Glibc.close(descriptor) }
      if fsync(descriptor) != 0, errno != EINVAL { throw StoreError(systemError: errno, path: name) }
    }
  }

  /// Gives the file another name, which must be free unless `replacing`.
  func move(to target: String, replacing: Bool = false) throws {
    if !replacing, StoreFile(path: target).exists { throw StoreError.fileExists(path: target) }
    if rename(path, target) != 0 { throw StoreError(systemError: errno, path: target) }
  }

  /// Removes the file and those SQLite keeps beside it.
  func remove() {
    for suffix in ["", "-wal", "-shm", "-journal"] { unlink(path + suffix) }
  }

  /// The folder of a path; `.` for a bare name.
  private static func folder(of path: String) -> String {
    guard let slash = path.lastIndex(of: "/") else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }
}
