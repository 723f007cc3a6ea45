import Glibc
import PluginAPI

/// Reads and writes whole files, folders and their names.
enum HostFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file; `/dev/stdin` and pipes are read to their end.
  ///   - limit: The maximum number of bytes to accept.
  static func read(_ path: String, limit: Int = 1 << 28) throws(HostFileError) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    return try read(descriptor, path: path, limit: limit)
  }

  /// Reads the first bytes of a file, as many as there are up to a count; special files are not opened.
  static func start(of path: String, count: Int) throws(HostFileError) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannot(.read, path, code: errno) }
    let type = status.st_mode & S_IFMT
    guard type == S_IFREG else { throw type == S_IFDIR ? .cannot(.read, path, code: EISDIR) : .special(path) }
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    if length < 0 { throw .cannot(.read, path, code: errno) }
    return Array(bytes.prefix(length))
  }

  /// True if a path names something that can be opened as a document, so not a folder.
  static func isDocument(_ path: String) -> Bool {
    RawFileNames.status(of: path).map { $0.st_mode & S_IFMT != S_IFDIR } ?? false
  }

  /// Opens a file; other programs do not inherit the descriptor.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600, named: String? = nil
  ) throws(HostFileError) -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC, mode)
    if descriptor < 0 { throw .cannot(flags & O_WRONLY != 0 ? .write : .read, named ?? path, code: errno) }
    return descriptor
  }

  /// Returns the absolute form of a path relative to the current folder.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  static func read(_ descriptor: Int32, path: String, limit: Int) throws(HostFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    while let chunk = try readChunk(descriptor, named: path) {
      bytes += chunk
      if bytes.count > limit { throw .tooLarge(path, limit: limit) }
    }
    return bytes
  }

  /// Reads bytes of an open file.
  ///
  /// - Parameter ahead: The maximum number of bytes to read after them, as many as there are.
  /// - Throws: ``HostFileError``, also if the file is shorter than the bytes before that.
  static func read(
    _ descriptor: Int32, at offset: Int, count: Int, ahead: Int = 0, named name: String
  ) throws(HostFileError) -> [UInt8] {
    var failure: Int32 = 0
    let most = count + ahead
    let bytes = [UInt8](unsafeUninitializedCapacity: most) { buffer, filled in
      filled = 0
      while filled < count {
        let read = pread(descriptor, buffer.baseAddress?.advanced(by: filled), most - filled, off_t(offset + filled))
        if read < 0, errno == EINTR { continue }
        if read <= 0 {
          failure = read < 0 ? errno : EIO
          return
        }
        filled += read
      }
    }
    if failure != 0 { throw .cannot(.read, name, code: failure) }
    return bytes
  }

  /// Reads up to 64 KiB from a descriptor; waits if there is no data yet.
  ///
  /// - Returns: The bytes; nil at the end.
  static func readChunk(_ descriptor: Int32, named name: String) throws(HostFileError) -> [UInt8]? {
    let size = 1 << 16
    while true {
      var failure: Int32 = 0
      let chunk = [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
        let read = Glibc.read(descriptor, buffer.baseAddress, size)
        if read < 0 { failure = errno }
        count = max(0, read)
      }
      if failure == EINTR { continue }
      if failure != 0 { throw .cannot(.read, name, code: failure) }
      return chunk.isEmpty ? nil : chunk
    }
  }

  /// Returns the names in a folder except `.` and `..`, in no order; empty if it cannot be read.
  static func names(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      // In place: an entry may be shorter than the field for the longest name.
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }

  /// Returns the size of a file, or of a folder with its contents, in bytes; nil if it does not exist.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    return names(in: path).reduce(0) { $0 + (size(path + "/" + $1) ?? 0) }
  }
}

extension HostFile {
  /// The mode of files requested by the user, such as pictures, before the umask is applied.
  static let resultMode: mode_t = 0o666

  /// Writes a file in one step: a reader finds the old content or the new one, never a part.
  ///
  /// A file that is replaced keeps its mode; a link is followed.
  /// - Parameters:
  ///   - bytes: The new content.
  ///   - path: The file.
  ///   - mode: The mode of a new file, from which the umask is taken.
  ///   - isDurable: True if the content must be on the disk when this returns; otherwise a power failure may lose it.
  ///   - makesFolder: True if a missing folder is created, accessible only to the user.
  static func write(
    _ bytes: [UInt8], to path: String, mode: mode_t = 0o600, isDurable: Bool = true, makesFolder: Bool = false
  ) throws(HostFileError) {
    if makesFolder { try makeFolder(FilePath.folder(of: path)) }
    let file = try FileReplacement(of: path, mode: mode)
    let failure = writeAll(bytes, to: file.descriptor)
    if failure != 0 {
      file.discard()
      throw .cannot(.write, path, code: failure)
    }
    try file.commit(isDurable: isDurable)
  }

  /// Appends bytes to a file that the user asked for.
  static func append(_ bytes: [UInt8], to path: String) throws(HostFileError) {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_APPEND, mode: resultMode)
    defer { close(descriptor) }
    let failure = writeAll(bytes, to: descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
  }

