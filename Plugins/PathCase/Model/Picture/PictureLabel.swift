import PluginAPI

/// A name in lines of letters.
struct PictureLabel: Sendable, Hashable {
  var lines: [String]
  var size: Double
  var isBold = false
  var isItalic = false

  /// From baseline to baseline, as a share of the size.
  static let leading = 1.18

  var width: Double { lines.reduce(0) { max($0, LetterWidths.width($1, size: size, isBold: isBold)) } }
  var height: Double { lines.isEmpty ? 0 : size + Double(lines.count - 1) * size * Self.leading }

  /// Breaks a name into lines.
  ///
  /// Names are broken at blanks, and behind hyphens and commas; what still does not fit is cut.
  /// - Parameters:
  ///   - width: The widest line that is wanted.
  ///   - most: The most lines.
  init(
    _ name: String, size: Double, width: Double, most: Int = 3, isBold: Bool = false, isItalic: Bool = false
  ) {
    self.size = size
    self.isBold = isBold
    self.isItalic = isItalic
    func measured(_ text: String) -> Double { LetterWidths.width(text, size: size, isBold: isBold) }
    let pieces = Self.pieces(of: Self.shown(name))
    let all = pieces.joined()
    // Lines of about one length look better than a full one and a rest.
    let count = min(Double(most), max(1, (measured(all) / max(width, 1)).rounded(.up)))
    let wanted = max(width * 0.5, min(width, measured(all) / count * 1.12))
    var lines: [String] = []
    var line = ""
    for piece in pieces {
      let isLast = lines.count == most - 1
      if !line.isEmpty, measured(line + Self.trimmed(piece)) > (isLast ? width : wanted), !isLast {
        lines.append(Self.trimmed(line))
        line = piece
      } else {
        line += piece
      }
    }
    if !line.isEmpty { lines.append(Self.trimmed(line)) }
    self.lines = lines.map { LetterWidths.cut($0, to: width * 1.6, size: size, isBold: isBold) }
  }

  /// The texts of the lines around a centre.
  func texts(
    around center: FrozenPath.Point, colour: PictureColour, anchor: PictureText.Anchor = .middle,
    halo: PictureColour? = nil
  ) -> [PictureShape] {
    // The middle of letters with and without descenders is a little above the middle of their box.
    let first = center.y - height / 2 + size * 0.84
    return lines.enumerated().map { index, line in
      .text(
        PictureText(
          text: line, place: .init(x: center.x, y: first + Double(index) * size * Self.leading), size: size,
          colour: colour, anchor: anchor, isBold: isBold, isItalic: isItalic, halo: halo))
    }
  }

  /// A name without what is not printed; long ones are cut before they are looked at.
  static func shown(_ name: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in name.unicodeScalars.prefix(240) {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0: result.append(" ")
      // Marks that turn the direction of writing, and halves of pairs that no file can hold.
      case 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x61C, 0xFFFE, 0xFFFF: continue
      default: result.append(scalar)
      }
    }
    if name.unicodeScalars.count > 240 { result.append("…") }
    return trimmed(String(result))
  }

  private static func trimmed(_ text: String) -> String {
    var text = text[...]
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  /// A name in pieces between which it may be broken, blanks at their ends.
  private static func pieces(of name: String) -> [String] {
    var pieces: [String] = []
    var piece = ""
    for character in name {
      piece.append(character)
      let isBreak = character == " " || character == "/" || (character == "-" && piece.count > 3)
      if isBreak {
        pieces.append(piece)
        piece = ""
      }
    }
    if !piece.isEmpty { pieces.append(piece) }
    return pieces
  }
}
