/// Writes base64 piece by piece.
///
/// - Source: RFC 4648, section 4.
struct SimulatedBase64: Sendable {
  private var rest: [UInt8] = []

  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// The text of so much as makes whole groups of three; the rest waits.
  mutating func text(of bytes: [UInt8]) -> [UInt8] {
    let all = rest.isEmpty ? bytes : rest + bytes
    let whole = all.count / 3 * 3
    rest = Array(all[whole...])
    return Self.groups(all, count: whole)
  }

  /// The text of the last group, with its padding.
  mutating func finish() -> [UInt8] {
    defer { rest = [] }
    guard !rest.isEmpty else { return [] }
    let padded = rest + [UInt8](repeating: 0, count: 3 - rest.count)
    var text = Self.groups(padded, count: 3)
    for index in (rest.count + 1)..<4 { text[index] = UInt8(ascii: "=") }
    return text
  }

  /// The text of all bytes.
  static func text(_ bytes: [UInt8]) -> [UInt8] {
    var writer = SimulatedBase64()
    return writer.text(of: bytes) + writer.finish()
  }

  private static func groups(_ bytes: [UInt8], count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count / 3 * 4) { room, written in
      bytes.withUnsafeBufferPointer { bytes in
        digits.withUnsafeBufferPointer { digits in
          var (source, target) = (0, 0)
          while source < count {
            let group = UInt32(bytes[source]) << 16 | UInt32(bytes[source + 1]) << 8 | UInt32(bytes[source + 2])
            room[target] = digits[Int(group >> 18)]
            room[target + 1] = digits[Int(group >> 12 & 63)]
            room[target + 2] = digits[Int(group >> 6 & 63)]
            room[target + 3] = digits[Int(group & 63)]
            source += 3
            target += 4
          }
        }
      }
      written = count / 3 * 4
    }
  }
}
