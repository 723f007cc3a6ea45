import PluginAPI

/// Reads maps of KEGG.
///
/// Compounds become pools; the enzymes of a reaction, drawn as one box, become its process. Relations between adjacent
/// enzymes are kept outside the graph if reactions express them too.
/// - Source: KGML 0.7.2 (https://www.kegg.jp/kegg/xml/docs/).
struct KGMLReader {
  private let tree: MarkupTree
  private var builder = MapGraphBuilder()
  private var counts: [String: Int] = [:]
  /// The nodes keyed by the names of their entries, for files whose reactions give no ids.
  private var names: [Identifier: Int] = [:]
  /// The nodes keyed by the reactions that their entries name.
  private var boxes: [Identifier: Int] = [:]

  /// Reads a map.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(ErrorReport) -> MapDocument {
    // Each file names the format's document type, which is never fetched.
    let tree = try MarkupTree(bytes, MarkupRules(allowsDoctype: true))
    guard tree.root.name == "pathway" else {
      throw MapError.structure(.kgml, "its root element is '\(tree.root.name)' instead of 'pathway'")
    }
    var reader = KGMLReader(tree: tree)
    return try reader.document()
  }

  private init(tree: MarkupTree) {
    self.tree = tree
  }

  private mutating func document() throws(ErrorReport) -> MapDocument {
    count()
    try addEntries()
    addGroups()
    try addReactions()
    addRelations()
    builder.markClones()
    builder.captionUnnamed()
    let root = tree.root
    builder.graph.id = Identifier(root["name"] ?? "")
    builder.graph.name = root["title"] ?? ""
    return MapDocument(
      format: .kgml, version: "0.7", graph: builder.graph, title: builder.graph.name, organism: root["org"] ?? "",
      counts: counts, warnings: builder.warnings)
  }

  private mutating func count() {
    for name in ["component", "entry", "graphics", "product", "reaction", "relation", "substrate", "subtype"] {
      counts[name] = 0
    }
    let kinds = ["entry": "entry_types", "reaction": "reaction_types", "relation": "relation_types"]
    for index in tree.descendants(of: 0) {
      let element = tree[index]
      guard counts[element.name] != nil else { continue }
      counts[element.name, default: 0] += 1
      if let kind = kinds[element.name] { counts["\(kind).\(element["type"] ?? "")", default: 0] += 1 }
      if element.name == "graphics" { counts["graphics_types.\(element["type"] ?? "rectangle")", default: 0] += 1 }
    }
  }

  private mutating func addEntries() throws(ErrorReport) {
    for index in tree.children(of: 0, named: "entry") {
      try tree[index].placing { () throws(ErrorReport) in try addEntry(index) }
    }
  }

  private mutating func addEntry(_ index: Int) throws(ErrorReport) {
    let element = tree[index]
    let type = element["type"] ?? ""
    let references = MapText.list(element["name"] ?? "")
    let graphics = tree.child(of: index, named: "graphics")
    var node = GraphNode(
      id: Identifier(element["id"] ?? ""), label: Self.label(graphics?["name"] ?? "", references),
      kind: Self.kind(of: type), frame: try frame(of: index), category: type, references: references)
    // A group does not have a name.
    node.entity = references.first.flatMap { $0 == "undefined" ? nil : Identifier($0) }
    if node.label == "undefined" { node.label = "" }
    node.style = Self.style(graphics)
    node.isPoint = graphics?["type"] == "line"
    let entry = try builder.add(node, what: "the entry")
    if let reaction = element["reaction"], boxes[Identifier(reaction)] == nil { boxes[Identifier(reaction)] = entry }
    for reference in references where names[Identifier(reference)] == nil { names[Identifier(reference)] = entry }
    try addLines(of: index)
  }

  private static func kind(of type: String) -> GraphNode.Kind {
    switch type {
    case "compound": .pool
    case "gene", "ortholog", "enzyme", "group", "reaction": .macromolecule
    case "map": .pathway
    default: .other
    }
  }

  /// Returns the first of an entry's comma-separated names; the first id if it has none.
  private static func label(_ names: String, _ references: [String]) -> String {
    var first = String(decoding: names.utf8.prefix { $0 != UInt8(ascii: ",") }, as: UTF8.self)
    if first.hasSuffix("...") { first.removeLast(3) }
    let label = MapText.oneLine(first)
    return label.isEmpty ? references.first ?? "" : label
  }

  /// Returns the rectangle of an entry, whose position is its center; the first if there are several.
  ///
  /// An entry drawn as lines has an empty frame in the middle of the first.
  private func frame(of index: Int) throws(ErrorReport) -> GraphFrame? {
    for child in tree.children(of: index, named: "graphics") {
      let graphics = tree[child]
      if graphics["type"] == "line" {
        guard let points = try line(graphics), !points.isEmpty else { continue }
        let middle = FrozenPath.Point.along(points, at: 0.5)
        return GraphFrame(x: middle.x, y: middle.y, width: 0, height: 0)
      }
      let what = "the graphics of entry '\(tree[index]["id"] ?? "")'"
      guard let x = try MapNumber.optional(graphics["x"], of: what),
        let y = try MapNumber.optional(graphics["y"], of: what)
      else { continue }
      return GraphFrame(
        x: x, y: y, width: try MapNumber.optional(graphics["width"], of: what) ?? 0,
        height: try MapNumber.optional(graphics["height"], of: what) ?? 0)
    }
    return nil
  }

  /// Returns the vertices of a line, written as `x,y,x,y`; nil if there are none.
  private func line(_ graphics: MarkupTree.Element) throws(ErrorReport) -> [FrozenPath.Point]? {
    guard let text = graphics["coords"] else { return nil }
    var numbers: [Double] = []
    for word in text.utf8.split(separator: UInt8(ascii: ",")) {
      let word = String(decoding: Array(word), as: UTF8.self)
      guard let number = MapNumber.double(word) else { throw MapError.number(text: word, of: "'coords' of a line") }
      numbers.append(number)
    }
    return stride(from: 0, to: numbers.count - 1, by: 2).map { FrozenPath.Point(x: numbers[$0], y: numbers[$0 + 1]) }
  }

  /// Adds the lines that draw an entry in maps of whole metabolisms.
  private mutating func addLines(of index: Int) throws(ErrorReport) {
    for child in tree.children(of: index, named: "graphics") where tree[child]["type"] == "line" {
      guard let points = try line(tree[child]), points.count > 1 else { continue }
      builder.addLine(Identifier(tree[index]["id"] ?? ""), points, Self.style(tree[child]))
    }
  }

  /// Returns the colors of an entry; nil if they are black on white.
  private static func style(_ graphics: MarkupTree.Element?) -> GraphStyle? {
    guard let graphics else { return nil }
    func color(_ name: String) -> PictureColor? { graphics[name].flatMap { PictureColor(hexadecimal: $0) } }
    var style = GraphStyle()
    if let stroke = color("fgcolor"), stroke != GPMLColor.black { style.stroke = stroke }
    if let fill = color("bgcolor"), fill != GPMLColor.white { style.fill = fill }
    return style == GraphStyle() ? nil : style
  }

  /// Puts the components of groups into them.
  private mutating func addGroups() {
    for index in tree.children(of: 0, named: "entry") {
      guard let group = builder.indices[Identifier(tree[index]["id"] ?? "")] else { continue }
      for child in tree.children(of: index, named: "component") {
        let id = tree[child]["id"] ?? ""
        guard let part = builder.indices[Identifier(id)], part != group else {
          builder.warn(
            "ref-002", "the group '\(builder.graph.nodes[group].id)' has the component '\(id)', which does not exist")
          continue
        }
        // Groups are never nested; a cycle of them must be impossible too.
        if builder.graph.nodes[group].parent == nil { builder.graph.nodes[part].parent = group }
      }
    }
  }
}

