/// The part of a network that Escher can represent: its reactions, with their modifiers as texts.
struct EscherNetwork {
  /// The processes with their reactants and products, and metabolites without any reaction.
  private(set) var graph: ReactionGraph
  /// The texts of each process's modifiers, by the id of the process: `⊖` before inhibitors, `⊕` before activators, `○`
  /// before catalysts.
  private(set) var regulators: [Identifier: [String]] = [:]
  /// The number of omitted nodes and edges.
  private(set) var leftOut = 0

  init(_ network: ReactionGraph) {
    let all = network.splittingDirectFlows()
    graph = all
    var isKept = all.nodes.map { $0.kind == .process }
    var isAlone = all.nodes.map { $0.kind == .pool }
    for edge in all.edges {
      for node in [edge.source, edge.target] {
        isKept[node] = isKept[node] || edge.kind == .flow
        isAlone[node] = false
      }
    }
    for index in isKept.indices where isAlone[index] { isKept[index] = true }
    let places = keepNodes(of: all, isKept)
    var written: Set<Int> = []
    graph.edges = []
    for var edge in all.edges {
      if edge.kind == .flow {
        (edge.source, edge.target) = (places[edge.source], places[edge.target])
        graph.edges.append(edge)
      } else if let text = Self.text(of: edge, all) {
        regulators[all.nodes[edge.target].id, default: []].append(text)
        written.insert(edge.source)
      } else {
        leftOut += 1
      }
    }
    leftOut += all.nodes.indices.count { !isKept[$0] && !written.contains($0) }
  }

  /// Gives things ids based on their labels, which Escher shows, for maps whose ids are mere numbers.
  mutating func nameByLabels() {
    var processes = 0
    for (index, node) in graph.nodes.enumerated() {
      if node.kind == .process { processes += 1 }
      let isNumbered = node.kind == .process && node.label.isEmpty
      graph.nodes[index].entity = Identifier(isNumbered ? "process \(processes)" : node.shownName)
    }
  }

  /// Keeps some nodes, without compartments and parents; returns the new index of each.
  private mutating func keepNodes(of all: ReactionGraph, _ isKept: [Bool]) -> [Int] {
    var places: [Int] = []
    graph.nodes = []
    graph.compartments = []
    for (index, var node) in all.nodes.enumerated() {
      places.append(graph.nodes.count)
      (node.compartment, node.parent) = (nil, nil)
      if isKept[index] { graph.nodes.append(node) }
    }
    return places
  }

  /// Returns the text of a modifier; nil for other edges.
  private static func text(of edge: GraphEdge, _ graph: ReactionGraph) -> String? {
    guard graph.nodes[edge.target].kind == .process else { return nil }
    let name = PictureLabel.shown(graph.nodes[edge.source].shownName)
    switch edge.kind {
    case .inhibition: return "⊖ " + name
    case .activation: return "⊕ " + name
    case .catalysis: return "○ " + name
    case .flow, .association: return nil
    }
  }
}

/// Places a network on Escher's canvas: reactions with curves, names that do not overlap, regulators.
///
/// Substrates are joined to a marker on one side of a reaction, products to one on the other. Common molecules curve
/// into the markers from the left and to the right. Modifiers are texts at the left of the reaction.
struct EscherPlacement {
  /// The font sizes on the canvas, in its unit.
  ///
  /// - Source: Escher's `src/Builder.css`: metabolites 20 px in bold, reactions 30 px, texts 50 px in bold.
  static let letters = (metabolite: 20.0, reaction: 30.0, text: 50.0)
  /// The ratio of Escher's unit to that of layouts, whose letters are about 7 wide.
  private static let scale = 3.0
  /// The distance from a reaction to the markers above and below it.
  private static let markerReach = 40.0
  /// The distance from a metabolite's or reaction's circle to its name.
  private static let gap = 8.0
  /// The height for each common molecule, and for each regulator.
  private static let rows = (molecule: 54.0, regulator: 60.0)

  private(set) var graph: ReactionGraph
  private let regulators: [Identifier: [String]]
  private var layout = GraphLayout()
  /// The side of each process's substrates, by index: -1 above, 1 below.
  private var inputSides: [Int: Double] = [:]

  /// Lays out a network.
  ///
  /// - Parameter shouldStop: Called often; once it returns true, the rest of the layout is done coarsely.
  init(_ network: EscherNetwork, shouldStop: @escaping () -> Bool = { false }) {
    (graph, regulators) = (network.graph, network.regulators)
    layout = LayeredLayout.layout(graph, options: options(), shouldStop: shouldStop)
    graph = graph.placed(by: layout)
    enlarge()
    findSides()
    placeNodes()
    for index in graph.edges.indices { draw(index) }
  }

  // MARK: Sizes

