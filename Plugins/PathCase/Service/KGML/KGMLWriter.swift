import PluginAPI
import PluginText

/// Writes maps as KGML.
///
/// A map read from KGML is written back except for links to web pages, further names of an entry, and graphics after
/// its first rectangle. In other networks, pools become compounds, processes become entries of type `reaction`,
/// macromolecules become genes, and links to other pathways become maps. Compartments, amounts and bends cannot be
/// written and are omitted with a warning.
/// - Source: KGML 0.7.2 (https://www.kegg.jp/kegg/xml/docs/).
struct KGMLWriter {
  private let document: MapDocument
  private let graph: ReactionGraph
  private var markup = XMLWriter(doctype: "pathway SYSTEM \"https://www.kegg.jp/kegg/xml/KGML_v0.7.2_.dtd\"")
  /// The entry number of each node.
  private var ids: [String] = []
  private var parts: [[Int]]
  /// The lines that draw entries in maps of whole metabolisms.
  private let lines: [Identifier: [GraphFigure]]
  /// The edges at each node, by index.
  private let edges: [[Int]]

  /// Writes a map.
  ///
  /// - Throws: ``MapError/notPlaced(node:format:)`` if a node has no position.
  static func write(_ document: MapDocument) throws(ErrorReport) -> WrittenMap {
    var writer = KGMLWriter(document)
    for node in writer.graph.nodes where node.frame == nil && node.category != "group" && document.format != .kgml {
      throw MapError.notPlaced(node: node.id.text, format: .kgml)
    }
    writer.write()
    return WrittenMap(bytes: writer.markup.bytes, warnings: writer.warnings)
  }

  private init(_ document: MapDocument) {
    self.document = document
    graph = document.graph.splittingDirectFlows()
    edges = graph.edgesOfNodes
    lines = Dictionary(grouping: graph.figures.filter { $0.category == "line" }, by: \.id)
    parts = [[Int]](repeating: [], count: graph.nodes.count)
    for (index, node) in graph.nodes.enumerated() {
      if let parent = node.parent { parts[parent].append(index) }
    }
    let numbers = graph.nodes.map { node in Int(node.id.text).flatMap { $0 > 0 && "\($0)" == node.id.text ? $0 : nil } }
    var taken = Set(numbers.compactMap { $0 })
    var next = 1
    var given: Set<Int> = []
    ids = numbers.map { number in
      if let number, given.insert(number).inserted { return String(number) }
      while !taken.insert(next).inserted { next += 1 }
      return String(next)
    }
  }

  private var warnings: [Diagnostic] {
    let amounts = graph.edges.count { $0.kind == .flow && $0.stoichiometry != 1 }
    if graph.compartments.isEmpty, amounts == 0 { return [] }
    return [
      Diagnostic(
        .warning, code: "pathcase.map-simplified",
        "KGML has neither compartments nor amounts: \(graph.compartments.count) compartments and \(amounts) amounts are "
          + "left out")
    ]
  }

  private mutating func write() {
    let name = graph.id.text.isEmpty ? "path:map" : graph.id.text
    let digits = String(decoding: name.utf8.reversed().prefix { $0 >= 0x30 && $0 < 0x3A }.reversed(), as: UTF8.self)
    markup.begin(
      "pathway",
      [
        ("name", name.utf8.contains(UInt8(ascii: ":")) ? name : "path:" + name),
        ("org", document.organism.isEmpty ? "map" : document.organism), ("number", digits.isEmpty ? "00000" : digits),
        ("title", document.title.isEmpty ? graph.name : document.title),
      ])
    for index in graph.nodes.indices { writeEntry(index) }
    for edge in graph.relations + graph.edges.filter(isRelation) { writeRelation(edge) }
    for index in graph.nodes.indices where graph.nodes[index].kind == .process { writeReaction(index) }
    markup.end()
  }

  // MARK: Entries

  private mutating func writeEntry(_ index: Int) {
    let node = graph.nodes[index]
    let type = Self.type(of: node)
    var attributes: [(String, String?)] = [("id", ids[index]), ("name", Self.names(of: node, type)), ("type", type)]
    if node.kind == .process, type != "reaction", let reaction = Self.reactionName(node) {
      attributes.append(("reaction", reaction))
    }
    markup.begin("entry", attributes)
    if node.isPoint, let lines = lines[node.id] {
      for line in lines {
        let numbers = line.points.flatMap { [$0.x, $0.y] }.map(Self.number)
        writeGraphics(node.label, line.style, "line", [("coords", numbers.joined(separator: ","))])
      }
    } else if let frame = node.frame {
      let shape =
        switch node.kind {
        case .pool: "circle"
        case .pathway: "roundrectangle"
        case .process, .macromolecule, .other: "rectangle"
        }
      writeGraphics(
        node.label, node.style, shape,
        [
          ("x", Self.number(frame.x)), ("y", Self.number(frame.y)), ("width", Self.number(frame.width)),
          ("height", Self.number(frame.height)),
        ])
    }
    for part in parts[index] { markup.write("component", [("id", ids[part])]) }
    markup.end()
  }

  private mutating func writeGraphics(
    _ name: String, _ style: GraphStyle?, _ type: String, _ position: [(String, String?)]
  ) {
    let looks: [(String, String?)] = [
      ("name", name), ("fgcolor", Self.text(style?.stroke ?? GPMLColor.black)),
      ("bgcolor", Self.text(style?.fill ?? GPMLColor.white)), ("type", type),
    ]
    markup.write("graphics", looks + position)
  }

