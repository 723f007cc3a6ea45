import PluginAPI
import PluginText

/// Writes maps as process descriptions of SBGN-ML 0.3.
///
/// A map read from SBGN-ML is written back except for the positions of labels. In other maps, nodes get the class of
/// their kind, free ends become sources and sinks, and a flow without a process gets one.
/// - Source: SBGN-ML 0.3 (https://github.com/sbgn/sbgn/wiki/SBGN_ML).
struct SBGNWriter {
  private let graph: ReactionGraph
  /// The maps to which submaps may link.
  private let maps: Set<Identifier>
  private var markup: XMLWriter
  private var ids = SBGNNames()
  /// The parts of each node, by index.
  private var parts: [[Int]]
  private var frames: [GraphFrame] = []
  /// The name of each node, by index: if several nodes share an id, the first gets it.
  private var names: [String] = []

  /// Writes a map and those to which its submaps link.
  ///
  /// - Throws: ``MapError/notPlaced(node:format:)`` if a node has no position.
  static func write(_ document: MapDocument) throws(ErrorReport) -> WrittenMap {
    var markup = XMLWriter()
    markup.begin("sbgn", [("xmlns", SBGNReader.namespaces[1])])
    let maps = Set(document.submaps.map(\.id))
    var names = SBGNNames()
    for graph in [document.graph] + document.submaps {
      var writer = SBGNWriter(graph.splittingDirectFlows(), maps, markup, names)
      try writer.write()
      (markup, names) = (writer.markup, writer.ids)
    }
    markup.end()
    return WrittenMap(bytes: markup.bytes)
  }

  private init(_ graph: ReactionGraph, _ maps: Set<Identifier>, _ markup: XMLWriter, _ ids: SBGNNames) {
    self.graph = graph
    self.maps = maps
    self.markup = markup
    self.ids = ids
    parts = [[Int]](repeating: [], count: graph.nodes.count)
    for (index, node) in graph.nodes.enumerated() {
      if let parent = node.parent { parts[parent].append(index) }
    }
  }

  private mutating func write() throws(ErrorReport) {
    for node in graph.nodes {
      guard let frame = node.frame else { throw MapError.notPlaced(node: node.id.text, format: .sbgn) }
      frames.append(frame)
      ids.reserve([node.id] + node.ports.map(\.id))
    }
    nameNodes()
    let id = graph.id.text.isEmpty ? nil : ids.name(of: graph.id)
    markup.begin("map", [("id", id), ("language", "process description")])
    for index in graph.compartments.indices { writeCompartment(index) }
    writeGlyphs()
    for (index, edge) in graph.edges.enumerated() { write(edge, number: index) }
    markup.end()
  }

  private mutating func nameNodes() {
    var seen: Set<Identifier> = []
    for node in graph.nodes {
      names.append(seen.insert(node.id).inserted ? ids.name(of: node.id) : ids.freshName(of: node.id))
    }
  }

  private mutating func writeCompartment(_ index: Int) {
    let compartment = graph.compartments[index]
    let id = ids.name(of: compartment.id)
    let parent = compartment.parent.map { ids.name(of: graph.compartments[$0].id) }
    markup.begin("glyph", [("id", id), ("class", "compartment"), ("compartmentRef", parent)])
    writeLabel(compartment.name)
    write(compartment.frame ?? graph.bounds(ofCompartment: index, margin: 20))
    for decoration in compartment.decorations { write(decoration, of: compartment.id) }
    markup.end()
  }

  /// Writes the glyphs, parts within their wholes; the open ones are in a list rather than on the call stack.
  private mutating func writeGlyphs() {
    var work = graph.nodes.indices.filter { graph.nodes[$0].parent == nil }.reversed().map { (node: $0, ends: false) }
    while let step = work.popLast() {
      if step.ends {
        markup.end()
        continue
      }
      begin(step.node)
      work.append((step.node, true))
      for part in parts[step.node].reversed() { work.append((part, false)) }
    }
  }

  private mutating func begin(_ index: Int) {
    let node = graph.nodes[index]
    let glyph = glyphClass(of: index)
    var attributes: [(String, String?)] = [("id", names[index]), ("class", glyph)]
    if let compartment = node.compartment, node.parent.map({ graph.nodes[$0].compartment }) != compartment {
      attributes.append(("compartmentRef", ids.name(of: graph.compartments[compartment].id)))
    }
    if let entity = node.entity, glyph == "submap", maps.contains(entity) {
      attributes.append(("mapRef", ids.name(of: entity)))
    }
    if let entity = node.entity, glyph == "terminal" { attributes.append(("tagRef", ids.name(of: entity))) }
    markup.begin("glyph", attributes)
    writeLabel(node.label)
    if node.isClone { markup.write("clone") }
    write(frames[index])
    for decoration in node.decorations { write(decoration, of: node.id) }
    for port in node.ports {
      markup.write("port", [("id", ids.name(of: port.id))] + Self.position(port.position))
    }
  }

  private func glyphClass(of index: Int) -> String {
    let node = graph.nodes[index]
    if SBGNGlyphClass.isKnown(node.category) { return node.category }
    if node.category == MapGraphBuilder.freeEnd { return "source and sink" }
    if !parts[index].isEmpty { return "complex" }
    return SBGNGlyphClass.name(of: node)
  }

