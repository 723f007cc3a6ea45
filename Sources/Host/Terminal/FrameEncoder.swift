import PluginAPI

/// Encodes frames as bytes for a terminal, limited to the changes since the last one.
///
/// Cursor movements are as short as possible, styles are changed by their difference, blank ends of lines are erased,
/// and nothing is written for an unchanged frame. Wide characters are drawn with their second cell; after characters
/// whose width differs between terminals, the cursor is repositioned.
struct FrameEncoder {
  /// The content on the screen: the cells and the cursor of a frame.
  struct Content {
    /// The cells, row by row, `size.width × size.height`.
    var cells: [Cell]
    /// Columns and rows.
    var size: Size
    /// The position of the cursor; nil hides it.
    var cursor: Point?
    /// True for each cell that a picture was drawn into; empty where no frame is sent in parts.
    var isPicture: [Bool] = []
    /// The web addresses that are marked as links.
    var links: [FrameLink] = []

    init(cells: [Cell], size: Size, cursor: Point? = nil) {
      precondition(cells.count == size.width * size.height, "a frame has a cell for each of its places")
      (self.cells, self.size, self.cursor) = (cells, size, cursor)
    }

    init(_ frame: TextFrame) {
      self.init(cells: frame.cells, size: frame.frameSize, cursor: frame.cursor)
    }
  }

  /// Cells that are drawn before others.
  private enum Part: CaseIterable {
    /// Cells of no picture.
    case text
    /// Also cells of pictures where none is shown now.
    case uncovered
    case all
  }

  /// A glyph that no frame contains; marks a cell whose content on the terminal is unknown.
  fileprivate static let unknownGlyph: UInt32 = 0xFFFF_FFFE
  /// The maximum number of bytes of a cell: a cursor movement, a change of style, a scalar.
  private static let longestCell = 40 + StyleWriter.longestChange + 8

  /// A Boolean value indicating whether frames are marked so that the terminal shows each at once.
  private let isSynchronized: Bool
  private var style: StyleWriter
  private var glyphs = GlyphWidths()
  private var links = CellLinks()
  private var shown: [Cell] = []
  /// True for each cell shown that belongs to a picture; empty where none does.
  private var isPictureShown: [Bool] = []
  private var size = Size(width: 0, height: 0)
  private var shownCursor: Point?
  private var isScreenKnown = false
  /// The cell at which the next part of a frame begins.
  private var nextPart = Point(x: 0, y: 0)
  /// The position of the terminal's cursor; column -1 if unknown.
  private var column = -1
  private var row = 0

  /// Creates an encoder for a terminal with unknown content.
  ///
  /// - Parameters:
  ///   - depth: The colors the terminal shows; others are mapped.
  ///   - background: The terminal's background, on which text must be readable.
  ///   - theme: The colors of roles.
  ///   - isSynchronized: True if the terminal supports synchronized output (private mode 2026).
  init(depth: ColorDepth, background: Color = .black, theme: Theme = .standard, isSynchronized: Bool = false) {
    self.isSynchronized = isSynchronized
    style = StyleWriter(depth, background: background, theme: theme)
  }

  /// Forgets the content of the screen: the next frame is drawn completely.
  mutating func forgetScreen() { isScreenKnown = false }

  /// Forgets the content of a part of the screen: the next frame draws it again.
  mutating func forget(_ rect: Rect) {
    let part = rect.intersection(Rect(size))
    for y in part.y..<part.y + part.height {
      for x in part.x..<part.x + part.width { shown[y * size.width + x].glyph = Self.unknownGlyph }
    }
  }

