import PluginAPI

/// The drawn terminal cells of a window of a drawing.
struct TextCanvas: Sendable, Hashable {
  /// The item that a cell shows a part of.
  enum Owner: Sendable, Hashable {
    case nothing
    /// A place of the layout, by index.
    case place(Int)
    /// A route of the layout, by index; where lines cross, one of them.
    case route(Int)
    /// A compartment, by index.
    case compartment(Int)
  }

  /// A cell of the terminal.
  struct Cell: Sendable, Hashable {
    /// The character shown; nil in the second column of a wide character.
    var character: Character? = " "
    var owner = Owner.nothing
  }

  let width: Int
  let height: Int
  /// The cells, row by row from the top.
  private(set) var cells: [Cell]

  init(width: Int, height: Int) {
    self.width = max(0, width)
    self.height = max(0, height)
    cells = [Cell](repeating: Cell(), count: self.width * self.height)
  }

  subscript(column: Int, row: Int) -> Cell { cells[row * width + column] }

  /// Writes a character.
  ///
  /// Characters outside the canvas are skipped; a wide character that is half outside becomes a space.
  mutating func put(_ character: Character, column: Int, row: Int, _ owner: Owner) {
    guard row >= 0, row < height else { return }
    let isWide = TextWidth.columns(character) == 2
    let fits = column >= 0 && column + (isWide ? 1 : 0) < width
    for step in 0..<(isWide ? 2 : 1) where column + step >= 0 && column + step < width {
      clearPartner(column: column + step, row: row)
      cells[row * width + column + step] = Cell(character: fits ? (step == 0 ? character : nil) : " ", owner: owner)
    }
  }

  /// Clears the other half of a wide character.
  private mutating func clearPartner(column: Int, row: Int) {
    let index = row * width + column
    if cells[index].character == nil, column > 0 {
      cells[index - 1].character = " "
    } else if column + 1 < width, cells[index + 1].character == nil {
      cells[index + 1].character = " "
    }
  }

  /// Writes a text that starts at a column.
  mutating func put(_ text: String, column: Int, row: Int, _ owner: Owner) {
    var next = column
    for character in text {
      let columns = TextWidth.columns(character)
      if columns == 0 { continue }
      put(character, column: next, row: row, owner)
      next += columns
    }
  }

