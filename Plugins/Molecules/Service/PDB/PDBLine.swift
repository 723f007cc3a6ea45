/// One line of a PDB file without its line end, accessed by column.
///
/// Columns are 1-based and inclusive as in the format description; columns past the end of the line read as blanks. Bytes up
/// to 32 (blank, tab, NUL, carriage return) count as blank. The line borrows the file's memory and must not outlive it.
struct PDBLine {
  let base: UnsafePointer<UInt8>
  let count: Int

  /// Returns the byte in a column, a blank past the end and for control codes.
  @inline(__always)
  func byte(_ column: Int) -> UInt8 {
    guard column <= count else { return 32 }
    return max(base[column - 1], 32)
  }

  /// Returns the text in columns, trimmed.
  func text(_ first: Int, _ last: Int) -> String {
    let end = min(last, count)
    guard first <= end else { return "" }
    return Self.trimmed(UnsafeBufferPointer(start: base + (first - 1), count: end - first + 1))
  }

  /// Returns the text in columns with only its end trimmed.
  func textKeepingIndent(_ first: Int, _ last: Int) -> String {
    var end = min(last, count)
    while end >= first, base[end - 1] <= 32 { end -= 1 }
    guard first <= end else { return "" }
    return Self.string(UnsafeBufferPointer(start: base + (first - 1), count: end - first + 1))
  }

  /// Returns true if columns contain only blanks.
  func isBlank(_ first: Int, _ last: Int) -> Bool {
    var column = first
    while column <= min(last, count) {
      if base[column - 1] > 32 { return false }
      column += 1
    }
    return true
  }

  /// Returns true if columns contain a byte.
  func hasByte(_ byte: UInt8, _ first: Int, _ last: Int) -> Bool {
    let end = min(last, count)
    return first <= end && UnsafeBufferPointer(start: base + (first - 1), count: end - first + 1).contains(byte)
  }

  /// Returns the integer in columns, nil if blank or not an integer.
  func integer(_ first: Int, _ last: Int) -> Int? {
    let end = min(last, count)
    guard first <= end else { return nil }
    return NumberText.integer(base + (first - 1), end - first + 1)
  }

  /// Returns the number in columns, nil if blank or not a number.
  func number(_ first: Int, _ last: Int) -> Double? {
    let end = min(last, count)
    guard first <= end else { return nil }
    return NumberText.number(base + (first - 1), end - first + 1)
  }

  /// Returns the hybrid-36 number in columns: decimal, or base 36 if the first character is a letter.
  ///
  /// For width w: an upper-case first letter means base 36 minus 10·36^(w-1) plus 10^w, a lower-case one base 36 plus
  /// 16·36^(w-1) plus 10^w.
  /// - Source: R. W. Grosse-Kunstleve, hybrid-36, http://cci.lbl.gov/hybrid_36/
  func hybrid36(_ first: Int, _ last: Int) -> Int? {
    let start = byte(first)
    guard (start | 32) >= 97, (start | 32) <= 122 else { return integer(first, last) }
    let isLower = start >= 97
    var value = 0
    for column in first...last {
      let byte = byte(column)
      let digit: Int
      switch byte {
      case 48...57: digit = Int(byte) - 48
      case 65...90 where !isLower: digit = Int(byte) - 55
      case 97...122 where isLower: digit = Int(byte) - 87
      default: return nil
      }
      value = value * 36 + digit
    }
    let width = last - first + 1
    let step = (1..<width).reduce(1) { power, _ in power * 36 }
    let decimal = (0..<width).reduce(1) { power, _ in power * 10 }
    return value + (isLower ? 16 : -10) * step + decimal
  }

  private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    var first = 0
    var end = bytes.count
    while first < end, bytes[first] <= 32 { first += 1 }
    while end > first, bytes[end - 1] <= 32 { end -= 1 }
    return string(UnsafeBufferPointer(rebasing: bytes[first..<end]))
  }

  /// Returns a string of bytes with control codes replaced by blanks.
  private static func string(_ bytes: UnsafeBufferPointer<UInt8>) -> String {
    guard bytes.contains(where: { $0 < 32 }) else { return String(decoding: bytes, as: UTF8.self) }
    return String(decoding: bytes.map { $0 < 32 ? 32 : $0 }, as: UTF8.self)
  }
}
