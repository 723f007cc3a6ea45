import PluginAPI

/// An error for a text that is not a JSON document.
struct JSONError: Error, Equatable {
  /// The line, counted from 1.
  var line: Int
  /// The column in bytes, counted from 1.
  var column: Int
  /// The problem at that position.
  var problem: String
}

/// Reads a JSON document into a value, strictly: no comments, no trailing commas, no repeated names.
///
/// Numbers that neither a 64-bit whole number nor a floating-point number holds exactly as written become decimals of
/// the type ``rawNumberType``, so that writing them again changes nothing.
/// - Source: RFC 8259.
struct JSONReader {
  /// The type name of numbers kept as they were written.
  static let rawNumberType = "host.json-number"

  /// The number of fields up to which a linear search for a name is faster than a set.
  private static let fewFields = 32

  private let bytes: [UInt8]
  private let deepest: Int
  private var position = 0

  private init(_ bytes: [UInt8], deepest: Int) {
    (self.bytes, self.deepest) = (bytes, deepest)
  }

  /// Reads a whole document.
  ///
  /// - Parameter deepest: The maximum nesting depth.
  static func read(_ bytes: [UInt8], deepest: Int = 128) throws(JSONError) -> Value {
    var reader = JSONReader(bytes, deepest: deepest)
    let value = try reader.value(depth: 0)
    reader.skipSpace()
    if reader.position < bytes.count { throw reader.error("text follows the end of the document") }
    return value
  }

  /// Returns the line of a field, counted from 1: the field named last of the objects named before it.
  ///
  /// - Returns: Nil if the document has no such field.
  static func line(of names: [String], in bytes: [UInt8]) -> Int? {
    var reader = JSONReader(bytes, deepest: 128)
    var line: Int?
    for name in names {
      guard let start = try? reader.seek(name) else { return nil }
      line = 1 + bytes[..<start].count { $0 == 0x0A }
    }
    return line
  }

  /// Moves behind the colon of a field of the object at the position.
  ///
  /// - Returns: The offset of the field's name in bytes; nil if there is no such field or no object.
  private mutating func seek(_ wanted: String) throws(JSONError) -> Int? {
    skipSpace()
    guard take(UInt8(ascii: "{")) else { return nil }
    repeat {
      skipSpace()
      let start = position
      guard current == UInt8(ascii: "\"") else { return nil }
      let name = try text()
      skipSpace()
      guard take(UInt8(ascii: ":")) else { return nil }
      if name.utf8.elementsEqual(wanted.utf8) { return start }
      _ = try value(depth: 1)
      skipSpace()
    } while take(UInt8(ascii: ","))
    return nil
  }

