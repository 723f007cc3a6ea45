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
  private let bytes: [UInt8]
  private var builder = MapGraphBuilder()
  private var counts: [String: Int] = [:]
  /// The nodes of the file, metabolites and markers, in file order.
  private var parts: [Identifier: EscherPart] = [:]

  /// Reads a map.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    let value: Value
    do {
      value = try Value(json: bytes, depth: 256, sizeInBytes: limitInBytes)
    } catch {
      throw MapError.of(error)
    }
    guard let parts = value.list, parts.count == 2, parts[1].record != nil else {
      throw MapError.structure(.escher, "it is not a list of a description and a map")
    }
    var reader = EscherReader(bytes)
    return try reader.document(parts[0], parts[1])
  }

  private init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// Calls a function with a part of the map; its error gets the position where the part begins.
  private static func placing<Result>(
    _ bytes: [UInt8], _ path: String..., work: () throws(ErrorReport) -> Result
  ) throws(ErrorReport) -> Result {
    do {
      return try work()
    } catch {
      let position = JSONPosition.find([.index(1)] + path.map { .key($0) }, in: bytes)
      return try MapError.placing(line: position?.line ?? 0, column: position?.column ?? 0) { () throws(ErrorReport) in
        throw error
      }
    }
  }

  private mutating func document(_ description: Value, _ map: Value) throws(ErrorReport) -> MapDocument {
    let types = ["metabolite", "midmarker", "multimarker"].map { "node_types." + $0 }
    for name in ["metabolite_refs", "nodes", "primary", "reactions", "segments", "text_labels"] + types {
      counts[name] = 0
    }
    try addNodes(try Self.object(map, "nodes"))
    try addReactions(try Self.object(map, "reactions"))
    try addLabels(map["text_labels"].record ?? Record())
    if let canvas = map["canvas"].record, !canvas.isEmpty {
      builder.graph.canvas = try Self.placing(bytes, "canvas") { () throws(ErrorReport) in try Self.frame(map["canvas"])
      }
    }
    builder.markClones()
    builder.graph.name = description["map_name"].text ?? ""
    builder.graph.id = Identifier(description["map_id"].text ?? "")
    return MapDocument(
      format: .escher, version: description["schema"].text ?? "", graph: builder.graph, title: builder.graph.name,
      summary: description["map_description"].text ?? "", counts: counts, warnings: builder.warnings)
  }

  private static func frame(_ canvas: Value) throws(ErrorReport) -> GraphFrame {
    let corner = try point(canvas, of: "the canvas")
    let width = try number(canvas["width"], of: "the canvas's width")
    let height = try number(canvas["height"], of: "the canvas's height")
    return GraphFrame(x: corner.x + width / 2, y: corner.y + height / 2, width: width, height: height)
  }

  private static func object(_ value: Value, _ name: String) throws(ErrorReport) -> Record {
    guard let record = value[name].record else { throw MapError.structure(.escher, "it has no object '\(name)'") }
    return record
  }

  static func number(_ value: Value, of what: @autoclosure () -> String) throws(ErrorReport) -> Double {
    let number: Double? =
      switch value.content {
      case .integer(let number): Double(number)
      case .number(let number): number
      case .decimal(let text), .text(let text): MapNumber.double(text)
      default: nil
      }
    guard let number, number.isFinite else { throw MapError.number(text: value.text ?? "nothing", of: what()) }
    return number
  }

  private static func point(_ value: Value, of what: @autoclosure () -> String) throws(ErrorReport) -> FrozenPath.Point
  {
    FrozenPath.Point(x: try number(value["x"], of: what()), y: try number(value["y"], of: what()))
  }

  /// Returns an id, which some programs write as a number.
  private static func id(_ value: Value) -> Identifier? {
    (value.text ?? value.integer.map(String.init)).map { Identifier($0) }
  }

  /// Adds the metabolites and collects the markers.
  private mutating func addNodes(_ nodes: Record) throws(ErrorReport) {
    counts["nodes"] = nodes.fields.count
    for (order, field) in nodes.fields.enumerated() {
      try Self.placing(bytes, "nodes", field.name) { () throws(ErrorReport) in try addNode(field, order) }
    }
  }

  private mutating func addNode(_ field: Record.Field, _ order: Int) throws(ErrorReport) {
    let id = Identifier(field.name)
    let type = field.value["node_type"].text ?? ""
    counts["node_types.\(type)", default: 0] += 1
    let position = try Self.point(field.value, of: "the node '\(field.name)'")
    var part = EscherPart(order: order, position: position, isMidmarker: type == "midmarker")
    if type == "metabolite" {
      part.node = try builder.add(try Self.metabolite(id, field.value, position), what: "the node")
      if field.value["node_is_primary"].bool ?? false { counts["primary", default: 0] += 1 }
    }
    parts[id] = part
  }

  private static func metabolite(
    _ id: Identifier, _ value: Value, _ position: FrozenPath.Point
  ) throws(ErrorReport) -> GraphNode {
    let entity = value["bigg_id"].text ?? id.text
    let name = value["name"].text ?? ""
    let isPrimary = value["node_is_primary"].bool ?? false
    let width = isPrimary ? widths.primary : widths.secondary
    var node = GraphNode(
      id: id, label: name.isEmpty ? entity : name, kind: .pool, isPrimary: isPrimary,
      frame: GraphFrame(x: position.x, y: position.y, width: width, height: width), entity: Identifier(entity),
      category: "metabolite")
    node.labelPlace = try labelPlace(value, of: id)
    return node
  }

  private static func labelPlace(_ value: Value, of id: Identifier) throws(ErrorReport) -> FrozenPath.Point? {
    if value["label_x"].isNull || value["label_y"].isNull { return nil }
    return FrozenPath.Point(
      x: try number(value["label_x"], of: "the label of '\(id)'"),
      y: try number(value["label_y"], of: "the label of '\(id)'"))
  }

  private mutating func addLabels(_ labels: Record) throws(ErrorReport) {
    counts["text_labels"] = labels.fields.count
    for field in labels.fields {
      let position = try Self.placing(bytes, "text_labels", field.name) { () throws(ErrorReport) in
        try Self.point(field.value, of: "the text '\(field.name)'")
      }
      builder.graph.figures.append(
        GraphFigure(
          id: Identifier(field.name), category: "text", text: field.value["text"].text ?? "",
          frame: GraphFrame(x: position.x, y: position.y, width: 0, height: 0)))
    }
  }
}

