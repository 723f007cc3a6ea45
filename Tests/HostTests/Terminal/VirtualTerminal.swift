import CVTerm
import PluginAPI
import Testing

@testable import Host

/// A terminal in memory, libvterm's, that shows what the encoder's bytes do.
final class VirtualTerminal {
  /// The content of a cell.
  struct Shown: Equatable {
    /// The scalars; a single space for a blank, none for the second half of a wide character.
    var scalars: [UInt32]
    /// Packed as a ``Color``.
    var foreground: UInt32
    var background: UInt32
    /// Bold, italic, underline and reverse; libvterm knows no dim.
    var attributes: Style.Attributes
  }

  private let terminal: OpaquePointer
  private let screen: OpaquePointer
  private(set) var size: Size

  init(_ size: Size) throws {
    terminal = try #require(vterm_new(Int32(size.height), Int32(size.width)))
    screen = try #require(vterm_obtain_screen(terminal))
    self.size = size
    vterm_set_utf8(terminal, 1)
    vterm_screen_enable_altscreen(screen, 1)
    vterm_screen_reset(screen, 1)
    // As termpaint sets up every terminal: text that does not fit on a line is not continued on the next.
    write(Array("\u{1B}[?7l".utf8))
  }

  deinit { vterm_free(terminal) }

  func write(_ bytes: UnsafeRawBufferPointer) {
    vterm_input_write(terminal, bytes.bindMemory(to: CChar.self).baseAddress, bytes.count)
  }

  func write(_ bytes: [UInt8]) { bytes.withUnsafeBytes { write($0) } }

  func resize(_ size: Size) {
    vterm_set_size(terminal, Int32(size.height), Int32(size.width))
    self.size = size
  }

  var cursor: Point {
    var position = VTermPos()
    vterm_state_get_cursorpos(vterm_obtain_state(terminal), &position)
    return Point(x: Int(position.col), y: Int(position.row))
  }

  subscript(x: Int, y: Int) -> Shown {
    var cell = VTermScreenCell()
    vterm_screen_get_cell(screen, VTermPos(row: Int32(y), col: Int32(x)), &cell)
    var scalars = withUnsafeBytes(of: cell.chars) { Array($0.bindMemory(to: UInt32.self).prefix { $0 != 0 }) }
    if scalars.isEmpty { scalars = [0x20] }
    // libvterm leaves old combining marks behind the mark of a second half.
    if scalars.first == UInt32.max { scalars = [] }
    var attributes: Style.Attributes = []
    if cell.attrs.bold != 0 { attributes.insert(.bold) }
    if cell.attrs.italic != 0 { attributes.insert(.italic) }
    if cell.attrs.underline != 0 { attributes.insert(.underline) }
    if cell.attrs.reverse != 0 { attributes.insert(.reverse) }
    return Shown(
      scalars: scalars, foreground: Self.packed(cell.fg), background: Self.packed(cell.bg), attributes: attributes)
  }

  private static func packed(_ color: VTermColor) -> UInt32 {
    if color.type & UInt8(VTERM_COLOR_DEFAULT_MASK.rawValue) != 0 { return 0 }
    if color.type & UInt8(VTERM_COLOR_TYPE_MASK.rawValue) == VTERM_COLOR_INDEXED.rawValue {
      return Color.palette(color.indexed.idx).packed
    }
    return Color.rgb(color.rgb.red, color.rgb.green, color.rgb.blue).packed
  }

  /// Returns a description of the first cell that differs from the frame; nil if there is none.
  ///
  /// A blank's foreground, bold and italic are ignored: they are invisible. So are emoji joined to one: libvterm shows
  /// them side by side, and only the text after them must be right.
  func difference(from frame: TextFrame, depth: ColorDepth) -> String? {
    let mapping = ColorMapping(depth)
    for y in 0..<frame.frameSize.height {
      for x in 0..<frame.frameSize.width {
        let cell = frame.cells[y * frame.frameSize.width + x]
        let shown = self[x, y]
        var wanted = Shown(
          scalars: cell.text.unicodeScalars.map(\.value), foreground: mapping.map(cell.style.foreground.packed),
          background: mapping.map(cell.style.background.packed), attributes: cell.style.attributes.subtracting(.dim))
        var seen = shown
        if cell.glyph == Cell.continuation {
          // A terminal that treats the character as narrow shows a blank here.
          if shown.scalars == [0x20] { seen.scalars = [] }
          seen.foreground = wanted.foreground
          seen.attributes = wanted.attributes
          seen.background = wanted.background
        }
        if wanted.scalars == [0x20] {
          let visible: Style.Attributes = [.underline, .reverse]
          if wanted.attributes.isDisjoint(with: visible) { (wanted.foreground, seen.foreground) = (0, 0) }
          wanted.attributes.formIntersection(visible)
          seen.attributes.formIntersection(visible)
        }
        let lead = cell.glyph == Cell.continuation && x > 0 ? frame.cells[y * frame.frameSize.width + x - 1] : cell
        if lead.text.unicodeScalars.contains("\u{200D}") { continue }
        if seen != wanted { return "at \(x),\(y): \(shown) instead of \(wanted)" }
      }
    }
    return nil
  }
}
