import PluginAPI

/// A layout turned into boxes and lines of a terminal's cells, of which any window can be drawn.
///
/// Each line has a column or row for itself but where lines cross or have a common end, and none goes through a box.
struct TextDrawing: Sendable {
  /// How much of the nodes is shown.
  enum Zoom: Int, Sendable, CaseIterable {
    /// A dot for each node.
    case overview
    /// A short label for each node.
    case names
    /// Boxes with labels.
    case full
  }

  /// How drawings look.
  struct Options: Sendable, Hashable {
    var zoom = Zoom.full
    /// Whether only characters of ASCII are used for boxes and lines; labels stay as they are.
    var isASCII = false
    /// The most columns that a line of a label takes.
    var labelLimit = 24
    /// Whether the two heads of a short straight line become one with two tips, which saves a row.
    var joinsHeads = false
    /// Whether frames of compartments are drawn.
    var showsCompartments = true
  }

  /// Columns and rows of the drawing.
  struct Window: Sendable, Hashable {
    var column = 0
    var row = 0
    var width: Int
    var height: Int

    func contains(_ column: Int, _ row: Int) -> Bool {
      column >= self.column && column < self.column + width && row >= self.row && row < self.row + height
    }
  }

  /// The cells of a node.
  struct Box: Sendable, Hashable {
    /// The place of the layout, by index.
    var place: Int
    var kind: GraphNode.Kind
    /// What is written in it, line by line.
    var lines: [String]
    var window: Window

    /// What is written in it.
    var label: String { lines.joined(separator: " ") }
  }

  /// A straight piece of a line, from one cell to another.
  struct Wire: Sendable, Hashable {
    /// The route of the layout, by index.
    var route: Int
    var column: Int
    var row: Int
    /// How many cells it goes on, down or to the right.
    var length: Int
    var isVertical: Bool
  }

  /// The head of an arrow.
  struct Head: Sendable, Hashable {
    /// Where it points to.
    enum Direction: Int, Sendable { case up, down, both, left, right }

    var route: Int
    var column: Int
    var row: Int
    var direction: Direction
    /// What the line means.
    var kind = GraphEdge.Kind.flow
  }

  /// A frame of a compartment.
  struct Frame: Sendable, Hashable {
    var compartment: Int
    /// What is written in its upper side, and from which column on.
    var name: String
    var nameColumn: Int
    /// Whether the name stands in its lower side, as the upper one has no room.
    var hasNameBelow = false
    var window: Window
  }

  let options: Options
  var width = 0
  var height = 0
  /// One for each place of the layout, in its order.
  var boxes: [Box] = []
  var wires: [Wire] = []
  var heads: [Head] = []
  /// Those around others first.
  var frames: [Frame] = []
  var index = DrawingIndex()

  /// How many cells the whole drawing has.
  var cellCount: Int { width * height }

  /// The place at a cell, by index; nil if no box is there.
  func place(column: Int, row: Int) -> Int? {
    for number in index.items(rows: row...row).boxes where boxes[number].window.contains(column, row) {
      return boxes[number].place
    }
    return nil
  }

  /// Draws a part of the drawing, in a time that depends on what is in its rows.
  func canvas(_ window: Window) -> TextCanvas {
    var canvas = TextCanvas(width: window.width, height: window.height)
    guard canvas.width > 0, canvas.height > 0 else { return canvas }
    let painter = CanvasPainter(drawing: self, window: window)
    painter.paint(&canvas)
    return canvas
  }

  /// Draws all of it.
  func canvas() -> TextCanvas { canvas(Window(width: width, height: height)) }

  /// All of it as text.
  var text: String { canvas().lines.joined(separator: "\n") + (height > 0 ? "\n" : "") }
}
