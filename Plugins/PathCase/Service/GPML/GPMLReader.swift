/// Reads maps of WikiPathways and PathVisio.
///
/// Nodes are data nodes, groups, and other elements at which lines end. A line with anchors becomes a chain of
/// processes, one per anchor, so that an enzyme's line ends at the process it catalyzes. Shapes drawn as cell
/// components become compartments of the elements in them.
/// - Source: GPML2013a and GPML2021 (https://github.com/PathVisio/GPML).
struct GPMLReader {
  let tree: MarkupTree
  let version: GPMLVersion
  var builder = MapGraphBuilder()
  var counts: [String: Int] = [:]
  /// The elements below the root by name, in the order of the file.
  private var places: [String: [Int]] = [:]
  /// The groups, keyed by the reference that their members use.
  var groups: [Identifier: Int] = [:]
  /// The positions that lines give to their ends.
  var ends: [Identifier: FrozenPath.Point] = [:]
  /// The ids at which lines end.
  private(set) var targets: Set<Identifier> = []
  /// The references to groups that have members.
  private(set) var groupsWithMembers: Set<Identifier> = []

  /// Reads a map.
  ///
  /// - Throws: ``MapError``.
  static func read(_ bytes: [UInt8]) throws(MapError) -> MapDocument {
    let tree = try MarkupTree(bytes, MarkupRules(skipped: ["Biopax", "Citations", "Annotations"]))
    guard tree.root.name == "Pathway" else {
      throw .structure(.gpml, "its outermost element is '\(tree.root.name)' and not 'Pathway'")
    }
    guard let version = GPMLVersion(namespace: tree.root.namespace) else {
      throw .version(.gpml, seen: tree.root.namespace, read: "2013a and 2021")
    }
    var reader = GPMLReader(tree: tree, version: version)
    return try reader.document()
  }

  private init(tree: MarkupTree, version: GPMLVersion) {
    self.tree = tree
    self.version = version
    for index in tree.elements.indices.dropFirst() { places[tree.elements[index].name, default: []].append(index) }
  }

  private mutating func document() throws(MapError) -> MapDocument {
    countElements()
    try addGroups()
    try addNodes()
    try addStates()
    try addLines()
    try addCompartments()
    builder.warnOfFreeEnds()
    builder.markClones()
    builder.captionUnnamed()
    let root = tree.root
    builder.graph.name = root[version.title] ?? ""
    if let board = tree.child(of: 0, named: "Graphics"),
      let width = try number(board, version.boardWidth), let height = try number(board, version.boardHeight)
    {
      builder.graph.canvas = GraphFrame(x: width / 2, y: height / 2, width: width, height: height)
    }
    return MapDocument(
      format: .gpml, version: root.namespace, graph: builder.graph, title: builder.graph.name,
      organism: root[version.organism] ?? "", counts: counts, warnings: builder.warnings)
  }

  /// Counts the elements, and collects the targets of lines with their positions.
  private mutating func countElements() {
    for name in Self.counted { counts[name] = places[name]?.count ?? 0 }
    for index in elements("DataNode", "Group", "Label", "Shape", "Interaction", "GraphicalLine") {
      if let group = tree[index][version.groupReference] { groupsWithMembers.insert(Identifier(group)) }
    }
    var count = 0
    for index in elements("Point") {
      let element = tree[index]
      guard let reference = element[version.reference] else { continue }
      count += 1
      targets.insert(Identifier(reference))
      if let x = element[version.x].flatMap(MapNumber.double), let y = element[version.y].flatMap(MapNumber.double) {
        ends[Identifier(reference)] = FrozenPath.Point(x: x, y: y)
      }
    }
    counts["point_refs"] = count
  }

  private static let counted = [
    "Anchor", "DataNode", "GraphicalLine", "Group", "Interaction", "Label", "Line", "Shape", "State",
  ]

  /// Returns the elements with given names, in the order of the file.
  func elements(_ names: String...) -> [Int] {
    if names.count == 1 { return places[names[0]] ?? [] }
    return names.flatMap { places[$0] ?? [] }.sorted()
  }

  func number(_ element: MarkupTree.Element, _ name: String) throws(MapError) -> Double? {
    try MapNumber.optional(element[name], of: "'\(name)' of '\(element.name)'")
  }

  /// Returns the rectangle of an element; nil if it has none.
  func frame(of index: Int) throws(MapError) -> GraphFrame? {
    guard let graphics = tree.child(of: index, named: "Graphics"), let x = try number(graphics, version.centerX),
      let y = try number(graphics, version.centerY)
    else { return nil }
    return GraphFrame(
      x: x, y: y, width: try number(graphics, version.width) ?? 0, height: try number(graphics, version.height) ?? 0)
  }

  /// Returns the id of an element, or one made of its kind and number if it has none.
  func id(of index: Int) -> Identifier {
    if let id = tree[index][version.id], !id.isEmpty { return Identifier(id) }
    return builder.freshID("\(tree[index].name) \(index)")
  }
}
