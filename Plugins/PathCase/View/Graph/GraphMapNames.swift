import PluginAPI
import PluginText

/// The positions of compartment names in the map, away from the dots of nodes and from each other.
struct GraphMapNames {
  /// A name and the cell of its first letter.
  struct Name {
    var compartment: Int
    var text: String
    var place: Point
  }

  private(set) var names: [Name] = []
  private let window: Size
  /// True for each cell, row by row, with a dot or a name.
  private var isTaken: [Bool]
  /// The maximum number of named compartments: more names do not help in a window.
  private static let most = 48

  init(_ picture: GraphPicture, window: Size) {
    self.window = window
    isTaken = [Bool](repeating: false, count: max(0, window.width * window.height))
    let map = GraphMap(picture.layout, window: window)
    if isTaken.isEmpty { return }
    for place in picture.layout.places {
      let point = map.point(place.frame)
      isTaken[point.y * window.width + point.x] = true
    }
    for (index, shape) in picture.layout.compartments.enumerated() where names.count < Self.most {
      guard let shape else { continue }
      let upper = GraphFrame(x: shape.x - shape.width / 2, y: shape.y - shape.height / 2, width: 0, height: 0)
      let lower = GraphFrame(x: shape.x + shape.width / 2, y: shape.y + shape.height / 2, width: 0, height: 0)
      add(index, of: picture.graph, from: map.point(upper), to: map.point(lower))
    }
  }

  /// Adds a name in the first free stretch of a compartment's cells, from the top, or else in the row above or below;
  /// adds nothing if there is no room.
  private mutating func add(_ compartment: Int, of graph: ReactionGraph, from: Point, to: Point) {
    let text = TextWidth.truncated(
      SanitizedText.line(graph.compartments[compartment].name), to: min(16, max(0, window.width - from.x)))
    let width = TextWidth.columns(text)
    if width == 0 { return }
    let bottom = max(from.y, to.y)
    let rows = Array(from.y...bottom) + [from.y - 1, bottom + 1].filter { (0..<window.height).contains($0) }
    for row in rows {
      // A name may be wider than its compartment; a node on the wall may take its first cell.
      let last = max(from.x + 1, to.x - width + 1)
      var column = from.x
      while column <= last, column + width <= window.width {
        let cells = row * window.width + column..<row * window.width + column + width
        guard let blocked = cells.last(where: { isTaken[$0] }) else {
          // A space separates it from the next name.
          for cell in cells.lowerBound..<min(cells.upperBound + 1, (row + 1) * window.width) { isTaken[cell] = true }
          return names.append(Name(compartment: compartment, text: text, place: Point(x: column, y: row)))
        }
        column = blocked % window.width + 1
      }
    }
  }
}