extension KGMLReader {
  /// Adds the reactions: the box of their enzymes becomes the process.
  private mutating func addReactions() throws(ErrorReport) {
    var used: Set<Int> = []
    for index in tree.children(of: 0, named: "reaction") {
      let element = tree[index]
      let references = MapText.list(element["name"] ?? "")
      let process: Int
      if let box = box(of: element), used.insert(box).inserted {
        process = box
        builder.graph.nodes[box].kind = .process
        builder.graph.nodes[box].references += references
      } else {
        let wanted = "reaction \(element["id"] ?? element["name"] ?? "\(index)")"
        let node = GraphNode(
          id: builder.freshID(wanted), label: references.first ?? "", kind: .process,
          entity: references.first.map { Identifier($0) }, category: "reaction", references: references)
        process = try builder.add(node, what: "the reaction")
      }
      let isReversible = element["type"] == "reversible"
      for child in tree.children(of: index) {
        let isInput = tree[child].name == "substrate"
        guard isInput || tree[child].name == "product" else { continue }
        let pool = try pool(tree[child])
        var edge = GraphEdge(source: isInput ? pool : process, target: isInput ? process : pool)
        edge.isReversible = isReversible
        edge.category = tree[child].name
        builder.graph.edges.append(edge)
      }
    }
  }

