import PluginAPI
import PluginJSON

/// Reads maps of Escher.
///
/// Each metabolite on the canvas becomes a node; nodes of the same metabolite are clones of each other. Each reaction
/// becomes a process at its midmarker, with an edge to each of its metabolites along the segments between them.
/// - Source: https://escher.github.io/escher/jsonschema/1-0-0
struct EscherReader {
  /// The widths of metabolites and markers on the canvas, in its unit.
  ///
  /// - Source: Escher's settings `primary_metabolite_radius`, `secondary_metabolite_radius` and `marker_radius`.
  static let widths = (primary: 40.0, secondary: 20.0, marker: 10.0)

  /// The maximum file size in bytes; in memory it may take twenty times as much.
  private static let limitInBytes = 32 << 20

  /// The file.
  let bytes: [UInt8]
  var builder = MapGraphBuilder()
  var counts: [String: Int] = [:]
  /// The nodes of the file, metabolites and markers, in file order.
  var parts: [Identifier: EscherPart] = [:]

  /// Reads a map.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> MapDocument {
    let value: Value
    do {
      value = try Value(json: bytes, depth: 256, sizeInBytes: limitInBytes)
    } catch {
      throw MapError(json: error)
    }
    guard let parts = value.list, parts.count == 2, parts[1].record != nil else {
      throw .structure(.escher, "it is not a list of a description and a map")
    }
    var reader = EscherReader(bytes)
    return try reader.document(parts[0], parts[1])
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Calls a function with a part of the map; its error gets the position where the part begins.
  static func placing<Result>(
    _ bytes: [UInt8], _ path: String..., work: () throws(MapError) -> Result
  ) throws(MapError) -> Result {
    do {
      return try work()
    } catch {
      let place = JSONValuePlace.find([.index(1)] + path.map { .key($0) }, in: bytes)
      return try MapError.placing(line: place?.line ?? 0, column: place?.column ?? 0) { () throws(MapError) in
        throw error
      }
    }
  }

  private mutating func document(_ description: Value, _ map: Value) throws(MapError) -> MapDocument {
    let types = ["metabolite", "midmarker", "multimarker"].map { "node_types." + $0 }
    for name in ["metabolite_refs", "nodes", "primary", "reactions", "segments", "text_labels"] + types {
      counts[name] = 0
    }
    try addNodes(try Self.object(map, "nodes"))
    try addReactions(try Self.object(map, "reactions"))
    try addLabels(map["text_labels"].record ?? Record())
    if let canvas = map["canvas"].record, !canvas.isEmpty {
      builder.graph.canvas = try Self.placing(bytes, "canvas") { () throws(MapError) in try Self.frame(map["canvas"]) }
    }
    builder.markClones()
    builder.graph.name = description["map_name"].text ?? ""
    builder.graph.id = Identifier(description["map_id"].text ?? "")
    return MapDocument(
      format: .escher, version: description["schema"].text ?? "", graph: builder.graph, title: builder.graph.name,
      summary: description["map_description"].text ?? "", counts: counts, warnings: builder.warnings)
  }

  private static func frame(_ canvas: Value) throws(MapError) -> GraphFrame {
    let corner = try point(canvas, of: "the canvas")
    let width = try number(canvas["width"], of: "the canvas's width")
    let height = try number(canvas["height"], of: "the canvas's height")
    return GraphFrame(x: corner.x + width / 2, y: corner.y + height / 2, width: width, height: height)
  }

  static func object(_ value: Value, _ name: String) throws(MapError) -> Record {
    guard let record = value[name].record else { throw .structure(.escher, "it has no object '\(name)'") }
    return record
  }

  static func number(_ value: Value, of what: @autoclosure () -> String) throws(MapError) -> Double {
    let number: Double? =
      switch value.content {
      case .integer(let number): Double(number)
      case .number(let number): number
      case .decimal(let text), .text(let text): MapNumber.double(text)
      default: nil
      }
    guard let number, number.isFinite else { throw .number(text: value.text ?? "nothing", of: what()) }
    return number
  }

  static func point(_ value: Value, of what: @autoclosure () -> String) throws(MapError) -> FrozenPath.Point {
    FrozenPath.Point(x: try number(value["x"], of: what()), y: try number(value["y"], of: what()))
  }

  /// Returns an id, which some programs write as a number.
  static func id(_ value: Value) -> Identifier? {
    (value.text ?? value.integer.map(String.init)).map { Identifier($0) }
  }

  /// Adds the metabolites and collects the markers.
  private mutating func addNodes(_ nodes: Record) throws(MapError) {
    counts["nodes"] = nodes.fields.count
    for (order, field) in nodes.fields.enumerated() {
      try Self.placing(bytes, "nodes", field.name) { () throws(MapError) in try addNode(field, order) }
    }
  }

  private mutating func addNode(_ field: Record.Field, _ order: Int) throws(MapError) {
    let id = Identifier(field.name)
    let type = field.value["node_type"].text ?? ""
    counts["node_types.\(type)", default: 0] += 1
    let place = try Self.point(field.value, of: "the node '\(field.name)'")
    var part = EscherPart(order: order, place: place, isMidmarker: type == "midmarker")
    if type == "metabolite" {
      part.node = try builder.add(try Self.metabolite(id, field.value, place), what: "the node")
      if field.value["node_is_primary"].bool ?? false { counts["primary", default: 0] += 1 }
    }
    parts[id] = part
  }

  private static func metabolite(
    _ id: Identifier, _ value: Value, _ place: FrozenPath.Point
  ) throws(MapError) -> GraphNode {
    let entity = value["bigg_id"].text ?? id.text
    let name = value["name"].text ?? ""
    let isPrimary = value["node_is_primary"].bool ?? false
    let width = isPrimary ? widths.primary : widths.secondary
    var node = GraphNode(
      id: id, label: name.isEmpty ? entity : name, kind: .pool, isPrimary: isPrimary,
      frame: GraphFrame(x: place.x, y: place.y, width: width, height: width), entity: Identifier(entity),
      category: "metabolite")
    node.labelPlace = try labelPlace(value, of: id)
    return node
  }

  static func labelPlace(_ value: Value, of id: Identifier) throws(MapError) -> FrozenPath.Point? {
    if value["label_x"].isNull || value["label_y"].isNull { return nil }
    return FrozenPath.Point(
      x: try number(value["label_x"], of: "the label of '\(id)'"),
      y: try number(value["label_y"], of: "the label of '\(id)'"))
  }

  private mutating func addLabels(_ labels: Record) throws(MapError) {
    counts["text_labels"] = labels.fields.count
    for field in labels.fields {
      let place = try Self.placing(bytes, "text_labels", field.name) { () throws(MapError) in
        try Self.point(field.value, of: "the text '\(field.name)'")
      }
      builder.graph.figures.append(
        GraphFigure(
          id: Identifier(field.name), category: "text", text: field.value["text"].text ?? "",
          frame: GraphFrame(x: place.x, y: place.y, width: 0, height: 0)))
    }
  }
}

/// A node of an Escher file: a metabolite or a marker.
struct EscherPart {
  /// The index in file order.
  var order: Int
  var place: FrozenPath.Point
  var isMidmarker: Bool
  /// The index of its node in the graph; nil for a marker.
  var node: Int?
}