  private func options() -> LayoutOptions {
    var sizes: [Identifier: LayoutOptions.Size] = [:]
    let common = commonMolecules()
    for (index, node) in graph.nodes.enumerated() where sizes[node.id] == nil {
      sizes[node.id] = node.kind == .process ? processSize(node, common[index] ?? (0, 0)) : Self.moleculeSize(node)
    }
    var options = LayoutOptions()
    options.common = .beside
    options.usesFrozenPlaces = false
    options.size = { [sizes] in sizes[$0.id] ?? LayoutOptions.usualSize($0) }
    return options
  }

  /// Returns the numbers of common molecules that each process consumes and produces, by index.
  private func commonMolecules() -> [Int: (used: Int, made: Int)] {
    var found: [Int: (used: Int, made: Int)] = [:]
    for edge in graph.edges {
      if graph.nodes[edge.target].kind == .process { found[edge.target, default: (0, 0)].used += 1 }
      if graph.nodes[edge.source].kind == .process { found[edge.source, default: (0, 0)].made += 1 }
    }
    return found
  }

  private func processSize(_ node: GraphNode, _ molecules: (used: Int, made: Int)) -> LayoutOptions.Size {
    let texts = regulators[node.id] ?? []
    let name = EscherReader.widths.marker + Self.gap + Self.width(node.subject.text, Self.letters.reaction)
    let widest = texts.map { 2 * Self.gap + Self.width($0, Self.letters.text, isBold: true) }.max() ?? 0
    let side = Self.markerReach + Self.rows.molecule * Double(max(molecules.used, molecules.made)) + Self.gap
    let half = max(side, Self.rows.regulator * (Double(texts.count) + 0.5))
    return LayoutOptions.Size(width: 2 * max(name, widest) / Self.scale, height: 2 * half / Self.scale)
  }

  private static func moleculeSize(_ node: GraphNode) -> LayoutOptions.Size {
    let name = width(node.subject.text, letters.metabolite, isBold: true)
    // The circle of a common molecule is at the inner side of its place; other circles are in the middle.
    let width =
      node.isCommon
      ? EscherReader.widths.secondary + gap + name : EscherReader.widths.primary + 2 * (gap + name)
    return LayoutOptions.Size(width: width / scale, height: EscherReader.widths.primary / scale)
  }

  private static func width(_ text: String, _ size: Double, isBold: Bool = false) -> Double {
    LetterWidths.width(text, size: size, isBold: isBold) + 4
  }

  // MARK: Positions

  private mutating func enlarge() {
    graph = graph.enlarged(by: Self.scale)
    let (width, height) = (layout.width * Self.scale, layout.height * Self.scale)
    graph.canvas = GraphFrame(x: width / 2, y: height / 2, width: width + 200, height: height + 200)
  }

  /// Chooses the side of each process's substrates: that with more of its main-chain substrates.
  private mutating func findSides() {
    var sums: [Int: Double] = [:]
    for edge in graph.edges {
      guard let from = graph.nodes[edge.source].frame, let to = graph.nodes[edge.target].frame else { continue }
      let isMade = graph.nodes[edge.source].kind == .process
      let (process, pool) = isMade ? (edge.source, edge.target) : (edge.target, edge.source)
      if layout.places[pool].beside == nil { sums[process, default: 0] += (to.y - from.y) }
    }
    for index in graph.nodes.indices where graph.nodes[index].kind == .process {
      inputSides[index] = sums[index, default: 0] < 0 ? 1 : -1
    }
  }

  private mutating func placeNodes() {
    var counts: [Int: (used: Int, made: Int)] = [:]
    for (index, place) in layout.places.enumerated() {
      guard let frame = graph.nodes[index].frame else { continue }
      if graph.nodes[index].kind == .process {
        placeProcess(index, frame)
      } else if let host = place.beside, let process = layoutFrame(host) {
        let isUsed = frame.x < process.x
        let number = isUsed ? counts[host, default: (0, 0)].used : counts[host, default: (0, 0)].made
        if isUsed { counts[host, default: (0, 0)].used += 1 } else { counts[host, default: (0, 0)].made += 1 }
        placeCommon(index, frame, of: host, at: process, number, isUsed: isUsed)
      } else {
        placeMain(index, frame)
      }
    }
  }

  /// Returns the frame of a place in the layout, on the canvas.
  private func layoutFrame(_ index: Int) -> GraphFrame? {
    let frame = layout.places[index].frame
    return GraphFrame(x: frame.x * Self.scale, y: frame.y * Self.scale, width: 0, height: 0)
  }

  private mutating func placeMain(_ index: Int, _ frame: GraphFrame) {
    let width = EscherReader.widths.primary
    graph.nodes[index].isPrimary = true
    graph.nodes[index].frame = GraphFrame(x: frame.x, y: frame.y, width: width, height: width)
    graph.nodes[index].labelPlace = .init(
      x: frame.x + width / 2 + Self.gap, y: frame.y + 0.35 * Self.letters.metabolite)
  }