  /// Writes the bytes that make the terminal show a frame.
  ///
  /// - Parameters:
  ///   - content: The frame.
  ///   - out: Receives the bytes; none if nothing changed.
  ///   - before: Bytes before the cells, such as those that delete pixel pictures.
  ///   - after: Bytes after the last part of the cells, such as pixel pictures; they may leave the cursor anywhere.
  ///   - limit: The number of bytes after which no further cell is drawn. Text is drawn before pictures, and the next
  ///     part, of this frame or a newer one, continues with the rows that were left out.
  /// - Returns: True if the whole frame is shown.
  /// - Complexity: O(cells), about a nanosecond for an unchanged one.
  @discardableResult
  mutating func encode(
    _ content: Content, into out: TerminalBytes, before: [UInt8] = [], after: [UInt8] = [], limit: Int = .max
  ) -> Bool {
    let start = out.count
    let end = limit == .max ? .max : start + limit
    begin(out)
    let body = out.count
    if !before.isEmpty { append(before, to: out) }
    if !isScreenKnown || content.size != size { clear(to: content.size, out) }
    for cell in links.update(content.links, size: size) { shown[cell].glyph = Self.unknownGlyph }
    var isWhole = true
    if end == .max {
      encodeCells(content.cells, out)
      isPictureShown = content.isPicture
    } else {
      // Text first, then the cells that pictures uncover, then changes in them.
      let parts = content.isPicture.isEmpty ? [Part.all] : Part.allCases
      isWhole = parts.allSatisfy { encodePart($0, of: content, until: end, out) }
    }
    if isWhole { nextPart = Point(x: 0, y: 0) }
    if isWhole, !after.isEmpty { append(after, to: out) }
    finish(content.cursor, start: start, body: body, out)
    return isWhole
  }

  /// Returns the cells of a frame as they are after a part was drawn.
  private func cells(of content: Content, for part: Part) -> [Cell] {
    if part == .all || content.isPicture.isEmpty { return content.cells }
    var cells = content.cells
    for index in cells.indices where content.isPicture[index] {
      if part == .text || !isPictureShown.isEmpty && isPictureShown[index] { cells[index] = shown[index] }
    }
    return cells
  }

  // MARK: A frame's ends

  private func begin(_ out: TerminalBytes) {
    if isSynchronized { out.append("\u{1B}[?2026h") }
    if shownCursor != nil { out.append("\u{1B}[?25l") }
  }

