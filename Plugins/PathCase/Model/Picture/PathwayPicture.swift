/// Draws a picture of a network that has been laid out.
///
/// Metabolites are round, macromolecules are boxes. Processes are small squares, or circles if they transport something
/// across a membrane. As in SBGN process descriptions, lines end in a triangle at a product, a bar for an inhibitor, an
/// open triangle for an activator and a circle for a catalyst. Compartments are frames around their contents.
///
/// - Source: Systems Biology Graphical Notation, Process Description level 1 version 2.0.
struct PathwayPicture {
  struct Options: Sendable {
    var theme = PictureTheme.light
    var overlay: GraphOverlay?
    /// A Boolean value indicating whether the name of the network is drawn above it.
    var hasHeading = true
    var hidesCommon = false
    /// A Boolean value indicating whether ids replace names; nil to follow the file's own programs.
    var showsIDs: Bool?
  }

  let parts: PictureParts
  let showsIDs: Bool
  let graph: ReactionGraph
  let layout: GraphLayout
  let options: Options
  /// The transformation of file positions to layout positions; nil if the file has none.
  let stored: StoredPlaces?
  /// The size of a default line width, which scales all letters and heads.
  let unit: Double
  let styles: PictureStyles
  var theme: PictureTheme { styles.theme }
  /// The shapes of nodes, by place of the layout.
  var glyphs: [NodeGlyph] = []
  /// The points at which the lines of each process meet it, by node index; empty if the file has positions.
  let ports: [Int: ProcessPorts]
  /// The nodes that contain others, by index.
  let wholes: Set<Int>
  /// The ids of points that are represented by lines of their file, as in KEGG's maps of whole metabolisms.
  let lined: Set<Identifier>
  var labels: LabelPlaces
  var picture: VectorPicture
  var bounds: LayoutBounds?

  /// Lays out a network and returns its picture.
  ///
  /// - Parameter shouldStop: Called often; once it returns true, the rest is laid out coarsely.
  static func picture(
    _ graph: ReactionGraph, options: Options = Options(), shouldStop: @escaping () -> Bool = { false }
  ) -> VectorPicture {
    let isStored = graph.nodes.contains { $0.frame != nil }
    // Escher's maps show ids, and have room for them.
    let showsIDs = options.showsIDs ?? graph.nodes.contains { $0.labelPlace != nil && $0.entity != nil }
    let parts = PictureParts(
      graph, hidesCommon: options.hidesCommon, isStored: isStored, showsIDs: showsIDs,
      texts: { node in options.overlay?.processes[node.subject]?.value.map(PictureNumber.short) })
    var layoutOptions = parts.options(isStored: isStored)
    if options.hidesCommon { layoutOptions.common = .hidden }
    let layout = LayeredLayout.layout(parts.graph, options: layoutOptions, shouldStop: shouldStop)
    // Unusable positions are ignored, as if there were none.
    if isStored, !layout.isFrozen {
      var bare = graph
      for index in bare.nodes.indices { bare.nodes[index].frame = nil }
      return picture(bare, options: options, shouldStop: shouldStop)
    }
    var painter = PathwayPicture(parts, layout, options: options, showsIDs: showsIDs)
    painter.paint()
    return painter.picture
  }

  private init(_ parts: PictureParts, _ layout: GraphLayout, options: Options, showsIDs: Bool) {
    self.parts = parts
    self.showsIDs = showsIDs
    graph = parts.graph
    self.layout = layout
    self.options = options
    let stored = layout.isFrozen ? StoredPlaces(parts.graph, layout) : nil
    self.stored = stored
    unit = stored?.unit(parts.graph) ?? 1
    // Maps of circles with names beside them have wider lines than those of boxes.
    let hasWideLines = stored != nil && parts.graph.nodes.contains { $0.labelPlace != nil }
    styles = PictureStyles(options.theme, options.overlay, unit: unit, pen: hasWideLines ? 1.8 : 1)
    ports = stored == nil ? Self.ports(parts, layout) : [:]
    wholes = Set(graph.nodes.compactMap(\.parent))
    let points = Set(graph.nodes.filter(\.isPoint).map(\.id))
    lined = stored == nil ? [] : points.intersection(graph.figures.filter { !$0.points.isEmpty }.map(\.id))
    labels = LabelPlaces(cell: 40 * unit)
    picture = VectorPicture(
      width: 0, height: 0, title: graph.name.isEmpty ? graph.id.text : graph.name,
      background: options.theme.background)
    picture.isCoarse = layout.isCoarse
  }

