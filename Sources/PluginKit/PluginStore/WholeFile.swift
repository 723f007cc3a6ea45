internal import Glibc

/// Files that are written as a whole: what stands under a name is all of it, whenever the process ends.
public enum WholeFile {
  /// Writes a new file; what could not be written whole is removed.
  ///
  /// - Parameters:
  ///   - bytes: The content.
  ///   - path: The file.
  ///   - mode: Its permissions, less the process's mask.
  ///   - isDurable: Whether the content is on the device when this returns.
  /// - Returns: 0, or the number of the system's error; EEXIST if there is a file of that name.
  public static func write(_ bytes: [UInt8], to path: String, mode: UInt32 = 0o600, isDurable: Bool = true) -> Int32 {
    let descriptor = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode)
    guard descriptor >= 0 else { return errno }
    var failure = write(bytes, to: descriptor)
    if failure == 0, isDurable, fsync(descriptor) != 0, errno != EINVAL { failure = errno }
    if close(descriptor) != 0, failure == 0 { failure = errno }
    if failure != 0 { unlink(path) }
    return failure
  }

  /// Writes a file under its name in one step; what was there before is there until then, and stays if this fails.
  ///
  /// - Returns: 0, or the number of the system's error.
  public static func replace(
    _ path: String, with bytes: [UInt8], mode: UInt32 = 0o600, isDurable: Bool = true
  ) -> Int32 {
    let part = path + ".\(getpid()).part"
    // What a killed process of the same number left.
    unlink(part)
    let failure = write(bytes, to: part, mode: mode, isDurable: isDurable)
    if failure != 0 || rename(part, path) == 0 { return failure }
    let number = errno
    unlink(part)
    return number
  }

  private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
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