  /// Returns the entry whose enzymes catalyze a reaction: that with its id, or else one that names the reaction.
  private func box(of reaction: MarkupTree.Element) -> Int? {
    if let id = reaction["id"], let node = builder.indices[Identifier(id)] {
      return builder.graph.nodes[node].kind == .macromolecule || builder.graph.nodes[node].kind == .process ? node : nil
    }
    return reaction["id"] == nil ? reaction["name"].flatMap { boxes[Identifier($0)] } : nil
  }

  /// Returns the node of a substrate or product; a new one without a position if the file has no entry for it.
  private mutating func pool(_ element: MarkupTree.Element) throws(ErrorReport) -> Int {
    if let id = element["id"], let node = builder.indices[Identifier(id)] { return node }
    let name = element["name"] ?? element["id"] ?? ""
    if element["id"] == nil, let node = names[Identifier(name)] { return node }
    builder.warn("ref-002", "a reaction refers to the compound '\(name)', which has no entry; it gets a new position")
    let node = GraphNode(
      id: builder.freshID(element["id"] ?? name), label: name, kind: .pool, entity: Identifier(name),
      category: "compound", references: [name])
    let index = try builder.add(node, what: "the compound")
    if names[Identifier(name)] == nil { names[Identifier(name)] = index }
    return index
  }

  /// Adds the relations between pairs of entries.
  ///
  /// Enzymes that share a compound are not drawn as pairs if there are reactions. Links to other maps are drawn from
  /// the compound that connects them.
  private mutating func addRelations() {
    let hasReactions = counts["reaction"] ?? 0 > 0
    var ways: Set<[Int]> = []
    var missing = 0
    for index in tree.children(of: 0, named: "relation") {
      let element = tree[index]
      guard let source = builder.indices[Identifier(element["entry1"] ?? "")],
        let target = builder.indices[Identifier(element["entry2"] ?? "")]
      else {
        missing += 1
        continue
      }
      let subtypes = tree.children(of: index, named: "subtype").map { tree[$0] }
      let subtypeNames = subtypes.compactMap { $0["name"] }
      var edge = GraphEdge(source: source, target: target, kind: Self.kind(of: subtypeNames))
      edge.category = ([element["type"] ?? ""] + subtypeNames).joined(separator: " ")
      if element["type"] == "maplink" {
        let compound = subtypes.first { $0["name"] == "compound" }.flatMap {
          builder.indices[Identifier($0["value"] ?? "")]
        }
        let map = [source, target].first { builder.graph.nodes[$0].kind == .pathway }
        guard let compound, let map else {
          builder.graph.relations.append(edge)
          continue
        }
        builder.graph.relations.append(edge)
        if ways.insert([compound, map]).inserted {
          builder.graph.edges.append(GraphEdge(source: compound, target: map, kind: .association, category: "maplink"))
        }
      } else if element["type"] == "ECrel", hasReactions {
        builder.graph.relations.append(edge)
      } else {
        builder.graph.edges.append(edge)
      }
    }
    if missing > 0 {
      builder.warn("ref-002", "\(missing) relations refer to entries that do not exist; they are left out")
    }
  }

  /// Returns the meaning of a relation's subtypes.
  private static func kind(of subtypes: [String]) -> GraphEdge.Kind {
    for name in subtypes {
      switch name {
      case "activation", "expression", "indirect effect": return .activation
      case "inhibition", "repression": return .inhibition
      default: continue
      }
    }
    return .association
  }
}