/// A node of an Escher file: a metabolite or a marker.
private struct EscherPart {
  /// The index in file order.
  var order: Int
  var position: FrozenPath.Point
  var isMidmarker: Bool
  /// The index of its node in the graph; nil for a marker.
  var node: Int?
}

extension EscherReader {
  private mutating func addReactions(_ reactions: Record) throws(ErrorReport) {
    counts["reactions"] = reactions.fields.count
    for field in reactions.fields {
      try Self.placing(bytes, "reactions", field.name) { () throws(ErrorReport) in
        try addReaction(field.name, field.value)
      }
    }
  }

  private mutating func addReaction(_ key: String, _ value: Value) throws(ErrorReport) {
    let tree = try segments(of: key, value)
    let name = value["name"].text ?? ""
    let entity = value["bigg_id"].text ?? key
    let root = tree.root.flatMap { parts[$0] }
    var process = GraphNode(
      id: builder.freshID(tree.root?.text ?? "reaction \(key)"), label: name.isEmpty ? entity : name, kind: .process,
      frame: root.map {
        GraphFrame(x: $0.position.x, y: $0.position.y, width: Self.widths.marker, height: Self.widths.marker)
      },
      entity: Identifier(entity), category: "reaction")
    process.labelPlace = try Self.labelPlace(value, of: process.id)
    process.geneRule = value["gene_reaction_rule"].text ?? ""
    process.genes = (value["genes"].list ?? []).map {
      GraphGene(id: Identifier($0["bigg_id"].text ?? ""), name: $0["name"].text ?? "")
    }
    let node = try builder.add(process, what: "the reaction")
    let isReversible = value["reversibility"].bool ?? false
    let drawn = try addParticipants(of: node, value, tree, isReversible: isReversible)
    addRest(of: node, tree, drawn)
    if tree.leftOut > 0 {
      builder.warn(
        "map-simplified",
        "\(tree.leftOut) segments of the reaction '\(entity)' do not lead to a metabolite of their own; "
          + "they are left out")
    }
  }