  /// Writes all bytes to a descriptor; waits if the descriptor is non-blocking.
  ///
  /// - Returns: 0, or the system's error number.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    bytes.withUnsafeBytes { buffer in
      var remaining = UnsafeRawBufferPointer(buffer)
      while !remaining.isEmpty {
        let count = Glibc.write(descriptor, remaining.baseAddress, remaining.count)
        if count > 0 {
          remaining = UnsafeRawBufferPointer(rebasing: remaining[count...])
        } else if count < 0, errno == EAGAIN {
          var wait = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
          poll(&wait, 1, -1)
        } else if count == 0 || errno != EINTR {
          return count == 0 ? EIO : errno
        }
      }
      return 0
    }
  }

  /// Makes a folder and those above it, with mode 0700.
  static func makeFolder(_ path: String) throws(HostFileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/", path != "." else { throw .cannot(.write, path, code: errno) }
    try makeFolder(FilePath.folder(of: path))
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .cannot(.write, path, code: errno) }
  }

  /// Makes a folder with a new name for temporary files of the user alone.
  static func makeTemporaryFolder(under parent: String, prefix: String) throws(HostFileError) -> String {
    var path = Array((parent + "/" + prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&path) != nil else { throw .cannot(.write, parent, code: errno) }
    return String(decoding: path.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Puts the names in a folder on the disk.
  static func synchronize(folder: String) {
    guard let descriptor = try? open(folder, O_RDONLY | O_DIRECTORY) else { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Puts the content of a file on the disk.
  static func synchronize(file: String) throws(HostFileError) {
    let descriptor = try open(file, O_RDONLY)
    defer { close(descriptor) }
    try synchronize(descriptor, named: file)
  }

  /// Puts the content of an open file on the disk.
  static func synchronize(_ descriptor: Int32, named path: String) throws(HostFileError) {
    // Some file systems have no disk to write to.
    if fsync(descriptor) != 0, errno != EINVAL { throw .cannot(.write, path, code: errno) }
  }

  /// Calls a function with each line of a file, without its line feed, in constant memory.
  static func forEachLine(of path: String, _ body: (ArraySlice<UInt8>) throws -> Void) throws {
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    var pending: [UInt8] = []
    while let chunk = try readChunk(descriptor, named: path) {
      pending += chunk
      var start = 0
      while let end = pending[start...].firstIndex(of: UInt8(ascii: "\n")) {
        try body(pending[start..<end])
        start = end + 1
      }
      pending.removeFirst(start)
    }
    if !pending.isEmpty { try body(pending[...]) }
  }

  /// Removes a file, or a folder with all it holds; links are removed, not followed.
  static func remove(_ path: String) throws(HostFileError) {
    var status = stat()
    if lstat(path, &status) != 0 { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in names(in: path) { try remove(path + "/" + name) }
    }
    guard Glibc.remove(path) == 0 else { throw .cannot(.remove, path, code: errno) }
  }
}

extension HostFile {
  /// Runs work that reads and rewrites a file, while no other process does the same in that folder.
  ///
  /// The lock is one of `flock` on the folder, so it leaves no file behind and ends with its process. If the file
  /// system has no locks, the work runs without one.
  /// - Parameters:
  ///   - path: The file; its folder is made if it is missing.
  ///   - patienceInSeconds: The maximum time to wait for another process.
  ///   - work: Reads and writes the file.
  /// - Throws: ``HostFileError`` if the folder cannot be opened or another process keeps the lock, and the errors of
  ///   the work.
  static func whileAlone<Result>(
    with path: String, patienceInSeconds: Double = 5, _ work: () throws -> Result
  ) throws -> Result {
    try whileLocked(with: path, patienceInSeconds: patienceInSeconds) { _ in try work() }
  }

  /// Runs work like ``whileAlone(with:patienceInSeconds:_:)``, with the descriptor of the lock.
  ///
  /// A program that inherits the descriptor keeps the lock until it ends, even if this process is killed.
  static func whileLocked<Result>(
    with path: String, patienceInSeconds: Double, _ work: (_ lock: Int32) throws -> Result
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
    return try work(descriptor)
  }
}

/// An error in reading, writing or removing a file or folder.
enum HostFileError: Error, Equatable, ReportableError {
  /// The operation that was attempted.
  enum Purpose: String, Sendable {
    case read, write, remove
  }

  /// The system refused, with this error number.
  case cannot(Purpose, String, code: Int32)
  /// The file is a device, FIFO or socket, which is not opened.
  case special(String)
  /// The file has more bytes than are accepted.
  case tooLarge(String, limit: Int)

  var report: ErrorReport {
    switch self {
    case .cannot(let purpose, let path, let code):
      ErrorReport(
        code: Self.code(purpose), kind: Self.kind(code),
        "cannot \(purpose.rawValue) '\(path)': \(String(cString: strerror(code)).lowercased())",
        advice: code == ENOENT && purpose == .write ? "create its folder first" : nil, details: ["path": .text(path)])
    case .special(let path):
      ErrorReport(
        code: Self.code(.read), kind: .failure, "cannot read '\(path)': not a regular file",
        details: ["path": .text(path)])
    case .tooLarge(let path, let limit):
      ErrorReport(
        code: "host.file-too-large", kind: .unusableInput, "'\(path)' is larger than \(limit >> 20) MiB")
    }
  }

  private static func code(_ purpose: Purpose) -> String {
    switch purpose {
    case .read: "host.unreadable-file"
    case .write: "host.unwritable-file"
    case .remove: "host.file-not-removed"
    }
  }

  private static func kind(_ code: Int32) -> ErrorReport.Kind {
    switch code {
    case ENOENT, ENOTDIR: .notFound
    case EACCES, EPERM, EROFS: .refused
    default: .failure
    }
  }
}
