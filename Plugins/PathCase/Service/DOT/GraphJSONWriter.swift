import PluginJSON

/// Writes graphs as plain JSON: nodes, edges and compartments with their places, in the order of the graph.
///
/// Ends, compartments and parents are named by ids; what is not known is left out.
struct GraphJSONWriter {
  private let graph: ReactionGraph
  private var json: JSONWriter

  /// Writes a graph.
  ///
  /// - Parameter indentation: Spaces for each level; nil for everything on one line.
  static func write(_ graph: ReactionGraph, indentation: Int? = nil) -> [UInt8] {
    var writer = GraphJSONWriter(graph: graph, json: JSONWriter(indentation: indentation))
    writer.write()
    return writer.json.take()
  }

  private mutating func write() {
    json.beginObject()
    text("id", graph.id.text)
    text("name", graph.name)
    list("compartments", graph.compartments) { writer, compartment in
      writer.text("id", compartment.id.text)
      writer.text("name", compartment.name)
      if let parent = compartment.parent { writer.text("parent", writer.graph.compartments[parent].id.text) }
      if let frame = compartment.frame { writer.write(frame) }
    }
    list("nodes", graph.nodes) { writer, node in writer.write(node) }
    list("edges", graph.edges) { writer, edge in writer.write(edge) }
    list("figures", graph.figures) { writer, figure in
      writer.text("id", figure.id.text)
      writer.text("category", figure.category)
      writer.text("text", figure.text)
      writer.write(figure.frame)
      writer.points("points", figure.points)
    }
    json.endObject()
  }

  private mutating func list<Item>(_ key: String, _ items: [Item], _ write: (inout GraphJSONWriter, Item) -> Void) {
    json.key(key)
    json.beginArray()
    for item in items {
      json.beginObject()
      write(&self, item)
      json.endObject()
    }
    json.endArray()
  }

  /// Writes a text unless it is empty; an id always.
  private mutating func text(_ key: String, _ text: String) {
    if text.isEmpty, key != "id" { return }
    json.key(key)
    json.write(text)
  }

  private mutating func flag(_ key: String, _ isSet: Bool) {
    if !isSet { return }
    json.key(key)
    json.write(true)
  }

  private mutating func number(_ key: String, _ number: Double) {
    json.key(key)
    json.write(number)
  }

  private mutating func points(_ key: String, _ points: [FrozenPath.Point]) {
    if points.isEmpty { return }
    json.key(key)
    json.beginArray()
    for point in points {
      json.beginArray()
      json.write(point.x)
      json.write(point.y)
      json.endArray()
    }
    json.endArray()
  }

  private mutating func write(_ frame: GraphFrame) {
    number("x", frame.x)
    number("y", frame.y)
    number("width", frame.width)
    number("height", frame.height)
  }

  private mutating func write(_ node: GraphNode) {
    text("id", node.id.text)
    text("label", node.label)
    text("kind", node.kind.rawValue)
    text("entity", node.entity?.text ?? "")
    text("category", node.category)
    if let compartment = node.compartment { text("compartment", graph.compartments[compartment].id.text) }
    if let parent = node.parent { text("parent", graph.nodes[parent].id.text) }
    flag("common", node.isCommon)
    flag("clone", node.isClone)
    flag("secondary", !node.isPrimary)
    if let frame = node.frame { write(frame) }
    if node.references.isEmpty { return }
    json.key("references")
    json.beginArray()
    for reference in node.references { json.write(reference) }
    json.endArray()
  }

  private mutating func write(_ edge: GraphEdge) {
    if !edge.id.text.isEmpty { text("id", edge.id.text) }
    text("source", graph.nodes[edge.source].id.text)
    text("target", graph.nodes[edge.target].id.text)
    text("kind", edge.kind.rawValue)
    text("category", edge.category)
    flag("reversible", edge.isReversible)
    number("stoichiometry", edge.stoichiometry)
    points("bends", edge.bends)
  }
}
