import PluginAPI
import PluginJSON

/// Writes maps in Escher's format.
///
/// Metabolites, reactions, their curves, genes and texts are written; modifiers can only be written as texts. A map
/// read from an Escher file is written unchanged, except that markers and segments are renumbered.
/// - Source: https://escher.github.io/escher/jsonschema/1-0-0
struct EscherWriter {
  private let document: MapDocument
  private var graph: ReactionGraph { document.graph }
  private var json = JSONWriter()
  /// The id of each graph node in the file.
  private var ids: [String] = []
  private var lastID = 0
  private var reactions: [EscherReaction] = []
  /// The markers between midmarkers and metabolites, with their new ids.
  private var markers: [(id: String, position: FrozenPath.Point)] = []
  private var leftOut = 0

  /// Writes a map.
  ///
  /// - Parameter leftOut: The number of nodes and edges of the network that are already missing from the document.
  /// - Throws: ``MapError/notPlaced(node:format:)`` if a process or one of its participants has no position.
  static func write(_ document: MapDocument, leftOut: Int = 0) throws(ErrorReport) -> WrittenMap {
    var writer = EscherWriter(document)
    writer.leftOut = leftOut
    try writer.collect()
    writer.writeDocument()
    var warnings: [Diagnostic] = []
    if writer.leftOut > 0 {
      warnings.append(
        Diagnostic(
          .warning, code: "pathcase.map-simplified",
          "\(writer.leftOut) nodes and edges are left out, because an Escher map cannot hold them"))
    }
    return WrittenMap(bytes: writer.json.take(), warnings: warnings)
  }

  private init(_ document: MapDocument) {
    var document = document
    document.graph = document.graph.splittingDirectFlows()
    self.document = document
    // Larger integers are not exact in Escher, which uses JavaScript numbers.
    let numbers = document.graph.nodes.map { Int($0.id.text).flatMap { $0 < 1 << 53 ? $0 : nil } }
    // Escher continues counting at the largest number, so ids are numbers.
    let areNumbers = numbers.allSatisfy { $0 ?? -1 >= 0 }
    if areNumbers, Set(document.graph.nodes.map(\.id)).count == numbers.count {
      ids = document.graph.nodes.map(\.id.text)
      lastID = numbers.compactMap { $0 }.max() ?? 0
    } else {
      // In a map read from Escher only nodes without a position have other ids.
      lastID = numbers.compactMap { $0 }.max() ?? 0
      for (index, number) in numbers.enumerated() {
        if let number, number >= 0 { ids.append(document.graph.nodes[index].id.text) } else { ids.append(freshID()) }
      }
    }
  }

  private mutating func freshID() -> String {
    lastID += 1
    return String(lastID)
  }

  /// Converts processes to reactions.
  private mutating func collect() throws(ErrorReport) {
    var indices: [Int: Int] = [:]
    for (index, node) in graph.nodes.enumerated() where node.kind == .process {
      indices[index] = reactions.count
      reactions.append(EscherReaction(key: ids[index], midmarker: ids[index], node: node))
    }
    for edge in graph.edges {
      let ends = (graph.nodes[edge.source].kind == .process, graph.nodes[edge.target].kind == .process)
      if ends == (false, true), let reaction = indices[edge.target], isWritten(edge) {
        try add(edge.reversed, to: reaction, sign: -1)
      } else if ends == (true, false), let reaction = indices[edge.source], isWritten(edge) {
        try add(edge, to: reaction, sign: edge.kind == .flow ? 1 : 0)
      } else {
        leftOut += 1
      }
    }
  }

  private func isWritten(_ edge: GraphEdge) -> Bool { edge.kind == .flow || edge.category == EscherReader.marker }

  /// Adds a path of a reaction, starting at its midmarker.
  ///
  /// - Parameter sign: The sign of the coefficient; 0 for an end without a metabolite.
  private mutating func add(_ edge: GraphEdge, to reaction: Int, sign: Double) throws(ErrorReport) {
    let node = graph.nodes[edge.target]
    if sign != 0 { reactions[reaction].add(node.subject, edge.stoichiometry * sign) }
    reactions[reaction].isReversible = reactions[reaction].isReversible || edge.isReversible
    if node.frame == nil, node.category == EscherReader.undrawn { return }
    guard node.frame != nil else { throw MapError.notPlaced(node: node.id.text, format: .escher) }
    let process = reactions[reaction].node
    guard process.frame != nil else { throw MapError.notPlaced(node: process.id.text, format: .escher) }
    var last = reactions[reaction].midmarker
    for (index, bend) in edge.bends.enumerated() {
      let marker = reactions[reaction].marker(at: bend) ?? freshID()
      if reactions[reaction].note(marker, at: bend) { markers.append((marker, bend)) }
      addSegment(from: last, to: marker, index < edge.curves.count ? edge.curves[index] : GraphCurve(), to: reaction)
      last = marker
    }
    addSegment(from: last, to: ids[edge.target], edge.curves.last ?? GraphCurve(), to: reaction)
  }

  private mutating func addSegment(from: String, to: String, _ curve: GraphCurve, to reaction: Int) {
    if reactions[reaction].has(from, to) { return }
    reactions[reaction].segments.append(
      EscherReaction.Segment(id: freshID(), from: from, to: to, curve: curve))
  }
}