  /// Adds the edges to the participating metabolites, in list order; returns those that are drawn.
  private mutating func addParticipants(
    of process: Int, _ value: Value, _ tree: EscherSegments, isReversible: Bool
  ) throws(ErrorReport) -> Set<Identifier> {
    var drawn: Set<Identifier> = []
    var listed: Set<Identifier> = []
    let id = builder.graph.nodes[process].id
    var leaves: [Identifier: [Identifier]] = [:]
    for leaf in tree.leaves {
      if let node = parts[leaf]?.node { leaves[builder.graph.nodes[node].subject, default: []].append(leaf) }
    }
    for entry in value["metabolites"].list ?? [] {
      counts["metabolite_refs", default: 0] += 1
      let entity = Identifier(entry["bigg_id"].text ?? "")
      guard listed.insert(entity).inserted else {
        builder.warn("map-simplified", "'\(entity)' is listed twice in the reaction of '\(id)'; the first one is used")
        continue
      }
      let coefficient = try Self.number(entry["coefficient"], of: "the coefficient of '\(entity)'")
      var ends = leaves[entity] ?? []
      if ends.isEmpty {
        let undrawn = GraphNode(
          id: builder.freshID("\(id):\(entity)"), label: entity.text, kind: .pool, isPrimary: false, entity: entity,
          category: Self.undrawn)
        let node = try builder.add(undrawn, what: "the metabolite")
        parts[undrawn.id] = EscherPart(
          order: .max, position: FrozenPath.Point(x: 0, y: 0), isMidmarker: false, node: node)
        ends = [undrawn.id]
      }
      for end in ends {
        drawn.insert(end)
        addEdge(from: process, to: end, tree) { edge in
          edge.isReversible = isReversible
          edge.stoichiometry = abs(coefficient)
          if coefficient < 0 { edge = edge.reversed }
        }
      }
    }
    return drawn
  }

  /// The category of metabolites that are in a reaction but not shown on the map.
  static let undrawn = "undrawn"
  /// The category of reaction ends without a metabolite.
  static let marker = "multimarker"

  /// Adds edges to the remaining ends of a reaction: metabolites that are not listed, and markers at open ends.
  private mutating func addRest(of process: Int, _ tree: EscherSegments, _ drawn: Set<Identifier>) {
    for leaf in tree.leaves where !drawn.contains(leaf) {
      guard let part = parts[leaf] else { continue }
      if let node = part.node {
        builder.warn(
          "map-simplified",
          "the reaction of '\(builder.graph.nodes[process].id)' leads to '\(builder.graph.nodes[node].label)', "
            + "which is not one of its metabolites; it is drawn as one")
      } else {
        parts[leaf]?.node = builder.addFreeEnd(leaf.text, at: part.position)
      }
      addEdge(from: process, to: leaf, tree) { edge in
        edge.kind = .association
        edge.category = Self.marker
      }
      // Another reaction may end at the same marker, with its own node.
      if part.node == nil { parts[leaf]?.node = nil }
    }
  }

  private mutating func addEdge(
    from process: Int, to end: Identifier, _ tree: EscherSegments, _ change: (inout GraphEdge) -> Void
  ) {
    guard let node = parts[end]?.node else { return }
    var edge = GraphEdge(source: process, target: node)
    let path = tree.path(to: end)
    edge.bends = path.dropLast().compactMap { parts[$0.end]?.position }
    if path.contains(where: { $0.curve != GraphCurve() }) { edge.curves = path.map(\.curve) }
    change(&edge)
    builder.graph.edges.append(edge)
  }

