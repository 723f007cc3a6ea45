import CVTerm
import TestSupport
import Testing

/// A terminal in memory (libvterm), with the cells that a program's output produces, and its responses to queries.
final class ScreenOracle {
  /// The appearance of a cell.
  struct Shown: Equatable, CustomStringConvertible {
    var text: String
    var foreground: UInt32
    var background: UInt32
    var isReverse: Bool

    var description: String {
      "'\(text)' \(String(foreground, radix: 16)) on \(String(background, radix: 16))\(isReverse ? " reversed" : "")"
    }
  }

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private(set) var columns: Int
  private(set) var rows: Int

  init(columns: Int, rows: Int) throws {
    terminal = try #require(vterm_new(Int32(rows), Int32(columns)))
    screen = try #require(vterm_obtain_screen(terminal))
    (self.columns, self.rows) = (columns, rows)
    vterm_set_utf8(terminal, 1)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
  }

  deinit { vterm_free(terminal) }

  /// Processes a program's bytes and returns the terminal's responses.
  func take(_ bytes: [UInt8]) -> [UInt8] {
    bytes.withUnsafeBytes { raw in
      _ = vterm_input_write(terminal, raw.bindMemory(to: CChar.self).baseAddress, raw.count)
    }
    var responses = [CChar](repeating: 0, count: 4096)
    let count = vterm_output_read(terminal, &responses, responses.count)
    return responses[..<count].map { UInt8(bitPattern: $0) }
  }

  func resize(columns: Int, rows: Int) {
    vterm_set_size(terminal, Int32(rows), Int32(columns))
    (self.columns, self.rows) = (columns, rows)
  }

  subscript(x: Int, y: Int) -> Shown {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(y), col: Int32(x)), &cell)
    let scalars = withUnsafeBytes(of: cell.chars) { Array($0.bindMemory(to: UInt32.self).prefix { $0 != 0 }) }
    let text = String(String.UnicodeScalarView(scalars.compactMap(UnicodeScalar.init)))
    var shown = Shown(
      text: text.isEmpty ? " " : text, foreground: Self.packed(cell.fg), background: Self.packed(cell.bg),
      isReverse: cell.attrs.reverse != 0)
    // A full block and a blank with its color as background look the same; a blank shows only its background.
    if shown.text == "█" { (shown.text, shown.background) = (" ", shown.foreground) }
    if shown.text == " ", !shown.isReverse { shown.foreground = 0 }
    return shown
  }

  /// The text of the rows.
  var text: String {
    (0..<rows).map(row).joined(separator: "\n")
  }

  /// Returns the text of a row.
  func row(_ y: Int) -> String { (0..<columns).map { self[$0, y].text }.joined() }

  /// Returns a description of the first cell that differs from another screen's; nil if there is none.
  func difference(from other: ScreenOracle) -> String? {
    guard (columns, rows) == (other.columns, other.rows) else { return "the sizes differ" }
    for y in 0..<rows {
      for x in 0..<columns where self[x, y] != other[x, y] {
        return "at \(x),\(y): \(self[x, y]) instead of \(other[x, y])"
      }
    }
    return nil
  }

  /// Returns a color with its kind in the top byte: 0 for the terminal's own, a palette entry, or red, green and blue.
  private static func packed(_ color: VTermColor) -> UInt32 {
    if color.type & UInt8(VTERM_COLOR_DEFAULT_MASK.rawValue) != 0 { return 0 }
    if color.type & UInt8(VTERM_COLOR_TYPE_MASK.rawValue) == VTERM_COLOR_INDEXED.rawValue {
      return 1 << 24 | UInt32(color.indexed.idx)
    }
    return 2 << 24 | UInt32(color.rgb.red) << 16 | UInt32(color.rgb.green) << 8 | UInt32(color.rgb.blue)
  }
}
