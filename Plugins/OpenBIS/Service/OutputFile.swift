import PluginAPI
import PluginStore

/// Files that users name to get something written into.
enum OutputFile {
  /// Why a file was not written.
  enum Fault: Error, Equatable, ReportableError {
    /// The system says no.
    case failed(path: String, WholeFileFailure)
    /// A name that means no file: none at all, or `-`.
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

  /// Looks at a name before any work is done for it.
  ///
  /// - Throws: ``Fault`` if it means no file.
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

  /// A file that is written piece by piece: the old one stays until the new one is complete.
  ///
  /// Links are followed; what is no plain file, such as a pipe or a device, is written into.
  final class Writer {
    private let path: String
    private let file: WholeFileWriter

    /// Begins a file.
    init(_ path: String) throws(Fault) {
      try OutputFile.check(path)
      self.path = path
      do throws(WholeFileFailure) {
        file = try WholeFileWriter(path, mode: 0o666)
      } catch {
        throw .failed(path: path, error)
      }
    }

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws(Fault) {
      do throws(WholeFileFailure) { try file.write(bytes) } catch { throw .failed(path: path, error) }
    }

    /// Puts the file in its place; without it nothing is left of the new one.
    func close() throws(Fault) {
      do throws(WholeFileFailure) { try file.close() } catch { throw .failed(path: path, error) }
    }
  }
}
