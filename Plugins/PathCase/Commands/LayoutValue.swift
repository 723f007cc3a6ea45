import PluginAPI

/// A layout as `layout` gives it.
enum LayoutValue {
  static func value(_ layout: GraphLayout, _ graph: ReactionGraph, took time: Duration) -> Value {
    let milliseconds = Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
    return [
      "engine": .text(layout.isFrozen ? "frozen" : "layers"), "width": .number(layout.width),
      "height": .number(layout.height), "crossings": .integer(layout.crossings), "isCoarse": .bool(layout.isCoarse),
      "milliseconds": .number((milliseconds * 100).rounded() / 100),
      "nodes": .list(layout.places.map { node($0, graph) }),
      "edges": .list(layout.routes.map { edge($0, layout, graph) }),
      "compartments": .list(
        zip(graph.compartments, layout.compartments).compactMap { compartment, frame in
          frame.map { .record(Record([.init("id", .text(compartment.id.text))] + fields($0))) }
        }),
    ]
  }

  private static func fields(_ frame: GraphFrame) -> [Record.Field] {
    [
      .init("x", .number(frame.x)), .init("y", .number(frame.y)), .init("width", .number(frame.width)),
      .init("height", .number(frame.height)),
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
      "points": .list(route.points.map { .list([.number($0.x), .number($0.y)]) }),
    ]
  }
}
