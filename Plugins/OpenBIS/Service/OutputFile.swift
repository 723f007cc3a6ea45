import PluginAPI
import PluginStore

/// Output files named by users.
enum OutputFile {
  /// An error of an output file.
  enum Fault: Error, Equatable, ReportableError {
    /// An error of the system.
    case failed(path: String, WholeFileFailure)
    /// A name that does not denote a file: an empty one, or `-`.
    case noName(String)

    static let errorCodes = [ErrorCodeDescription("openbis.not-writable", "a file cannot be written")]

    var report: ErrorReport {
      switch self {
      case .failed(let path, let failure):
        ErrorReport(
          code: "openbis.not-writable", kind: failure.kind, "'\(path)' cannot be written: \(failure.reason)",
          advice: failure.advice, details: ["file": .text(path)])
      case .noName(let name):
        ErrorReport(
          code: "openbis.not-writable", kind: .usage, "'\(name)' is not a file name",
          advice: "name a file; '--output -' writes to standard output", details: ["file": .text(name)])
      }
    }
  }

  /// Checks a name before any work is done for it.
  ///
  /// - Throws: ``Fault`` if it does not denote a file.
  static func check(_ path: String) throws(Fault) {
    if path.isEmpty || path == "-" { throw .noName(path) }
  }

  /// Writes bytes to a file.
  ///
  /// - Throws: ``Fault``.
  static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
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
    init(_ path: String) throws(Fault) {
      try OutputFile.check(path)
      self.path = path
      do throws(WholeFileFailure) {
        file = try WholeFileWriter(path, mode: 0o666)
      } catch {
        throw .failed(path: path, error)
      }
    }

    /// Appends bytes.
    func write(_ bytes: [UInt8]) throws(Fault) {
      do throws(WholeFileFailure) { try file.write(bytes) } catch { throw .failed(path: path, error) }
    }

    /// Moves the file to its destination; without this call nothing of the new file is kept.
    func close() throws(Fault) {
      do throws(WholeFileFailure) { try file.close() } catch { throw .failed(path: path, error) }
    }
  }
}
