/// The bytes of a text file being written, with fields of fixed width.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []

  init(expectedBytes: Int = 0) { bytes.reserveCapacity(expectedBytes) }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(_ part: [UInt8]) { bytes += part }

  mutating func newLine() { bytes.append(10) }

  mutating func blanks(_ count: Int) {
    if count > 0 { bytes.append(contentsOf: repeatElement(32, count: count)) }
  }

  /// Writes a left-aligned text in a field; longer ones are truncated.
  mutating func left(_ text: String, _ width: Int) {
    let cut = text.utf8.prefix(width)
    bytes.append(contentsOf: cut)
    blanks(width - cut.count)
  }

  /// Writes a right-aligned text in a field; longer ones are not truncated.
  mutating func right(_ text: String, _ width: Int) {
    blanks(width - text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a right-aligned number with a number of decimals in a field.
  mutating func fixed(_ value: Double, _ decimals: Int, width: Int = 0) {
    right(DecimalText.fixed(value, decimals), width)
  }
}

/// Decimal numbers as text.
enum DecimalText {
  /// Returns a number with a number of decimals, rounded to the nearest; zero has no sign.
  ///
  /// - Parameter value: below 1e12 and finite; larger ones have all their digits.
  static func fixed(_ value: Double, _ decimals: Int) -> String {
    guard abs(value) < 1e12 else { return "\(value)" }
    let scale = NumberText.powers[decimals]
    let units = Int((abs(value) * scale).rounded())
    let whole = units / Int(scale)
    var text = value < 0 && units > 0 ? "-\(whole)" : "\(whole)"
    guard decimals > 0 else { return text }
    let fraction = "\(units % Int(scale))"
    text += "." + String(repeating: "0", count: decimals - fraction.utf8.count) + fraction
    return text
  }

  /// Returns the shortest text that is read back as the same number, with a least number of decimals.
  static func exact(_ value: Double, atLeast decimals: Int) -> String {
    guard abs(value) < 1e9 else { return "\(value)" }
    let scale = NumberText.powers[decimals]
    return (value * scale).rounded() / scale == value ? fixed(value, decimals) : "\(value)"
  }

  /// Returns the same as ``exact(_:atLeast:)`` for a number of single precision.
  static func exact(_ value: Float, atLeast decimals: Int) -> String {
    guard abs(value) < 1e9 else { return "\(value)" }
    let scale = NumberText.powers[decimals]
    let rounded = (Double(value) * scale).rounded() / scale
    return Float(rounded) == value ? fixed(rounded, decimals) : "\(value)"
  }
}

/// Writes categories in CIF syntax: a loop for several rows, pairs for one.
struct CIFTextWriter {
  var buffer = TextBuffer()
  /// The value of an item that does not apply to a row; a plain text `.` would be quoted.
  static let inapplicable = "\u{0}."
  /// A known but empty value, such as the name of a chain without one.
  static let empty = "\u{0}"

  /// Begins the data block.
  mutating func begin(_ name: String) {
    let letters = name.utf8.filter { $0 > 32 && $0 < 127 }
    buffer.add("data_" + (letters.isEmpty ? "structure" : String(decoding: letters, as: UTF8.self)) + "\n#\n")
  }

  /// Writes a category; nothing if it has no rows.
  ///
  /// - Parameters:
  ///   - name: the name with its underscore.
  ///   - items: the names of the items.
  ///   - rows: for each row the values in the order of the items; nil and empty texts are unknown (`?`), and
  ///     ``inapplicable`` is written as `.`, ``empty`` as `''`.
  mutating func category(_ name: String, _ items: [String], _ rows: [[String?]]) {
    guard !rows.isEmpty else { return }
    if rows.count == 1 {
      for (item, value) in zip(items, rows[0]) {
        buffer.add(name + "." + item + " ")
        buffer.add(Self.quoted(value))
        buffer.newLine()
      }
    } else {
      loop(name, items)
      for row in rows {
        for (index, value) in row.enumerated() {
          if index > 0 { buffer.blanks(1) }
          buffer.add(Self.quoted(value))
        }
        buffer.newLine()
      }
    }
    buffer.add("#\n")
  }

  /// Begins a loop.
  mutating func loop(_ name: String, _ items: [String]) {
    buffer.add("loop_\n")
    for item in items { buffer.add(name + "." + item + "\n") }
  }

  /// Returns a value in CIF form: bare if possible, quoted if necessary, a text field if no quote is possible.
  ///
  /// - Source: CIF 1.1 syntax, paragraphs 15 to 17
  static func quoted(_ value: String?) -> String {
    guard let value, !value.isEmpty else { return "?" }
    if value == inapplicable { return "." }
    if value == empty { return "''" }
    if isBare(value) { return value }
    let hasLineEnd = value.utf8.contains { $0 == 10 || $0 == 13 }
    if !hasLineEnd {
      for quote in ["'", "\""] where !closesEarly(value, quote) { return quote + value + quote }
    }
    // A semicolon at the start of a line would end the field; a preceding blank keeps the text readable.
    var field = Array("\n;".utf8)
    for byte in value.utf8 {
      if byte == 59, field.last == 10 { field.append(32) }
      field.append(byte)
    }
    return String(decoding: field + Array("\n;".utf8), as: UTF8.self)
  }

  /// Returns true if a quote inside a value is followed by a blank, so that it would close the value.
  private static func closesEarly(_ value: String, _ quote: String) -> Bool {
    let bytes = Array(value.utf8)
    guard let mark = quote.utf8.first else { return false }
    return bytes.indices.contains { bytes[$0] == mark && $0 + 1 < bytes.count && bytes[$0 + 1] <= 32 }
  }

  private static func isBare(_ value: String) -> Bool {
    guard let first = value.utf8.first, value.utf8.allSatisfy({ $0 > 32 && $0 < 127 }) else { return false }
    if [34, 35, 36, 39, 59, 91, 93, 95].contains(first) { return false }
    if value == "." || value == "?" { return false }
    let word = value.lowercased()
    return !["data_", "save_"].contains { word.hasPrefix($0) } && !["loop_", "stop_", "global_"].contains(word)
  }
}
