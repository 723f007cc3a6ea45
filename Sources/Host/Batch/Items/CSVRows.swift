/// Reads the rows of separated values.
///
/// - Source: RFC 4180 for commas; with tabs quotes have no meaning.
struct CSVRows {
  private let bytes: [UInt8]
  private let separator: UInt8
  private var position = 0

  /// - Parameter isTabbed: True if tabs separate the fields, false for commas.
  init(_ bytes: [UInt8], isTabbed: Bool) {
    self.bytes = bytes
    separator = isTabbed ? 0x09 : UInt8(ascii: ",")
    // The mark that some editors put in front of UTF-8 text.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  /// Returns the next row that is not an empty line; nil at the end.
  mutating func next() -> [String]? {
    while position < bytes.count {
      let row = row()
      if row != [""] { return row }
    }
    return nil
  }

  private mutating func row() -> [String] {
    var row: [String] = []
    while true {
      row.append(field())
      guard position < bytes.count, bytes[position] == separator else { break }
      position += 1
    }
    if position < bytes.count, bytes[position] == 0x0D { position += 1 }
    if position < bytes.count, bytes[position] == 0x0A { position += 1 }
    return row
  }

  /// Reads a field, up to a separator or the end of its line.
  private mutating func field() -> String {
    var text: [UInt8] = []
    var isQuoted = false
    if separator == UInt8(ascii: ","), position < bytes.count, bytes[position] == UInt8(ascii: "\"") {
      isQuoted = true
      position += 1
    }
    while position < bytes.count {
      let byte = bytes[position]
      if isQuoted, byte == UInt8(ascii: "\"") {
        position += 1
        // A quote written twice is one; any other one ends the quotation.
        if position < bytes.count, bytes[position] == byte { text.append(byte) } else { isQuoted = false }
        if !isQuoted { continue }
      } else if !isQuoted, byte == separator || byte == 0x0A || isLineEnd(byte) {
        break
      } else {
        text.append(byte)
      }
      position += 1
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// Returns true for a carriage return before a line feed or at the end.
  private func isLineEnd(_ byte: UInt8) -> Bool {
    byte == 0x0D && (position + 1 == bytes.count || bytes[position + 1] == 0x0A)
  }
}
