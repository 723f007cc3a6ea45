/// Makes texts of servers harmless for people: they cannot command a terminal, hide or reorder what stands beside them.
///
/// Frames leave out control characters and the marks of writing direction by themselves, but linear output, renderers
/// and exported files do not; so every text of a server goes through here before it leaves the plugin as text.
/// - Control characters but line feeds and tabs become U+FFFD, as do embeddings, overrides and isolates of direction.
/// - Marks that are never seen (LRM, RLM, ALM, a byte order mark, tags) are left out.
/// - CR, CR LF, NEL and the separators of lines and paragraphs become line feeds.
/// - More than 30 marks on one letter are left out (Unicode Standard Annex 15, section 13, "Stream-Safe Text Format").
enum ReadableText {
  /// No letter carries more marks.
  static let mostMarks = 30
  /// So many characters at most stand in one line of a list.
  static let longestLine = 400

  /// A text of several lines.
  static func block(_ text: some StringProtocol) -> String {
    if isHarmless(text) { return String(text) }
    var result = String.UnicodeScalarView()
    var marks = 0
    var afterReturn = false
    for scalar in text.unicodeScalars {
      defer { afterReturn = scalar == "\r" }
      if scalar == "\n", afterReturn { continue }
      guard let shown = shown(scalar) else { continue }
      marks = isMark(shown) ? marks + 1 : 0
      if marks <= mostMarks { result.append(shown) }
    }
    return String(result)
  }

  /// A text on one line, cut to a length: line feeds and tabs become spaces.
  static func line(_ text: String, limit: Int = longestLine) -> String {
    // Four bytes a character at most, and room for marks: a text of megabytes is not walked through for a line.
    let start = text.utf8.count > 8 * limit ? String(text.unicodeScalars.prefix(2 * limit)) : text
    let block = block(start)
    let flat = block.utf8.contains { $0 == 0x0A || $0 == 0x09 } ? oneLine(block) : block
    if flat.utf8.count <= limit, start.utf8.count == text.utf8.count { return flat }
    let cut = flat.prefix(limit)
    return cut.count < flat.count || start.utf8.count < text.utf8.count ? cut + "…" : flat
  }

  private static func oneLine(_ text: String) -> String {
    text.split { $0 == "\n" || $0 == "\t" }.joined(separator: " ")
  }

  /// Whether nothing of the text has to be changed: plain ASCII with line feeds and tabs, what most texts are.
  private static func isHarmless(_ text: some StringProtocol) -> Bool {
    text.utf8.allSatisfy { ($0 >= 0x20 && $0 < 0x7F) || $0 == 0x0A || $0 == 0x09 }
  }

  /// The scalar to show for another; nil for none.
  private static func shown(_ scalar: Unicode.Scalar) -> Unicode.Scalar? {
    switch scalar.value {
    case 0x09, 0x0A: scalar
    case 0x0D, 0x85, 0x2028, 0x2029: "\n"
    case 0..<0x20, 0x7F..<0xA0: "\u{FFFD}"
    case 0x061C, 0x200E, 0x200F, 0xFEFF, 0xE0000...0xE007F: nil
    case 0x202A...0x202E, 0x2066...0x206F, 0xFFF9...0xFFFB: "\u{FFFD}"
    default: scalar
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