extension EscherWriter {
  /// Writes the description and the map.
  private mutating func writeDocument() {
    json.beginArray()
    json.object { [document, graph] json in
      json.write("map_name", document.title.isEmpty ? graph.name : document.title)
      json.write("map_id", graph.id.text)
      json.write("map_description", document.summary)
      json.write("homepage", "https://escher.github.io")
      json.write("schema", "https://escher.github.io/escher/jsonschema/1-0-0#")
    }
    json.beginObject()
    json.object("reactions") { [reactions] json in for reaction in reactions { Self.write(reaction, &json) } }
    json.key("nodes")
    json.beginObject()
    writeNodes()
    json.endObject()
    json.object("text_labels") { [graph] json in
      for figure in graph.figures where figure.category == "text" {
        json.object(figure.id.text) {
          $0.write("text", figure.text)
          Self.write(figure.frame.center, &$0)
        }
      }
    }
    let frame = graph.canvas ?? graph.bounds(margin: 100)
    json.object("canvas") {
      $0.write("x", frame.x - frame.width / 2)
      $0.write("y", frame.y - frame.height / 2)
      $0.write("width", frame.width)
      $0.write("height", frame.height)
    }
    json.endObject()
    json.endArray()
  }

  private static func write(_ reaction: EscherReaction, _ json: inout JSONWriter) {
    let node = reaction.node
    json.object(reaction.key) { json in
      json.write("name", node.label)
      json.write("bigg_id", node.subject.text)
      json.write("reversibility", reaction.isReversible)
      if let position = node.labelPlace ?? node.frame.map({ FrozenPath.Point(x: $0.x + $0.width, y: $0.y) }) {
        json.write("label_x", position.x)
        json.write("label_y", position.y)
      }
      json.write("gene_reaction_rule", node.geneRule)
      json.objects("genes", node.genes) {
        $1.write("bigg_id", $0.id.text)
        $1.write("name", $0.name)
      }
      json.objects("metabolites", reaction.participants) {
        $1.write("bigg_id", $0.id.text)
        $1.write("coefficient", $0.coefficient)
      }
      json.object("segments") { json in for segment in reaction.segments { write(segment, &json) } }
    }
  }

  private static func write(_ segment: EscherReaction.Segment, _ json: inout JSONWriter) {
    json.object(segment.id) { json in
      json.write("from_node_id", segment.from)
      json.write("to_node_id", segment.to)
      for (key, point) in [("b1", segment.curve.first), ("b2", segment.curve.second)] {
        if let point {
          json.object(key) { write(point, &$0) }
        } else {
          json.key(key)
          json.writeNull()
        }
      }
    }
  }

  private static func write(_ point: FrozenPath.Point, _ json: inout JSONWriter) {
    json.write("x", point.x)
    json.write("y", point.y)
  }

  private mutating func writeNodes() {
    // A node that takes part in nothing is written if it is a metabolite on the canvas.
    let written = Set(reactions.flatMap { $0.segments.flatMap { [$0.from, $0.to] } })
    for (index, node) in graph.nodes.enumerated() {
      guard let frame = node.frame else { continue }
      if node.kind == .process {
        writeMarker(ids[index], "midmarker", frame.center)
      } else if node.isBarePoint {
        writeMarker(ids[index], "multimarker", frame.center)
      } else if node.kind == .pool || written.contains(ids[index]) {
        writeMetabolite(ids[index], node, frame)
      } else {
        leftOut += 1
      }
    }
    for marker in markers { writeMarker(marker.id, "multimarker", marker.position) }
  }

  private mutating func writeMarker(_ id: String, _ type: String, _ position: FrozenPath.Point) {
    json.object(id) {
      $0.write("node_type", type)
      Self.write(position, &$0)
    }
  }

  private mutating func writeMetabolite(_ id: String, _ node: GraphNode, _ frame: GraphFrame) {
    let label = node.labelPlace ?? FrozenPath.Point(x: frame.x + frame.width / 2, y: frame.y - frame.height / 2)
    json.object(id) {
      $0.write("node_type", "metabolite")
      Self.write(frame.center, &$0)
      $0.write("bigg_id", node.subject.text)
      $0.write("name", node.label)
      $0.write("label_x", label.x)
      $0.write("label_y", label.y)
      $0.write("node_is_primary", node.isPrimary)
    }
  }
}

/// A reaction of an Escher file.
private struct EscherReaction {
  /// A segment between two nodes of the file.
  struct Segment {
    var id: String
    var from: String
    var to: String
    var curve: GraphCurve
  }

  var key: String
  var midmarker: String
  var node: GraphNode
  var isReversible = false
  /// The metabolites, each once.
  private(set) var participants: [(id: Identifier, coefficient: Double)] = []
  var segments: [Segment] = [] {
    didSet { if let last = segments.last { ends.insert([last.from, last.to]) } }
  }
  private var listed: Set<Identifier> = []
  private var ends: Set<[String]> = []
  private var markers: [FrozenPath.Point: String] = [:]

  init(key: String, midmarker: String, node: GraphNode) {
    self.key = key
    self.midmarker = midmarker
    self.node = node
  }

  /// Adds a metabolite, consumed if the coefficient is below 0; clones of a listed one add nothing.
  mutating func add(_ id: Identifier, _ coefficient: Double) {
    if listed.insert(id).inserted { participants.append((id, coefficient)) }
  }

  /// Returns whether there is a segment between two nodes.
  func has(_ from: String, _ to: String) -> Bool { ends.contains([from, to]) }

  /// Returns the marker at a position; nil if there is none yet.
  func marker(at position: FrozenPath.Point) -> String? { markers[position] }

  /// Adds a marker; returns false if there was one already.
  mutating func note(_ id: String, at position: FrozenPath.Point) -> Bool {
    markers.updateValue(id, forKey: position) == nil
  }
}
