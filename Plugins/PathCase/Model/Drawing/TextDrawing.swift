import PluginAPI

/// A layout as boxes and lines made of terminal cells; any window of it can be drawn.
///
/// Each line has a column or row of its own except where lines cross or share an end. No line crosses a box.
struct TextDrawing: Sendable {
  /// The level of detail at which nodes are drawn.
  enum Zoom: String, Sendable, CaseIterable {
    /// A dot for each node.
    case overview
    /// A short label for each node.
    case names
    /// Boxes with labels.
    case full
  }

  /// Options for the look of drawings.
  struct Options: Sendable, Hashable {
    var zoom = Zoom.full
    /// A Boolean value indicating whether boxes and lines use only ASCII characters; labels are unchanged.
    var isASCII = false
    /// The maximum number of columns in a line of a label.
    var labelLimit = 24
    /// A Boolean value indicating whether the two heads of a short straight line are merged into one with two tips,
    /// which saves a row.
    var joinsHeads = false
    /// A Boolean value indicating whether compartment frames are drawn.
    var showsCompartments = true
  }

  /// A rectangle of the drawing, in columns and rows.
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
    /// The lines of text in the box.
    var lines: [String]
    var window: Window

    /// The text in the box, in one line.
    var label: String { lines.joined(separator: " ") }
  }

  /// A straight segment of a line, from one cell to another.
  struct Wire: Sendable, Hashable {
    /// The route of the layout, by index.
    var route: Int
    var column: Int
    var row: Int
    /// The number of cells that it extends to the right or down.
    var length: Int
    var isVertical: Bool
  }

  /// The head of an arrow.
  struct Head: Sendable, Hashable {
    /// The direction in which the head points.
    enum Direction: Int, Sendable { case up, down, both, left, right }

    var route: Int
    var column: Int
    var row: Int
    var direction: Direction
    /// The kind of the line.
    var kind = GraphEdge.Kind.flow
  }

  /// A frame of a compartment.
  struct Frame: Sendable, Hashable {
    var compartment: Int
    /// The text in its upper side, and the column at which it starts.
    var name: String
    var nameColumn: Int
    /// A Boolean value indicating whether the name is in the lower side because the upper side has no room.
    var hasNameBelow = false
    var window: Window
  }

  let options: Options
  var width = 0
  var height = 0
  /// The boxes, one per place of the layout in the same order.
  var boxes: [Box] = []
  var wires: [Wire] = []
  var heads: [Head] = []
  /// The frames, each before those it contains.
  var frames: [Frame] = []
  var index = DrawingIndex()

  /// The number of cells in the whole drawing.
  var cellCount: Int { width * height }

  /// Returns the place at a cell, by index; nil if no box is there.
  func place(column: Int, row: Int) -> Int? {
    for number in index.items(rows: row...row).boxes where boxes[number].window.contains(column, row) {
      return boxes[number].place
    }
    return nil
  }

  /// Draws a window of the drawing, in time that depends on the contents of its rows.
  func canvas(_ window: Window) -> TextCanvas {
    var canvas = TextCanvas(width: window.width, height: window.height)
    guard canvas.width > 0, canvas.height > 0 else { return canvas }
    let painter = CanvasPainter(drawing: self, window: window)
    painter.paint(&canvas)
    return canvas
  }

  /// Draws the whole drawing.
  func canvas() -> TextCanvas { canvas(Window(width: width, height: height)) }

  /// The whole drawing as text.
  var text: String { canvas().lines.joined(separator: "\n") + (height > 0 ? "\n" : "") }
}

extension TextDrawing {
  /// Creates the drawing of a layout.
  init(_ graph: ReactionGraph, _ layout: GraphLayout, options: Options = Options()) {
    var maker = DrawingMaker(graph, layout, options)
    self = maker.run()
  }

  /// Creates an empty drawing.
  init(options: Options) { self.options = options }
}

// MARK: - Windows

extension TextDrawing {
  /// Returns the places whose boxes are wholly in a window.
  func places(in window: Window) -> Set<Int> {
    let inside = items(in: window).boxes.map { boxes[$0] }.filter { box in
      let (own, end) = (box.window, (column: window.column + window.width, row: window.row + window.height))
      return own.column >= window.column && own.row >= window.row && own.column + own.width <= end.column
        && own.row + own.height <= end.row
    }
    return Set(inside.map(\.place))
  }

  /// The numbers of lines and boxes that an edge of a window cuts.
  ///
  /// Of equal sums, the one with fewer boxes is less.
  struct Cuts: Comparable {
    var lines: Int
    var boxes: Int

    var count: Int { lines + boxes }

    static func < (left: Cuts, right: Cuts) -> Bool { (left.count, left.boxes) < (right.count, right.boxes) }
  }

