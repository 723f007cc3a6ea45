import PluginText

/// The natural order of names: numbers by their value, upper-case beside lower-case letters.
///
/// Keys are compared byte by byte. They order texts by their letters without case and diacritics, with numbers of any
/// length by their value; then by diacritics, and then by capitals and leading zeros. Only equal texts have equal keys.
enum NaturalOrder {
  /// Returns the sort key of a text.
  static func key(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    append(text, to: &out)
    return out
  }

  /// Appends the sort key of a text to bytes.
  ///
  /// The key has three parts, separated by a zero byte: letters and numbers; the text in lower case if it is not ASCII;
  /// everything that the first part omits.
  /// - Complexity: linear.
  static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { bytes in
      if bytes.allSatisfy({ $0 < 0x80 }) {
        // ASCII is folded on the fly.
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

  /// Appends letters, and each number as a digit, the count of its digits without leading zeros, and those digits.
  private static func appendNumbers(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var offset = 0
    while offset < text.count {
      let byte = text[offset]
      guard isDigit(byte) else {
        // No byte may sort before the end of the text.
        out.append(byte == 0 ? 1 : isCapital(byte) ? byte | 0x20 : byte)
        offset += 1
        continue
      }
      let (start, end) = number(at: offset, in: text)
      offset = end
      out.append(0x30)
      appendLength(offset - start, to: &out)
      out.append(contentsOf: text[start..<offset])
    }
  }

  /// Returns the start of a number's significant digits, and its end.
  private static func number(at offset: Int, in text: UnsafeBufferPointer<UInt8>) -> (start: Int, end: Int) {
    var (start, end) = (offset, offset)
    while end < text.count, isDigit(text[end]) { end += 1 }
    while start < end - 1, text[start] == 0x30 { start += 1 }
    return (start, end)
  }

  /// Appends the data that letters and numbers of an ASCII text omit: the positions of capitals, and leading zeros.
  ///
  /// Each position is the number of letters and whole numbers since the previous one; a position of leading zeros is
  /// followed by their count. Whether it is a capital or a number follows from the first part, so that two texts with
  /// both parts equal are the same.
  private static func appendLeftOut(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    var (offset, distance) = (0, 0)
    while offset < text.count {
      let byte = text[offset]
      if isDigit(byte) {
        let (start, end) = number(at: offset, in: text)
        if start > offset {
          appendLength(distance, to: &out)
          appendLength(start - offset, to: &out)
          distance = -1
        }
        offset = end
      } else {
        if byte == 0 || isCapital(byte) {
          appendLength(distance, to: &out)
          distance = -1
        }
        offset += 1
      }
      distance += 1
    }
  }

  /// Appends a length in bytes that sort as lengths do: 255 for each 254, and the remainder.
  private static func appendLength(_ length: Int, to out: inout [UInt8]) {
    var remaining = length
    while remaining > 254 {
      out.append(255)
      remaining -= 254
    }
    out.append(UInt8(remaining))
  }

  private static func isCapital(_ byte: UInt8) -> Bool { 0x41...0x5A ~= byte }

  private static func isDigit(_ byte: UInt8) -> Bool { 0x30...0x39 ~= byte }
}
