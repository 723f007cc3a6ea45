import PluginAPI
import PluginStore

/// Files that users name to get a picture or a network written into.
enum NetworkOutput {
  /// Why a file was not written.
  enum Fault: Error, Equatable, ReportableError {
    /// The system says no.
    case failed(path: String, WholeFileFailure)
    /// A name that means no file: none at all, or `-`.
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

  /// Looks at a name before any work is done for it.
  ///
  /// - Throws: ``Fault`` if it means no file.
  static func check(_ path: String) throws(Fault) {
    if path.isEmpty || path == "-" { throw .noName(path) }
  }

  /// Writes bytes to a file: the old one stays until the new one is complete.
  ///
  /// Links are followed; what is no plain file, such as a pipe or a device, is written into.
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
