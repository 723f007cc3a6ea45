import PluginText

/// The order of names as people expect it: numbers by their value, capitals beside small letters.
///
/// Compared byte by byte, keys order texts by their letters without case and diacritics, in which numbers of any length
/// stand for their value; texts alike in that by their diacritics, and then by capitals and zeros in front. Texts have the
/// same key only if they are the same.
enum NaturalOrder {
  /// The key of a text.
  static func key(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    append(text, to: &out)
    return out
  }

  /// Puts the key of a text behind bytes.
  ///
  /// Three parts with a zero byte between them: letters and numbers; the text in small letters if it has others than
  /// ASCII; what the first part leaves out.
  /// - Complexity: linear.
  static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      if bytes.allSatisfy({ $0 < 0x80 }) {
        // Folding ASCII is done on the way.
        appendNumbers(bytes, to: &out)
        out.append(0)
        out.append(0)
        appendLeftOut(bytes, to: &out)
      } else {
        let text = String(decoding: bytes, as: UTF8.self)
        FoldedText.bytes(text).withUnsafeBufferPointer { appendNumbers($0, to: &out) }
        out.append(0)
        out.append(contentsOf: text.lowercased().utf8)
        out.append(0)
        out.append(contentsOf: bytes)
      }
    }
  }

  /// Numbers become a digit, how many digits they have without zeros in front, and those digits.
  private static func appendNumbers(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var place = 0
    while place < text.count {
      let byte = text[place]
      guard isDigit(byte) else {
        // Nothing is less than the end of the text.
        out.append(byte == 0 ? 1 : isCapital(byte) ? byte | 0x20 : byte)
        place += 1
        continue
      }
      let (start, end) = number(at: place, in: text)
      place = end
      out.append(0x30)
      appendLength(place - start, to: &out)
      out.append(contentsOf: text[start..<place])
    }
  }

  /// Where the digits of a number begin that count, and where it ends.
  private static func number(at place: Int, in text: UnsafeBufferPointer<UInt8>) -> (start: Int, end: Int) {
    var (start, end) = (place, place)
    while end < text.count, isDigit(text[end]) { end += 1 }
    while start < end - 1, text[start] == 0x30 { start += 1 }
    return (start, end)
  }

  /// What letters and numbers of a text in ASCII do not tell: where capitals are, and zeros in front with how many.
  ///
  /// Each is told by how many letters and whole numbers lie before it since the one before. What it is the letters and
  /// numbers tell, so that two texts are alike in both parts only if they are the same.
  private static func appendLeftOut(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var (place, distance) = (0, 0)
    while place < text.count {
      let byte = text[place]
      if isDigit(byte) {
        let (start, end) = number(at: place, in: text)
        if start > place {
          appendLength(distance, to: &out)
          appendLength(start - place, to: &out)
          distance = -1
        }
        place = end
      } else {
        if byte == 0 || isCapital(byte) {
          appendLength(distance, to: &out)
          distance = -1
        }
        place += 1
      }
      distance += 1
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

  private static func isCapital(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
