import Glibc
import PluginAPI

/// Arguments that are not UTF-8: file names that a `String` cannot hold.
///
/// The runtime shows each byte that it cannot read as U+FFFD, so that the file is not found by the shown word.
enum RawFileNames {
  /// Refuses such arguments wherever they do not name input, whose files are copied.
  ///
  /// - Throws: ``CommandLineError/notUTF8(_:)``.
  static func check(
    _ arguments: Record, of declaration: CommandDescription, _ options: GlobalOptions
  ) throws(CommandLineError) {
    var paths = [options.outputFile, options.traceFile, options.recordFile].compactMap { $0 }
    for parameter in declaration.arguments + declaration.options where !parameter.namesInput {
      guard let value = arguments[parameter.name] else { continue }
      paths += (value.list ?? [value]).compactMap(\.text)
    }
    for word in paths where bytes(of: word) != nil { throw .notUTF8(word) }
  }

  /// Returns the status of the file that an argument names; nil if it does not exist.
  static func status(of word: String) -> stat? {
    var status = stat()
    let failure = bytes(of: word).map { stat($0, &status) } ?? stat(word, &status)
    return failure == 0 ? status : nil
  }

  /// Returns the bytes of a word, ending with 0; nil for a word typed as UTF-8.
  ///
  /// - Parameter word: An argument, or the value of an option that was given as `--name=value`.
  static func bytes(of word: String) -> [CChar]? {
    guard word.unicodeScalars.contains("\u{FFFD}") else { return nil }
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let argument = CommandLine.unsafeArgv[index] else { continue }
      for start in [argument, strchr(argument, Int32(UInt8(ascii: "="))).map { $0 + 1 }] {
        guard let start, String(cString: start) == word, String(validatingCString: start) == nil else { continue }
        return Array(UnsafeBufferPointer(start: start, count: strlen(start) + 1))
      }
    }
    return nil
  }
}
