import Glibc
import PluginAPI

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
      var rest = UnsafeRawBufferPointer(buffer)
      while !rest.isEmpty {
        let count = Glibc.write(descriptor, rest.baseAddress, rest.count)
        if count > 0 {
          rest = UnsafeRawBufferPointer(rebasing: rest[count...])
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
