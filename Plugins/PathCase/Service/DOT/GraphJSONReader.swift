import PluginAPI
import PluginJSON

/// Reads graphs in the form written by ``GraphJSONWriter``: maps with their positions and styles.
struct GraphJSONReader {
  private let bytes: [UInt8]
  private var graph = ReactionGraph()
  private var nodes: [Identifier: Int] = [:]
  private var compartments: [Identifier: Int] = [:]

  /// Reads a map.
  ///
  /// - Throws: ``MapError`` with the line and column of the problem.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    let root: Value
    do throws(JSONError) {
      root = try Value(json: bytes, depth: 64, sizeInBytes: MapBytes.limitInBytes)
    } catch { throw MapError.of(error) }
    var reader = GraphJSONReader(bytes: bytes)
    try reader.read(root)
    let graph = reader.graph
    let counts = ["nodes": graph.nodes.count, "edges": graph.edges.count, "compartments": graph.compartments.count]
    return MapDocument(format: .graph, version: "1", graph: graph, title: graph.name, counts: counts)
  }

  private init(bytes: [UInt8]) { self.bytes = bytes }

  private mutating func read(_ root: Value) throws(ErrorReport) {
    graph.id = Identifier(root["id"].text ?? "")
    graph.name = root["name"].text ?? ""
    try readCompartments(root)
    try readNodes(root)
    graph.edges = try list(root, "edges") { reader, value throws(ErrorReport) in try reader.edge(value) }
    graph.relations = try list(root, "relations") { reader, value throws(ErrorReport) in try reader.edge(value) }
    graph.figures = try list(root, "figures") { _, value throws(ErrorReport) in
      GraphFigure(
        id: GraphJSON.id(value), category: value["category"].text ?? "", text: value["text"].text ?? "",
        frame: try GraphJSON.frame(value) ?? GraphFrame(x: 0, y: 0, width: 0, height: 0),
        points: try GraphJSON.points(value["points"], of: "points"), style: try GraphJSON.style(value["style"]))
    }
    graph.canvas = try GraphJSON.frame(root["canvas"])
  }

  /// Reads the entries of a list; the error of an entry includes the position where it begins.
  private mutating func list<Item>(
    _ root: Value, _ key: String, _ read: (inout GraphJSONReader, Value) throws(ErrorReport) -> Item
  ) throws(ErrorReport) -> [Item] {
    var items: [Item] = []
    for (index, value) in (root[key].list ?? []).enumerated() {
      do throws(ErrorReport) {
        if value.record == nil { throw MapError.structure(.graph, "entry \(index + 1) of '\(key)' is not an object") }
        items.append(try read(&self, value))
      } catch {
        throw placed(error, [.key(key), .index(index)])
      }
    }
    return items
  }

  private func placed(_ error: ErrorReport, _ path: [JSONPosition.Step]) -> ErrorReport {
    if error.isPlaced { return error }
    return JSONPosition.find(path, in: bytes).map { error.placed(line: $0.line, column: $0.column).short } ?? error
  }

  private mutating func readCompartments(_ root: Value) throws(ErrorReport) {
    var parents: [String?] = []
    var found = try list(root, "compartments") { reader, value throws(ErrorReport) in
      let id = GraphJSON.id(value)
      if id.text.isEmpty { throw MapError.missingID(what: "a compartment") }
      if reader.compartments.updateValue(parents.count, forKey: id) != nil {
        throw MapError.duplicate(id: id.text, what: "the compartment")
      }
      parents.append(value["parent"].text)
      return GraphCompartment(
        id: id, name: value["name"].text ?? "", frame: try GraphJSON.frame(value),
        decorations: try GraphJSON.decorations(value), style: try GraphJSON.style(value["style"]))
    }
    for (index, name) in parents.enumerated() {
      guard let name else { continue }
      guard let parent = compartments[Identifier(name)] else {
        throw placed(
          MapError.dangling(from: "the compartment '\(found[index].id)'", to: "the compartment '\(name)'"),
          [.key("compartments"), .index(index)])
      }
      found[index].parent = parent
    }
    do {
      let (sorted, places) = try MapCompartmentOrder.apply(found)
      graph.compartments = sorted
      for (id, index) in compartments { compartments[id] = places[index] }
    } catch { throw placed(error, [.key("compartments")]) }
  }

  private mutating func readNodes(_ root: Value) throws(ErrorReport) {
    var parents: [String?] = []
    graph.nodes = try list(root, "nodes") { reader, value throws(ErrorReport) in
      let node = try reader.node(value)
      if reader.nodes.updateValue(parents.count, forKey: node.id) != nil {
        throw MapError.duplicate(id: node.id.text, what: "the node")
      }
      parents.append(value["parent"].text)
      return node
    }
    for (index, name) in parents.enumerated() {
      guard let name else { continue }
      guard let parent = nodes[Identifier(name)] else {
        throw placed(
          MapError.dangling(from: "the node '\(graph.nodes[index].id)'", to: "the node '\(name)'"),
          [.key("nodes"), .index(index)])
      }
      graph.nodes[index].parent = parent
    }
    do {
      _ = try MapCompartmentOrder.sorted(graph.nodes.map(\.parent), ids: graph.nodes.map(\.id))
    } catch { throw placed(error, [.key("nodes")]) }
  }

  private func node(_ value: Value) throws(ErrorReport) -> GraphNode {
    let id = GraphJSON.id(value)
    if id.text.isEmpty { throw MapError.missingID(what: "a node") }
    var node = GraphNode(
      id: id, label: value["label"].text ?? "", kind: try GraphJSON.word(value, "kind") ?? .other,
      isCommon: GraphJSON.flag(value, "common"), isPrimary: !GraphJSON.flag(value, "secondary"),
      frame: try GraphJSON.frame(value), entity: value["entity"].text.map { Identifier($0) },
      isClone: GraphJSON.flag(value, "clone"), category: value["category"].text ?? "")
    if let name = value["compartment"].text {
      guard let compartment = compartments[Identifier(name)] else {
        throw MapError.dangling(from: "the node '\(id)'", to: "the compartment '\(name)'")
      }
      node.compartment = compartment
    }
    try readRest(of: &node, value)
    return node
  }

  private func readRest(of node: inout GraphNode, _ value: Value) throws(ErrorReport) {
    for port in value["ports"].list ?? [] {
      let position = try GraphJSON.point(port["place"], of: "place") ?? FrozenPath.Point(x: 0, y: 0)
      node.ports.append(GraphPort(id: GraphJSON.id(port), position: position))
    }
    node.decorations = try GraphJSON.decorations(value)
    node.labelPlace = try GraphJSON.point(value["labelPlace"], of: "labelPlace")
    node.references = (value["references"].list ?? []).compactMap(\.text)
    node.genes = (value["genes"].list ?? []).map { GraphGene(id: GraphJSON.id($0), name: $0["name"].text ?? "") }
    node.geneRule = value["geneRule"].text ?? ""
    node.caption = value["caption"].text ?? ""
    node.isPoint = GraphJSON.flag(value, "point")
    node.style = try GraphJSON.style(value["style"])
  }

  private func edge(_ value: Value) throws(ErrorReport) -> GraphEdge {
    var ends: [Int] = []
    for key in ["source", "target"] {
      let name = value[key].text ?? ""
      guard let node = nodes[Identifier(name)] else {
        throw MapError.dangling(from: "an edge", to: "the node '\(name)'")
      }
      ends.append(node)
    }
    var edge = GraphEdge(source: ends[0], target: ends[1], kind: try GraphJSON.word(value, "kind") ?? .flow)
    edge.isReversible = GraphJSON.flag(value, "reversible")
    if !value["stoichiometry"].isNull {
      edge.stoichiometry = try EscherReader.number(value["stoichiometry"], of: "'stoichiometry'")
    }
    edge.bends = try GraphJSON.points(value["bends"], of: "bends")
    edge.id = GraphJSON.id(value)
    edge.category = value["category"].text ?? ""
    for curve in value["curves"].list ?? [] {
      edge.curves.append(
        GraphCurve(
          first: try GraphJSON.point(curve["first"], of: "first"),
          second: try GraphJSON.point(curve["second"], of: "second")))
    }
    edge.start = try GraphJSON.point(value["start"], of: "start")
    edge.end = try GraphJSON.point(value["end"], of: "end")
    edge.sourcePort = value["sourcePort"].text.map { Identifier($0) }
    edge.targetPort = value["targetPort"].text.map { Identifier($0) }
    edge.decorations = try GraphJSON.decorations(value)
    edge.style = try GraphJSON.style(value["style"])
    return edge
  }
}

