import PluginAPI

/// Turns frames into the bytes that make a terminal show them: only what changed since the last one.
///
/// Cursor movements are as short as they can be, styles are changed by their difference, blank ends of lines are
/// erased, and nothing at all is written for an unchanged frame. Wide characters are drawn with their second cell;
/// after characters whose width terminals disagree about, the cursor is placed anew.
struct FrameEncoder {
  /// What is shown: the cells and the cursor of a frame.
  struct Content {
    /// The cells, row by row, `size.width × size.height`.
    var cells: [Cell]
    /// Columns and rows.
    var size: Size
    /// Where the cursor stands; nil hides it.
    var cursor: Point?

    init(cells: [Cell], size: Size, cursor: Point? = nil) {
      precondition(cells.count == size.width * size.height, "a frame has a cell for each of its places")
      (self.cells, self.size, self.cursor) = (cells, size, cursor)
    }

    init(_ frame: TextFrame) {
      self.init(cells: frame.cells, size: frame.frameSize, cursor: frame.cursor)
    }
  }

  /// A glyph no frame has: what the terminal shows there is not known.
  private static let unknownGlyph: UInt32 = 0xFFFF_FFFE
  /// The most bytes a cell takes: a cursor movement, a change of style, a scalar.
  private static let longestCell = 40 + StyleWriter.longestChange + 8

  /// Whether frames are marked so that the terminal shows them at once.
  private let isSynchronized: Bool
  private var style: StyleWriter
  private var glyphs = GlyphWidths()
  private var shown: [Cell] = []
  private var size = Size(width: 0, height: 0)
  private var shownCursor: Point?
  private var isScreenKnown = false
  /// Where the terminal's cursor is; column -1 if that is not known.
  private var column = -1
  private var row = 0

  /// Creates an encoder for a terminal whose content is not known.
  ///
  /// - Parameters:
  ///   - depth: The colours the terminal shows; others are mapped.
  ///   - isSynchronized: Whether the terminal knows synchronized output (private mode 2026).
  init(depth: ColorDepth, isSynchronized: Bool = false) {
    self.isSynchronized = isSynchronized
    style = StyleWriter(depth)
  }

  /// Forgets what is on the screen: the next frame is drawn as a whole.
  mutating func forgetScreen() { isScreenKnown = false }

  /// Forgets what is on a part of the screen: the next frame draws it again.
  mutating func forget(_ rect: Rect) {
    let part = rect.intersection(Rect(size))
    for y in part.y..<part.y + part.height {
      for x in part.x..<part.x + part.width { shown[y * size.width + x].glyph = Self.unknownGlyph }
    }
  }

  /// Writes what makes the terminal show a frame.
  ///
  /// - Parameters:
  ///   - content: The frame.
  ///   - out: Takes the bytes; none if nothing changed.
  ///   - before: Bytes to go before the cells, such as what takes pixel pictures away.
  ///   - after: Bytes to go behind the cells, such as pixel pictures; they may leave the cursor anywhere.
  /// - Complexity: O(cells), about a nanosecond for an unchanged one.
  mutating func encode(_ content: Content, into out: TerminalBytes, before: [UInt8] = [], after: [UInt8] = []) {
    let start = out.count
    begin(out)
    let body = out.count
    if !before.isEmpty { append(before, to: out) }
    if !isScreenKnown || content.size != size { clear(to: content.size, out) }
    encodeCells(content.cells, out)
    shown = content.cells
    if !after.isEmpty { append(after, to: out) }
    finish(content.cursor, start: start, body: body, out)
  }

  // MARK: A frame's ends

  private func begin(_ out: TerminalBytes) {
    if isSynchronized { out.append("\u{1B}[?2026h") }
    if shownCursor != nil { out.append("\u{1B}[?25l") }
  }

  private mutating func finish(_ cursor: Point?, start: Int, body: Int, _ out: TerminalBytes) {
    if out.count == body, cursor == shownCursor { return out.removeLast(out.count - start) }
    // Nothing but the marks of a frame may be left open for what the terminal shows next.
    style.reset(in: out)
    if let cursor {
      out.reserve(Self.longestCell)
      if column != cursor.x || row != cursor.y { move(to: cursor.x, cursor.y, out) }
      out.append("\u{1B}[?25h")
    } else if shownCursor == nil, !isCursorHidden {
      out.append("\u{1B}[?25l")
    }
    isCursorHidden = cursor == nil
    shownCursor = cursor
    if isSynchronized { out.append("\u{1B}[?2026l") }
  }

