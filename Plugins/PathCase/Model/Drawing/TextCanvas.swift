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