  /// Returns the segments of a reaction as a tree.
  private mutating func segments(of key: String, _ value: Value) throws(ErrorReport) -> EscherSegments {
    let fields = value["segments"].record?.fields ?? []
    counts["segments", default: 0] += fields.count
    var segments: [EscherSegments.Segment] = []
    for field in fields {
      segments.append(
        try Self.placing(bytes, "reactions", key, "segments", field.name) { () throws(ErrorReport) in
          try segment(field, of: key)
        })
    }
    return EscherSegments(segments, parts)
  }

  private func segment(_ field: Record.Field, of key: String) throws(ErrorReport) -> EscherSegments.Segment {
    var ends: [Identifier] = []
    for name in ["from_node_id", "to_node_id"] {
      let id = Self.id(field.value[name]) ?? ""
      if parts[id] == nil {
        throw MapError.dangling(from: "the segment '\(field.name)' of the reaction '\(key)'", to: "the node '\(id)'")
      }
      ends.append(id)
    }
    return EscherSegments.Segment(
      from: ends[0], to: ends[1],
      curve: GraphCurve(
        first: try control(field.value["b1"], field.name), second: try control(field.value["b2"], field.name)))
  }

  private func control(_ value: Value, _ segment: String) throws(ErrorReport) -> FrozenPath.Point? {
    value.isNull ? nil : try Self.point(value, of: "the segment '\(segment)'")
  }
}

/// The segments of a reaction as paths from its midmarker through other markers to metabolites.
private struct EscherSegments {
  /// A segment between two nodes of the file.
  struct Segment {
    var from: Identifier
    var to: Identifier
    var curve: GraphCurve
  }

  /// A step of a path.
  struct Step {
    var start: Identifier
    var end: Identifier
    /// The curve in the direction of the path.
    var curve: GraphCurve
  }

  /// The start of all paths: the midmarker, or else another marker; nil if there is none.
  let root: Identifier?
  /// The ends of paths, in the order of the file's nodes.
  private(set) var leaves: [Identifier] = []
  /// The number of segments on no path.
  private(set) var leftOut = 0
  /// The maximum number of segments in a path; those of real maps have three.
  private static let longestWay = 256
  /// The last step to each node.
  private var steps: [Identifier: Step] = [:]

  init(_ segments: [Segment], _ parts: [Identifier: EscherPart]) {
    func order(_ id: Identifier) -> Int { parts[id]?.order ?? .max }
    var neighbors: [Identifier: [Step]] = [:]
    for segment in segments {
      neighbors[segment.from, default: []].append(
        Step(start: segment.from, end: segment.to, curve: segment.curve))
      neighbors[segment.to, default: []].append(
        Step(start: segment.to, end: segment.from, curve: segment.curve.reversed))
    }
    let markers = neighbors.keys.filter { parts[$0]?.node == nil }.sorted { order($0) < order($1) }
    root = markers.first { parts[$0]?.isMidmarker ?? false } ?? markers.first
    guard let root else {
      leftOut = segments.count
      return
    }
    var reached: Set<Identifier> = [root]
    var depths: [Identifier: Int] = [:]
    var queue = [root]
    var next = 0
    var used = 0
    while next < queue.count {
      let current = queue[next]
      next += 1
      var isLeaf = true
      // Paths end at metabolites.
      if parts[current]?.node == nil, depths[current, default: 0] < Self.longestWay {
        for step in neighbors[current] ?? [] where reached.insert(step.end).inserted {
          steps[step.end] = step
          depths[step.end] = depths[current, default: 0] + 1
          queue.append(step.end)
          used += 1
          isLeaf = false
        }
      }
      if isLeaf, current != root { leaves.append(current) }
    }
    leftOut = segments.count - used
    leaves.sort { order($0) < order($1) }
  }

  /// Returns the path from the root to a node; empty if there is none.
  func path(to end: Identifier) -> [Step] {
    var path: [Step] = []
    var current = end
    while let step = steps[current] {
      path.append(step)
      current = step.start
    }
    return Array(path.reversed())
  }
}
