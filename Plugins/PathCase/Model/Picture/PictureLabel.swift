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
  /// The distance from the upper side to the first baseline, as a fraction of the size.
  ///
  /// The optical middle of letters with and without descenders is slightly above the middle of their box.
  static let ascent = 0.84

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
    around center: FrozenPath.Point, color: PictureColor, anchor: PictureText.Anchor = .middle,
    halo: PictureColor? = nil
  ) -> [PictureShape] {
    let first = center.y - height / 2 + size * Self.ascent
    return lines.enumerated().map { index, line in
      .text(
        PictureText(
          text: line, position: .init(x: center.x, y: first + Double(index) * size * Self.leading), size: size,
          color: color, anchor: anchor, isBold: isBold, isItalic: isItalic, halo: halo))
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

/// The widths of texts in Helvetica and metrically compatible fonts, such as Arial and Liberation Sans.
///
/// - Source: The widths of Helvetica's font metrics, in thousandths of the size.
enum LetterWidths {
  /// The widths of the characters from space (32) to tilde (126).
  private static let ascii: [UInt16] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278,
    556, 556, 556, 556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556,
    1015, 667, 667, 722, 722, 667, 611, 778, 722, 278, 500, 667, 556, 833, 722, 778,
    667, 778, 722, 667, 611, 722, 667, 944, 667, 667, 611, 278, 278, 278, 469, 556,
    333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500, 222, 833, 556, 556,
    556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
  ]
  /// The average width of bold letters relative to regular ones.
  private static let bold = 1.07

  /// Returns the width of a line of text in a given size.
  static func width(_ text: some StringProtocol, size: Double, isBold: Bool = false) -> Double {
    var sum = 0
    if text.utf8.allSatisfy({ (32..<127).contains($0) }) {
      // Most names; without a search for the borders of characters.
      for byte in text.utf8 { sum += Int(ascii[Int(byte) - 32]) }
    } else {
      for character in text {
        if let value = character.asciiValue {
          if value >= 32, value < 127 { sum += Int(ascii[Int(value) - 32]) }
        } else {
          sum += TextWidth.columns(character) * width(ofColumn: character)
        }
      }
    }
    return Double(sum) * size / 1000 * (isBold ? bold : 1)
  }

  /// Returns the width per column of a character that Helvetica lacks, in thousandths of the size.
  private static func width(ofColumn character: Character) -> Int {
    if TextWidth.columns(character) == 2 { return 500 }
    // Mathematical operators, such as ⊖, come from fonts as wide as DejaVu Sans; letters of other scripts are about as
    // wide as the widest lowercase ones.
    return ("\u{2200}"..."\u{22FF}").contains(character) ? 838 : 600
  }

  /// Returns a text truncated to a width, with an ellipsis if something is cut.
  static func cut(_ text: String, to width: Double, size: Double, isBold: Bool = false) -> String {
    if Self.width(text, size: size, isBold: isBold) <= width { return text }
    let room = width - Self.width("…", size: size, isBold: isBold)
    var kept = ""
    var used = 0.0
    for character in text {
      used += Self.width(String(character), size: size, isBold: isBold)
      if used > room { break }
      kept.append(character)
    }
    return kept + "…"
  }
}

/// Finds positions for names beside their nodes, away from nodes, lines and other names.
struct LabelPlaces: Sendable {
  /// The cell width of the grid that indexes obstacles.
  private let cell: Double
  private var boxes: [LayoutBounds] = []
  private var boxesOfCell: [Cell: [Int]] = [:]
  private var pointsOfCell: [Cell: [FrozenPath.Point]] = [:]
  /// The maximum number of obstacles that a name is compared with, which bounds the cost of crowded areas.
  private static let most = 64

  private struct Cell: Hashable {
    var column: Int
    var row: Int
  }

  init(cell: Double) { self.cell = max(cell, 1) }

  /// Adds a rectangle that names must not cover.
  mutating func block(_ box: LayoutBounds) {
    let cells = cells(of: box)
    if cells.count > 400 { return }
    for cell in cells { boxesOfCell[cell, default: []].append(boxes.count) }
    boxes.append(box)
  }

  /// Adds points of a line that names should avoid.
  mutating func block(line points: [FrozenPath.Point]) {
    for point in points { pointsOfCell[key(point.x, point.y), default: []].append(point) }
  }

  /// Returns the index of the candidate with the least overlap; the first among equals.
  ///
  /// The chosen rectangle becomes an obstacle.
  mutating func take(_ candidates: [LayoutBounds]) -> Int {
    var best = (index: 0, cost: Double.infinity)
    for (index, box) in candidates.enumerated() {
      // Later candidates are slightly worse.
      let cost = cost(of: box) + Double(index) * 0.6
      if cost < best.cost { best = (index, cost) }
      if cost == Double(index) * 0.6, index == 0 { break }
    }
    if !candidates.isEmpty { block(candidates[best.index]) }
    return best.index
  }

  private func cost(of box: LayoutBounds) -> Double {
    let cells = cells(of: box)
    if cells.count > 400 { return 0 }
    var cost = 0.0
    var seen: Set<Int> = []
    for cell in cells {
      for index in boxesOfCell[cell, default: []].prefix(Self.most) where seen.insert(index).inserted {
        let other = boxes[index]
        let width = min(box.right, other.right) - max(box.left, other.left)
        let height = min(box.bottom, other.bottom) - max(box.top, other.top)
        if width > 0, height > 0 { cost += 12 + width * height / 12 }
      }
      for point in pointsOfCell[cell, default: []].prefix(Self.most) {
        let isIn = point.x > box.left && point.x < box.right && point.y > box.top && point.y < box.bottom
        if isIn { cost += 1.5 }
      }
    }
    return cost
  }

  private func cells(of box: LayoutBounds) -> [Cell] {
    let (from, to) = (key(box.left, box.top), key(box.right, box.bottom))
    let columns = to.column - from.column + 1
    let rows = to.row - from.row + 1
    if columns > 400 || rows > 400 || columns * rows > 400 { return [Cell](repeating: from, count: 401) }
    return (from.row...to.row).flatMap { row in (from.column...to.column).map { Cell(column: $0, row: row) } }
  }

  private func key(_ x: Double, _ y: Double) -> Cell {
    // Layouts are at most a few million wide; positions that are not finite were rejected before.
    func index(_ value: Double) -> Int { Int(min(max((value / cell).rounded(.down), -1e9), 1e9)) }
    return Cell(column: index(x), row: index(y))
  }
}

// MARK: - Numbers

/// Formats numbers for pictures.
enum PictureNumber {
  /// Returns a number with three significant digits, without an exponent if possible.
  static func short(_ value: Double) -> String {
    guard value.isFinite else { return value.isNaN ? "?" : value > 0 ? "∞" : "−∞" }
    let size = abs(value)
    if size == 0 { return "0" }
    if size >= 1e6 || size < 1e-3 {
      var exponent = 0
      var digits = size
      while digits >= 10 { (digits, exponent) = (digits / 10, exponent + 1) }
      while digits < 1 { (digits, exponent) = (digits * 10, exponent - 1) }
      if digits >= 9.95 { (digits, exponent) = (1, exponent + 1) }
      return (value < 0 ? "−" : "") + decimals(digits, 1) + "e\(exponent)"
    }
    let places = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3
    return (value < 0 ? "−" : "") + decimals(size, places)
  }

  /// Returns a number rounded to a maximum number of decimals, without trailing zeros.
  static func decimals(_ value: Double, _ places: Int) -> String {
    var scale = 1.0
    for _ in 0..<places { scale *= 10 }
    let whole = Int((value * scale).rounded())
    var text = String(whole)
    if places > 0 {
      while text.utf8.count <= places { text = "0" + text }
      let split = text.index(text.endIndex, offsetBy: -places)
      text = text[..<split] + "." + text[split...]
      while text.hasSuffix("0") { text.removeLast() }
      if text.hasSuffix(".") { text.removeLast() }
    }
    return text
  }
}
