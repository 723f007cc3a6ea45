internal import Glibc

/// Atomic writing of files: a file with a name is always complete, whenever the process ends.
public enum WholeFile {
  /// The suffix of the names of incomplete files.
  public static let draftEnding = ".part"

  /// Writes a new file; removes it if it could not be written completely.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file.
  ///   - mode: Its permissions, less the process's mask.
  ///   - isDurable: True if the content must be on the device when this returns.
  /// - Returns: 0, or the system's error number; EEXIST if the file already exists.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, isDurable: Bool = true) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { return errno }
    var failure = write(bytes, to: descriptor)
    if failure == 0, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure != 0 { unlink(path) }
    return failure
  }

  /// Replaces a file in one step; the old content is visible until then, and stays if this fails.
  ///
  /// Links are followed, and anything but a plain file is written into; see ``WholeFileWriter``.
  /// - Returns: 0, or the system's error number.
  public static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, isDurable: Bool = true, followsLinks: Bool = true
  ) -> Int32 {
    do throws(WholeFileFailure) {
      let writer = try WholeFileWriter(path, mode: mode, isDurable: isDurable, followsLinks: followsLinks)
      try writer.write(bytes)
      try writer.close()
      return 0
    } catch {
      return error.number
    }
  }

  /// The target of a path.
  @frozen public enum Place: Sendable, Hashable {
    /// A plain file, or none yet: its path with all links resolved, and its permissions if it exists.
    case file(path: String, mode: UInt32?)
    /// A target that accepts bytes and stores none, such as a pipe or a device.
    case special
    /// A folder.
    case folder
  }

  /// Returns the target of a path, following links.
  ///
  /// - Throws: The system's error if it cannot be determined.
  public static func place(of path: String) throws(WholeFileFailure) -> Place {
    var status = stat()
    if stat(path, &status) == 0 {
      switch status.st_mode & S_IFMT {
      case S_IFDIR: return .folder
      case S_IFREG:
        guard let resolved = realpath(path, nil) else { throw WholeFileFailure(number: errno) }
        defer { free(resolved) }
        return .file(path: String(cString: resolved), mode: status.st_mode & 0o777)
      default: return .special
      }
    }
    guard errno == ENOENT, !path.isEmpty else { throw WholeFileFailure(number: errno) }
    return .file(path: try endOfLinks(path), mode: nil)
  }

  /// Returns the name at the end of links that do not lead to a file yet.
  private static func endOfLinks(_ path: String) throws(WholeFileFailure) -> String {
    var path = path
    // The number of links that the system follows.
    for _ in 0..<40 {
      var name = [UInt8](repeating: 0, count: Int(PATH_MAX))
      let count = name.withUnsafeMutableBytes { room in room.baseAddress.map { readlink(path, $0, room.count) } ?? 0 }
      if count <= 0 { return path }
      let target = String(decoding: name[..<count], as: UTF8.self)
      let folder = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[...$0] } ?? ""
      path = target.hasPrefix("/") ? target : folder + target
    }
    throw WholeFileFailure(number: ELOOP)
  }

  /// Writes all bytes to a descriptor.
  ///
  /// - Returns: 0, or the system's error number.
  static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return count == 0 ? EIO : errno }
      written += count
    }
    return 0
  }
}
