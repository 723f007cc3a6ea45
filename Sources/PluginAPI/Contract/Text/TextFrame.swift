/// A frame of cells to draw into: a value with flat storage that clips all drawing.
///
/// Coordinates are relative to the current region (``inside(_:_:)``); drawing outside it is dropped.
public struct TextFrame: Sendable {
  /// A picture placed in a frame; the host shows it where nothing was drawn over it.
  public struct PlacedPicture: Sendable, Hashable {
    /// The picture, ideally of its rectangle's size in pixels.
    public var picture: Picture
    /// The rectangle of the picture, in cells of the whole frame.
    public var rect: Rect
  }

  /// The size of the whole frame.
  public let frameSize: Size
  /// The size of a cell in picture pixels.
  public let pixelsPerCell: Size
  /// The cells of the whole frame, `frameSize.width × frameSize.height`, row by row.
  public private(set) var cells: [Cell]
  /// Pictures, in the order placed.
  public private(set) var pictures: [PlacedPicture] = []
  /// The position of the terminal's cursor, in cells of the whole frame; nil to hide it.
  public private(set) var cursor: Point?

  private var region: Rect
  private var clip: Rect

  /// Creates an empty frame.
  ///
  /// - Parameters:
  ///   - size: Columns and rows; 0 is allowed, negative counts as 0.
  ///   - pixelsPerCell: The size of a cell in picture pixels.
  public init(size: Size, pixelsPerCell: Size = Size(width: 1, height: 2)) {
    frameSize = Size(width: max(0, size.width), height: max(0, size.height))
    self.pixelsPerCell = pixelsPerCell
    cells = [Cell](repeating: .empty, count: frameSize.width * frameSize.height)
    region = Rect(frameSize)
    clip = region
  }

  /// The size of the current region.
  public var size: Size { region.size }

  /// The bounds of the current region, relative to its own origin.
  public var bounds: Rect { Rect(size) }

  /// The size of the current region in picture pixels.
  public var pixelSize: Size {
    Size(width: size.width * pixelsPerCell.width, height: size.height * pixelsPerCell.height)
  }

  /// Calls a drawing function with a part of the current region as its region.
  public mutating func inside(_ rect: Rect, _ draw: (inout TextFrame) -> Void) {
    let saved = (region, clip)
    region = Rect(x: region.x + rect.x, y: region.y + rect.y, width: max(0, rect.width), height: max(0, rect.height))
    clip = clip.intersection(region)
    draw(&self)
    (region, clip) = saved
  }

  /// Draws a view into a part of the current region.
  public mutating func draw(_ view: any View, in rect: Rect) {
    inside(rect) { view.draw(into: &$0) }
  }

  /// The cell at a position in the current region; an empty cell outside it.
  public subscript(x: Int, y: Int) -> Cell {
    get {
      let point = Point(x: region.x + x, y: region.y + y)
      return clip.contains(point) ? cells[point.y * frameSize.width + point.x] : .empty
    }
    set {
      let point = Point(x: region.x + x, y: region.y + y)
      if clip.contains(point) { cells[point.y * frameSize.width + point.x] = newValue }
    }
  }

  /// Draws text on one line.
  ///
  /// A wide character that would be cut at the edge becomes a space.
  /// - Parameters:
  ///   - text: The text; control characters are left out.
  ///   - x: The column of its first character.
  ///   - y: The row.
  ///   - style: The style; a standard background keeps the background of the cells.
  /// - Returns: The column after the text.
  @discardableResult
  public mutating func put(_ text: some StringProtocol, x: Int, y: Int, _ style: Style = .plain) -> Int {
    var column = x
    for character in text {
      let width = TextWidth.columns(character)
      if width == 0 { continue }
      if column >= size.width { break }
      put(character, width: width, x: column, y: y, style)
      column += width
    }
    return column
  }

  private mutating func put(_ character: Character, width: Int, x: Int, y: Int, _ style: Style) {
    let point = Point(x: region.x + x, y: region.y + y)
    let last = Point(x: point.x + width - 1, y: point.y)
    repairWideCharacters(from: point, to: last)
    if clip.contains(point), clip.contains(last) {
      self[x, y] = Cell(character, style: style.over(Style(background: self[x, y].style.background)))
      if width == 2 { self[x + 1, y] = Cell(glyph: Cell.continuation, style: self[x, y].style) }
    } else {
      for column in x..<x + width { self[column, y] = Cell(" ", style: style) }
    }
  }

  /// Replaces the remaining half of each wide character that drawing from one point to another would cut in two.
  private mutating func repairWideCharacters(from first: Point, to last: Point) {
    // Drawing is limited to the region, so only its edges cut.
    let (left, right) = (max(first.x, clip.x), min(last.x, clip.x + clip.width - 1))
    guard left <= right, clip.contains(Point(x: left, y: first.y)) else { return }
    let row = first.y * frameSize.width
    if left > 0, cells[row + left].glyph == Cell.continuation { cells[row + left - 1].glyph = 0x20 }
    if right + 1 < frameSize.width, cells[row + right + 1].glyph == Cell.continuation {
      cells[row + right + 1].glyph = 0x20
    }
  }

  /// Draws runs of text on one line.
  ///
  /// - Returns: The column after them.
  @discardableResult
  public mutating func put(_ runs: [StyledText.Run], x: Int, y: Int, over base: Style = .plain) -> Int {
    runs.reduce(x) { column, run in put(run.text, x: column, y: y, run.style.over(base)) }
  }

