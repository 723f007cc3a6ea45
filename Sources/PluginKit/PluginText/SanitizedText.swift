/// Sanitizes text from outside for display: it cannot control a terminal, hide or reorder its surroundings, or break a
/// line.
///
/// Every text from a server, a sensor or a file is sanitized before it is shown, written to a report or exported.
/// - Control characters, embeddings, overrides and isolates of writing direction, deprecated format characters,
///   interlinear annotations and noncharacters become U+FFFD.
/// - Marks that are never visible (LRM, RLM, ALM, byte order marks, tags) are removed.
/// - CR, CR LF, NEL and the separators of lines and paragraphs become line feeds.
/// - More than 30 marks on one letter are removed.
///
/// Halves of surrogate pairs cannot occur in a `String`: decoding has made them U+FFFD.
///
/// - Source: Unicode Standard Annex 9, section 2 (marks of direction); Annex 15, section 13 (stream-safe text); The Unicode
///   Standard, sections 23.2–23.9 (special characters).
public enum SanitizedText {
  /// The maximum number of marks on one letter.
  public static let mostMarks = 30
  /// The default maximum length of a line, in characters.
  public static let usualLimit = 400

  /// Returns a Boolean value indicating whether a scalar may be shown in a line unchanged.
  public static func isSafe(_ scalar: Unicode.Scalar) -> Bool { treatment(of: scalar) == .keep }

  /// Returns a sanitized text of several lines; line feeds and tabs stay.
  ///
  /// - Complexity: linear; plain ASCII is returned unchanged.
  public static func block(_ text: some StringProtocol) -> String {
    if isPlain(text) { return String(text) }
    var result = String.UnicodeScalarView()
    var marks = 0
    var followsReturn = false
    for scalar in text.unicodeScalars {
      defer { followsReturn = scalar == "\r" }
      if scalar == "\n", followsReturn { continue }
      guard let shown = replacement(for: scalar) else { continue }
      marks = isMark(shown) ? marks + 1 : 0
      if marks <= mostMarks { result.append(shown) }
    }
    return String(result)
  }

  /// Returns a sanitized text on one line: each run of line feeds and tabs becomes a space.
  ///
  /// - Parameter limit: The maximum length in characters; a longer text is cut there and ends with `…`.
  public static func line(_ text: some StringProtocol, limit: Int = usualLimit) -> String {
    // Four bytes a character at most, and room for marks: megabytes are not read for a line.
    let isLong = text.utf8.count / 8 > limit
    let block = isLong ? block(String(String.UnicodeScalarView(text.unicodeScalars.prefix(2 * limit)))) : block(text)
    let flat = block.utf8.contains { $0 == 0x0A || $0 == 0x09 } ? joined(block) : block
    if flat.utf8.count <= limit, !isLong { return flat }
    let start = flat.prefix(limit)
    return isLong || start.endIndex < flat.endIndex ? start + "…" : flat
  }

  private static func joined(_ text: String) -> String {
    text.split { $0 == "\n" || $0 == "\t" }.joined(separator: " ")
  }

  /// Returns a Boolean value indicating whether a text is ASCII without control characters, as most texts are.
  private static func isPlain(_ text: some StringProtocol) -> Bool {
    func isPlain(_ utf8: some Sequence<UInt8>) -> Bool {
      utf8.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x09 }
    }
    // The storage is a concrete type, whose loop is compiled for it.
    return text.utf8.withContiguousStorageIfAvailable { isPlain($0) } ?? isPlain(text.utf8)
  }

  private enum Treatment {
    case keep
    case remove
    case replace
    case breakLine
    case tab
  }

  private static func treatment(of scalar: Unicode.Scalar) -> Treatment {
    switch scalar.value {
    case 0x20..<0x7F: .keep
    case 0x09: .tab
    case 0x0A, 0x0D, 0x85, 0x2028, 0x2029: .breakLine
    case 0..<0x20, 0x7F..<0xA0: .replace
    case 0x061C, 0x200E, 0x200F, 0xFEFF, 0xE0000...0xE007F: .remove
    case 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB, 0xFFFE, 0xFFFF: .replace
    default: .keep
    }
  }

  private static func replacement(for scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch treatment(of: scalar) {
    case .keep, .tab: scalar
    case .remove: nil
    case .replace: "\u{FFFD}"
    case .breakLine: "\n"
    }
  }

  private static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    if scalar.value < 0x300 { return false }
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .enclosingMark, .format: return true
    default: return false
    }
  }
}

extension StringProtocol where UTF8View: BidirectionalCollection {
  /// Returns the text without white space at both ends: ASCII spaces, tabs and line ends.
  ///
  /// Spaces of other scripts stay, as in XML and other file formats.
  /// - Complexity: linear in the white space.
  public func trimmed() -> String {
    guard let first = utf8.firstIndex(where: { !isWhiteSpace($0) }),
      let last = utf8.lastIndex(where: { !isWhiteSpace($0) })
    else { return "" }
    if first == startIndex, utf8.index(after: last) == endIndex { return String(self) }
    return String(self[first...last])
  }

  /// Returns the text without trailing white space; leading white space stays.
  ///
  /// - Complexity: linear in the white space.
  public func trimmedAtEnd() -> String {
    utf8.lastIndex { !isWhiteSpace($0) }.map { String(self[...$0]) } ?? ""
  }
}

private func isWhiteSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
