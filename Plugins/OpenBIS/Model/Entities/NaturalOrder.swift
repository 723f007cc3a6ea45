/// The order of names as people expect it: numbers by their value, capitals beside small letters.
///
/// Compared byte by byte, keys order texts by their letters without case and diacritics, in which numbers of any length
/// stand for their value; texts alike in that by their diacritics, and then by their own bytes. Texts have the same key
/// only if they are the same.
enum NaturalOrder {
  /// The key of a text.
  static func key(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    append(text, to: &out)
    return out
  }

  /// Puts the key of a text behind bytes.
  ///
  /// - Complexity: linear.
  static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      if bytes.allSatisfy({ $0 < 0x80 }) {
        // Folding ASCII is done on the way.
        appendNumbers(bytes, to: &out)
        out.append(0)
      } else {
        let text = String(decoding: bytes, as: UTF8.self)
        FoldedText.bytes(text).withUnsafeBufferPointer { appendNumbers($0, to: &out) }
        out.append(0)
        out.append(contentsOf: text.lowercased().utf8)
      }
      out.append(0)
      if !isPlain(bytes) { out.append(contentsOf: bytes) }
    }
  }

  /// Whether only one text has the letters and numbers of this one: ASCII without capitals and zeros in front.
  private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
    var wasDigit = false
    for byte in text {
      if byte <= 1 || byte == 0x30 && !wasDigit || 0x41...0x5A ~= byte || byte >= 0x80 { return false }
      wasDigit = isDigit(byte)
    }
    return true
  }

  /// Numbers become a digit, how many digits they have without zeros in front, and those digits.
  private static func appendNumbers(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var place = 0
    while place < text.count {
      let byte = text[place]
      guard isDigit(byte) else {
        // Nothing is less than the end of the text.
        out.append(byte == 0 ? 1 : 0x41...0x5A ~= byte ? byte | 0x20 : byte)
        place += 1
        continue
      }
      var start = place
      while place < text.count, isDigit(text[place]) { place += 1 }
      while start < place - 1, text[start] == 0x30 { start += 1 }
      out.append(0x30)
      appendLength(place - start, to: &out)
      out.append(contentsOf: text[start..<place])
    }
  }

  /// A length in bytes that order as lengths do: 255 for each 254, and the rest.
  private static func appendLength(_ length: Int, to out: inout [UInt8]) {
    var rest = length
    while rest > 254 {
      out.append(255)
      rest -= 254
    }
    out.append(UInt8(rest))
  }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
