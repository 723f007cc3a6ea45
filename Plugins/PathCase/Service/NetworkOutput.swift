import PluginAPI
import PluginStore

/// Writes pictures and networks to files named by users.
enum NetworkOutput {
  static let notWritable = DeclaredError("pathcase.not-writable", .failure, "a file cannot be written")

  /// Checks a name before any work is done for it.
  ///
  /// - Throws: ``notWritable`` if it does not refer to a file: it is empty or `-`.
  static func check(_ path: String) throws(ErrorReport) {
    guard path.isEmpty || path == "-" else { return }
    var report = notWritable(
      "'\(path)' is not a file name", advice: "name a file; '--output -' writes to standard output",
      details: ["file": .text(path)])
    report.kind = .usage
    throw report
  }

  /// Writes bytes to a file; the old file is kept until the new one is complete.
  ///
  /// Symbolic links are followed; a file that is not regular, such as a pipe or a device, is written to directly.
  /// - Throws: ``notWritable``.
  static func write(_ bytes: [UInt8], to path: String) throws(ErrorReport) {
    try check(path)
    do throws(WholeFileFailure) {
      let file = try WholeFileWriter(path, mode: 0o666)
      try file.write(bytes)
      try file.close()
    } catch {
      var report = notWritable(
        "'\(path)' cannot be written: \(error.reason)", advice: error.advice, details: ["file": .text(path)])
      report.kind = error.kind
      throw report
    }
  }
}
