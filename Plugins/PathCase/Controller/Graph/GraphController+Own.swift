import PluginAPI

/// The user's own layouts: nodes moved by hand, layouts stored and deleted.
extension GraphController {
  // MARK: Keeping

  /// Lays out the graph and ignores stored positions.
  func layOutAnew() -> [Effect] {
    ignoresFrozen = true
    movedGraph = nil
    isMoved = false
    state.place.origin = nil
    return layOut()
  }

  func saveLayout() -> [Effect] {
    guard let layout, let graph = state.picture?.graph, let pathway = network.pathway,
      let database = network.database
    else {
      return [
        .status(
          Diagnostic(.note, code: "pathcase.layout-kept", "only layouts of the database's pathways can be kept"))
      ]
    }
    let frozen = FrozenLayout(layout, of: graph, pathway: database.pathways[pathway].id)
    let (shelf, context) = (request.shelf, request.context)
    return [
      .compute(Self.saving, label: "keeping the layout") { _ in
        try shelf.keepAndWait(frozen, context)
        return true
      }
    ]
  }

  func saved() -> [Effect] {
    (hasOwnLayout, isMoved) = (true, false)
    return [
      .status(
        Diagnostic(
          .note, code: "pathcase.layout-kept", "the pathway is drawn so from now on, also after updates",
          advice: "x forgets it"))
    ]
  }

  /// Asks for confirmation before work is lost that cannot be recovered.
  func askForgetting() -> [Effect] {
    guard hasOwnLayout else {
      return [.status(Diagnostic(.note, code: "pathcase.layout-kept", "there is no layout of your own to forget"))]
    }
    let choices: [ChoiceRequest.Choice] = [
      .init(id: "keep", title: "Keep it"),
      .init(id: Self.forgettingChoice, title: "Forget it", detail: "the layout is computed again from now on"),
    ]
    return [
      .choose(
        Self.forgettingAsked, ChoiceRequest("Your own layout", choices: choices, selected: "keep", isDestructive: true))
    ]
  }

  func forgetLayout() -> [Effect] {
    guard let pathway = network.pathway, let database = network.database else { return [] }
    let (shelf, context, id) = (request.shelf, request.context, database.pathways[pathway].id)
    return [
      .compute(Self.forgetting, label: "forgetting the layout") { _ in
        _ = try shelf.forgetLayoutAndWait(of: id, context)
        return try ShownNetwork.open(id.text, shelf, context)
      }
    ]
  }

  func forgotten(_ network: ShownNetwork) -> [Effect] {
    self.network = network
    (hasOwnLayout, isMoved, ignoresFrozen) = (false, false, false)
    movedGraph = nil
    state.place.origin = nil
    return [.status(Diagnostic(.note, code: "pathcase.layout-kept", "your own layout is forgotten"))] + layOut()
  }

  // MARK: Moving

  /// Moves the selected node: horizontally it swaps places with its neighbor, vertically it moves to the next row.
  func move(_ direction: GraphState.Direction) -> [Effect] {
    guard let selected = state.selected, let layout, let graph = state.picture?.graph else { return tell() }
    var frames = layout.places.map(\.frame)
    switch direction {
    case .left, .right: Self.swap(selected, in: &frames, step: direction.step.x)
    case .up, .down: Self.shift(selected, in: &frames, step: direction.step.y)
    }
    isMoved = true
    return place(frames, moved: selected, layout, of: graph)
  }

  /// Swaps the columns of a place and the next one in its row; the last one of a row moves on alone.
  private static func swap(_ index: Int, in frames: inout [GraphFrame], step: Int) {
    let own = frames[index]
    let beside = frames.indices.filter { other in
      other != index && abs(frames[other].y - own.y) < own.height / 2 && (frames[other].x - own.x) * Double(step) > 0
    }
    let next = beside.min { abs(frames[$0].x - own.x) < abs(frames[$1].x - own.x) }
    if let next {
      (frames[index].x, frames[next].x) = (frames[next].x, own.x)
    } else {
      frames[index].x += Double(step) * own.width
    }
  }

  /// Moves a place to the next row above or below; beyond the last row to a new one.
  private static func shift(_ index: Int, in frames: inout [GraphFrame], step: Int) {
    let own = frames[index]
    let beyond = frames.filter { ($0.y - own.y) * Double(step) > own.height / 2 }
    let next = beyond.min { abs($0.y - own.y) < abs($1.y - own.y) }
    frames[index].y = next?.y ?? own.y + Double(step) * 3 * own.height
    // Two nodes must not have the same position.
    while frames.indices.contains(where: {
      $0 != index && abs(frames[$0].y - frames[index].y) < own.height / 2
        && abs(frames[$0].x - frames[index].x) < 1
    }) { frames[index].x += own.width / 2 + 1 }
  }

  /// Draws the graph at given positions, which become its own, with the bends of all lines that need not move.
  private func place(
    _ frames: [GraphFrame], moved: Int, _ layout: GraphLayout, of graph: ReactionGraph
  ) -> [Effect] {
    var graph = graph
    var nodes: [Int] = []
    for (place, frame) in zip(layout.places, frames) {
      if place.clone == 0 || graph.nodes[place.node].frame == nil {
        graph.nodes[place.node].frame = frame
        nodes.append(place.node)
        continue
      }
      // A node drawn several times becomes several nodes.
      var clone = graph.nodes[place.node]
      (clone.entity, clone.isClone, clone.frame) = (clone.subject, true, frame)
      nodes.append(graph.nodes.count)
      graph.nodes.append(clone)
    }
    for route in layout.routes {
      let isMoved = route.source == moved || route.target == moved
      let bends = isMoved ? [] : Array(route.points.dropFirst().dropLast())
      graph.edges[route.edge].bends = bends
      (graph.edges[route.edge].source, graph.edges[route.edge].target) = (nodes[route.source], nodes[route.target])
      guard let opposite = route.opposite else { continue }
      graph.edges[opposite].bends = bends.reversed()
      (graph.edges[opposite].source, graph.edges[opposite].target) = (nodes[route.target], nodes[route.source])
    }
    movedGraph = graph
    ignoresFrozen = false
    return layOut()
  }
}
