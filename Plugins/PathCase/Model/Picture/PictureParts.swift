/// The parts of a picture before layout: names, and the molecules beside each process.
///
/// Common molecules, and others off the main chain, are not laid out. They are placed at the left of each of their
/// processes, consumed ones on one side of its line and produced ones on the other. Modifiers are placed at its right.
struct PictureParts: Sendable {
  /// A molecule beside a process.
  struct Side: Sendable, Hashable {
    var edge: GraphEdge
    /// The index of the node in the graph.
    var node: Int
    var label: PictureLabel
    /// True if it lies inside the wall on which its process sits, at the right.
    var isInside = false

    var width: Double { label.width + PictureParts.sideMargin.width }
    var height: Double { label.height + PictureParts.sideMargin.height }
  }

  /// The molecules beside a process.
  struct Sides: Sendable, Hashable {
    var used: [Side] = []
    var made: [Side] = []
    /// The activators and catalysts.
    var helpers: [Side] = []
    var inhibitors: [Side] = []

    var hasModifiers: Bool { !helpers.isEmpty || !inhibitors.isEmpty }
    var all: [Side] { used + made + helpers + inhibitors }
  }

  /// The letter sizes in points: for metabolites on the main chain, for processes, and for all others.
  static let letters = (main: 12.0, process: 10.0, side: 9.5)
  /// The width of a process's square.
  static let square = 12.0
  /// The margin around a side molecule's name in its shape.
  private static let sideMargin = (width: 9.0, height: 4.5)
  /// The gap between side molecules in a column.
  static let sideGap = 2.5
  /// The distance from the center of the square to the first side molecule above or below; it separates consumed and
  /// produced molecules.
  static let sideStart = 4.0
  /// The margin around the name in the box of a link to another pathway.
  static let wayMargin = (width: 13.0, height: 9.0)
  /// The gap between a pool and the links beside it.
  static let wayGap = 12.0
  /// The distance from the square to the side molecules.
  static let reach = 30.0

  /// The graph to lay out: molecules beside processes are treated as common.
  private(set) var graph: ReactionGraph
  /// The molecules beside each process, by node index.
  private(set) var sides: [Int: Sides] = [:]
  /// The links to other pathways beside each pool, by index of the pool.
  private(set) var links: [Int: [Int]] = [:]
  private(set) var labels: [PictureLabel] = []
  /// The processes with molecules in several compartments, by node index.
  let transports: Set<Int>
  /// The name drawn for each node.
  private var names: [String] = []

  /// - Parameter texts: An additional line below the name of a process, given its index; nil for none.
  init(
    _ graph: ReactionGraph, hidesCommon: Bool, isStored: Bool, showsIDs: Bool = false,
    texts: (GraphNode) -> String? = { _ in nil }
  ) {
    self.graph = graph
    transports = graph.transports
    names = graph.nodes.map { Self.name($0, showsID: showsIDs) }
    if !isStored {
      nameApart()
      self.graph.markCarriers()
      moveCarriers()
      findSides(hidesCommon: hidesCommon)
    }
    labels = zip(graph.nodes, names).map { node, name in
      var label = Self.label(name, node)
      if !isStored, node.kind == .process, let text = texts(node) { label.lines.append(text) }
      return label
    }
  }

  /// Shortens names to fit, so that different names look different, on the main chain and beside it.
  private mutating func nameApart() {
    let ids = graph.nodes.map(\.subject.text)
    for isSide in [false, true] {
      var nodes = graph.nodes
      if isSide { for index in nodes.indices { nodes[index].isPrimary = false } }
      names = ShownNames.distinct(names, ids: ids) { Self.label($1, nodes[$0]).lines }
    }
  }

