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

/// A decoder of base64 that arrives in pieces; white space between its characters is ignored.
///
/// - Source: RFC 4648, sections 3 and 4; blanks as in `xs:base64Binary` of XML Schema.
public struct Base64Decoder: Sendable {
  /// Creates a decoder.
  public init() {}

  /// A fault in the text.
  @frozen public enum Fault: Error, Equatable {
    /// A character that is not in the alphabet, at a 0-based offset in characters, counting white space.
    case junk(at: Int)
    /// Text after the padding, or misplaced padding.
    case padding(at: Int)
    /// The text ends within a group of four characters.
    case cut
  }

  /// The bits of the current group, the newest lowest.
  private var bits: UInt32 = 0
  /// The number of characters of that group, 0 to 3, without padding.
  private var filled = 0
  /// The number of padding characters seen, 0 to 2.
  private var padding = 0
  private var position = 0

  /// Returns the maximum number of bytes decoded from a number of characters, including those buffered before.
  public static func room(for count: Int) -> Int { (count + 3) / 4 * 3 + 3 }

  /// Decodes a piece.
  ///
  /// - Parameters:
  ///   - text: The next characters.
  ///   - room: Receives the bytes; at least ``room(for:)`` of them.
  /// - Returns: The number of bytes decoded.
  public mutating func decode(
    _ text: UnsafeBufferPointer<UInt8>, into room: UnsafeMutablePointer<UInt8>
  ) throws(Fault) -> Int {
    var written = 0
    var index = 0
    let fast = Self.tables
    while index < text.count {
      if filled == 0, padding == 0 {
        let (read, made) = Self.decodeGroups(text, from: index, into: room + written, fast)
        index += read
        written += made
        if index >= text.count { break }
      }
      written += try take(text[index], at: position + index, room + written)
      index += 1
    }
    position += text.count
    return written
  }

  /// Ends the text.
  ///
  /// - Throws: ``Fault/cut`` if its last group lacks characters or padding.
  public func finish() throws(Fault) {
    if filled != 0 || padding == 1 { throw .cut }
  }

  /// Ends a text whose padding may be missing.
  ///
  /// - Returns: The number of bytes of the last group, 0 to 2.
  func finish(into room: UnsafeMutablePointer<UInt8>, requiresPadding: Bool) throws(Fault) -> Int {
    if requiresPadding || filled < 2 {
      if filled != 0 || requiresPadding && padding == 1 { throw .cut }
      return 0
    }
    if filled == 2 {
      room[0] = UInt8(truncatingIfNeeded: bits >> 4)
    } else {
      room[0] = UInt8(truncatingIfNeeded: bits >> 10)
      room[1] = UInt8(truncatingIfNeeded: bits >> 2)
    }
    return filled - 1
  }

  /// Decodes one character.
  ///
  /// - Returns: The number of bytes it completes, 0 to 3.
  private mutating func take(
    _ character: UInt8, at place: Int, _ room: UnsafeMutablePointer<UInt8>
  ) throws(Fault) -> Int {
    if Self.isBlank(character) { return 0 }
    if character == UInt8(ascii: "=") { return try takePadding(at: place, room) }
    let value = Self.values[Int(character)]
    if value == 0xFF { throw .junk(at: place) }
    if padding > 0 { throw .padding(at: place) }
    bits = bits << 6 | UInt32(value)
    filled += 1
    if filled < 4 { return 0 }
    room[0] = UInt8(truncatingIfNeeded: bits >> 16)
    room[1] = UInt8(truncatingIfNeeded: bits >> 8)
    room[2] = UInt8(truncatingIfNeeded: bits)
    (bits, filled) = (0, 0)
    return 3
  }

  /// Decodes an `=`: two characters and two `=` make one byte, three and one make two.
  private mutating func takePadding(at place: Int, _ room: UnsafeMutablePointer<UInt8>) throws(Fault) -> Int {
    if padding == 1 {
      padding = 2
      return 0
    }
    guard padding == 0, filled >= 2 else { throw .padding(at: place) }
    if filled == 3 {
      room[0] = UInt8(truncatingIfNeeded: bits >> 10)
      room[1] = UInt8(truncatingIfNeeded: bits >> 2)
    } else {
      room[0] = UInt8(truncatingIfNeeded: bits >> 4)
    }
    let made = filled - 1
    // After two characters, a second `=` must follow; after three, none may.
    padding = filled == 2 ? 1 : 2
    (bits, filled) = (0, 0)
    return made
  }

  /// Decodes complete groups of four characters up to the first other one.
  private static func decodeGroups(
    _ text: UnsafeBufferPointer<UInt8>, from start: Int, into room: UnsafeMutablePointer<UInt8>, _ tables: Tables
  ) -> (read: Int, made: Int) {
    guard let base = text.baseAddress else { return (0, 0) }
    var from = base + start
    let end = base + text.count
    var to = room
    while end - from >= 4 {
      let group =
        tables.first[Int(from[0])] | tables.second[Int(from[1])] | tables.third[Int(from[2])]
        | tables.fourth[Int(from[3])]
      // The highest bit of a table's entry marks characters that are not in the alphabet.
      if group & 0x8000_0000 != 0 { break }
      to[0] = UInt8(truncatingIfNeeded: group >> 16)
      to[1] = UInt8(truncatingIfNeeded: group >> 8)
      to[2] = UInt8(truncatingIfNeeded: group)
      from += 4
      to += 3
    }
    return (from - (base + start), to - room)
  }

  private static func isBlank(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 }

  /// The values of the characters; 0xFF for those that are not in the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, character) in Base64.alphabet.enumerated() { values[Int(character)] = UInt8(value) }
    return values
  }()

  /// The value of a character at each position in a group, shifted there.
  private struct Tables: @unchecked Sendable {
    // Never changed after creation, and never freed.
    let first: UnsafePointer<UInt32>
    let second: UnsafePointer<UInt32>
    let third: UnsafePointer<UInt32>
    let fourth: UnsafePointer<UInt32>
  }

  private static let tables: Tables = {
    func table(_ shift: UInt32) -> UnsafePointer<UInt32> {
      let table = UnsafeMutablePointer<UInt32>.allocate(capacity: 256)
      for (index, value) in values.enumerated() {
        table[index] = value == 0xFF ? 0x8000_0000 : UInt32(value) << shift
      }
      return UnsafePointer(table)
    }
    return Tables(first: table(18), second: table(12), third: table(6), fourth: table(0))
  }()
}
