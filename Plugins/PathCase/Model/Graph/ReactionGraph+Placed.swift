extension ReactionGraph {
  /// Returns the same network with the positions of a layout, for formats that store drawings.
  ///
  /// Nodes come in the order of their places. A node that is drawn several times becomes several nodes; all but the
  /// first get ids of their own and are marked as representing the same thing.
  func placed(by layout: GraphLayout) -> ReactionGraph {
    var graph = self
    graph.nodes = []
    graph.edges = []
    var ids = Set(nodes.map(\.id))
    var places: [Int] = []
    let clones = Set(layout.places.filter { $0.clone > 0 }.map(\.node))
    for place in layout.places {
      var node = nodes[place.node]
      node.frame = place.frame
      if clones.contains(place.node) {
        node.entity = node.subject
        node.isClone = true
      }
      var number = place.clone
      while place.clone > 0, !ids.insert(node.id).inserted {
        node.id = Identifier("\(nodes[place.node].id)_\(number)")
        number += layout.places.count
      }
      node.labelPlace = nil
      places.append(graph.nodes.count)
      graph.nodes.append(node)
    }
    for route in layout.routes {
      for (number, isOpposite) in [(route.edge, false), (route.opposite, true)] {
        guard let number else { continue }
        var edge = edges[number]
        let (start, end) = isOpposite ? (route.target, route.source) : (route.source, route.target)
        (edge.source, edge.target) = (places[start], places[end])
        let bends = Array(route.points.dropFirst().dropLast())
        (edge.bends, edge.curves) = (isOpposite ? bends.reversed() : bends, [])
        (edge.start, edge.end, edge.sourcePort, edge.targetPort) = (nil, nil, nil, nil)
        graph.edges.append(edge)
      }
    }
    for index in graph.compartments.indices where layout.compartments.indices.contains(index) {
      graph.compartments[index].frame = layout.compartments[index]
    }
    graph.canvas = GraphFrame(
      x: layout.width / 2, y: layout.height / 2, width: layout.width + 100, height: layout.height + 100)
    graph.relations = []
    return graph
  }

  /// A Boolean value indicating whether every node that needs a position in drawing formats has one.
  var isPlaced: Bool { nodes.allSatisfy { $0.frame != nil || $0.category == "undrawn" } && !nodes.isEmpty }
}