  private mutating func placeCommon(
    _ index: Int, _ frame: GraphFrame, of host: Int, at process: GraphFrame, _ number: Int, isUsed: Bool
  ) {
    let width = EscherReader.widths.secondary
    let side = (inputSides[host] ?? -1) * (isUsed ? 1 : -1)
    let y = process.y + side * (Self.markerReach + Self.rows.molecule * (Double(number) + 0.5))
    let x = isUsed ? frame.x + frame.width / 2 - width / 2 : frame.x - frame.width / 2 + width / 2
    graph.nodes[index].isPrimary = false
    graph.nodes[index].frame = GraphFrame(x: x, y: y, width: width, height: width)
    graph.nodes[index].labelPlace = .init(
      x: isUsed ? frame.x - frame.width / 2 : x + width / 2 + Self.gap, y: y + 0.35 * Self.letters.metabolite)
  }

  private mutating func placeProcess(_ index: Int, _ frame: GraphFrame) {
    let width = EscherReader.widths.marker
    graph.nodes[index].frame = GraphFrame(x: frame.x, y: frame.y, width: width, height: width)
    graph.nodes[index].labelPlace = .init(x: frame.x + width + Self.gap / 2, y: frame.y + 0.35 * Self.letters.reaction)
    // At the left, on the side without common molecules.
    let side = -(inputSides[index] ?? -1)
    for (number, text) in (regulators[graph.nodes[index].id] ?? []).enumerated() {
      let x = frame.x - 2 * Self.gap - Self.width(text, Self.letters.text, isBold: true)
      let y = frame.y + side * (10 + Self.rows.regulator * Double(number)) + 0.3 * Self.letters.text
      graph.figures.append(
        GraphFigure(
          id: Identifier("text\(graph.figures.count)"), category: "text", text: text,
          frame: GraphFrame(x: x, y: y, width: 0, height: 0)))
    }
  }

  // MARK: Lines

  /// Draws an edge as a curve through the marker at its side of the process.
  private mutating func draw(_ index: Int) {
    let edge = graph.edges[index]
    let isMade = graph.nodes[edge.source].kind == .process
    let (process, pool) = isMade ? (edge.source, edge.target) : (edge.target, edge.source)
    guard let center = graph.nodes[process].frame, let end = graph.nodes[pool].frame else { return }
    let side = (inputSides[process] ?? -1) * (isMade ? -1 : 1)
    let marker = FrozenPath.Point(x: center.x, y: center.y + side * Self.markerReach)
    let tip = end.center
    let bends = layout.places[pool].beside == nil ? (isMade ? edge.bends : Array(edge.bends.reversed())) : []
    let pieces =
      layout.places[pool].beside == nil
      ? Self.pieces([marker] + bends + [tip], leaving: side) : [Self.side(marker, tip, leaving: side)]
    var drawn = edge
    drawn.bends = [marker] + bends
    drawn.curves = [GraphCurve()] + pieces.map { GraphCurve(first: $0.first, second: $0.second) }
    if !isMade {
      drawn.bends.reverse()
      drawn.curves = drawn.curves.reversed().map(\.reversed)
    }
    graph.edges[index] = drawn
  }

  /// Returns a smooth line through points; it leaves the first vertically up (-1) or down (1).
  private static func pieces(_ points: [FrozenPath.Point], leaving side: Double) -> [PictureCurve.Piece] {
    if let curve = PictureCurve(flowing: points), curve.pieces.count == points.count - 1 { return curve.pieces }
    // A line that turns back passes each point in the direction of the one after the next.
    return points.indices.dropLast().map { index in
      let (start, end) = (points[index], points[index + 1])
      // Longer control arms would swing far off the line.
      let reach = min(start.distance(to: end) / 3, 2 * Self.markerReach)
      let first =
        index == 0
        ? FrozenPath.Point(x: start.x, y: start.y + side * reach) : start.moved(-reach, towards: points[index - 1])
      let second =
        index + 2 < points.count ? end.moved(-reach, towards: points[index + 2]) : end.moved(reach, towards: start)
      return PictureCurve.Piece(start: start, first: first, second: second, end: end)
    }
  }

  /// Returns the curve between a marker and a common molecule beside it.
  private static func side(
    _ marker: FrozenPath.Point, _ tip: FrozenPath.Point, leaving side: Double
  ) -> PictureCurve.Piece {
    let height = abs(tip.y - marker.y)
    return PictureCurve.Piece(
      start: marker, first: .init(x: marker.x, y: marker.y + side * height),
      second: .init(x: marker.x + (tip.x - marker.x) * 0.4, y: tip.y), end: tip)
  }
}

