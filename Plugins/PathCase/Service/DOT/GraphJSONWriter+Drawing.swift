import PluginJSON

/// The parts of a drawing outside its network.
extension GraphJSONWriter {
  mutating func writeRest(of node: GraphNode) {
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
      writer.point("place", port.place)
    }
    write(node.decorations, node.style)
  }

  mutating func writeRest(of edge: GraphEdge) {
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
