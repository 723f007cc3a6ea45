public import PluginAPI

/// A writer of JSON in pieces.
///
/// The output can be taken and sent on at any time, so that memory does not grow with the document. Incorrect use, such
/// as a value without a key in an object, is a mistake of the caller and traps. Each top-level value is on a line of
/// its own (JSON Lines).
///
/// ```swift
/// var writer = JSONWriter()
/// writer.beginObject()
/// writer.key("id")
/// writer.write(7)
/// writer.endObject()
/// send(writer.take())
/// ```
public struct JSONWriter: Sendable {
  /// The output that was written and not taken yet, in UTF-8.
  public private(set) var bytes: [UInt8] = []

  /// The number of spaces per level; nil for everything on one line.
  private let indentation: Int?
  /// The open objects and arrays, outermost first.
  private var levels: [Level] = []
  private var hasRoot = false

  private struct Level {
    var isObject: Bool
    var isEmpty = true
    var hasKey = false
  }

  /// Creates a writer.
  ///
  /// - Parameter indentation: The number of spaces per level; nil for everything on one line.
  public init(indentation: Int? = nil) {
    self.indentation = indentation
  }

  /// The number of open objects and arrays.
  public var depth: Int { levels.count }

  /// Returns the output so far and clears it.
  public mutating func take() -> [UInt8] {
    defer { bytes = [] }
    return bytes
  }

  /// Begins an object.
  public mutating func beginObject() { begin("{", isObject: true) }

  /// Ends the most recently begun object.
  public mutating func endObject() { end("}", isObject: true) }

  /// Begins an array.
  public mutating func beginArray() { begin("[", isObject: false) }

  /// Ends the most recently begun array.
  public mutating func endArray() { end("]", isObject: false) }

  /// Writes the key of the value that follows.
  public mutating func key(_ name: String) {
    guard let level = levels.last, level.isObject, !level.hasKey else {
      preconditionFailure("a key belongs in an object, before each value")
    }
    separate()
    add(quoted: name)
    bytes.append(UInt8(ascii: ":"))
    if indentation != nil { bytes.append(UInt8(ascii: " ")) }
    levels[levels.count - 1].hasKey = true
  }

  /// Writes a text.
  public mutating func write(_ text: String) {
    beginValue()
    add(quoted: text)
  }

  /// Writes a whole number.
  public mutating func write(_ number: Int) {
    beginValue()
    add(String(number))
  }

  /// Writes a number with the fewest digits that preserve it; null for NaN and infinities, which JSON lacks.
  public mutating func write(_ number: Double) {
    beginValue()
    add(number.isFinite ? number.description : "null")
  }

  /// Writes a number as given, of any size.
  ///
  /// - Throws: ``JSONError/noNumber(_:)``; nothing is written then.
  public mutating func write(number text: String) throws(JSONError) {
    guard JSONNumber.isNumber(text.utf8) else { throw .noNumber(text) }
    write(raw: text.utf8)
  }

  /// Writes a Boolean value.
  public mutating func write(_ flag: Bool) {
    beginValue()
    add(flag ? "true" : "false")
  }

  /// Writes null.
  public mutating func writeNull() {
    beginValue()
    add("null")
  }

  /// Writes a value that is already JSON, byte for byte, as ``JSONEvent/raw(_:)`` delivers it, without checking it.
  public mutating func write(raw json: some Sequence<UInt8>) {
    beginValue()
    bytes.append(contentsOf: json)
  }

  private mutating func begin(_ mark: String, isObject: Bool) {
    beginValue()
    add(mark)
    levels.append(Level(isObject: isObject))
  }

  private mutating func end(_ mark: String, isObject: Bool) {
    guard let level = levels.popLast(), level.isObject == isObject, !level.hasKey else {
      preconditionFailure("the innermost object or array ends first, and every key has a value")
    }
    if !level.isEmpty { breakLine() }
    add(mark)
  }

  private mutating func beginValue() {
    guard let level = levels.last else {
      if hasRoot { bytes.append(UInt8(ascii: "\n")) }
      hasRoot = true
      return
    }
    if level.isObject {
      precondition(level.hasKey, "a value in an object follows its key")
      levels[levels.count - 1].hasKey = false
    } else {
      separate()
    }
  }

  /// Writes a comma after the previous value and begins a line.
  private mutating func separate() {
    if !levels[levels.count - 1].isEmpty { bytes.append(UInt8(ascii: ",")) }
    levels[levels.count - 1].isEmpty = false
    breakLine()
  }