extension EscherNetwork {
  /// Returns the network on Escher's canvas, whose letters and circles are larger than those of other maps.
  ///
  /// Names are placed beside their circles where they cover least, and modifiers beside processes.
  func onPaper() -> ReactionGraph {
    var graph = graph.enlarged(by: 3)
    for index in graph.nodes.indices {
      guard let frame = graph.nodes[index].frame, !graph.nodes[index].isPoint else { continue }
      let isProcess = graph.nodes[index].kind == .process
      let width = isProcess ? EscherReader.widths.marker : EscherReader.widths.primary
      graph.nodes[index].frame = GraphFrame(x: frame.x, y: frame.y, width: width, height: width)
    }
    graph.placeNames(and: regulators)
    return graph
  }
}

extension ReactionGraph {
  /// Returns the graph with all positions and sizes multiplied.
  func enlarged(by scale: Double) -> ReactionGraph {
    func point(_ point: FrozenPath.Point) -> FrozenPath.Point { .init(x: point.x * scale, y: point.y * scale) }
    func frame(_ frame: GraphFrame) -> GraphFrame {
      GraphFrame(x: frame.x * scale, y: frame.y * scale, width: frame.width * scale, height: frame.height * scale)
    }
    var graph = self
    for index in nodes.indices {
      graph.nodes[index].frame = nodes[index].frame.map(frame)
      graph.nodes[index].labelPlace = nodes[index].labelPlace.map(point)
    }
    for (index, edge) in edges.enumerated() {
      graph.edges[index].bends = edge.bends.map(point)
      graph.edges[index].curves = edge.curves.map {
        GraphCurve(first: $0.first.map(point), second: $0.second.map(point))
      }
    }
    for index in figures.indices {
      graph.figures[index].frame = frame(figures[index].frame)
      graph.figures[index].points = figures[index].points.map(point)
    }
    for index in compartments.indices { graph.compartments[index].frame = compartments[index].frame.map(frame) }
    graph.canvas = canvas.map(frame)
    return graph
  }

  /// Places the names of nodes that have no label position away from circles, lines and other names; then places texts
  /// beside processes.
  fileprivate mutating func placeNames(and texts: [Identifier: [String]]) {
    var places = LabelPlaces(cell: 120)
    for node in nodes { if let frame = node.frame { places.block(LayoutBounds(frame)) } }
    for edge in edges {
      let ends = [nodes[edge.source].frame, nodes[edge.target].frame].compactMap { $0 }
      guard ends.count == 2 else { continue }
      let corners = [ends[0].center] + edge.bends + [ends[1].center]
      places.block(line: PictureCurve(corners: corners, radius: 0).samples(step: 15))
    }
    for index in nodes.indices where nodes[index].labelPlace == nil {
      guard let frame = nodes[index].frame, !nodes[index].isPoint else { continue }
      let isProcess = nodes[index].kind == .process
      let size = isProcess ? EscherPlacement.letters.reaction : EscherPlacement.letters.metabolite
      nodes[index].labelPlace = Self.place(nodes[index].subject.text, size, !isProcess, beside: frame, &places)
    }
    for node in nodes {
      guard let frame = node.frame else { continue }
      for text in texts[node.id] ?? [] {
        let start = Self.place(text, EscherPlacement.letters.text, true, beside: frame, &places)
        figures.append(
          GraphFigure(
            id: Identifier("text\(figures.count)"), category: "text", text: text,
            frame: GraphFrame(x: start.x, y: start.y, width: 0, height: 0)))
      }
    }
  }

  /// Reserves a position for a text beside a circle; returns the start of its baseline.
  private static func place(
    _ text: String, _ size: Double, _ isBold: Bool, beside frame: GraphFrame, _ places: inout LabelPlaces
  ) -> FrozenPath.Point {
    let spots = spots(around: frame, width: LetterWidths.width(text, size: size, isBold: isBold), height: size)
    let box = spots[places.take(spots)]
    return FrozenPath.Point(x: box.left, y: box.bottom - 0.22 * size)
  }

  /// Returns rectangles for a name around a circle: right, left, below, above, then further away.
  private static func spots(around frame: GraphFrame, width: Double, height: Double) -> [LayoutBounds] {
    [1.0, 3, 6, 10].flatMap { step in
      let (x, y) = (frame.width / 2 + 8 * step, frame.height / 2 + 8 * step)
      let centers = [
        (x + width / 2, 0), (-x - width / 2, 0), (0, y + height / 2), (0, -y - height / 2),
        (x + width / 2, y), (-x - width / 2, y), (x + width / 2, -y), (-x - width / 2, -y),
      ]
      return centers.map {
        LayoutBounds(GraphFrame(x: frame.x + $0.0, y: frame.y + $0.1, width: width, height: height))
      }
    }
  }
}
