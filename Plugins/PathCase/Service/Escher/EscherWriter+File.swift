import PluginJSON

extension EscherWriter {
  /// Writes the description and the map.
  mutating func writeDocument() {
    json.beginArray()
    json.beginObject()
    write("map_name", document.title.isEmpty ? graph.name : document.title)
    write("map_id", graph.id.text)
    write("map_description", document.summary)
    write("homepage", "https://escher.github.io")
    write("schema", "https://escher.github.io/escher/jsonschema/1-0-0#")
    json.endObject()
    json.beginObject()
    json.key("reactions")
    json.beginObject()
    for reaction in reactions { write(reaction) }
    json.endObject()
    json.key("nodes")
    json.beginObject()
    writeNodes()
    json.endObject()
    json.key("text_labels")
    json.beginObject()
    for figure in graph.figures where figure.category == "text" { write(figure) }
    json.endObject()
    writeCanvas()
    json.endObject()
    json.endArray()
  }

  private mutating func write(_ key: String, _ text: String) {
    json.key(key)
    json.write(text)
  }

  private mutating func write(_ key: String, _ number: Double) {
    json.key(key)
    json.write(number)
  }

  private mutating func write(_ reaction: EscherReaction) {
    let node = reaction.node
    json.key(reaction.key)
    json.beginObject()
    write("name", node.label)
    write("bigg_id", node.subject.text)
    json.key("reversibility")
    json.write(reaction.isReversible)
    if let place = node.labelPlace ?? node.frame.map({ FrozenPath.Point(x: $0.x + $0.width, y: $0.y) }) {
      write("label_x", place.x)
      write("label_y", place.y)
    }
    write("gene_reaction_rule", node.geneRule)
    json.key("genes")
    json.beginArray()
    for gene in node.genes {
      json.beginObject()
      write("bigg_id", gene.id.text)
      write("name", gene.name)
      json.endObject()
    }
    json.endArray()
    json.key("metabolites")
    json.beginArray()
    for participant in reaction.participants {
      json.beginObject()
      write("bigg_id", participant.id.text)
      write("coefficient", participant.coefficient)
      json.endObject()
    }
    json.endArray()
    json.key("segments")
    json.beginObject()
    for segment in reaction.segments { write(segment) }
    json.endObject()
    json.endObject()
  }

  private mutating func write(_ segment: EscherReaction.Segment) {
    json.key(segment.id)
    json.beginObject()
    write("from_node_id", segment.from)
    write("to_node_id", segment.to)
    for (key, point) in [("b1", segment.curve.first), ("b2", segment.curve.second)] {
      json.key(key)
      if let point { write(point) } else { json.writeNull() }
    }
    json.endObject()
  }

  private mutating func write(_ point: FrozenPath.Point) {
    json.beginObject()
    write("x", point.x)
    write("y", point.y)
    json.endObject()
  }

  private mutating func writeNodes() {
    // A node that takes part in nothing is written if it is a metabolite on the canvas.
    let written = Set(reactions.flatMap { $0.segments.flatMap { [$0.from, $0.to] } })
    for (index, node) in graph.nodes.enumerated() {
      guard let frame = node.frame else { continue }
      if node.kind == .process {
        writeMarker(ids[index], "midmarker", FrozenPath.Point(x: frame.x, y: frame.y))
      } else if node.category == MapGraphBuilder.freeEnd {
        writeMarker(ids[index], "multimarker", FrozenPath.Point(x: frame.x, y: frame.y))
      } else if node.kind == .pool || written.contains(ids[index]) {
        writeMetabolite(ids[index], node, frame)
      } else {
        leftOut += 1
      }
    }
    for marker in markers { writeMarker(marker.id, "multimarker", marker.place) }
  }

  private mutating func writeMarker(_ id: String, _ type: String, _ place: FrozenPath.Point) {
    json.key(id)
    json.beginObject()
    write("node_type", type)
    write("x", place.x)
    write("y", place.y)
    json.endObject()
  }

  private mutating func writeMetabolite(_ id: String, _ node: GraphNode, _ frame: GraphFrame) {
    json.key(id)
    json.beginObject()
    write("node_type", "metabolite")
    write("x", frame.x)
    write("y", frame.y)
    write("bigg_id", node.subject.text)
    write("name", node.label)
    let label = node.labelPlace ?? FrozenPath.Point(x: frame.x + frame.width / 2, y: frame.y - frame.height / 2)
    write("label_x", label.x)
    write("label_y", label.y)
    json.key("node_is_primary")
    json.write(node.isPrimary)
    json.endObject()
  }

  private mutating func write(_ figure: GraphFigure) {
    json.key(figure.id.text)
    json.beginObject()
    write("text", figure.text)
    write("x", figure.frame.x)
    write("y", figure.frame.y)
    json.endObject()
  }

  private mutating func writeCanvas() {
    let frame = graph.canvas ?? graph.bounds(margin: 100)
    json.key("canvas")
    json.beginObject()
    write("x", frame.x - frame.width / 2)
    write("y", frame.y - frame.height / 2)
    write("width", frame.width)
    write("height", frame.height)
    json.endObject()
  }
}