/// Readers for the parts of graphs in JSON.
private enum GraphJSON {
  static func id(_ value: Value) -> Identifier { Identifier(value["id"].text ?? "") }

  static func flag(_ value: Value, _ key: String) -> Bool { value[key].bool ?? false }

  /// Returns the word in a field; nil if the field is absent.
  static func word<Word: RawRepresentable & CaseIterable>(
    _ value: Value, _ key: String
  ) throws(ErrorReport) -> Word? where Word.RawValue == String {
    guard let text = value[key].text else { return nil }
    if let word = Word(rawValue: text) { return word }
    throw MapError.word(text: text, of: "'\(key)'", known: Word.allCases.map(\.rawValue))
  }

  /// Returns a rectangle from its center and size; nil if there is none.
  static func frame(_ value: Value) throws(ErrorReport) -> GraphFrame? {
    if value["x"].isNull { return nil }
    func number(_ key: String) throws(ErrorReport) -> Double { try EscherReader.number(value[key], of: "'\(key)'") }
    return GraphFrame(x: try number("x"), y: try number("y"), width: try number("width"), height: try number("height"))
  }

  static func points(_ value: Value, of key: String) throws(ErrorReport) -> [FrozenPath.Point] {
    var points: [FrozenPath.Point] = []
    for entry in value.list ?? [] { if let point = try point(entry, of: key) { points.append(point) } }
    return points
  }

