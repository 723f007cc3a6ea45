import Glibc
import PluginStore

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
    let failure = WholeFile.replace(path, with: bytes, mode: 0o666, isDurable: false)
    if failure != 0 { throw FileError(path: path, number: failure) }
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