  private mutating func write(_ edge: GraphEdge, number: Int) {
    let source = edge.sourcePort.map { ids.name(of: $0) } ?? names[edge.source]
    let target = edge.targetPort.map { ids.name(of: $0) } ?? names[edge.target]
    let id = edge.id.text.isEmpty ? Identifier("arc \(number)") : edge.id
    markup.begin(
      "arc",
      [
        ("id", ids.isFree(id) ? ids.name(of: id) : ids.name(of: Identifier("\(id) \(number)"))),
        ("class", SBGNArcClass.name(of: edge, in: graph)), ("source", source), ("target", target),
      ])
    for decoration in edge.decorations { write(decoration, of: id) }
    if edge.decorations.isEmpty, edge.stoichiometry != 1 { write(amount(of: edge), of: id) }
    markup.write("start", Self.position(edge.start ?? frames[edge.source].center))
    for (index, bend) in edge.bends.enumerated() { writeCorner("next", bend, edge, piece: index) }
    writeCorner("end", edge.end ?? frames[edge.target].center, edge, piece: edge.bends.count)
    markup.end()
  }

  /// Returns the number of molecules on an arc, at its midpoint.
  private func amount(of edge: GraphEdge) -> GraphDecoration {
    let (from, to) = (edge.start ?? frames[edge.source].center, edge.end ?? frames[edge.target].center)
    let text = Int(exactly: edge.stoichiometry).map(String.init) ?? String(edge.stoichiometry)
    return GraphDecoration(
      category: "cardinality", text: text,
      frame: GraphFrame(x: (from.x + to.x) / 2, y: (from.y + to.y) / 2, width: 20, height: 15))
  }

  private mutating func writeCorner(_ name: String, _ position: FrozenPath.Point, _ edge: GraphEdge, piece: Int) {
    let curve = piece < edge.curves.count ? edge.curves[piece] : GraphCurve()
    let controls = [curve.first, curve.second].compactMap { $0 }
    if controls.isEmpty {
      markup.write(name, Self.position(position))
      return
    }
    markup.begin(name, Self.position(position))
    for control in controls { markup.write("point", Self.position(control)) }
    markup.end()
  }

  private mutating func write(_ decoration: GraphDecoration, of owner: Identifier) {
    let id = decoration.id.text.isEmpty ? Identifier("\(owner) \(decoration.category)") : decoration.id
    let isKnown = SBGNGlyphClass.isDecoration(decoration.category)
    let glyph = isKnown ? decoration.category : "unit of information"
    markup.begin("glyph", [("id", ids.freshName(of: id)), ("class", glyph)])
    if glyph == "state variable" {
      let parts = decoration.text.utf8.split(
        separator: UInt8(ascii: "@"), maxSplits: 1, omittingEmptySubsequences: false)
      let values = parts.map { String(decoding: Array($0), as: UTF8.self) }
      let value = values.first.flatMap { $0.isEmpty ? nil : $0 }
      markup.write("state", [("value", value), ("variable", values.count > 1 ? values[1] : nil)])
    } else {
      writeLabel(decoration.text)
    }
    if let frame = decoration.frame { write(frame) }
    markup.end()
  }

  private mutating func writeLabel(_ text: String) {
    if !text.isEmpty { markup.write("label", [("text", text)]) }
  }

  private mutating func write(_ frame: GraphFrame) {
    markup.write(
      "bbox",
      Self.position(FrozenPath.Point(x: frame.x - frame.width / 2, y: frame.y - frame.height / 2))
        + [("w", frame.width.description), ("h", frame.height.description)])
  }

  private static func position(_ point: FrozenPath.Point) -> [(String, String?)] {
    [("x", point.x.description), ("y", point.y.description)]
  }
}

/// Assigns unique XML ids to the elements of a file.
///
/// - Source: Namespaces in XML 1.0, section 3 (NCName); all letters beyond ASCII are accepted.
private struct SBGNNames {
  private var names: [Identifier: String] = [:]
  private var used: Set<Identifier> = []

  /// Returns whether an id has no name yet and is itself available as one.
  func isFree(_ id: Identifier) -> Bool { names[id] == nil && !used.contains(id) }

  /// Returns the name of an id: the id itself if XML permits it, or else one derived from it.
  mutating func name(of id: Identifier) -> String {
    if let name = names[id] { return name }
    let name = freshName(of: id)
    names[id] = name
    return name
  }

  /// Returns a name for an element that nothing refers to.
  mutating func freshName(of id: Identifier) -> String {
    let plain = Self.isName(id.text) ? id.text : Self.made(of: id.text)
    var name = plain
    var number = max(2, used.count)
    while !used.insert(Identifier(name)).inserted {
      name = "\(plain)_\(number)"
      number += 1
    }
    return name
  }

  /// Reserves names for ids before others take them.
  mutating func reserve(_ ids: [Identifier]) {
    for id in ids { _ = name(of: id) }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return isStart(first) && text.utf8.allSatisfy { isStart($0) || isFurther($0) }
  }

  private static func made(of text: String) -> String {
    "id_" + String(decoding: text.utf8.map { isStart($0) || isFurther($0) ? $0 : UInt8(ascii: "_") }, as: UTF8.self)
  }

  private static func isStart(_ byte: UInt8) -> Bool {
    byte >= 0x80 || byte == UInt8(ascii: "_") || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }

  private static func isFurther(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "-") || byte == UInt8(ascii: ".") || (byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9"))
  }
}