  private mutating func finish(_ cursor: Point?, start: Int, body: Int, _ out: TerminalBytes) {
    if out.count == body, cursor == shownCursor { return out.removeLast(out.count - start) }
    // Only the marks of a frame may remain open for the terminal's next output.
    links.end(in: out, reserving: Self.longestCell)
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

  /// A Boolean value indicating whether the terminal's cursor is hidden.
  private var isCursorHidden = false

  private mutating func append(_ bytes: [UInt8], to out: TerminalBytes) {
    links.end(in: out, reserving: 0)
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
    isPictureShown = []
    links.clear()
    nextPart = Point(x: 0, y: 0)
    column = -1
    isScreenKnown = true
    isCursorHidden = false
  }

  // MARK: Cells

  /// Draws all changed cells.
  @_optimize(speed)
  private mutating func encodeCells(_ cells: [Cell], _ out: TerminalBytes) {
    let (width, height) = (size.width, size.height)
    let old = shown
    cells.withUnsafeBufferPointer { new in
      old.withUnsafeBufferPointer { shown in
        guard width > 0, let new = new.baseAddress, let old = shown.baseAddress, new != old else { return }
        for y in 0..<height {
          let line = Line(new: new + y * width, old: old + y * width, width: width)
          let first = line.firstChange(from: 0)
          if first < width { encode(line, from: first, y, until: .max, out) }
        }
      }
    }
    shown = cells
  }

  /// Draws changed cells, beginning where the part before ended, so that each gets its turn.
  ///
  /// - Parameter end: The count of `out` from which on no further cell is drawn.
  /// - Returns: True if all were drawn.
  private mutating func encodePart(
    _ part: Part, of content: Content, until end: Int, _ out: TerminalBytes
  ) -> Bool {
    let (width, height) = (size.width, size.height)
    guard width > 0, height > 0 else { return true }
    let (cells, isPicture) = (cells(of: content, for: part), content.isPicture)
    if isPictureShown.isEmpty, !isPicture.isEmpty {
      isPictureShown = [Bool](repeating: false, count: cells.count)
    }
    var known = shown
    shown = []
    defer { shown = known }
    let start = nextPart
    return cells.withUnsafeBufferPointer { new in
      known.withUnsafeMutableBufferPointer { known in
        guard let new = new.baseAddress, let known = known.baseAddress else { return true }
        // The row it begins in is visited again at the end, for the columns before.
        for step in 0...height {
          let y = (start.y + step) % height
          let line = Line(new: new + y * width, old: known + y * width, width: width)
          var left = step == 0 ? start.x : 0
          // Both halves of a character are drawn together.
          if left > 0, line.new[left].glyph == Cell.continuation { left -= 1 }
          var right = line.firstChange(from: left)
          if right < width { right = encode(line, from: right, y, until: end, out) }
          (known + y * width + left).update(from: line.new + left, count: right - left)
          if !isPictureShown.isEmpty {
            for index in y * width + left..<y * width + right {
              let isNew = !isPicture.isEmpty && isPicture[index]
              // Pictures are not part of the text cells: their cells stay as they are.
              if !isNew || part != .text { isPictureShown[index] = isNew }
            }
          }
          if right < width {
            nextPart = Point(x: right, y: y)
            return false
          }
        }
        return true
      }
    }
  }

  /// Draws the changed cells of a row from its first one.
  ///
  /// - Returns: The column up to which the row is shown: its width unless `end` was reached.
  @discardableResult
  @inline(never)
  @_optimize(speed)
  private mutating func encode(
    _ line: Line, from first: Int, _ y: Int, until end: Int, _ out: TerminalBytes
  ) -> Int {
    out.reserve(line.width * Self.longestCell)
    var x = first
    var blankTail = -1
    var drawsRest = false
    while x < line.width {
      if !drawsRest, !needsDrawing(line, x) {
        x = line.firstChange(from: x + 1)
        continue
      }
      // The cursor's place is not known before the end of a row with characters of unknown width.
      if out.count >= end, !drawsRest { return x }
      let cell = line.new[x]
      if cell.glyph == Cell.continuation, x > 0, line.isLead(x - 1), !drawsRest {
        // Only the second half changed: the character is drawn again.
        draw(line, x - 1, y, out)
        drawsRest = line.new[x - 1].isCluster
        x += 1
        continue
      }
      if isPlainBlank(cell) {
        if blankTail < 0 { blankTail = self.blankTail(of: line, from: x) }
        if x >= blankTail, line.width - x >= 4 {
          eraseRest(line.new[x], x, y, out)
          return line.width
        }
      }
      if row == y, column >= 0, column < x, x - column <= 3 { fillGap(line, to: x, out) }
      drawsRest = drawsRest || cell.isCluster
      x += draw(line, x, y, out)
    }
    return line.width
  }

  /// Returns true if a cell with different bytes also looks different.
  @inline(__always) private func needsDrawing(_ line: Line, _ x: Int) -> Bool {
    let (new, old) = (line.new[x], line.old[x])
    if new.glyph == old.glyph { return !style.looksSame(new.style, old.style) || new.glyph == Cell.continuation }
    return !(isPlainBlank(new) && isPlainBlank(old))
  }

  /// Returns true if a cell is a blank on the terminal's own background.
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
    links.end(in: out, reserving: size.width * Self.longestCell)
    for _ in column..<x { out.put(0x20) }
    column = x
  }

  private mutating func eraseRest(_ cell: Cell, _ x: Int, _ y: Int, _ out: TerminalBytes) {
    go(to: x, y, out)
    links.end(in: out, reserving: Self.longestCell)
    style.setForBlank(Style(), in: out)
    out.putControl()
    out.put(0x4B)
  }

  /// Draws the cell at a column, with its second half if it is wide.
  ///
  /// - Returns: The number of columns drawn.
  @discardableResult
  @_optimize(speed)
  private mutating func draw(_ line: Line, _ x: Int, _ y: Int, _ out: TerminalBytes) -> Int {
    let cell = line.new[x]
    go(to: x, y, out)
    if links.isInUse { links.begin(at: y * size.width + x, in: out, reserving: size.width * Self.longestCell) }
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

  @_optimize(speed)
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

extension Cell {
  /// True for a character of several scalars, of which terminals draw one or several side by side.
  @inline(__always) fileprivate var isCluster: Bool { glyph > 0x10_FFFF && glyph < FrameEncoder.unknownGlyph }
}

/// A row as it shall be and as it is.
private struct Line {
  let new: UnsafePointer<Cell>
  let old: UnsafePointer<Cell>
  let width: Int

  /// Returns the first column at or after one whose cells differ in any bit; the width if there is none.
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

  /// Returns true if the cell is the first half of a wide character.
  func isLead(_ x: Int) -> Bool {
    let glyph = new[x].glyph
    return glyph > 0x20 && glyph != Cell.continuation
  }
}
