import PluginAPI
import PluginText

/// A reason why a text is not JSON.
struct JSONTextError: Error, Equatable {
  /// The offset in bytes, from 0.
  var offset: Int
  /// The problem at the offset.
  var problem: String
}

/// Parses the JSON of services into values.
///
/// If a name is repeated the last value counts; integers beyond 64 bits become floating-point numbers.
/// - Source: RFC 8259.
struct JSONText {
  private static let deepest = 200
  private let bytes: [UInt8]
  private var position = 0

  /// Parses a document.
  ///
  /// - Complexity: linear in the text.
  static func read(_ bytes: [UInt8]) throws(JSONTextError) -> Value {
    var reader = JSONText(bytes: bytes)
    let value = try reader.value(depth: 0)
    reader.skipBlanks()
    if reader.position < bytes.count { throw reader.error("unexpected text after the end") }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func error(_ problem: String) -> JSONTextError { JSONTextError(offset: position, problem: problem) }

  private mutating func skipBlanks() {
    while let byte = current, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func value(depth: Int) throws(JSONTextError) -> Value {
    if depth > Self.deepest { throw error("nested more than \(Self.deepest) deep") }
    skipBlanks()
    switch current {
    case UInt8(ascii: "{"): return .record(try record(depth: depth))
    case UInt8(ascii: "["): return .list(try list(depth: depth))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", true)
    case UInt8(ascii: "f"): return try word("false", false)
    case UInt8(ascii: "n"): return try word("null", .null)
    default: return try number()
    }
  }

  private mutating func word(_ word: String, _ value: Value) throws(JSONTextError) -> Value {
    guard bytes[position...].starts(with: word.utf8) else { throw error("expected a value") }
    position += word.utf8.count
    return value
  }

  private mutating func record(depth: Int) throws(JSONTextError) -> Record {
    position += 1
    var record = Record()
    skipBlanks()
    if take(UInt8(ascii: "}")) { return record }
    while true {
      skipBlanks()
      guard current == UInt8(ascii: "\"") else { throw error("expected a name in quotes") }
      let name = try text()
      skipBlanks()
      guard take(UInt8(ascii: ":")) else { throw error("expected ':'") }
      record[name] = try value(depth: depth + 1)
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "}")) else { throw error("expected ',' or '}'") }
      return record
    }
  }

  private mutating func list(depth: Int) throws(JSONTextError) -> [Value] {
    position += 1
    var values: [Value] = []
    skipBlanks()
    if take(UInt8(ascii: "]")) { return values }
    while true {
      values.append(try value(depth: depth + 1))
      skipBlanks()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "]")) else { throw error("expected ',' or ']'") }
      return values
    }
  }

  private mutating func text() throws(JSONTextError) -> String {
    position += 1
    var result: [UInt8] = []
    while let byte = current {
      position += 1
      if byte == UInt8(ascii: "\"") { return String(decoding: result, as: UTF8.self) }
      if byte == UInt8(ascii: "\\") {
        result += try escape()
      } else {
        result.append(byte)
      }
    }
    throw error("text is not closed")
  }

  private mutating func escape() throws(JSONTextError) -> [UInt8] {
    guard let letter = current else { throw error("text is not closed") }
    position += 1
    switch letter {
    case UInt8(ascii: "b"): return [8]
    case UInt8(ascii: "f"): return [12]
    case UInt8(ascii: "n"): return [10]
    case UInt8(ascii: "r"): return [13]
    case UInt8(ascii: "t"): return [9]
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter]
    case UInt8(ascii: "u"): return Array(String(Character(try scalar())).utf8)
    default: throw error("expected an escape after '\\'")
    }
  }

  /// Reads a scalar of one or two escapes; an unpaired surrogate becomes the replacement character.
  private mutating func scalar() throws(JSONTextError) -> Unicode.Scalar {
    let high = try hexadecimal()
    let isPair = (0xD800..<0xDC00).contains(high) && bytes[position...].starts(with: "\\u".utf8)
    guard isPair else { return Unicode.Scalar(high) ?? "\u{FFFD}" }
    position += 2
    let low = try hexadecimal()
    guard (0xDC00..<0xE000).contains(low) else { return "\u{FFFD}" }
    return Unicode.Scalar(0x10000 + (high - 0xD800) << 10 + (low - 0xDC00)) ?? "\u{FFFD}"
  }

  private mutating func hexadecimal() throws(JSONTextError) -> UInt32 {
    let digits = bytes[min(position, bytes.count)..<min(position + 4, bytes.count)]
    let areDigits = digits.count == 4 && digits.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
    guard areDigits, let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16) else {
      throw error("expected four hexadecimal digits")
    }
    position += 4
    return code
  }

  private mutating func number() throws(JSONTextError) -> Value {
    let start = position
    while let byte = current, "+-.eE0123456789".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let integer = Int(text) { return .integer(integer) }
    guard let number = Double(text), number.isFinite else {
      position = start
      throw error("expected a value")
    }
    return .number(number)
  }

  /// Returns a text in JSON form, including quotes.
  static func quoted(_ text: String) -> String {
    var bytes: [UInt8] = [UInt8(ascii: "\"")]
    for byte in text.utf8 {
      switch byte {
      case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes += [UInt8(ascii: "\\"), byte]
      case 0..<32: bytes += Array("\\u00".utf8) + [Hexadecimal.digit(byte >> 4), Hexadecimal.digit(byte & 15)]
      default: bytes.append(byte)
      }
    }
    return String(decoding: bytes + [UInt8(ascii: "\"")], as: UTF8.self)
  }
}

// MARK: Writing

extension JSONText {
  /// Returns plain data as readable JSON; numbers are restored exactly.
  ///
  /// Only records, lists, texts, numbers and Boolean values are supported; values without a JSON form become null.
  /// - Source: RFC 8259.
  static func written(_ value: Value, indentation: Int = 0) -> String {
    switch value.content {
    case .bool(let bool): return "\(bool)"
    case .integer(let integer): return "\(integer)"
    case .number(let number): return number.isFinite ? "\(number)" : "null"
    case .text(let text), .decimal(let text): return quoted(text)
    case .list(let list):
      let isFlat = list.allSatisfy { $0.list == nil && $0.record == nil }
      return block(list.map { written($0, indentation: indentation + 2) }, "[", "]", isFlat ? nil : indentation)
    case .record(let record):
      let fields = record.fields.map { quoted($0.name) + ": " + written($0.value, indentation: indentation + 2) }
      return block(fields, "{", "}", indentation)
    default: return "null"
    }
  }

  private static func block(_ parts: [String], _ open: String, _ close: String, _ indentation: Int?) -> String {
    if parts.isEmpty { return open + close }
    guard let indentation else { return open + parts.joined(separator: ", ") + close }
    let margin = String(repeating: " ", count: indentation)
    return "\(open)\n" + parts.map { margin + "  " + $0 }.joined(separator: ",\n") + "\n\(margin)\(close)"
  }
}
