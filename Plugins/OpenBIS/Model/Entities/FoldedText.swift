@_spi(_Unicode) import Swift

/// Text without what does not count in searching and ordering: case, diacritics, and how characters are composed.
///
/// Letters are decomposed, their marks dropped and lower-case letters put in place of capitals; what has no lower-case
/// letter stays. Texts that fold to the same bytes are the same to whoever searches.
///
/// - Source: The Unicode Standard, chapter 3.11 (decomposition) and 5.18 (case).
enum FoldedText {
  /// The folded text as UTF-8.
  static func bytes(_ text: String) -> [UInt8] {
    var out: [UInt8] = []
    append(text, to: &out)
    return out
  }

  /// Puts a folded text behind bytes.
  static func append(_ text: String, to out: inout [UInt8]) {
    var text = text
    text.withUTF8 { append($0, to: &out) }
  }

  /// Puts a folded text, given as UTF-8, behind bytes.
  ///
  /// - Complexity: linear; text in ASCII is copied with its capitals made small.
  static func append(_ text: UnsafeBufferPointer<UInt8>, to out: inout [UInt8]) {
    if text.allSatisfy({ $0 < 0x80 }) {
      out.append(contentsOf: text.lazy.map(small))
    } else {
      for scalar in String(decoding: text, as: UTF8.self)._nfd { append(scalar, to: &out) }
    }
  }

  /// Whether folding drops a mark of a letter.
  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x300 && scalar.properties.generalCategory == .nonspacingMark
  }

  private static func append(_ scalar: Unicode.Scalar, to out: inout [UInt8]) {
    if scalar.value < 0x80 {
      out.append(small(UInt8(scalar.value)))
    } else if scalar.value == 0x3C2 {
      // The sigma at the end of a word is the same letter.
      out.append(contentsOf: [0xCF, 0x83])
    } else if !isMark(scalar) {
      out.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    }
  }

  private static func small(_ byte: UInt8) -> UInt8 { 0x41...0x5A ~= byte ? byte | 0x20 : byte }
}
