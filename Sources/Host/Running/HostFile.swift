import Glibc
import PluginAPI

/// Reads and writes whole files.
enum HostFile {
  /// Reads a file.
  ///
  /// - Parameters:
  ///   - path: The file; `/dev/stdin` and pipes are read to their end.
  ///   - limit: The most bytes that are accepted.
  static func read(_ path: String, limit: Int = 1 << 28) throws(HostFileError) -> [UInt8] {
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    return try read(descriptor, path: path, limit: limit)
  }

  /// Reads the first bytes of a file, as many as there are up to a count; special files are not opened.
  static func start(of path: String, count: Int) throws(HostFileError) -> [UInt8] {
    var status = stat()
    guard stat(path, &status) == 0 else { throw .cannot(.read, path, code: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .cannot(.read, path, code: EISDIR) }
    let descriptor = try open(path, O_RDONLY)
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: count)
    let length = bytes.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
    return Array(bytes.prefix(max(0, length)))
  }

  /// Writes a file in one step: whoever reads it finds the old content or the new one, never a part.
  ///
  /// The file gets mode 0600, or keeps the mode it has; a link is followed.
  static func write(_ bytes: [UInt8], to path: String) throws(HostFileError) {
    let target = resolved(path)
    var status = stat()
    let exists = stat(target, &status) == 0
    let mode = exists ? status.st_mode & 0o777 : 0o600
    if exists, status.st_mode & S_IFMT != S_IFREG { return try overwrite(bytes, target) }
    let temporary = target + ".\(getpid()).new"
    let descriptor = try open(temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, mode: mode, named: path)
    var failure = writeAll(bytes, descriptor)
    if failure == 0, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure == 0, rename(temporary, target) != 0 { failure = errno }
    if failure != 0 {
      unlink(temporary)
      throw .cannot(.write, path, code: failure)
    }
  }

  /// Adds bytes at the end of a file.
  static func append(_ bytes: [UInt8], to path: String) throws(HostFileError) {
    let descriptor = try open(path, O_WRONLY | O_CREAT | O_APPEND)
    defer { close(descriptor) }
    let failure = writeAll(bytes, descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
  }

  /// Makes a folder and those above it, with mode 0700.
  static func makeFolder(_ path: String) throws(HostFileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, let slash = path.lastIndex(of: "/"), slash > path.startIndex else {
      throw .cannot(.write, path, code: errno)
    }
    try makeFolder(String(path[..<slash]))
    if mkdir(path, 0o700) != 0, errno != EEXIST { throw .cannot(.write, path, code: errno) }
  }

  /// Opens a file; the descriptor is not given on to other programs.
  static func open(
    _ path: String, _ flags: Int32, mode: mode_t = 0o600, named: String? = nil
  ) throws(HostFileError) -> Int32 {
    let descriptor = Glibc.open(path, flags | O_CLOEXEC, mode)
    if descriptor < 0 { throw .cannot(flags & O_WRONLY != 0 ? .write : .read, named ?? path, code: errno) }
    return descriptor
  }

  /// The absolute path of a path seen from the current folder.
  static func absolute(_ path: String) -> String {
    if path.hasPrefix("/") { return path }
    guard let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return String(cString: folder) + "/" + path
  }

  static func read(_ descriptor: Int32, path: String, limit: Int) throws(HostFileError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = chunk.withUnsafeMutableBytes { Glibc.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count < 0 { throw .cannot(.read, path, code: errno) }
      if count == 0 { return bytes }
      bytes += chunk[..<count]
      if bytes.count > limit { throw .tooLarge(path, limit: limit) }
    }
  }

  private static func resolved(_ path: String) -> String {
    guard let real = realpath(path, nil) else { return path }
    defer { free(real) }
    return String(cString: real)
  }

  private static func overwrite(_ bytes: [UInt8], _ path: String) throws(HostFileError) {
    let descriptor = try open(path, O_WRONLY)
    defer { close(descriptor) }
    let failure = writeAll(bytes, descriptor)
    if failure != 0 { throw .cannot(.write, path, code: failure) }
  }

  private static func writeAll(_ bytes: [UInt8], _ descriptor: Int32) -> Int32 {
    var offset = 0
    while offset < bytes.count {
      let count = bytes[offset...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count >= 0 { offset += count } else if errno != EINTR { return errno }
    }
    return 0
  }
}

/// Why a file could not be read or written.
enum HostFileError: Error, Equatable, ReportableError {
  /// What was to be done with the file.
  enum Purpose: String, Sendable {
    case read, write
  }

  /// The system refused, with this error number.
  case cannot(Purpose, String, code: Int32)
  /// The file has more bytes than are accepted.
  case tooLarge(String, limit: Int)

  var report: ErrorReport {
    switch self {
    case .cannot(let purpose, let path, let code):
      let done = purpose == .read ? "read" : "written"
      return ErrorReport(
        code: purpose == .read ? "host.unreadable-file" : "host.unwritable-file", kind: Self.kind(code),
        "'\(path)' cannot be \(done): \(String(cString: strerror(code)).lowercased())",
        advice: code == ENOENT && purpose == .write ? "make its folder first" : nil, details: ["path": .text(path)])
    case .tooLarge(let path, let limit):
      return ErrorReport(
        code: "host.file-too-large", kind: .unusableInput, "'\(path)' has more than \(limit >> 20) MiB")
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

extension HostFile {
  /// The bytes a file or folder takes, what lies in the folder included; nil if it is not there.
  static func size(_ path: String) -> Int? {
    var status = stat()
    guard lstat(path, &status) == 0 else { return nil }
    guard status.st_mode & S_IFMT == S_IFDIR else { return Int(status.st_size) }
    guard let folder = opendir(path) else { return nil }
    defer { closedir(folder) }
    var total = 0
    while let entry = readdir(folder) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
      if name != ".", name != ".." { total += size(path + "/" + name) ?? 0 }
    }
    return total
  }
}
