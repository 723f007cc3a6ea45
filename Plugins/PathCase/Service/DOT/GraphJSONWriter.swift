import PluginJSON

/// Writes graphs as plain JSON: nodes, edges and compartments with their positions, in the order of the graph.
///
/// Ends, compartments and parents are referred to by id; unknown values are left out. If nodes share an id, all but the
/// first get a new one and keep the old one as their entity. ``GraphJSONReader`` reads the format.
struct GraphJSONWriter {
  private let graph: ReactionGraph
  private var json: JSONWriter
  /// The id of each node in the file, by index.
  private let ids: [Identifier]

  /// Writes a graph.
  ///
  /// - Parameter indentation: The number of spaces per level; nil for everything on one line.
  static func write(_ graph: ReactionGraph, indentation: Int? = nil) -> [UInt8] {
    var writer = GraphJSONWriter(graph: graph, json: JSONWriter(indentation: indentation), ids: uniqueIDs(graph))
    writer.write()
    return writer.json.take()
  }

  private static func uniqueIDs(_ graph: ReactionGraph) -> [Identifier] {
    var taken = Set(graph.nodes.map(\.id))
    var seen: Set<Identifier> = []
    var number = 2
    return graph.nodes.map { node in
      if seen.insert(node.id).inserted { return node.id }
      while !taken.insert(Identifier("\(node.id)_\(number)")).inserted { number += 1 }
      return Identifier("\(node.id)_\(number)")
    }
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
      writer.write(compartment.decorations, compartment.style)
    }
    list("nodes", Array(graph.nodes.indices)) { writer, index in writer.write(node: index) }
    list("edges", graph.edges) { writer, edge in writer.write(edge) }
    list("relations", graph.relations, isOptional: true) { writer, edge in writer.write(edge) }
    list("figures", graph.figures) { writer, figure in
      writer.text("id", figure.id.text)
      writer.text("category", figure.category)
      writer.text("text", figure.text)
      writer.write(figure.frame)
      writer.points("points", figure.points)
      writer.write([], figure.style)
    }
    if let canvas = graph.canvas {
      json.key("canvas")
      json.beginObject()
      write(canvas)
      json.endObject()
    }
    json.endObject()
  }

  private mutating func list<Item>(
    _ key: String, _ items: [Item], isOptional: Bool = false, _ write: (inout GraphJSONWriter, Item) -> Void
  ) {
    if isOptional, items.isEmpty { return }
    json.key(key)
    json.beginArray()
    for item in items {
      json.beginObject()
      write(&self, item)
      json.endObject()
    }
    json.endArray()
  }

  /// Writes a text unless it is empty; ids are always written.
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

  mutating func write(_ frame: GraphFrame) {
    number("x", frame.x)
    number("y", frame.y)
    number("width", frame.width)
    number("height", frame.height)
  }

  private mutating func write(node index: Int) {
    let node = graph.nodes[index]
    text("id", ids[index].text)
    text("label", node.label)
    text("kind", node.kind.rawValue)
    text("entity", node.entity?.text ?? (ids[index] == node.id ? "" : node.id.text))
    text("category", node.category)
    if let compartment = node.compartment { text("compartment", graph.compartments[compartment].id.text) }
    if let parent = node.parent { text("parent", ids[parent].text) }
    flag("common", node.isCommon)
    flag("clone", node.isClone)
    flag("secondary", !node.isPrimary)
    if let frame = node.frame { write(frame) }
    writeRest(of: node)
  }

  private mutating func write(_ edge: GraphEdge) {
    if !edge.id.text.isEmpty { text("id", edge.id.text) }
    text("source", ids[edge.source].text)
    text("target", ids[edge.target].text)
    text("kind", edge.kind.rawValue)
    text("category", edge.category)
    flag("reversible", edge.isReversible)
    number("stoichiometry", edge.stoichiometry)
    points("bends", edge.bends)
    writeRest(of: edge)
  }
}

/// The parts of a drawing outside its network.
extension GraphJSONWriter {
  private mutating func writeRest(of node: GraphNode) {
    text("caption", node.caption)
    flag("point", node.isPoint)
    point("labelPlace", node.labelPlace)
    if !node.references.isEmpty {
      json.key("references")
      json.beginArray()
      for reference in node.references { json.write(reference) }
      json.endArray()
    }
    list("genes", node.genes, isOptional: true) { writer, gene in
      writer.text("id", gene.id.text)
      writer.text("name", gene.name)
    }
    text("geneRule", node.geneRule)
    list("ports", node.ports, isOptional: true) { writer, port in
      writer.text("id", port.id.text)
      writer.point("place", port.position)
    }
    write(node.decorations, node.style)
  }

  private mutating func writeRest(of edge: GraphEdge) {
    list("curves", edge.curves, isOptional: true) { writer, curve in
      writer.point("first", curve.first)
      writer.point("second", curve.second)
    }
    point("start", edge.start)
    point("end", edge.end)
    text("sourcePort", edge.sourcePort?.text ?? "")
    text("targetPort", edge.targetPort?.text ?? "")
    write(edge.decorations, edge.style)
  }

  mutating func write(_ decorations: [GraphDecoration], _ style: GraphStyle?) {
    list("decorations", decorations, isOptional: true) { writer, decoration in
      writer.text("id", decoration.id.text)
      writer.text("category", decoration.category)
      writer.text("text", decoration.text)
      if let frame = decoration.frame { writer.write(frame) }
      writer.write([], decoration.style)
    }
    guard let style else { return }
    json.key("style")
    json.beginObject()
    for (key, color) in [("stroke", style.stroke), ("fill", style.fill), ("text", style.text)] {
      text(key, color?.hexadecimal ?? "")
    }
    text("outline", style.outline?.rawValue ?? "")
    text("line", style.line?.rawValue ?? "")
    flag("cloneMarker", style.hasCloneMarker)
    json.endObject()
  }

  private mutating func point(_ key: String, _ point: FrozenPath.Point?) {
    guard let point else { return }
    json.key(key)
    json.beginArray()
    json.write(point.x)
    json.write(point.y)
    json.endArray()
  }
}
