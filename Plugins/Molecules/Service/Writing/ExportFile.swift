import Glibc

/// A file that is written as a whole: it appears under its name when all of it is there.
enum ExportFile {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - replacing: Whether a file of that name is replaced.
  /// - Throws: ``FileError``; a file that was there before is left as it was then.
  static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(FileError) {
    if !replacing, StructureSource.exists(path) { throw .exists(path: path) }
    let part = path + ".partial-\(getpid())"
    let descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0o666)
    guard descriptor >= 0 else { throw FileError(path: path, number: errno) }
    var written = 0
    var number: Int32 = 0
    while written < bytes.count, number == 0 {
      let count = bytes.withUnsafeBytes { buffer in
        Glibc.write(descriptor, buffer.baseAddress.map { $0 + written }, buffer.count - written)
      }
      if count < 0 {
        number = errno == EINTR ? 0 : errno
      } else {
        written += count
      }
    }
    if close(descriptor) != 0, number == 0 { number = errno }
    if number == 0, rename(part, path) != 0 { number = errno }
    guard number != 0 else { return }
    unlink(part)
    throw FileError(path: path, number: number)
  }

  /// Gives a file that is whole the name it shall have.
  ///
  /// - Throws: ``FileError``.
  static func move(_ source: String, to path: String, replacing: Bool) throws(FileError) {
    if !replacing, StructureSource.exists(path) { throw .exists(path: path) }
    guard rename(source, path) != 0 else { return }
    let number = errno
    throw FileError(path: path, number: number)
  }
}
