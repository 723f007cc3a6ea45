import PluginText

extension UInt8 {
  /// A Boolean value indicating whether it is the code of a digit.
  @inline(__always)
  var isDigit: Bool { self >= 48 && self <= 57 }

  /// A Boolean value indicating whether it is the code of a letter from A to Z, capital or small.
  @inline(__always)
  var isLetter: Bool { self | 32 >= 97 && self | 32 <= 122 }
}

/// Splits texts at ASCII codes, by bytes: the texts of structure files are split often, and splitting by characters is
/// several times slower.
extension String {
  /// Returns the text with runs of blanks reduced to one, and none at either end.
  func squeezed() -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(utf8.count)
    for byte in utf8 where byte != 32 || (bytes.last ?? 32) != 32 { bytes.append(byte) }
    if bytes.last == 32 { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Returns the pieces between occurrences of an ASCII code, trimmed, without empty ones.
  func pieces(separatedBy separator: UInt8) -> [String] {
    utf8.split(separator: separator).map { Substring($0).trimmed() }.filter { !$0.isEmpty }
  }

  /// Returns the text with line ends replaced by blanks: titles may be text fields of several lines.
  func replacingLineEnds() -> String {
    guard utf8.contains(where: { $0 == 10 || $0 == 13 }) else { return self }
    return utf8.split(whereSeparator: { $0 == 10 || $0 == 13 }).map { String(Substring($0)) }.joined(separator: " ")
      .trimmed()
  }
}
