internal import CHost
import Glibc

/// The lines of attempt logs: the CRC-32 of a JSON document as eight hexadecimal digits, a space, the document.
///
/// A line without a line feed at its end, or with a wrong checksum, is ignored: a killed process leaves a torn
/// line, a disk may return other bytes.
enum LogFrame {
  /// The bytes before the document.
  static let headSize = 9

  /// Returns the line of a document that has no line feeds, such as those of ``JSONWriter``.
  static func line(_ document: [UInt8]) -> [UInt8] {
    let checksum = chost_crc32(document, document.count)
    var line: [UInt8] = []
    line.reserveCapacity(headSize + document.count + 1)
    let bytes = stride(from: UInt32(24), through: 0, by: -8).map { UInt8(truncatingIfNeeded: checksum >> $0) }
    line += ContentHash.digits(bytes[...]).utf8
    line.append(UInt8(ascii: " "))
    line += document
    line.append(UInt8(ascii: "\n"))
    return line
  }

  /// Returns true if a line, without its line feed, has the checksum of its document.
  static func isWhole(_ line: UnsafeRawBufferPointer) -> Bool {
    guard line.count > headSize, line[headSize - 1] == UInt8(ascii: " ") else { return false }
    var stated: UInt32 = 0
    for byte in line.prefix(headSize - 1) {
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"): stated = stated << 4 | UInt32(byte - UInt8(ascii: "0"))
      case UInt8(ascii: "a")...UInt8(ascii: "f"): stated = stated << 4 | UInt32(byte - UInt8(ascii: "a") + 10)
      default: return false
      }
    }
    let document = UnsafeRawBufferPointer(rebasing: line[headSize...])
    return chost_crc32(document.baseAddress?.assumingMemoryBound(to: UInt8.self), document.count) == stated
  }

  /// Calls a function with each whole document of a log, and the offset of its first byte in the file.
  ///
  /// - Returns: The number of torn or damaged lines.
  @discardableResult
  static func read(
    _ path: String, _ body: (_ offset: Int, _ document: UnsafeRawBufferPointer) throws -> Void
  ) throws -> Int {
    let descriptor = try HostFile.open(path, O_RDONLY)
    defer { close(descriptor) }
    var (pending, start, damaged): ([UInt8], Int, Int) = ([], 0, 0)
    while let chunk = try HostFile.readChunk(descriptor, named: path) {
      // Only the new bytes can hold the end of a long line.
      let known = pending.count
      pending += chunk
      var lineStart = 0
      try pending.withUnsafeBytes { bytes in
        var search = known
        while let end = bytes[search...].firstIndex(of: UInt8(ascii: "\n")) {
          let line = UnsafeRawBufferPointer(rebasing: bytes[lineStart..<end])
          if isWhole(line) {
            try body(start + lineStart + headSize, UnsafeRawBufferPointer(rebasing: line[headSize...]))
          } else {
            damaged += 1
          }
          lineStart = end + 1
          search = lineStart
        }
      }
      pending.removeFirst(lineStart)
      start += lineStart
    }
    return pending.isEmpty ? damaged : damaged + 1
  }
}
