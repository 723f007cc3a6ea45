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

extension GraphLayout {
  /// Returns the first place of each node, by node index; nil for hidden nodes.
  func firstPlaces(nodeCount: Int) -> [Int?] {
    var result = [Int?](repeating: nil, count: nodeCount)
    for index in places.indices.reversed() { result[places[index].node] = index }
    return result
  }
}
