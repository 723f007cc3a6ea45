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
    default: return Size(width: 16 + 7 * letters, height: 30)
    }
  }
}
