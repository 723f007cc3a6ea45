import PluginAPI
import PluginStore

/// Writes pictures and networks to files named by users.
enum NetworkOutput {
  /// The reasons for which a file was not written.
  enum Fault: Error, Equatable, ReportableError {
    /// The system reported an error.
    case failed(path: String, WholeFileFailure)
    /// The name does not refer to a file: it is empty or `-`.
    case noName(String)

    static let errorCodes = [ErrorCodeDescription("pathcase.not-writable", "a file cannot be written")]

    var report: ErrorReport {
      switch self {
      case .failed(let path, let failure):
        ErrorReport(
          code: "pathcase.not-writable", kind: failure.kind, "'\(path)' cannot be written: \(failure.reason)",
          advice: failure.advice, details: ["file": .text(path)])
      case .noName(let name):
        ErrorReport(
          code: "pathcase.not-writable", kind: .usage, "'\(name)' is not a file name",
          advice: "name a file; '--output -' writes to standard output", details: ["file": .text(name)])
      }
    }
  }

  /// Checks a name before any work is done for it.
  ///
  /// - Throws: ``Fault`` if it does not refer to a file.
  static func check(_ path: String) throws(Fault) {
    if path.isEmpty || path == "-" { throw .noName(path) }
  }

  /// Writes bytes to a file; the old file is kept until the new one is complete.
  ///
  /// Symbolic links are followed; a file that is not regular, such as a pipe or a device, is written to directly.
  /// - Throws: ``Fault``.
  static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    try check(path)
    do throws(WholeFileFailure) {
      let file = try WholeFileWriter(path, mode: 0o666)
      try file.write(bytes)
      try file.close()
    } catch {
      throw .failed(path: path, error)
    }
  }
}
