import PluginAPI
import PluginStore

/// Output files named by users.
enum OutputFile {
  /// The error of a file that cannot be written.
  static let notWritable = DeclaredError("openbis.not-writable", .usage, "a file cannot be written")

  private static func failed(_ path: String, _ failure: WholeFileFailure) -> ErrorReport {
    var report = notWritable(
      "'\(path)' cannot be written: \(failure.reason)", advice: failure.advice, details: ["file": .text(path)])
    report.kind = failure.kind
    return report
  }

  /// Checks a name before any work is done for it.
  ///
  /// - Throws: ``notWritable`` if it does not denote a file.
  static func check(_ path: String) throws(ErrorReport) {
    if path.isEmpty || path == "-" {
      throw notWritable(
        "'\(path)' is not a file name", advice: "name a file; '--output -' writes to standard output",
        details: ["file": .text(path)])
    }
  }

  /// Writes bytes to a file.
  ///
  /// - Throws: ``notWritable``.
  static func write(_ bytes: [UInt8], to path: String) throws(ErrorReport) {
    let writer = try Writer(path)
    try writer.write(bytes)
    try writer.close()
  }

  /// A file that is written piece by piece; the old file is kept until the new one is complete.
  ///
  /// Links are followed; pipes, devices and other special files are written to directly.
  final class Writer {
    private let path: String
    private let file: WholeFileWriter

    /// Starts a file.
    init(_ path: String) throws(ErrorReport) {
      try OutputFile.check(path)
      self.path = path
      do throws(WholeFileFailure) {
        file = try WholeFileWriter(path, mode: 0o666)
      } catch {
        throw OutputFile.failed(path, error)
      }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(ErrorReport) {
      do throws(WholeFileFailure) { try file.write(bytes) } catch { throw OutputFile.failed(path, error) }
    }

    /// Moves the file to its destination; without this call nothing of the new file is kept.
    func close() throws(ErrorReport) {
      do throws(WholeFileFailure) { try file.close() } catch { throw OutputFile.failed(path, error) }
    }
  }
}
