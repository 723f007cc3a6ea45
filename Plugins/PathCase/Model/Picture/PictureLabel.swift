import PluginAPI
import PluginText

/// A name broken into lines of letters.
struct PictureLabel: Sendable, Hashable {
  var lines: [String]
  var size: Double
  var isBold = false
  var isItalic = false

  /// The distance between baselines, as a fraction of the size.
  static let leading = 1.18

  var width: Double { lines.reduce(0) { max($0, LetterWidths.width($1, size: size, isBold: isBold)) } }
  var height: Double { lines.isEmpty ? 0 : size + Double(lines.count - 1) * size * Self.leading }

  /// Creates a label from a name broken into lines.
  ///
  /// Names are broken at spaces, and after hyphens and commas; text that still does not fit is truncated.
  /// - Parameters:
  ///   - width: The maximum width of a line.
  ///   - most: The maximum number of lines.
  init(
    _ name: String, size: Double, width: Double, most: Int = 3, isBold: Bool = false, isItalic: Bool = false
  ) {
    self.size = size
    self.isBold = isBold
    self.isItalic = isItalic
    func measured(_ text: String) -> Double { LetterWidths.width(text, size: size, isBold: isBold) }
    let pieces = Self.pieces(of: Self.shown(name))
    let all = pieces.joined()
    // Lines of similar length look better than a full line and a short one.
    let count = min(Double(most), max(1, (measured(all) / max(width, 1)).rounded(.up)))
    let wanted = max(width * 0.5, min(width, measured(all) / count * 1.12))
    var lines: [String] = []
    var line = ""
    for piece in pieces {
      let isLast = lines.count == most - 1
      if !line.isEmpty, measured(line + piece.trimmed()) > (isLast ? width : wanted), !isLast {
        lines.append(line.trimmed())
        line = piece
      } else {
        line += piece
      }
    }
    if !line.isEmpty { lines.append(line.trimmed()) }
    self.lines = lines.map { LetterWidths.cut($0, to: width * 1.6, size: size, isBold: isBold) }
  }

  /// Returns the texts of the lines around a center.
  func texts(
    around center: FrozenPath.Point, colour: PictureColour, anchor: PictureText.Anchor = .middle,
    halo: PictureColour? = nil
  ) -> [PictureShape] {
    // The optical middle of letters with and without descenders is slightly above the middle of their box.
    let first = center.y - height / 2 + size * 0.84
    return lines.enumerated().map { index, line in
      .text(
        PictureText(
          text: line, place: .init(x: center.x, y: first + Double(index) * size * Self.leading), size: size,
          colour: colour, anchor: anchor, isBold: isBold, isItalic: isItalic, halo: halo))
    }
  }

  /// Returns a name as shown in pictures; long names are truncated before they are measured.
  static func shown(_ name: String) -> String { SanitizedText.line(name, limit: 240).trimmed() }

  /// Returns a name in pieces between which it may be broken, with trailing spaces.
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