  /// The rows as text, without trailing spaces.
  var lines: [String] {
    (0..<height).map { row in
      var line = ""
      for cell in cells[row * width..<(row + 1) * width] {
        if let character = cell.character { line.append(character) }
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }
}

/// Paints a window of a drawing: frames at the bottom, lines above them, boxes on top.
struct CanvasPainter {
  let drawing: TextDrawing
  let window: TextDrawing.Window

  private var isASCII: Bool { drawing.options.isASCII }

  func paint(_ canvas: inout TextCanvas) {
    for frame in drawing.frames { paint(frame, &canvas) }
    let items = drawing.index.items(rows: window.row...window.row + window.height - 1)
    var lines = [UInt8](repeating: 0, count: canvas.width * canvas.height)
    var owners = [Int](repeating: 0, count: lines.count)
    for number in items.wires { mark(drawing.wires[number], &lines, &owners) }
    for cell in lines.indices where lines[cell] != 0 {
      canvas.put(
        LineGlyphs.character(lines[cell], isASCII: isASCII), column: cell % window.width, row: cell / window.width,
        .route(owners[cell]))
    }
    for number in items.heads {
      let head = drawing.heads[number]
      guard window.contains(head.column, head.row) else { continue }
      canvas.put(
        LineGlyphs.head(head, isASCII: isASCII), column: head.column - window.column,
        row: head.row - window.row, .route(head.route))
    }
    for number in items.boxes { paint(drawing.boxes[number], &canvas) }
  }

  /// Marks the directions in which a wire leaves each of its cells: 1 up, 2 right, 4 down, 8 left.
  private func mark(_ wire: TextDrawing.Wire, _ lines: inout [UInt8], _ owners: inout [Int]) {
    let (column, row) = (wire.column - window.column, wire.row - window.row)
    let (along, across) = wire.isVertical ? (row, column) : (column, row)
    let (limit, acrossLimit) = wire.isVertical ? (window.height, window.width) : (window.width, window.height)
    guard across >= 0, across < acrossLimit, along < limit, along + wire.length > 0 else { return }
    let (back, forth): (UInt8, UInt8) = wire.isVertical ? (1, 4) : (8, 2)
    for step in max(0, -along)..<min(wire.length, limit - along) {
      let cell = wire.isVertical ? (along + step) * window.width + across : across * window.width + along + step
      lines[cell] |= (step > 0 ? back : 0) | (step < wire.length - 1 ? forth : 0)
      owners[cell] = wire.route
    }
  }

  private func paint(_ box: TextDrawing.Box, _ canvas: inout TextCanvas) {
    let area = box.window
    guard area.column < window.column + window.width, area.column + area.width > window.column,
      area.row < window.row + window.height, area.row + area.height > window.row
    else { return }
    let (left, top) = (area.column - window.column, area.row - window.row)
    let owner = TextCanvas.Owner.place(box.place)
    if area.height < 3 || drawing.options.zoom != .full {
      for (number, line) in box.lines.enumerated() {
        for column in left..<left + area.width { canvas.put(" ", column: column, row: top + number, owner) }
        canvas.put(line, column: left + (area.width - TextWidth.columns(line)) / 2, row: top + number, owner)
      }
      return
    }
    let glyphs = BoxGlyphs.of(box.kind, isASCII: isASCII)
    paintBorder(area, glyphs, &canvas, owner)
    for row in top + 1..<top + area.height - 1 {
      for column in max(0, left + 1)..<max(0, left + 1, min(canvas.width, left + area.width - 1)) {
        canvas.put(" ", column: column, row: row, owner)
      }
    }
    for (number, line) in box.lines.enumerated() {
      let room = area.width - 4 - TextWidth.columns(line)
      canvas.put(line, column: left + 2 + max(0, room / 2), row: top + 1 + number, owner)
    }
  }

  private func paint(_ frame: TextDrawing.Frame, _ canvas: inout TextCanvas) {
    let owner = TextCanvas.Owner.compartment(frame.compartment)
    paintBorder(frame.window, BoxGlyphs.frame(isASCII: isASCII), &canvas, owner)
    if frame.name.isEmpty { return }
    let row = frame.window.row + (frame.hasNameBelow ? frame.window.height - 1 : 0)
    canvas.put(" \(frame.name) ", column: frame.nameColumn - window.column, row: row - window.row, owner)
  }

  /// Paints the cells of a rectangle's border that are inside the window.
  private func paintBorder(
    _ area: TextDrawing.Window, _ glyphs: BoxGlyphs, _ canvas: inout TextCanvas, _ owner: TextCanvas.Owner
  ) {
    let (left, top) = (area.column - window.column, area.row - window.row)
    let (right, bottom) = (left + area.width - 1, top + area.height - 1)
    for row in [top, bottom] where row >= 0 && row < canvas.height {
      for column in max(0, left + 1)..<max(0, left + 1, min(canvas.width, right)) {
        canvas.put(glyphs.horizontal, column: column, row: row, owner)
      }
    }
    for column in [left, right] where column >= 0 && column < canvas.width {
      for row in max(0, top + 1)..<max(0, top + 1, min(canvas.height, bottom)) {
        canvas.put(glyphs.vertical, column: column, row: row, owner)
      }
    }
    for (index, corner) in [(left, top), (right, top), (left, bottom), (right, bottom)].enumerated() {
      canvas.put(glyphs.corners[index], column: corner.0, row: corner.1, owner)
    }
  }
}

/// The characters that draw boxes.
private struct BoxGlyphs {
  var horizontal: Character
  var vertical: Character
  /// The corners: upper left, upper right, lower left, lower right.
  var corners: [Character]

  static func of(_ kind: GraphNode.Kind, isASCII: Bool) -> BoxGlyphs {
    if isASCII {
      return BoxGlyphs(
        horizontal: "-", vertical: "|", corners: kind == .pool ? [".", ".", "'", "'"] : ["+", "+", "+", "+"])
    }
    return BoxGlyphs(horizontal: "─", vertical: "│", corners: Array(kind == .pool ? "╭╮╰╯" : "┌┐└┘"))
  }

  static func frame(isASCII: Bool) -> BoxGlyphs {
    isASCII
      ? BoxGlyphs(horizontal: ".", vertical: ":", corners: [".", ".", ":", ":"])
      : BoxGlyphs(horizontal: "╌", vertical: "┆", corners: Array("┌┐└┘"))
  }
}

/// The characters that draw lines, by the directions in which lines leave a cell.
private enum LineGlyphs {
  private static let unicode = Array(" ╵╶└╷│┌├╴┘─┴┐┤┬┼")
  private static let ascii = Array(" |-+||++-+-+++++")

  static func character(_ directions: UInt8, isASCII: Bool) -> Character {
    // A line of a single cell is drawn vertically.
    (isASCII ? ascii : unicode)[Int(directions & 15)]
  }

  /// Returns the head of a line: an arrow for flow, a hollow arrow for activation, a bar for inhibition, a circle for
  /// catalysis.
  static func head(_ head: TextDrawing.Head, isASCII: Bool) -> Character {
    switch (head.kind, head.direction) {
    case (.activation, .down): isASCII ? "v" : "▽"
    case (.activation, .up): isASCII ? "^" : "△"
    case (.inhibition, .down): isASCII ? "-" : "┴"
    case (.inhibition, .up): isASCII ? "-" : "┬"
    case (.catalysis, .up), (.catalysis, .down): isASCII ? "o" : "○"
    case (.flow, .up), (.association, .up): isASCII ? "^" : "▲"
    case (.flow, .down), (.association, .down): isASCII ? "v" : "▼"
    case (_, .both): isASCII ? "X" : "↕"
    case (_, .left): isASCII ? "<" : "◀"
    case (_, .right): isASCII ? ">" : "▶"
    }
  }
}
