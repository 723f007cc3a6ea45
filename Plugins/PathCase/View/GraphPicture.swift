import PluginAPI
import PluginText

/// A graph laid out and drawn at one zoom: made off the main loop and shown until it is replaced.
struct GraphPicture: Sendable {
  /// The properties in which pictures of one layout differ.
  struct Key: Sendable, Hashable {
    var zoom: GraphZoom
    var isASCII: Bool
  }

  let graph: ReactionGraph
  let layout: GraphLayout
  let key: Key
  /// The boxes and lines; empty in the map.
  let drawing: TextDrawing
  /// The searched words of each node, in lowercase.
  let words: GraphWords
  /// The candidate places for the start of the main chain.
  let starts: [Int]

  /// Creates the picture of an existing layout.
  ///
  /// - Parameter starts: ``starts`` of another picture of the layout; nil if there is none.
  init(
    _ graph: ReactionGraph, _ layout: GraphLayout, zoom: GraphZoom, isASCII: Bool, words: GraphWords,
    starts: [Int]? = nil
  ) {
    self.graph = graph
    self.layout = layout
    self.words = words
    self.starts = starts ?? Self.starts(graph, layout)
    key = Key(zoom: zoom, isASCII: isASCII)
    var options = TextDrawing.Options()
    options.isASCII = isASCII
    if let kind = zoom.drawing {
      options.zoom = kind
      drawing = TextDrawing(graph, layout, options: options)
    } else {
      drawing = TextDrawing(options: options)
    }
  }

  var zoom: GraphZoom { key.zoom }

  /// Returns the candidate places for the start of the main chain, without carrier and side molecules.
  ///
  /// A computed layout starts with its first pool. In a stored one, the chain may run in any direction: it starts with
  /// something that processes use and none makes.
  private static func starts(_ graph: ReactionGraph, _ layout: GraphLayout) -> [Int] {
    var graph = graph
    graph.markCarriers()
    func node(_ place: Int) -> GraphNode { graph.nodes[layout.places[place].node] }
    let main = layout.places.indices.filter { place in
      let node = node(place)
      // Nodes without a name are empty sets of SBGN or line ends in a legend; complexes may also have none.
      let isNamed = !node.label.isEmpty || node.kind == .macromolecule
      return node.kind != .process && !PictureParts.isSide(node) && isNamed
    }
    let flows = layout.isFrozen ? graph.edges.filter { $0.kind == .flow } : []
    let used = Set(flows.map { graph.nodes[$0.source].subject })
    let made = Set(flows.map { graph.nodes[$0.target].subject })
    let sources = main.filter { used.contains(node($0).subject) && !made.contains(node($0).subject) }
    let pools = main.filter { node($0).kind == .pool }
    return [sources, pools, main].first { !$0.isEmpty } ?? Array(layout.places.indices)
  }

  /// Returns another picture of the layout.
  func redrawn(_ key: Key) -> GraphPicture {
    GraphPicture(graph, layout, zoom: key.zoom, isASCII: key.isASCII, words: words, starts: starts)
  }

  /// Returns the number of columns and rows in the picture, for a window of a given size.
  func size(in window: Size) -> Size {
    zoom == .map ? window : Size(width: drawing.width, height: drawing.height)
  }

  /// Returns the cells of a place, relative to the upper left of the picture.
  func rect(ofPlace place: Int, in window: Size) -> Rect {
    if zoom == .map {
      let point = GraphMap(layout, window: window).point(layout.places[place].frame)
      return Rect(x: point.x, y: point.y, width: 1, height: 1)
    }
    let box = drawing.boxes[place].window
    return Rect(x: box.column, y: box.row, width: box.width, height: box.height)
  }

  /// Returns the center of a place.
  func center(ofPlace place: Int, in window: Size) -> Point {
    let rect = rect(ofPlace: place, in: window)
    return Point(x: rect.x + rect.width / 2, y: rect.y + rect.height / 2)
  }

  /// Returns the node of a place.
  func node(_ place: Int) -> GraphNode { graph.nodes[layout.places[place].node] }
}

/// A layout scaled to fit a window: a cell represents everything inside it.
struct GraphMap {
  private let window: Size
  private let width: Double
  private let height: Double

  init(_ layout: GraphLayout, window: Size) {
    self.window = window
    width = max(1, layout.width)
    height = max(1, layout.height)
  }

  /// Returns the cell of a frame's center.
  func point(_ frame: GraphFrame) -> Point {
    Point(x: cell(frame.x / width, of: window.width), y: cell(frame.y / height, of: window.height))
  }

  private func cell(_ share: Double, of count: Int) -> Int {
    guard share.isFinite, count > 0 else { return 0 }
    return min(count - 1, max(0, Int(min(max(share, 0), 1) * Double(count))))
  }
}

/// The search terms of nodes: their labels, ids and other names, in lowercase.
struct GraphWords: Sendable {
  private var texts: [[UInt8]] = []

  /// - Parameter aliases: Returns the other names of the thing that a node represents.
  init(_ graph: ReactionGraph, aliases: (GraphNode) -> [String] = { _ in [] }) {
    texts = graph.nodes.map { node in
      let all = [node.label, node.id.text] + aliases(node)
      return all.flatMap { FoldedText.typed($0, limit: SanitizedText.usualLimit) + [10] }
    }
  }

  /// The number of nodes with search terms.
  var count: Int { texts.count }

  /// Returns the nodes whose words contain a text, ascending.
  func nodes(with text: String) -> [Int] {
    let pattern = FoldedText.typed(text)
    return pattern.isEmpty ? [] : texts.indices.filter { ByteSearch.contains(pattern, in: texts[$0]) }
  }
}
