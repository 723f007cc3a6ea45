/// The bytes of a text file being written, with fields of fixed width.
struct TextBuffer {
  private(set) var bytes: [UInt8] = []

  init(expectedBytes: Int = 0) { bytes.reserveCapacity(expectedBytes) }

  var count: Int { bytes.count }

  mutating func add(_ text: String) { bytes.append(contentsOf: text.utf8) }

  mutating func add(_ part: [UInt8]) { bytes += part }

  mutating func newLine() { bytes.append(10) }

  mutating func blanks(_ count: Int) {
    if count > 0 { bytes.append(contentsOf: repeatElement(32, count: count)) }
  }

  mutating func byte(_ byte: UInt8) { bytes.append(byte) }

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