  /// Whether the terminal was told to hide its cursor.
  private var isCursorHidden = false

  private mutating func append(_ bytes: [UInt8], to out: TerminalBytes) {
    style.reset(in: out)
    out.append(bytes)
    column = -1
    style.forget()
  }

  private mutating func clear(to newSize: Size, _ out: TerminalBytes) {
    style.forget()
    style.reset(in: out)
    out.append("\u{1B}[2J")
    size = newSize
    shown = [Cell](repeating: .empty, count: newSize.width * newSize.height)
    column = -1
    isScreenKnown = true
    isCursorHidden = false
  }

  // MARK: Cells

  private mutating func encodeCells(_ cells: [Cell], _ out: TerminalBytes) {
    let (width, height) = (size.width, size.height)
    let old = shown
    cells.withUnsafeBufferPointer { new in
      old.withUnsafeBufferPointer { shown in
        guard width > 0, let new = new.baseAddress, let old = shown.baseAddress, new != old else { return }
        for y in 0..<height {
          let line = Line(new: new + y * width, old: old + y * width, width: width)
          let first = line.firstChange(from: 0)
          if first < width { encode(line, from: first, y, out) }
        }
      }
    }
  }

  /// Draws the changed cells of a row from its first one.
  private mutating func encode(_ line: Line, from first: Int, _ y: Int, _ out: TerminalBytes) {
    out.reserve(line.width * Self.longestCell)
    var x = first
    var blankTail = -1
    var drawsRest = false
    while x < line.width {
      if !drawsRest, !needsDrawing(line, x) {
        x = line.firstChange(from: x + 1)
        continue
      }
      let cell = line.new[x]
      if cell.glyph == Cell.continuation, x > 0, line.isLead(x - 1), !drawsRest {
        // Only the second half changed: the character is drawn again.
        draw(line, x - 1, y, out)
        x += 1
        continue
      }
      if isPlainBlank(cell) {
        if blankTail < 0 { blankTail = self.blankTail(of: line, from: x) }
        if x >= blankTail, line.width - x >= 4 { return eraseRest(line.new[x], x, y, out) }
      }
      if row == y, column >= 0, column < x, x - column <= 3 { fillGap(line, to: x, out) }
      drawsRest = drawsRest || cell.glyph > 0x10_FFFF && cell.glyph < Self.unknownGlyph
      x += draw(line, x, y, out)
    }
  }

  /// Whether a cell that differs in its bytes also looks different.
  @inline(__always) private func needsDrawing(_ line: Line, _ x: Int) -> Bool {
    let (new, old) = (line.new[x], line.old[x])
    if new.glyph == old.glyph { return !style.looksSame(new.style, old.style) || new.glyph == Cell.continuation }
    return !(isPlainBlank(new) && isPlainBlank(old))
  }

  /// Whether a cell is a blank on the terminal's own background.
  @inline(__always) private func isPlainBlank(_ cell: Cell) -> Bool {
    (cell.glyph == 0x20 || cell.glyph == 0) && cell.style.background.packed == 0
      && cell.style.attributes.rawValue & StyleWriter.visibleOnBlanks == 0
  }

  private func blankTail(of line: Line, from x: Int) -> Int {
    var tail = line.width
    while tail > x, isPlainBlank(line.new[tail - 1]) { tail -= 1 }
    return tail
  }

  /// Draws a few blanks again where that is shorter than moving over them.
  private mutating func fillGap(_ line: Line, to x: Int, _ out: TerminalBytes) {
    guard style.drawsPlainBlanks, (column..<x).allSatisfy({ isPlainBlank(line.new[$0]) }) else { return }
    for _ in column..<x { out.put(0x20) }
    column = x
  }