  private mutating func breakLine() {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * levels.count))
  }

  private mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  private mutating func add(quoted text: String) {
    var text = text
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { utf8 in
      var start = 0
      for index in utf8.indices where Self.isSpecial(utf8[index]) {
        bytes.append(contentsOf: utf8[start..<index])
        add(escaped: utf8[index])
        start = index + 1
      }
      bytes.append(contentsOf: utf8[start...])
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private static func isSpecial(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func add(escaped byte: UInt8) {
    bytes.append(UInt8(ascii: "\\"))
    switch byte {
    case 0x0A: bytes.append(UInt8(ascii: "n"))
    case 0x0D: bytes.append(UInt8(ascii: "r"))
    case 0x09: bytes.append(UInt8(ascii: "t"))
    case 0..<0x20:
      add("u00")
      bytes.append(UInt8(ascii: "0") + byte >> 4)
      bytes.append(Self.hexDigits[Int(byte & 15)])
    default: bytes.append(byte)
    }
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}

extension JSONWriter {
  /// Writes a value.
  ///
  /// Dates become ISO 8601 text, quantities `{"value", "unit"}`, tables lists of records, bytes base64 text, and a
  /// picture its size. Decimals are written as numbers, digit for digit, so that they survive a round trip; malformed
  /// ones are written as text.
  public mutating func write(_ value: Value) {
    switch value.content {
    case .null: writeNull()
    case .bool(let flag): write(flag)
    case .integer(let number): write(number)
    case .number(let number): write(number)
    case .decimal(let text): if JSONNumber.isNumber(text.utf8) { write(raw: text.utf8) } else { write(text) }
    case .text(let text): write(text)
    case .bytes(let data): write(String(decoding: base64(data), as: UTF8.self))
    case .date(let instant): write(instant.description)
    case .quantity(let quantity):
      write(Record([.init("value", .number(quantity.value)), .init("unit", .text(quantity.unit))]))
    case .list(let values):
      beginArray()
      for value in values { write(value) }
      endArray()
    case .record(let record): write(record)
    case .table(let table): write(table)
    case .picture(let picture):
      write(Record([.init("width", .integer(picture.width)), .init("height", .integer(picture.height))]))
    case .array(let array):
      let shape = array.shape.map(Value.integer)
      write(
        Record([
          .init("type", .text(array.elementType.rawValue)), .init("shape", .list(shape)),
          .init("data", .bytes(array.bytes)),
        ]))
    @unknown default: writeNull()
    }
  }

  private mutating func write(_ record: Record) {
    beginObject()
    for field in record.fields {
      key(field.name)
      write(field.value)
    }
    endObject()
  }

  private mutating func write(_ table: Table) {
    beginArray()
    for row in 0..<table.rowCount {
      beginObject()
      for column in table.columns {
        key(column.name)
        write(column.values[row])
      }
      endObject()
    }
    endArray()
  }

  /// - Source: RFC 4648, section 4.
  private func base64(_ data: [UInt8]) -> [UInt8] {
    let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((data.count + 2) / 3 * 4)
    for start in stride(from: 0, to: data.count, by: 3) {
      let count = min(3, data.count - start)
      var word = 0
      for index in 0..<3 { word = word << 8 | (index < count ? Int(data[start + index]) : 0) }
      for place in 0..<4 { text.append(place > count ? UInt8(ascii: "=") : letters[word >> (18 - 6 * place) & 63]) }
    }
    return text
  }
}

/// The syntax of JSON numbers.
///
/// - Source: RFC 8259, section 6.
enum JSONNumber {
  /// Returns true if a text is a JSON number.
  static func isNumber(_ text: some Sequence<UInt8>) -> Bool {
    var rest = Array(text)[...]
    if rest.first == UInt8(ascii: "-") { rest.removeFirst() }
    let whole = digits(&rest)
    guard whole.count == 1 || whole.count > 1 && whole.first != UInt8(ascii: "0") else { return false }
    if rest.first == UInt8(ascii: ".") {
      rest.removeFirst()
      if digits(&rest).isEmpty { return false }
    }
    if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
      rest.removeFirst()
      if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest.removeFirst() }
      if digits(&rest).isEmpty { return false }
    }
    return rest.isEmpty
  }

  private static func digits(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    let digits = rest.prefix { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
    rest = rest[digits.endIndex...]
    return digits
  }

  /// The number of significant digits up to which a double holds every number.
  ///
  /// - Source: DBL_DIG of C, for IEEE 754 binary64.
  private static let exactDigits = 15

  /// Returns the double for a number with a fraction or an exponent; nil if a double cannot distinguish it from its
  /// neighbors.
  static func double(_ text: JSONText) -> Double? {
    let mantissa = text.bytes.prefix { $0 | 0x20 != UInt8(ascii: "e") }
    var significant = mantissa.filter { $0 >= UInt8(ascii: "0") && $0 <= UInt8(ascii: "9") }
      .drop { $0 == UInt8(ascii: "0") }
    while significant.last == UInt8(ascii: "0") { significant.removeLast() }
    guard significant.count <= exactDigits, let number = text.number, number.isFinite else { return nil }
    // Digits are lost below the smallest normal number.
    return significant.isEmpty ? 0 * number : number.isNormal ? number : nil
  }
}
