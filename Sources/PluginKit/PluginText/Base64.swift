/// The base64 encoding of bytes as text.
///
/// - Source: RFC 4648, section 4.
public enum Base64 {
  static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the base64 text of bytes on one line, padded.
  public static func text(_ bytes: [UInt8]) -> String { String(decoding: encoded(bytes), as: UTF8.self) }

  /// Returns the base64 text of bytes on one line, padded, as ASCII.
  public static func encoded(_ bytes: [UInt8]) -> [UInt8] {
    var encoder = Base64Encoder()
    return encoder.encode(bytes) + encoder.finish()
  }

  /// Returns the bytes of a base64 text, ignoring white space; nil for anything else, such as the URL-safe alphabet.
  ///
  /// - Parameter requiresPadding: False to accept a last group without all of its `=`.
  public static func bytes(_ text: some StringProtocol, requiresPadding: Bool = true) -> [UInt8]? {
    let characters = Array(text.utf8)
    let room = Base64Decoder.room(for: characters.count)
    return try? [UInt8](unsafeUninitializedCapacity: room) { target, count in
      guard let start = target.baseAddress else { return }
      var decoder = Base64Decoder()
      count = try characters.withUnsafeBufferPointer { try decoder.decode($0, into: start) }
      count += try decoder.finish(into: start + count, requiresPadding: requiresPadding)
    }
  }
}

/// An encoder of base64 in pieces.
///
/// - Source: RFC 4648, section 4.
public struct Base64Encoder: Sendable {
  /// The bytes that do not fill a group of three yet.
  private var tail: [UInt8] = []

  /// Creates an encoder.
  public init() {}

  /// Returns the text of all complete groups of three bytes; the remaining bytes are buffered.
  public mutating func encode(_ bytes: [UInt8]) -> [UInt8] {
    let all = tail.isEmpty ? bytes : tail + bytes
    let whole = all.count / 3 * 3
    tail = Array(all[whole...])
    return Self.groups(all, count: whole)
  }

  /// Returns the text of the last group, with its padding.
  public mutating func finish() -> [UInt8] {
    defer { tail = [] }
    guard !tail.isEmpty else { return [] }
    var text = Self.groups(tail + [UInt8](repeating: 0, count: 3 - tail.count), count: 3)
    for index in (tail.count + 1)..<4 { text[index] = UInt8(ascii: "=") }
    return text
  }

  private static func groups(_ bytes: [UInt8], count: Int) -> [UInt8] {
    [UInt8](unsafeUninitializedCapacity: count / 3 * 4) { room, written in
      bytes.withUnsafeBufferPointer { bytes in
        Base64.alphabet.withUnsafeBufferPointer { digits in
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