  private mutating func eraseRest(_ cell: Cell, _ x: Int, _ y: Int, _ out: TerminalBytes) {
    go(to: x, y, out)
    style.setForBlank(Style(), in: out)
    out.putControl()
    out.put(0x4B)
  }

  /// Draws the cell at a column, with its second half if it is wide.
  ///
  /// - Returns: The columns it takes.
  @discardableResult
  private mutating func draw(_ line: Line, _ x: Int, _ y: Int, _ out: TerminalBytes) -> Int {
    let cell = line.new[x]
    go(to: x, y, out)
    if cell.glyph >= 0x21, cell.glyph < 0x7F {
      style.set(cell.style, in: out)
      out.put(UInt8(truncatingIfNeeded: cell.glyph))
      column &+= 1
      return 1
    }
    let hasSecondHalf = x + 1 < line.width && line.new[x + 1].glyph == Cell.continuation
    let form = glyphs.form(of: cell.glyph, isWide: hasSecondHalf, isLast: x + 1 == line.width)
    switch form {
    case .blank:
      style.setForBlank(cell.style, in: out)
      out.put(0x20)
      column &+= 1
      return 1
    case .narrow(let scalar):
      style.set(cell.style, in: out)
      out.putScalar(scalar)
      column &+= 1
      return 1
    case .wide(let scalar):
      style.set(cell.style, in: out)
      out.putScalar(scalar)
      column &+= 2
      return 2
    case .uncertain(let scalar):
      prepareUncertain(cell, isWide: hasSecondHalf, x, y, out)
      out.putScalar(scalar)
    case .cluster:
      prepareUncertain(cell, isWide: hasSecondHalf, x, y, out)
      out.append(glyphs.text(of: cell, columns: line.width - x))
      out.reserve((line.width - x) * Self.longestCell)
    }
    column = -1
    return hasSecondHalf ? 2 : 1
  }

  /// Blanks both columns of a wide character of which a terminal may fill only one.
  private mutating func prepareUncertain(_ cell: Cell, isWide: Bool, _ x: Int, _ y: Int, _ out: TerminalBytes) {
    style.set(cell.style, in: out)
    guard isWide else { return }
    out.put(0x20)
    out.put(0x20)
    column = -1
    go(to: x, y, out)
  }

  // MARK: The cursor

  @inline(__always) private mutating func go(to x: Int, _ y: Int, _ out: TerminalBytes) {
    if column != x || row != y { move(to: x, y, out) }
  }

  private mutating func move(to x: Int, _ y: Int, _ out: TerminalBytes) {
    if column >= 0, row == y, column < size.width, x > column {
      out.putControl()
      if x - column > 1 { out.putDecimal(x - column) }
      out.put(0x43)
    } else if column >= 0, row + 1 == y, x == 0 {
      out.put(0x0D)
      out.put(0x0A)
    } else {
      out.putControl()
      if x > 0 || y > 0 {
        out.putDecimal(y + 1)
        if x > 0 {
          out.put(0x3B)
          out.putDecimal(x + 1)
        }
      }
      out.put(0x48)
    }
    (column, row) = (x, y)
  }
}

/// A row as it shall be and as it is.
private struct Line {
  let new: UnsafePointer<Cell>
  let old: UnsafePointer<Cell>
  let width: Int

  /// The first column from one on whose cells are not the same in every bit; the width if there is none.
  ///
  /// Compares 13 of a cell's 16 bytes in two words: glyph, foreground, background, attributes.
  @inline(__always) func firstChange(from start: Int) -> Int {
    let mask = UInt64(littleEndian: 0x0000_00FF_FFFF_FFFF)
    var x = start
    while x < width {
      let (one, other) = (UnsafeRawPointer(new + x), UnsafeRawPointer(old + x))
      let front = one.load(as: UInt64.self) ^ other.load(as: UInt64.self)
      let back = one.load(fromByteOffset: 8, as: UInt64.self) ^ other.load(fromByteOffset: 8, as: UInt64.self)
      if front | (back & mask) != 0 { return x }
      x &+= 1
    }
    return width
  }

  /// Whether the cell is the first half of a wide character.
  func isLead(_ x: Int) -> Bool {
    let glyph = new[x].glyph
    return glyph > 0x20 && glyph != Cell.continuation
  }
}
