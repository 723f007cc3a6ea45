import PluginAPI

/// Writes values as JSON.
///
/// Names are unchanged; dates become ISO 8601 text, quantities `{"value", "unit"}`, tables lists of records, bytes
/// base64 text, decimals text, NaN and infinities null. A picture becomes the record made by ``PictureFile``, or else
/// its size.
/// - Source: RFC 8259 (JSON), RFC 4648 section 4 (base64).
struct JSONWriter {
  private(set) var bytes: [UInt8] = []
  /// Spaces for each level; nil for everything on one line.
  let indentation: Int?
  private var depth = 0

  init(indentation: Int? = nil) {
    self.indentation = indentation
  }

  /// Returns the JSON text of a value, without a line feed at its end.
  static func bytes(of value: Value, indentation: Int? = nil) -> [UInt8] {
    var writer = JSONWriter(indentation: indentation)
    writer.write(value)
    return writer.bytes
  }

  /// Returns the JSON text of a value.
  static func text(of value: Value, indentation: Int? = nil) -> String {
    String(decoding: bytes(of: value, indentation: indentation), as: UTF8.self)
  }

  mutating func write(_ value: Value) {
    switch value.content {
    case .null: add("null")
    case .bool(let flag): add(flag ? "true" : "false")
    case .integer(let number): add(String(number))
    case .number(let number): write(number)
    case .decimal(let text):
      if value.typeName == JSONReader.rawNumberType { add(text) } else { write(text) }
    case .text(let text): write(text)
    case .bytes(let data): writeBase64(data)
    case .date(let instant): write(instant.description)
    case .quantity(let quantity):
      writeObject(["value", "unit"]) { $1 == 0 ? $0.write(quantity.value) : $0.write(quantity.unit) }
    case .list(let values): writeList(values.count) { $0.write(values[$1]) }
    case .record(let record): write(record)
    case .table(let table): write(table)
    case .picture(let picture):
      writeObject(["width", "height"]) { $0.add(String($1 == 0 ? picture.width : picture.height)) }
    case .array(let array):
      writeObject(["type", "shape", "data"]) { writer, field in
        switch field {
        case 0: writer.write(array.elementType.rawValue)
        case 1: writer.writeList(array.shape.count) { $0.add(String(array.shape[$1])) }
        default: writer.writeBase64(array.bytes)
        }
      }
    @unknown default: add("null")
    }
  }

  private mutating func write(_ record: Record) {
    let fields = record.fields
    writeObject(fields.map(\.name)) { $0.write(fields[$1].value) }
  }

  private mutating func write(_ table: Table) {
    let names = table.columns.map(\.name)
    writeList(table.rowCount) { writer, row in
      writer.writeObject(names) { $0.write(table.columns[$1].values[row]) }
    }
  }

  private mutating func writeList(_ count: Int, _ element: (inout JSONWriter, Int) -> Void) {
    bytes.append(UInt8(ascii: "["))
    depth += 1
    for index in 0..<count {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine()
      element(&self, index)
    }
    depth -= 1
    if count > 0 { breakLine() }
    bytes.append(UInt8(ascii: "]"))
  }

  private mutating func writeObject(_ names: [String], _ value: (inout JSONWriter, Int) -> Void) {
    bytes.append(UInt8(ascii: "{"))
    depth += 1
    for (index, name) in names.enumerated() {
      if index > 0 { bytes.append(UInt8(ascii: ",")) }
      breakLine()
      write(name)
      add(indentation == nil ? ":" : ": ")
      value(&self, index)
    }
    depth -= 1
    if !names.isEmpty { breakLine() }
    bytes.append(UInt8(ascii: "}"))
  }

  private mutating func breakLine() {
    guard let indentation else { return }
    bytes.append(UInt8(ascii: "\n"))
    bytes.append(contentsOf: repeatElement(UInt8(ascii: " "), count: indentation * depth))
  }

  private mutating func write(_ number: Double) {
    add(number.isFinite ? number.description : "null")
  }

