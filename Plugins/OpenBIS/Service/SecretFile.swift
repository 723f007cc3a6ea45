import Glibc
import PluginAPI
import PluginText

/// A file that holds a secret in its first line.
enum SecretFile {
  /// An error of a file without a usable secret.
  struct Fault: Error, Equatable, ReportableError {
    var path: String
    var reason: String

    static let errorCodes = [
      ErrorCodeDescription("openbis.no-token-file", "the file that is to hold a token cannot be read")
    ]

    var report: ErrorReport {
      ErrorReport(
        code: "openbis.no-token-file", kind: .notFound, "the token cannot be read from '\(path)': \(reason)",
        details: ["file": .text(path)])
    }
  }

  /// Returns the first line, without blanks at its ends; the file may be a pipe.
  ///
  /// - Throws: ``Fault``.
  static func firstLine(_ path: String) throws(Fault) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw Fault(path: path, reason: String(cString: strerror(errno))) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, room) }
      if more < 0 { throw Fault(path: path, reason: String(cString: strerror(errno))) }
      if more == 0 || bytes[count..<(count + more)].contains(UInt8(ascii: "\n")) {
        count += more
        break
      }
      count += more
    }
    let line = bytes[..<count].prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
    return String(decoding: line, as: UTF8.self).trimmed()
  }
}