  /// Returns the number of lines and boxes that the left and upper edges of a window cut.
  func cuts(of window: Window) -> Int {
    let left = cutsAtLeft(of: window, columns: window.column...window.column)
    let top = cutsAtTop(of: window, rows: window.row...window.row)
    return (left + top).reduce(0) { $0 + $1.count }
  }

  /// Returns the numbers of lines and boxes that the left edge of a window cuts, for each of its possible first columns.
  func cutsAtLeft(of window: Window, columns: ClosedRange<Int>) -> [Cuts] {
    let rows = window.row..<window.row + max(0, window.height)
    let items = items(in: window)
    let lines = items.wires.map { wires[$0] }.filter { !$0.isVertical && rows.contains($0.row) }
    let cut = items.boxes.filter { number in
      let box = boxes[number].window
      return box.column < columns.upperBound && box.column + box.width > columns.lowerBound
        && box.row < rows.upperBound && box.row + box.height > rows.lowerBound
    }
    return Self.cuts(
      at: columns, lines: lines.map { (start: $0.column, length: $0.length) },
      boxes: Set(cut).map { (start: boxes[$0].window.column, length: boxes[$0].window.width) })
  }

  /// Returns the numbers of lines and boxes that the upper edge of a window cuts, for each of its possible first rows.
  func cutsAtTop(of window: Window, rows: ClosedRange<Int>) -> [Cuts] {
    let columns = window.column..<window.column + max(0, window.width)
    let items = index.items(rows: rows)
    let lines = items.wires.filter { wires[$0].isVertical && columns.contains(wires[$0].column) }
    let cut = items.boxes.filter { number in
      let box = boxes[number].window
      return box.column < columns.upperBound && box.column + box.width > columns.lowerBound
    }
    return Self.cuts(
      at: rows, lines: Set(lines).map { (start: wires[$0].row, length: wires[$0].length) },
      boxes: Set(cut).map { (start: boxes[$0].window.row, length: boxes[$0].window.height) })
  }

  /// Returns the items that may lie in the rows of a window.
  private func items(in window: Window) -> DrawingIndex.Items {
    window.height > 0 ? index.items(rows: window.row...window.row + window.height - 1) : DrawingIndex.Items()
  }

  /// The first cell of a line or box, and the number of its cells, in one dimension.
  private typealias Span = (start: Int, length: Int)

  private static func cuts(at edges: ClosedRange<Int>, lines: [Span], boxes: [Span]) -> [Cuts] {
    zip(counts(at: edges, lines), counts(at: edges, boxes)).map { Cuts(lines: $0, boxes: $1) }
  }

  /// Returns the number of spans with cells on both sides of each edge; an edge is before the cell of its number.
  private static func counts(at edges: ClosedRange<Int>, _ spans: [Span]) -> [Int] {
    var changes = [Int](repeating: 0, count: edges.count + 1)
    for span in spans {
      let first = max(edges.lowerBound, span.start + 1)
      let end = min(edges.upperBound + 1, span.start + span.length)
      if first >= end { continue }
      changes[first - edges.lowerBound] += 1
      changes[end - edges.lowerBound] -= 1
    }
    var count = 0
    return changes.dropLast().map { change in
      count += change
      return count
    }
  }
}

/// An index of a drawing's items by row, so that a window is drawn without visiting the others.
struct DrawingIndex: Sendable {
  /// The indices of boxes, wires and heads.
  struct Items: Sendable {
    var boxes: [Int] = []
    var wires: [Int] = []
    var heads: [Int] = []
  }

  private static let rowsOfBand = 16
  private var bands: [Items] = []

  init() {}

  init(_ drawing: TextDrawing) {
    bands = [Items](repeating: Items(), count: drawing.height / Self.rowsOfBand + 1)
    for (number, box) in drawing.boxes.enumerated() {
      for band in bandRange(box.window.row, box.window.height) { bands[band].boxes.append(number) }
    }
    for (number, wire) in drawing.wires.enumerated() {
      for band in bandRange(wire.row, wire.isVertical ? wire.length : 1) { bands[band].wires.append(number) }
    }
    for (number, head) in drawing.heads.enumerated() {
      for band in bandRange(head.row, 1) { bands[band].heads.append(number) }
    }
  }

  private func bandRange(_ row: Int, _ height: Int) -> ClosedRange<Int> {
    let first = min(max(0, row / Self.rowsOfBand), bands.count - 1)
    return first...max(first, min((row + height - 1) / Self.rowsOfBand, bands.count - 1))
  }

  /// Returns the items that may lie in some rows; an item may be listed more than once.
  func items(rows: ClosedRange<Int>) -> Items {
    var result = Items()
    guard rows.upperBound >= 0, !bands.isEmpty, rows.lowerBound < bands.count * Self.rowsOfBand else { return result }
    for band in bandRange(max(0, rows.lowerBound), rows.upperBound - max(0, rows.lowerBound) + 1) {
      result.boxes += bands[band].boxes
      result.wires += bands[band].wires
      result.heads += bands[band].heads
    }
    return result
  }
}