  private mutating func findSides(hidesCommon: Bool) {
    let membranes = graph.membranes(CompartmentOrder.parents(graph))
    var uses = [Int](repeating: 0, count: graph.nodes.count)
    for edge in graph.edges where uses.indices.contains(edge.source) && uses.indices.contains(edge.target) {
      uses[edge.source] += 1
      uses[edge.target] += 1
    }
    for (index, edge) in graph.edges.enumerated() {
      guard uses.indices.contains(edge.source), uses.indices.contains(edge.target) else { continue }
      let isMade = graph.nodes[edge.source].kind == .process
      let (process, pool) = isMade ? (edge.source, edge.target) : (edge.target, edge.source)
      let node = graph.nodes[pool]
      guard graph.nodes[process].kind == .process, node.kind == .pool else { continue }
      let isModifier = edge.kind != .flow && edge.kind != .association
      guard Self.isSide(node) || isModifier else { continue }
      // Loops are not laid out, nor are flows to hidden molecules.
      if isModifier { graph.edges[index].target = graph.edges[index].source }
      if hidesCommon, node.isCommon { continue }
      var small = node
      small.isPrimary = false
      let side = side(small, pool, of: process, edge, membranes)
      switch edge.kind {
      case .flow where isMade: sides[process, default: Sides()].made.append(side)
      case .flow: sides[process, default: Sides()].used.append(side)
      case .inhibition: sides[process, default: Sides()].inhibitors.append(side)
      case .activation, .catalysis, .association: sides[process, default: Sides()].helpers.append(side)
      }
    }
    for node in graph.nodes.indices where graph.nodes[node].kind == .pool && !graph.nodes[node].isPrimary {
      graph.nodes[node].isCommon = true
    }
    findLinks(uses)
  }

  /// Returns a molecule beside a process.
  ///
  /// A molecule of a process in a membrane is placed on its own side of it; if it is from elsewhere, its compartment is
  /// named.
  private func side(
    _ node: GraphNode, _ index: Int, of process: Int, _ edge: GraphEdge, _ membranes: [Int: Int]
  ) -> Side {
    let usual = Side(edge: edge, node: index, label: Self.label(names[index], node))
    guard edge.kind == .flow, let room = node.compartment, transports.contains(process) || membranes[process] != nil
    else { return usual }
    if room == membranes[process] {
      var side = usual
      side.isInside = true
      return side
    }
    let inner = membranes[process]
    let outer = inner.map { graph.compartments[$0].parent } ?? graph.nodes[process].compartment
    guard graph.compartments.indices.contains(room), room != outer else { return usual }
    let name = graph.compartments[room].name
    let text = "\(names[index]) [\(name.isEmpty ? graph.compartments[room].id.text : name)]"
    return Side(edge: edge, node: index, label: PictureLabel(text, size: Self.letters.side, width: 150, most: 2))
  }

  /// Removes links to other pathways from the layout, to place them beside their pools.
  private mutating func findLinks(_ uses: [Int]) {
    var known: Set<[Int]> = []
    var names: [Identifier: Int] = [:]
    for edge in graph.edges where uses.indices.contains(edge.source) && uses.indices.contains(edge.target) {
      let isFirst = graph.nodes[edge.source].kind == .pathway
      let (way, pool) = isFirst ? (edge.source, edge.target) : (edge.target, edge.source)
      guard graph.nodes[way].kind == .pathway, graph.nodes[pool].kind == .pool, uses[way] == 1 else { continue }
      let name = names[graph.nodes[way].subject] ?? way
      names[graph.nodes[way].subject] = name
      graph.nodes[way].isCommon = true
      if known.insert([pool, name]).inserted { links[pool, default: []].append(way) }
    }
  }

  /// Puts processes outside all compartments into the outermost compartment of their pools.
  private mutating func moveCarriers() {
    var rooms: [Int: Int] = [:]
    for edge in graph.edges where edge.kind == .flow && edge.source != edge.target {
      guard graph.nodes.indices.contains(edge.source), graph.nodes.indices.contains(edge.target) else { continue }
      for (process, pool) in [(edge.source, edge.target), (edge.target, edge.source)]
      where graph.nodes[process].kind == .process && graph.nodes[process].compartment == nil {
        guard let room = graph.nodes[pool].compartment, graph.nodes[pool].kind == .pool else { continue }
        let isOuter = rooms[process].map { depth(of: room) < depth(of: $0) } ?? true
        if isOuter { rooms[process] = room }
      }
    }
    for (process, room) in rooms { graph.nodes[process].compartment = room }
  }

  /// Returns the number of compartments that enclose one.
  private func depth(of room: Int) -> Int {
    var (depth, next) = (0, room)
    while graph.compartments.indices.contains(next), let outer = graph.compartments[next].parent, depth < 64 {
      (depth, next) = (depth + 1, outer)
    }
    return depth
  }

  /// Returns the name of a node as drawn: its id if ids are requested.
  static func name(_ node: GraphNode, showsID: Bool) -> String {
    showsID ? node.subject.text : ShownNames.name(node)
  }

