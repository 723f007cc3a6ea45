internal import Glibc

/// Files that are written as a whole: what stands under a name is all of it, whenever the process ends.
public enum WholeFile {
  /// What the names of files end with that are not whole yet.
  public static let draftEnding = ".part"

  /// Writes a new file; what could not be written whole is removed.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file.
  ///   - mode: Its permissions, less the process's mask.
  ///   - isDurable: Whether the content is on the device when this returns.
  /// - Returns: 0, or the number of the system's error; EEXIST if there is a file of that name.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, isDurable: Bool = true) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, mode)
    guard descriptor >= 0 else { return errno }
    var failure = write(bytes, to: descriptor)
    if failure == 0, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure != 0 { unlink(path) }
    return failure
  }

  /// Writes a file under its name in one step; what was there before is there until then, and stays if this fails.
  ///
  /// Links are followed, and what is no plain file is written into; see ``WholeFileWriter``.
  /// - Returns: 0, or the number of the system's error.
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

  /// What a path leads to.
  @frozen public enum Place: Sendable, Hashable {
    /// A plain file, or none yet; its own path at the end of all links, and its permissions if it is there.
    case file(path: String, mode: UInt32?)
    /// Something that takes bytes and keeps none, such as a pipe or a device.
    case special
    /// A folder.
    case folder
  }

  /// What a path leads to, links followed.
  ///
  /// - Throws: The system's error if nobody can tell.
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

  /// The name at the end of links that lead to no file yet.
  private static func endOfLinks(_ path: String) throws(WholeFileFailure) -> String {
    var path = path
    // As many as the system follows.
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
  /// - Returns: 0, or the number of the system's error.
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
