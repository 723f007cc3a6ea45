/// The positions of the nodes, edges and compartments of a graph's picture.
///
/// Lengths have no unit and are relative to each other. The x axis points right, the y axis down, from 0 to the width
/// and height.
struct GraphLayout: Sendable, Hashable {
  /// A node at a position where it is drawn.
  struct Place: Sendable, Hashable {
    /// The node of the graph, by index.
    var node: Int
    /// The number of this place among those of a node drawn more than once, from 0.
    var clone = 0
    var frame: GraphFrame
    /// The index of the process's place whose stub it is: it lies directly at that place's left or right border.
    var beside: Int?
  }

  /// An edge as it is drawn.
  struct Route: Sendable, Hashable {
    /// The edge of the graph, by index.
    var edge: Int
    /// The edge in the opposite direction on the same line, by index; nil if there is none.
    var opposite: Int?
    /// The places that it connects, by index.
    var source: Int
    var target: Int
    /// The line, from the border of the source to that of the target.
    var points: [FrozenPath.Point]
  }

  /// The places, ordered by node and then by clone.
  var places: [Place] = []
  /// The lines, ordered by edge.
  var routes: [Route] = []
  /// The frames of the compartments, by index; nil for a compartment without visible contents.
  var compartments: [GraphFrame?] = []
  var width = 0.0
  var height = 0.0
  /// The number of crossing pairs of lines without a common end; a lower bound if the layout is coarse.
  var crossings = 0
  /// A Boolean value indicating whether the layout, or the count of its crossings, was cut short.
  var isCoarse = false
  /// A Boolean value indicating whether the positions are those that the graph brought along.
  var isFrozen = false
}

/// Options for the layout of a graph.
struct LayoutOptions: Sendable {
  /// The treatment of common molecules, such as ATP.
  enum CommonMolecules: String, Sendable, CaseIterable {
    /// They are not drawn.
    case hidden
    /// They are drawn beside each of their processes.
    case beside
    /// They are treated like all other nodes.
    case asOthers = "as-others"
  }

  /// The size of a node's picture.
  struct Size: Sendable, Hashable {
    var width: Double
    var height: Double
  }

  var common = CommonMolecules.asOthers
  /// A Boolean value indicating whether a molecule beside several processes that is never on the main chain is drawn
  /// beside each of them.
  var clonesSideMolecules = true
  /// Returns the size of a node.
  var size: @Sendable (GraphNode) -> Size = { LayoutOptions.usualSize($0) }
  /// The gap between the borders of neighbors in a layer.
  var nodeGap = 20.0
  /// The gap between the borders of neighboring layers.
  var layerGap = 50.0
  /// The gap between nodes and the frame of their compartment, and between frames.
  var framePadding = 20.0
  /// The maximum amount of work, in visits of a vertex; beyond it the layout is coarse.
  var effort = 300_000_000
  /// A Boolean value indicating whether positions that the graph brings along are used as they are.
  var usesFrozenPlaces = true
  /// The frames of an earlier layout, by node id, whose order is kept where possible.
  var earlier: [Identifier: GraphFrame] = [:]

  /// Returns a size from the length of the label, for pictures whose letters are 7 wide.
  static func usualSize(_ node: GraphNode) -> Size {
    let letters = Double(min(node.label.utf8.count, 40))
    switch node.kind {
    case .process: return Size(width: 16 + 7 * min(letters, 16), height: 24)
    case .pool, .macromolecule, .pathway, .other: return Size(width: 16 + 7 * letters, height: 30)
    }
  }
}

/// The sides of a rectangle.
struct LayoutBounds: Sendable, Hashable {
  var left: Double
  var top: Double
  var right: Double
  var bottom: Double

  init(left: Double, top: Double, right: Double, bottom: Double) {
    self.left = left
    self.top = top
    self.right = right
    self.bottom = bottom
  }

  init(_ frame: GraphFrame) {
    self.init(
      left: frame.x - frame.width / 2, top: frame.y - frame.height / 2, right: frame.x + frame.width / 2,
      bottom: frame.y + frame.height / 2)
  }

  init(_ point: FrozenPath.Point) {
    self.init(left: point.x, top: point.y, right: point.x, bottom: point.y)
  }

  /// Creates the smallest rectangle around some frames; nil if there are none.
  init?(around frames: some Sequence<GraphFrame>) {
    guard let box = frames.reduce(nil as LayoutBounds?, { LayoutBounds($1).joined($0) }) else { return nil }
    self = box
  }

  var frame: GraphFrame {
    GraphFrame(x: (left + right) / 2, y: (top + bottom) / 2, width: right - left, height: bottom - top)
  }

  func joined(_ other: LayoutBounds?) -> LayoutBounds {
    guard let other else { return self }
    return LayoutBounds(
      left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
      bottom: max(bottom, other.bottom))
  }

  /// Returns whether two rectangles have an area in common.
  func overlaps(_ other: LayoutBounds) -> Bool {
    min(right, other.right) > max(left, other.left) && min(bottom, other.bottom) > max(top, other.top)
  }

  func grown(by margin: Double, top more: Double = 0) -> LayoutBounds {
    LayoutBounds(left: left - margin, top: top - margin - more, right: right + margin, bottom: bottom + margin)
  }

  /// Moves a layout to the origin and sets its size.
  static func normalize(_ layout: inout GraphLayout) {
    var box: LayoutBounds?
    for place in layout.places { box = LayoutBounds(place.frame).joined(box) }
    for case let frame? in layout.compartments { box = LayoutBounds(frame).joined(box) }
    for point in layout.routes.lazy.map(\.points).joined() { box = LayoutBounds(point).joined(box) }
    guard let box else { return }
    for index in layout.places.indices {
      layout.places[index].frame.x -= box.left
      layout.places[index].frame.y -= box.top
    }
    for index in layout.compartments.indices {
      layout.compartments[index]?.x -= box.left
      layout.compartments[index]?.y -= box.top
    }
    for route in layout.routes.indices {
      for index in layout.routes[route].points.indices {
        layout.routes[route].points[index].x -= box.left
        layout.routes[route].points[index].y -= box.top
      }
    }
    layout.width = box.right - box.left
    layout.height = box.bottom - box.top
  }
}
