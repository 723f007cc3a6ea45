import PluginAPI
import PluginText

/// A graph laid out and drawn for one zoom: made off the loop, shown until another one is there.
struct GraphPicture: Sendable {
  let graph: ReactionGraph
  let layout: GraphLayout
  let zoom: GraphZoom
  /// Boxes and lines; without any in the map.
  let drawing: TextDrawing
  /// The words of each node that are searched, in small letters.
  let words: GraphWords

  /// Makes the picture of a layout that is there.
  init(_ graph: ReactionGraph, _ layout: GraphLayout, zoom: GraphZoom, isASCII: Bool, words: GraphWords) {
    self.graph = graph
    self.layout = layout
    self.zoom = zoom
    self.words = words
    var options = TextDrawing.Options()
    options.isASCII = isASCII
    if let kind = zoom.drawing {
      options.zoom = kind
      drawing = TextDrawing(graph, layout, options: options)
    } else {
      drawing = TextDrawing(options: options)
    }
  }

  /// How many columns and rows the picture has, in a window of a size.
  func size(in window: Size) -> Size {
    zoom == .map ? window : Size(width: drawing.width, height: drawing.height)
  }

  /// The cells of a place, from the upper left of the picture.
  func rect(ofPlace place: Int, in window: Size) -> Rect {
    if zoom == .map {
      let point = GraphMap(layout, window: window).point(layout.places[place].frame)
      return Rect(x: point.x, y: point.y, width: 1, height: 1)
    }
    let box = drawing.boxes[place].window
    return Rect(x: box.column, y: box.row, width: box.width, height: box.height)
  }

  /// The middle of a place.
  func center(ofPlace place: Int, in window: Size) -> Point {
    let rect = rect(ofPlace: place, in: window)
    return Point(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
  }

  /// The node of a place.
  func node(_ place: Int) -> GraphNode { graph.nodes[layout.places[place].node] }
}

/// A layout made small, so that all of it is in a window: a cell stands for whatever lies in it.
struct GraphMap {
  private let window: Size
  private let width: Double
  private let height: Double

  init(_ layout: GraphLayout, window: Size) {
    self.window = window
    width = max(1, layout.width)
    height = max(1, layout.height)
  }

  /// The cell of a frame's middle.
  func point(_ frame: GraphFrame) -> Point {
    Point(x: cell(frame.x / width, of: window.width), y: cell(frame.y / height, of: window.height))
  }

  private func cell(_ share: Double, of count: Int) -> Int {
    guard share.isFinite, count > 0 else { return 0 }
    return min(count - 1, max(0, Int(min(max(share, 0), 1) * Double(count))))
  }
}

/// What nodes are found by: their labels, ids and other names, in small letters.
struct GraphWords: Sendable {
  private var texts: [[UInt8]] = []

  /// - Parameter aliases: Other names of what a node stands for.
  init(_ graph: ReactionGraph, aliases: (GraphNode) -> [String] = { _ in [] }) {
    texts = graph.nodes.map { node in
      let all = [node.label, node.id.text] + aliases(node)
      return all.flatMap { FoldedText.typed($0, limit: SanitizedText.usualLimit) + [10] }
    }
  }

  /// Of how many nodes it knows the words.
  var count: Int { texts.count }

  /// The nodes whose words have a text in them, in rising order.
  func nodes(with text: String) -> [Int] {
    let pattern = FoldedText.typed(text)
    return pattern.isEmpty ? [] : texts.indices.filter { ByteSearch.contains(pattern, in: texts[$0]) }
  }
}
