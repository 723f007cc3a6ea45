import Glibc
import PluginAPI

/// Writes whole files: the old one stays until the new one is complete.
enum OutputFile {
  /// Why a file was not written.
  struct Fault: Error, Equatable, ReportableError {
    var path: String
    var reason: String

    static let errorCodes = [ErrorCodeDescription("openbis.not-writable", "a file cannot be written")]

    var report: ErrorReport {
      ErrorReport(
        code: "openbis.not-writable", kind: .refused, "'\(path)' cannot be written: \(reason)",
        details: ["file": .text(path)])
    }
  }

  /// Writes bytes to a file.
  ///
  /// - Throws: ``Fault``.
  static func write(_ bytes: [UInt8], to path: String) throws(Fault) {
    let writer = try Writer(path)
    try writer.write(bytes)
    try writer.close()
  }

  /// A file that is written piece by piece; without ``close()`` nothing is left of it.
  final class Writer {
    private let path: String
    private let draft: String
    private var descriptor: Int32

    /// Begins a file.
    init(_ path: String) throws(Fault) {
      self.path = path
      draft = path + ".\(getpid()).new"
      descriptor = open(draft, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
      if descriptor < 0 { throw Fault(path: path, reason: String(cString: strerror(errno))) }
    }

    deinit {
      guard descriptor >= 0 else { return }
      Glibc.close(descriptor)
      unlink(draft)
    }

    /// Adds bytes.
    func write(_ bytes: [UInt8]) throws(Fault) {
      var written = 0
      while written < bytes.count {
        let count = bytes.withUnsafeBytes {
          Glibc.write(descriptor, $0.baseAddress.map { $0 + written }, $0.count - written)
        }
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { throw Fault(path: path, reason: String(cString: strerror(errno))) }
        written += count
      }
    }

    /// Puts the file in its place.
    func close() throws(Fault) {
      let isClosed = Glibc.close(descriptor) == 0
      descriptor = -1
      guard isClosed, rename(draft, path) == 0 else {
        let reason = String(cString: strerror(errno))
        unlink(draft)
        throw Fault(path: path, reason: reason)
      }
    }
  }
}
