import Glibc
import PluginAPI

/// Reads and writes whole files, folders and their names.
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
    if length < 0 { throw .cannot(.read, path, code: errno) }
    return Array(bytes.prefix(length))
  }

  /// Returns whether a path names something that can be opened as a document, so not a folder.
  static func isDocument(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
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
