import Glibc
import PluginAPI

/// Writes files so that a reader finds either the old or the new content, whole.
enum AtomicFile {
  /// Makes a folder and those above it, for the user alone.
  static func makeFolder(_ path: String) throws(FileError) {
    if mkdir(path, 0o700) == 0 || errno == EEXIST { return }
    guard errno == ENOENT, path != "/" else { throw FileError(path: path, doing: "made", reason: FilePath.lastError) }
    try makeFolder(FilePath.folder(of: path))
    guard mkdir(path, 0o700) == 0 || errno == EEXIST else {
      throw FileError(path: path, doing: "made", reason: FilePath.lastError)
    }
  }

  /// Writes a file for the user alone, through a new file that takes the old one's place.
  ///
  /// - Parameter isDurable: Whether the content shall be on the disk when this returns.
  static func write(_ bytes: [UInt8], to path: String, isDurable: Bool = false) throws(FileError) {
    try makeFolder(FilePath.folder(of: path))
    let fresh = "\(path).\(getpid()).new"
    let descriptor = open(fresh, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw FileError(path: path, doing: "written", reason: FilePath.lastError) }
    let isWritten = writeAll(bytes, to: descriptor) && (!isDurable || fsync(descriptor) == 0)
    let reason = FilePath.lastError
    close(descriptor)
    guard isWritten, rename(fresh, path) == 0 else {
      let why = isWritten ? FilePath.lastError : reason
      unlink(fresh)
      throw FileError(path: path, doing: "written", reason: why)
    }
    if isDurable { sync(folder: FilePath.folder(of: path)) }
  }

  /// Writes all bytes to a descriptor.
  static func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Bool {
    bytes.withUnsafeBytes { buffer in
      var done = 0
      while done < buffer.count {
        let count = Glibc.write(descriptor, buffer.baseAddress.map { $0 + done }, buffer.count - done)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return false }
        done += count
      }
      return true
    }
  }

  /// Puts the names in a folder on the disk.
  static func sync(folder: String) {
    let descriptor = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    if descriptor < 0 { return }
    fsync(descriptor)
    close(descriptor)
  }

  /// Removes a file, or a folder with all it holds; links are removed, not followed.
  static func remove(_ path: String) throws(FileError) {
    var status = stat()
    if lstat(path, &status) != 0 { return }
    if status.st_mode & S_IFMT == S_IFDIR {
      for name in allNames(in: path) { try remove(path + "/" + name) }
    }
    guard Glibc.remove(path) == 0 else { throw FileError(path: path, doing: "removed", reason: FilePath.lastError) }
  }

  private static func allNames(in folder: String) -> [String] {
    guard let stream = opendir(folder) else { return [] }
    defer { closedir(stream) }
    var names: [String] = []
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
    }
    return names
  }
}

/// A file of the host's own that could not be handled.
struct FileError: Error, Equatable, ReportableError {
  var path: String
  var doing: String
  var reason: String

  var report: ErrorReport {
    ErrorReport(
      code: "host.file-not-\(doing)", kind: .failure, "'\(path)' could not be \(doing): \(reason)",
      details: ["path": .text(path)])
  }
}