  private mutating func paint() {
    glyphs = layout.places.map { glyph(at: $0) }
    for glyph in glyphs where glyph.shape != .bare { labels.block(LayoutBounds(glyph.frame)) }
    let curves = layout.routes.map { curve(of: $0) }
    for curve in curves { labels.block(line: curve.samples(step: 5 * unit)) }
    paintFrames()
    paintFigures(isText: false)
    for (place, glyph) in zip(layout.places, glyphs) where wholes.contains(place.node) {
      paint(glyph, graph.nodes[place.node], isWhole: true)
    }
    for (route, curve) in zip(layout.routes, curves) { paint(route, curve) }
    for (place, glyph) in zip(layout.places, glyphs) where !wholes.contains(place.node) {
      paint(glyph, graph.nodes[place.node], isWhole: false)
      paintSides(of: place.node, glyph)
      paintLinks(of: place.node, glyph)
    }
    for (place, glyph) in zip(layout.places, glyphs) where glyph.isBeside { paintLabel(of: glyph, place) }
    paintFigures(isText: true)
    paintLegend()
    paintHeading()
    let box = (bounds ?? LayoutBounds(left: 0, top: 0, right: 200, bottom: 80)).grown(by: 16 * unit)
    picture.left = box.left
    picture.top = box.top
    picture.width = box.right - box.left
    picture.height = box.bottom - box.top
  }

  /// Adds shapes, and extends the picture to include them.
  mutating func add(_ kind: PictureItem.Kind, _ title: String = "", _ shapes: [PictureShape]) {
    if shapes.isEmpty { return }
    for shape in shapes {
      switch shape {
      case .text(let text): bounds = text.bounds.joined(bounds)
      case .path(let path, _):
        for step in path.steps {
          switch step {
          case .move(let point), .line(let point), .curve(_, _, let point): bounds = LayoutBounds(point).joined(bounds)
          case .close: break
          }
        }
      }
    }
    picture.items.append(PictureItem(kind: kind, title: PictureLabel.shown(title), shapes: shapes))
  }
}

/// The transformation from positions in a file to positions in a layout: a scale and a translation.
struct StoredPlaces: Sendable, Hashable {
  var scale = 1.0
  /// The file's origin in the layout.
  var origin: FrozenPath.Point

  /// Computes the transformation from the two nodes furthest apart; nil if no node kept its position.
  init?(_ graph: ReactionGraph, _ layout: GraphLayout) {
    let pairs: [(file: GraphFrame, drawn: GraphFrame)] = layout.places.compactMap { place in
      guard place.clone == 0, let frame = graph.nodes[place.node].frame, frame.x.isFinite, frame.y.isFinite else {
        return nil
      }
      return (frame, place.frame)
    }
    guard let first = pairs.first else { return nil }
    func distance(_ one: GraphFrame, _ other: GraphFrame) -> Double { abs(one.x - other.x) + abs(one.y - other.y) }
    if let far = pairs.max(by: { distance($0.file, first.file) < distance($1.file, first.file) }),
      distance(far.file, first.file) > 0
    {
      scale = distance(far.drawn, first.drawn) / distance(far.file, first.file)
    }
    origin = .init(x: first.drawn.x - first.file.x * scale, y: first.drawn.y - first.file.y * scale)
  }

  func point(_ point: FrozenPath.Point) -> FrozenPath.Point {
    .init(x: origin.x + point.x * scale, y: origin.y + point.y * scale)
  }

  func frame(_ frame: GraphFrame) -> GraphFrame {
    GraphFrame(
      x: origin.x + frame.x * scale, y: origin.y + frame.y * scale, width: frame.width * scale,
      height: frame.height * scale)
  }

  /// Returns the scale of letters relative to the default, judged by the boxes of the file.
  func unit(_ graph: ReactionGraph) -> Double {
    // Escher draws names of metabolites 20 high.
    if graph.nodes.contains(where: { $0.labelPlace != nil }) { return 1.7 * scale }
    let heights = graph.nodes.compactMap(\.frame).filter { $0.width > 30 && $0.height > 0 }.map(\.height).sorted()
    guard !heights.isEmpty else { return scale }
    return min(max(heights[heights.count / 2] / 24, 0.5), 2) * scale
  }
}
