/// How a graph is to be laid out.
struct LayoutOptions: Sendable {
  /// What becomes of common molecules, such as ATP.
  enum CommonMolecules: Sendable, Hashable {
    /// They are not drawn.
    case hidden
    /// They are drawn beside each of their processes.
    case beside
    /// They are nodes as all others.
    case asOthers
  }

  /// The size of a node's picture.
  struct Size: Sendable, Hashable {
    var width: Double
    var height: Double
  }

  var common = CommonMolecules.asOthers
  /// Whether what is at the side of several processes, and never on the main chain, is drawn beside each of them.
  var clonesSideMolecules = true
  /// The size of each node, given the node.
  var size: @Sendable (GraphNode) -> Size = { LayoutOptions.usualSize($0) }
  /// Between the borders of neighbours in a layer.
  var nodeGap = 20.0
  /// Between the borders of neighbouring layers.
  var layerGap = 50.0
  /// Between nodes and the frame of their compartment, and between frames.
  var framePadding = 20.0
  /// How much work may be spent, in visits of a vertex; above it the layout is coarse.
  var effort = 300_000_000
  /// Whether places that the graph brings along are taken as they are.
  var usesFrozenPlaces = true
  /// Places from an earlier layout, by the ids of nodes, whose order is kept where possible.
  var earlier: [Identifier: GraphFrame] = [:]

  /// A size after the length of the label, for pictures whose letters are 7 wide.
  static func usualSize(_ node: GraphNode) -> Size {
    let letters = Double(min(node.label.utf8.count, 40))
    switch node.kind {
    case .process: return Size(width: 16 + 7 * min(letters, 16), height: 24)
    default: return Size(width: 16 + 7 * letters, height: 30)
    }
  }
}
