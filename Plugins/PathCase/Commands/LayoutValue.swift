import PluginAPI

/// A layout in the form returned by `layout`.
enum LayoutValue {
  static func value(_ layout: GraphLayout, _ graph: ReactionGraph, took time: Duration) -> Value {
    let milliseconds = Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
    return [
      "engine": .text(layout.isFrozen ? "frozen" : "layers"), "width": length(layout.width),
      "height": length(layout.height), "crossings": .integer(layout.crossings), "isCoarse": .bool(layout.isCoarse),
      "milliseconds": .number((milliseconds * 100).rounded() / 100),
      "nodes": .list(layout.places.map { node($0, graph) }),
      "edges": .list(layout.routes.map { edge($0, layout, graph) }),
      "compartments": .list(
        zip(graph.compartments, layout.compartments).compactMap { compartment, frame in
          frame.map { .record(Record([.init("id", .text(compartment.id.text))] + fields($0))) }
        }),
    ]
  }

  /// Returns a length rounded to two decimals; more are meaningless in layout units.
  private static func length(_ value: Double) -> Value {
    let hundredths = (value * 100).rounded()
    return .number(hundredths.isFinite ? hundredths / 100 : value)
  }

  private static func fields(_ frame: GraphFrame) -> [Record.Field] {
    [
      .init("x", length(frame.x)), .init("y", length(frame.y)), .init("width", length(frame.width)),
      .init("height", length(frame.height)),
    ]
  }

  private static func node(_ place: GraphLayout.Place, _ graph: ReactionGraph) -> Value {
    let node = graph.nodes[place.node]
    let about: [Record.Field] = [
      .init("id", .text(node.id.text)), .init("clone", .integer(place.clone)), .init("kind", .text(node.kind.rawValue)),
      .init("label", .text(node.label)),
    ]
    return .record(Record(about + fields(place.frame)))
  }

  private static func edge(_ route: GraphLayout.Route, _ layout: GraphLayout, _ graph: ReactionGraph) -> Value {
    let edge = graph.edges[route.edge]
    return [
      "source": .text(graph.nodes[edge.source].id.text), "target": .text(graph.nodes[edge.target].id.text),
      "kind": .text(edge.kind.rawValue), "isReversible": .bool(edge.isReversible),
      "points": .list(route.points.map { .list([length($0.x), length($0.y)]) }),
    ]
  }
}