  /// Returns a point, written as a list of two numbers; nil if there is none.
  static func point(_ value: Value, of key: String) throws(ErrorReport) -> FrozenPath.Point? {
    if value.isNull { return nil }
    guard let list = value.list, list.count == 2 else {
      throw MapError.number(text: value.text ?? "", of: "'\(key)', which is a list of two,")
    }
    return FrozenPath.Point(
      x: try EscherReader.number(list[0], of: "'\(key)'"), y: try EscherReader.number(list[1], of: "'\(key)'"))
  }

  static func decorations(_ value: Value) throws(ErrorReport) -> [GraphDecoration] {
    var decorations: [GraphDecoration] = []
    for entry in value["decorations"].list ?? [] {
      decorations.append(
        GraphDecoration(
          id: id(entry), category: entry["category"].text ?? "", text: entry["text"].text ?? "",
          frame: try frame(entry), style: try style(entry["style"])))
    }
    return decorations
  }

  static func style(_ value: Value) throws(ErrorReport) -> GraphStyle? {
    if value.record == nil { return nil }
    func color(_ key: String) throws(ErrorReport) -> PictureColor? {
      guard let text = value[key].text else { return nil }
      if let color = PictureColor(hexadecimal: text) { return color }
      throw MapError.word(text: text, of: "'\(key)'", known: ["#RRGGBB", "#RRGGBBAA"])
    }
    return GraphStyle(
      stroke: try color("stroke"), fill: try color("fill"), text: try color("text"),
      outline: try word(value, "outline"), line: try word(value, "line"), hasCloneMarker: flag(value, "cloneMarker"))
  }
}