  /// Fills a rectangle of the current region with one cell.
  public mutating func fill(_ rect: Rect, _ cell: Cell) {
    let target = Rect(x: region.x + rect.x, y: region.y + rect.y, width: rect.width, height: rect.height)
      .intersection(clip)
    for y in target.y..<target.y + target.height where target.width > 0 {
      repairWideCharacters(from: Point(x: target.x, y: y), to: Point(x: target.x + target.width - 1, y: y))
      let start = y * frameSize.width + target.x
      for index in start..<start + target.width { cells[index] = cell }
    }
  }

  /// Fills a rectangle with spaces of a style, which also covers pictures.
  public mutating func clear(_ rect: Rect, _ style: Style = .plain) {
    fill(rect, Cell(glyph: 0x20, style: style))
  }

  /// Changes the style of a rectangle but keeps its text.
  public mutating func restyle(_ rect: Rect, _ change: (Style) -> Style) {
    for y in rect.y..<rect.y + max(0, rect.height) {
      for x in rect.x..<rect.x + max(0, rect.width) { self[x, y].style = change(self[x, y].style) }
    }
  }

  /// Draws a box with a title in its top edge.
  ///
  /// - Returns: The rectangle inside the box.
  @discardableResult
  public mutating func box(_ rect: Rect, title: String = "", _ style: Style = .secondary) -> Rect {
    guard rect.width >= 2, rect.height >= 2 else { return rect.inset(by: 1) }
    let (right, bottom) = (rect.x + rect.width - 1, rect.y + rect.height - 1)
    let line = String(repeating: "─", count: rect.width - 2)
    put("╭" + line + "╮", x: rect.x, y: rect.y, style)
    put("╰" + line + "╯", x: rect.x, y: bottom, style)
    for y in rect.y + 1..<bottom {
      put("│", x: rect.x, y: y, style)
      put("│", x: right, y: y, style)
    }
    if !title.isEmpty, rect.width > 6 {
      put(" " + TextWidth.truncated(title, to: rect.width - 6) + " ", x: rect.x + 2, y: rect.y, .heading)
    }
    return rect.inset(by: 1)
  }

  /// Shows a picture in a part of the current region, beneath any text drawn there.
  ///
  /// A picture is clipped to the region.
  public mutating func place(_ picture: Picture, in rect: Rect) {
    let target = Rect(x: region.x + rect.x, y: region.y + rect.y, width: rect.width, height: rect.height)
    // The host clips at the edges of the whole frame, without another copy of the pixels.
    let seen = clip == Rect(frameSize) ? target : target.intersection(clip)
    if seen.isEmpty || picture.isEmpty { return }
    let shown = seen == target ? picture : picture.part(seen, of: target)
    if !shown.isEmpty { pictures.append(PlacedPicture(picture: shown, rect: seen)) }
  }

  /// Sets the position of the terminal's cursor in the current region.
  public mutating func setCursor(x: Int, y: Int) {
    let point = Point(x: region.x + x, y: region.y + y)
    cursor = clip.contains(point) ? point : nil
  }

  /// Replaces the cells of the whole frame, for code that turns pictures into cells.
  public mutating func replaceCells(_ edit: (inout [Cell]) -> Void) {
    edit(&cells)
    precondition(cells.count == frameSize.width * frameSize.height, "a frame keeps its number of cells")
  }

  /// Removes the pictures from the frame and returns them.
  public mutating func takePictures() -> [PlacedPicture] {
    defer { pictures = [] }
    return pictures
  }

  /// The text of the whole frame: lines separated by line feeds, without trailing spaces.
  public var plainText: String {
    (0..<frameSize.height).map { y in
      let line = cells[y * frameSize.width..<(y + 1) * frameSize.width].map(\.text).joined()
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension TextFrame {
  /// Draws a scroll bar; nothing if all of the content is visible.
  ///
  /// - Parameters:
  ///   - x: The column.
  ///   - rows: The rows it covers.
  ///   - top: The first visible row of the content.
  ///   - count: The number of rows of the content.
  public mutating func scrollBar(x: Int, rows: Range<Int>, top: Int, count: Int) {
    let height = rows.count
    guard height > 0, count > height else { return }
    let length = max(1, height * height / count)
    let room = height - length
    let start = min(room, max(0, top) * room / max(1, count - height))
    for row in 0..<height {
      let isThumb = row >= start && row < start + length
      put(isThumb ? "┃" : "│", x: x, y: rows.lowerBound + row, isThumb ? .plain : .secondary)
    }
  }

  /// Draws text with some characters highlighted as matches.
  ///
  /// - Parameters:
  ///   - text: The text.
  ///   - positions: The 0-based positions of the matched characters.
  ///   - x: The column of its first character.
  ///   - y: The row.
  ///   - width: The available columns; longer text is cut with an ellipsis.
  ///   - style: The style of the text.
  public mutating func put(
    _ text: String, matching positions: [Int], x: Int, y: Int, width: Int, _ style: Style = .plain
  ) {
    let shown = TextWidth.truncated(text, to: width)
    if positions.isEmpty {
      put(shown, x: x, y: y, style)
      return
    }
    let matched = Set(positions)
    var column = x
    for (index, character) in shown.enumerated() {
      let look = matched.contains(index) ? style.adding([.bold, .underline]) : style
      column = put(String(character), x: column, y: y, look)
    }
  }

  /// Draws the mark of a selected row in its first column, and the selection behind the row.
  ///
  /// The mark shows the selection without colors: `▌` where the row receives keys, `▏` where it does not.
  mutating func selectRow(_ rect: Rect, isActive: Bool) {
    if isActive { restyle(rect) { Style(attributes: $0.attributes.union(.reverse).subtracting(.dim)) } }
    put(isActive ? "▌" : "▏", x: rect.x, y: rect.y, .accent)
  }
}