  /// Returns a color as it appears on white, because KGML has no opacity.
  private static func text(_ color: PictureColor) -> String {
    var opaque = color
    opaque.cover = 1
    return PictureColor.between(GPMLColor.white, opaque, color.cover).hexadecimal
  }

  private static let types: Set = [
    "ortholog", "enzyme", "reaction", "gene", "group", "compound", "map", "brite", "other",
  ]

  private static func type(of node: GraphNode) -> String {
    if types.contains(node.category) { return node.category }
    return switch node.kind {
    case .pool: "compound"
    case .process: "reaction"
    case .macromolecule: "gene"
    case .pathway: "map"
    case .other: "other"
    }
  }

  /// Returns the ids of an entry; references to reactions are written elsewhere.
  private static func names(of node: GraphNode, _ type: String) -> String {
    if type == "group" { return "undefined" }
    let own = node.references.filter { !$0.utf8.starts(with: "rn:".utf8) || type == "reaction" }
    let names = own.filter { !$0.utf8.contains(0x20) && !$0.utf8.starts(with: "http".utf8) }
    return names.isEmpty ? node.subject.text : names.joined(separator: " ")
  }

  /// Returns the reactions that a box represents.
  private static func reactionName(_ node: GraphNode) -> String? {
    let names = node.references.filter { $0.utf8.starts(with: "rn:".utf8) }
    return names.isEmpty ? nil : names.joined(separator: " ")
  }

  // MARK: Reactions and relations

  private mutating func writeReaction(_ index: Int) {
    let node = graph.nodes[index]
    let edges = edges[index].map { graph.edges[$0] }.filter { $0.kind == .flow }
    if edges.isEmpty { return }
    let isReversible = edges.contains(where: \.isReversible)
    markup.begin(
      "reaction",
      [
        ("id", ids[index]), ("name", Self.reactionName(node) ?? node.subject.text),
        ("type", isReversible ? "reversible" : "irreversible"),
      ])
    for isMade in [false, true] {
      for edge in edges where (edge.source == index) == isMade {
        let other = isMade ? edge.target : edge.source
        let pool = graph.nodes[other]
        markup.write(
          isMade ? "product" : "substrate", [("id", ids[other]), ("name", Self.names(of: pool, Self.type(of: pool)))])
      }
    }
    markup.end()
  }

  /// Returns whether an edge is written as a relation: it is neither a flow nor covered by a map link outside the
  /// graph.
  private func isRelation(_ edge: GraphEdge) -> Bool {
    if edge.kind == .flow { return false }
    return edge.category != "maplink" || graph.relations.isEmpty
  }

  private mutating func writeRelation(_ edge: GraphEdge) {
    var subtypes = edge.category.utf8.split(separator: 0x20).map { String(decoding: Array($0), as: UTF8.self) }
    let types: Set = ["ECrel", "PPrel", "GErel", "PCrel", "maplink"]
    let isKnown = subtypes.first.map(types.contains) ?? false
    let hasMap = [edge.source, edge.target].contains { graph.nodes[$0].kind == .pathway }
    let type = isKnown ? subtypes.removeFirst() : hasMap ? "maplink" : "PCrel"
    if !isKnown { subtypes = hasMap ? ["compound"] : Self.subtypes(of: edge.kind) }
    if type == "maplink", subtypes.isEmpty { subtypes = ["compound"] }
    markup.begin("relation", [("entry1", ids[edge.source]), ("entry2", ids[edge.target]), ("type", type)])
    for word in subtypes { markup.write("subtype", [("name", word), ("value", value(of: word, edge))]) }
    markup.end()
  }

  private static func subtypes(of kind: GraphEdge.Kind) -> [String] {
    switch kind {
    case .activation, .catalysis: ["activation"]
    case .inhibition: ["inhibition"]
    case .flow, .association: ["binding/association"]
    }
  }

  /// Returns the value of a subtype: an arrow, or the compound that connects the relation.
  private func value(of subtype: String, _ edge: GraphEdge) -> String {
    switch subtype {
    case "compound", "hidden compound": compound(of: edge).map { ids[$0] } ?? ids[edge.source]
    case "activation", "expression": "-->"
    case "inhibition", "repression": "--|"
    case "indirect effect": "..>"
    case "state change": "..."
    case "binding/association": "---"
    case "dissociation": "-+-"
    case "missing interaction": "-/-"
    case "phosphorylation": "+p"
    case "dephosphorylation": "-p"
    default: "---"
    }
  }

  /// Returns the compound that connects the two ends of a relation.
  private func compound(of edge: GraphEdge) -> Int? {
    for end in [edge.source, edge.target] where graph.nodes[end].kind == .pool { return end }
    let maps = [edge.source, edge.target].filter { graph.nodes[$0].kind == .pathway }
    if let map = maps.first {
      let ways = edges[map].map { graph.edges[$0] }.filter { $0.category == "maplink" && $0.target == map }
        .map(\.source)
      let near = pools(next: edge.source).union(pools(next: edge.target))
      return ways.first(where: near.contains) ?? ways.first
    }
    return pools(next: edge.source).intersection(pools(next: edge.target)).min()
  }

  private func pools(next node: Int) -> Set<Int> {
    var found: Set<Int> = []
    for edge in edges[node].map({ graph.edges[$0] }) where edge.kind == .flow {
      if edge.source == node { found.insert(edge.target) }
      if edge.target == node { found.insert(edge.source) }
    }
    return found
  }

  /// Returns a length in KEGG's notation, without decimals if it is an integer.
  private static func number(_ value: Double) -> String {
    value == value.rounded() && abs(value) < 1e15 ? String(Int(value)) : String(value)
  }
}
