/// Where the nodes, edges and compartments of a graph's picture lie.
///
/// Lengths are of no unit but one with another; x grows to the right, y downwards, from 0 to the width and height.
struct GraphLayout: Sendable, Hashable {
  /// A node where it is drawn.
  struct Place: Sendable, Hashable {
    /// The node of the graph, by index.
    var node: Int
    /// Counts the places of a node that is drawn more than once, from 0.
    var clone = 0
    var frame: GraphFrame
    /// The place of the process whose stub it is, by index: it lies right at its left or right border.
    var beside: Int?
  }

  /// An edge as it is drawn.
  struct Route: Sendable, Hashable {
    /// The edge of the graph, by index.
    var edge: Int
    /// The edge that goes the opposite way on the same line, by index; nil if there is none.
    var opposite: Int?
    /// The places it joins, by index.
    var source: Int
    var target: Int
    /// The line, from the border of the source to that of the target.
    var points: [FrozenPath.Point]
  }

  /// The places, by node and then by clone.
  var places: [Place] = []
  /// The lines, by edge.
  var routes: [Route] = []
  /// The frames of the compartments, by index; nil for one that nothing shown lies in.
  var compartments: [GraphFrame?] = []
  var width = 0.0
  var height = 0.0
  /// How many pairs of lines without a common end cross; at least so many in a layout that is coarse.
  var crossings = 0
  /// Whether the layout, or the count of its crossings, was cut short.
  var isCoarse = false
  /// Whether the places are those the graph brought along.
  var isFrozen = false
}

extension GraphLayout {
  /// The first place of each node, by index of the node; nil for one that is hidden.
  func firstPlaces(nodeCount: Int) -> [Int?] {
    var result = [Int?](repeating: nil, count: nodeCount)
    for index in places.indices.reversed() { result[places[index].node] = index }
    return result
  }
}