  private mutating func write(_ text: String) {
    // JSON is read on terminals too: characters that could control one, or reorder its line, are written as escapes.
    var text = text
    let isASCII = text.withUTF8 { utf8 in !utf8.contains { $0 >= 0x7F } }
    if !isASCII, StyledTextWriter.harmless(text) != text { return writeEscaping(text) }
    bytes.append(UInt8(ascii: "\""))
    text.withUTF8 { writeRuns(of: $0) }
    bytes.append(UInt8(ascii: "\""))
  }

  /// Writes text, runs of bytes without escapes at once.
  private mutating func writeRuns(of text: UnsafeBufferPointer<UInt8>) {
    var start = 0
    for (index, byte) in text.enumerated() where Self.needsEscape(byte) {
      bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
      writeEscape(byte)
      start = index + 1
    }
    bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
  }

  private static func needsEscape(_ byte: UInt8) -> Bool {
    byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
  }

  private mutating func writeEscape(_ byte: UInt8) {
    switch byte {
    case 0x0A: add("\\n")
    case 0x0D: add("\\r")
    case 0x09: add("\\t")
    case 0..<0x20:
      add("\\u00")
      bytes.append(Self.hexDigits[Int(byte >> 4)])
      bytes.append(Self.hexDigits[Int(byte & 15)])
    default:
      bytes.append(UInt8(ascii: "\\"))
      bytes.append(byte)
    }
  }

  /// Writes a text in which control characters and marks of writing direction are escapes.
  private mutating func writeEscaping(_ text: String) {
    bytes.append(UInt8(ascii: "\""))
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"", "\\": bytes += [UInt8(ascii: "\\"), UInt8(scalar.value)]
      case "\n": add("\\n")
      case "\r": add("\\r")
      case "\t": add("\\t")
      case _ where StyledTextWriter.isHarmless(scalar): add(String(Character(scalar)))
      default:
        let digits = String(scalar.value, radix: 16)
        add("\\u" + String(repeating: "0", count: 4 - digits.count) + digits)
      }
    }
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func writeBase64(_ data: [UInt8]) {
    bytes.append(UInt8(ascii: "\""))
    bytes += Base64.encoded(data)
    bytes.append(UInt8(ascii: "\""))
  }

  private mutating func add(_ text: String) {
    bytes.append(contentsOf: text.utf8)
  }

  private static let hexDigits = Array("0123456789abcdef".utf8)
}

/// Bytes as text of 64 safe characters.
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  /// Returns the base64 form, padded with `=`, without line breaks.
  ///
  /// - Source: RFC 4648 section 4.
  static func encoded(_ data: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((data.count + 2) / 3 * 4)
    for start in stride(from: 0, to: data.count, by: 3) {
      let group = data[start..<min(start + 3, data.count)]
      let joined = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      let bits = joined << UInt32(8 * (3 - group.count))
      for position in 0..<4 {
        let isPadding = position > group.count
        result.append(isPadding ? UInt8(ascii: "=") : alphabet[Int(bits >> (18 - 6 * UInt32(position)) & 63)])
      }
    }
    return result
  }

  /// Returns the bytes of a padded base64 text without line breaks; nil for anything else.
  static func decoded(_ text: String) -> [UInt8]? {
    let characters = Array(text.utf8)
    let padding = characters.suffix(2).count { $0 == UInt8(ascii: "=") }
    if characters.count % 4 != 0 { return nil }
    var result: [UInt8] = []
    result.reserveCapacity(characters.count / 4 * 3)
    var (bits, count) = (UInt32(0), 0)
    for character in characters.dropLast(padding) {
      let value = values[Int(character)]
      if value > 63 { return nil }
      (bits, count) = (bits << 6 | UInt32(value), count + 6)
      if count >= 8 {
        count -= 8
        result.append(UInt8(truncatingIfNeeded: bits >> UInt32(count)))
      }
    }
    return result
  }

  /// The number that each character stands for; 255 for those outside the alphabet.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 255, count: 256)
    for (index, character) in alphabet.enumerated() { values[Int(character)] = UInt8(index) }
    return values
  }()
}