  /// Returns the name in a node's shape, or beside a process.
  static func label(_ name: String, _ node: GraphNode) -> PictureLabel {
    switch node.kind {
    case .process: return PictureLabel(name, size: letters.process, width: 104, most: 3)
    case .pathway:
      return PictureLabel(name, size: letters.side, width: 92, most: 2, isItalic: true)
    case .pool where !isSide(node):
      return PictureLabel(name, size: letters.main, width: 112, most: 3, isBold: true)
    case .pool, .macromolecule, .other: return PictureLabel(name, size: letters.side, width: 84, most: 2)
    }
  }

  /// Returns whether a metabolite is drawn small: a common molecule, or one off the main chain.
  static func isSide(_ node: GraphNode) -> Bool { node.isCommon || !node.isPrimary }

  // MARK: Sizes

  /// Returns the options for the layout of the network.
  ///
  /// - Parameter isStored: True if the network's own positions are used.
  func options(isStored: Bool) -> LayoutOptions {
    var options = LayoutOptions()
    options.common = isStored ? .asOthers : .hidden
    var sizes: [Identifier: LayoutOptions.Size] = [:]
    for index in graph.nodes.indices where sizes[graph.nodes[index].id] == nil {
      sizes[graph.nodes[index].id] = size(index)
    }
    options.size = { [sizes] in sizes[$0.id] ?? LayoutOptions.usualSize($0) }
    options.nodeGap = 18
    options.layerGap = 30
    options.framePadding = 22
    return options
  }

  /// Returns the distance from the center of a process's square to its name.
  func labelGap(_ process: Int) -> Double {
    Self.square / 2 + (sides[process]?.hasModifiers ?? false ? 16 : 5)
  }

  /// Returns the space that a layout reserves for a node; a process has its square in the middle.
  private func size(_ index: Int) -> LayoutOptions.Size {
    let (node, label) = (graph.nodes[index], labels[index])
    guard node.kind == .process else {
      let shape = shapeSize(index)
      guard let ways = links[index] else { return shape }
      let widest = ways.reduce(0) { max($0, labels[$1].width) } + Self.wayMargin.width
      let rows = (ways.count + 1) / 2
      let highest = ways.reduce(0) { max($0, labels[$1].height) } + Self.wayMargin.height + Self.sideGap
      return LayoutOptions.Size(
        width: shape.width + 2 * (Self.wayGap + widest), height: max(shape.height, Double(rows) * highest))
    }
    let sides = sides[index] ?? Sides()
    func width(_ list: [Side]) -> Double { list.reduce(0) { max($0, $1.width) } }
    let flows = sides.used + sides.made
    let (left, inner) = (width(flows.filter { !$0.isInside }), width(flows.filter(\.isInside)))
    let modifiers = max(width(sides.helpers), width(sides.inhibitors))
    var right = label.lines.isEmpty ? Self.square / 2 : labelGap(index) + label.width
    if modifiers > 0 { right = max(right, Self.square / 2 + Self.reach * 0.8 + modifiers) }
    if inner > 0 { right = max(right, Self.square / 2 + Self.reach + inner) }
    let half = max(right, left > 0 ? Self.square / 2 + Self.reach + left : 0, 14)
    return LayoutOptions.Size(width: 2 * half, height: max(24, 2 * halfHeight(sides, label)))
  }

  /// Returns the distance that the molecules beside a square extend up or down.
  private func halfHeight(_ sides: Sides, _ label: PictureLabel) -> Double {
    func height(_ list: [Side], isInside: Bool) -> Double { Self.height(list.filter { $0.isInside == isInside }) }
    let outer = max(height(sides.used, isInside: false), height(sides.made, isInside: false))
    let inner = max(height(sides.used, isInside: true), height(sides.made, isInside: true))
    let (helpers, inhibitors) = (Self.height(sides.helpers), Self.height(sides.inhibitors))
    // The name is above the molecules inside, the modifiers below it.
    let right =
      inner > 0 ? inner + max(label.height, helpers + inhibitors) : label.height / 2 + max(helpers, inhibitors)
    return max(outer, right)
  }

  /// Returns the size of the shape of a node that is not a process.
  func shapeSize(_ index: Int) -> LayoutOptions.Size {
    let margin = Self.isSide(graph.nodes[index]) ? (width: 12.0, height: 7.0) : (width: 22.0, height: 12.0)
    return LayoutOptions.Size(width: labels[index].width + margin.width, height: labels[index].height + margin.height)
  }

  /// Returns the height of a column, measured from the center of its process's square.
  static func height(_ list: [Side]) -> Double {
    list.isEmpty ? 0 : list.reduce(sideStart) { $0 + $1.height + sideGap }
  }
}
