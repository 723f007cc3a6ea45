import Glibc
import PluginAPI
import PluginText

/// A file that holds a secret in its first line.
enum SecretFile {
  /// The error of a file that cannot be read.
  static let unreadable = DeclaredError(
    "openbis.no-token-file", .notFound, "the file that is to hold a token cannot be read")

  private static func failure(_ path: String) -> ErrorReport {
    unreadable(
      "the token cannot be read from '\(path)': \(String(cString: strerror(errno)))", details: ["file": .text(path)])
  }

  /// Returns the first line, without blanks at its ends; the file may be a pipe.
  ///
  /// - Throws: ``unreadable``.
  static func firstLine(_ path: String) throws(ErrorReport) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw failure(path) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    var count = 0
    while count < bytes.count {
      let room = bytes.count - count
      let more = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress.map { $0 + count }, room) }
      if more < 0 { throw failure(path) }
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