  private var current: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func value(depth: Int) throws(JSONError) -> Value {
    skipSpace()
    if depth > deepest { throw error("nested more than \(deepest) levels deep") }
    switch current {
    case UInt8(ascii: "{"): return .record(try record(depth: depth))
    case UInt8(ascii: "["): return .list(try list(depth: depth))
    case UInt8(ascii: "\""): return .text(try text())
    case UInt8(ascii: "t"): return try word("true", true)
    case UInt8(ascii: "f"): return try word("false", false)
    case UInt8(ascii: "n"): return try word("null", .null)
    case let byte? where byte == UInt8(ascii: "-") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte):
      return try number()
    case nil: throw error("the document ends where a value is expected")
    default: throw error("a value is expected")
    }
  }

  private mutating func record(depth: Int) throws(JSONError) -> Record {
    position += 1
    var fields: [Record.Field] = []
    var names: Set<[UInt8]> = []
    skipSpace()
    if take(UInt8(ascii: "}")) { return Record() }
    while true {
      skipSpace()
      guard current == UInt8(ascii: "\"") else { throw error("a name in quotes is expected") }
      let name = try text()
      if fields.count == Self.fewFields { names = Set(fields.map { Array($0.name.utf8) }) }
      let isRepeated =
        fields.count < Self.fewFields
        ? fields.contains { $0.name.utf8.elementsEqual(name.utf8) } : !names.insert(Array(name.utf8)).inserted
      if isRepeated { throw error("the name '\(name.shortened())' occurs twice") }
      skipSpace()
      guard take(UInt8(ascii: ":")) else { throw error("':' is expected after '\(name.shortened())'") }
      fields.append(Record.Field(name, try value(depth: depth + 1)))
      skipSpace()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "}")) else { throw error("',' or '}' is expected") }
      return Record(fields)
    }
  }

  private mutating func list(depth: Int) throws(JSONError) -> [Value] {
    position += 1
    var values: [Value] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return values }
    while true {
      values.append(try value(depth: depth + 1))
      skipSpace()
      if take(UInt8(ascii: ",")) { continue }
      guard take(UInt8(ascii: "]")) else { throw error("',' or ']' is expected") }
      return values
    }
  }

  private mutating func text() throws(JSONError) -> String {
    position += 1
    let start = position
    skipPlainText()
    // Mostly it is the whole text.
    var result = Array(bytes[start..<position])
    while let byte = current {
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let text = String(validating: result, as: UTF8.self) else { throw error("the text is not UTF-8") }
        return text
      case UInt8(ascii: "\\"):
        position += 1
        result += try escape()
      case 0..<0x20:
        throw error("a string contains a control character")
      default:
        result.append(byte)
        position += 1
      }
    }
    throw error("a string is not closed")
  }

  /// Moves to the next byte that is a quote, a backslash or a control character, or to the end.
  private mutating func skipPlainText() {
    position = bytes.withUnsafeBufferPointer { bytes in
      var end = position
      while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\") {
        end += 1
      }
      return end
    }
  }

  private mutating func escape() throws(JSONError) -> [UInt8] {
    let letter = current
    position += 1
    switch letter {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [letter ?? 0]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "u"):
      var code = try hexadecimal()
      if (0xD800..<0xDC00).contains(code) {
        guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else { throw error("half a surrogate pair") }
        let low = try hexadecimal()
        guard (0xDC00..<0xE000).contains(low) else { throw error("half a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate pair") }
      return Array(String(Character(scalar)).utf8)
    default: throw error("an unknown escape")
    }
  }

  private mutating func hexadecimal() throws(JSONError) -> UInt32 {
    guard position + 4 <= bytes.count,
      bytes[position..<position + 4].allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let code = UInt32(String(decoding: bytes[position..<position + 4], as: UTF8.self), radix: 16)
    else { throw error("four hexadecimal digits are expected") }
    position += 4
    return code
  }

  private mutating func number() throws(JSONError) -> Value {
    let start = position
    _ = take(UInt8(ascii: "-"))
    let first = current
    let whole = digits()
    if whole == 0 || (first == UInt8(ascii: "0") && whole > 1) { throw error("a number is expected") }
    if take(UInt8(ascii: ".")), digits() == 0 { throw error("digits are expected after the decimal point") }
    if take(UInt8(ascii: "e")) || take(UInt8(ascii: "E")) {
      if !take(UInt8(ascii: "-")) { _ = take(UInt8(ascii: "+")) }
      if digits() == 0 { throw error("digits are expected in the exponent") }
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if let integer = Int(text), String(integer) == text { return .integer(integer) }
    if let number = Double(text), number.description == text { return .number(number) }
    return Value.decimal(text).typed(Self.rawNumberType)
  }

  private mutating func digits() -> Int {
    let start = position
    while let byte = current, (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { position += 1 }
    return position - start
  }

  private mutating func word(_ word: String, _ value: Value) throws(JSONError) -> Value {
    guard bytes[position...].starts(with: word.utf8) else { throw error("a value is expected") }
    position += word.utf8.count
    return value
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard current == byte else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() {
    while let byte = current, [0x20, 0x09, 0x0A, 0x0D].contains(byte) { position += 1 }
  }

  private func error(_ problem: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let lineStart = before.lastIndex(of: 0x0A).map { $0 + 1 } ?? 0
    return JSONError(
      line: before.count { $0 == 0x0A } + 1, column: before.count - lineStart + 1, problem: problem)
  }
}
