import Glibc
import PluginStore

/// A file that is written atomically: it appears under its name only when complete.
enum ExportFile {
  /// Writes a file.
  ///
  /// - Parameters:
  ///   - path: Its path.
  ///   - replacing: True to replace a file of that name.
  /// - Throws: ``FileError``; an existing file is unchanged then.
  static func write(_ bytes: [UInt8], to path: String, replacing: Bool) throws(FileError) {
    if !replacing, StructureSource.exists(path) { throw .exists(path: path) }
    let failure = WholeFile.replace(path, with: bytes, mode: 0o666, isDurable: false)
    if failure != 0 { throw FileError(path: path, number: failure) }
  }

  /// Gives a complete file its final name.
  ///
  /// - Throws: ``FileError``.
  static func move(_ source: String, to path: String, replacing: Bool) throws(FileError) {
    if !replacing, StructureSource.exists(path) { throw .exists(path: path) }
    guard rename(source, path) != 0 else { return }
    let number = errno
    throw FileError(path: path, number: number)
  }
}
