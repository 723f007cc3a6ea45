import PluginAPI

/// Commands that describe and draw a network.
enum GraphCommands {
  static let all = [info, show, layout]

  private static let info = PathCaseCommand(
    // The fields depend on the kind of network; see NetworkInfo.
    CommandDescription("info", "Show the contents of a pathway or file", output: .init(.map(.any))).taking(
      NetworkInputs.network
    )
    .explained(
      "The content of a file determines its format. All have id, name, format and diagnostics; other fields depend on "
        + "the format.",
      examples: [.init("info glycolysis", "A pathway"), .init("info model.xml --json", "A model, as JSON")])
  ) { call, shelf in
    try await call.emit(NetworkInfo.value(try await shelf.network(call)))
  }

  static let coarse = Diagnostic(.note, code: "pathcase.coarse", "the network is large; its layout is only approximate")

  private static let zoom = Option(
    "zoom", "Size of nodes: dots, short labels or boxes", default: TextDrawing.Zoom.full)
  private static let ascii = Option(flag: "ascii", "Draw boxes and lines with ASCII characters only")
  private static let width = Option(
    "width", Int.self, kind: .integer(minimum: 1, maximum: 100_000), "Maximum width in columns; longer lines are cut")
  private static let commonBeside = LayoutOptions.CommonMolecules.option(default: .beside)
  private static let commonHidden = LayoutOptions.CommonMolecules.option(default: .hidden)

  private static let show = PathCaseCommand(
    CommandDescription(
      "show", "Draw a pathway or file as text", output: .init(.text, typeName: PathCaseValueType.drawing)
    ).taking(NetworkInputs.network, zoom, ascii, width, commonBeside).explained(
      "Boxes are metabolites and processes, arrows are flows, and frames are compartments. A hollow arrow marks "
        + "activation, a bar inhibition and a circle catalysis. Common molecules such as ATP are drawn beside their "
        + "processes.",
      examples: [.init("show glycolysis", "With boxes"), .init("show w-urea --zoom names", "With names only")])
  ) { call, shelf in
    let graph = try await shelf.network(call[NetworkInputs.network], call.context).graph()
    let options = LayoutOptions(common: call[commonBeside])
    try DrawingText.check(graph, options, isCut: call[width] != nil)
    let found = LayeredLayout.layout(graph, options: options) { Task.isCancelled }
    try Task.checkCancellation()
    var drawing = TextDrawing.Options()
    drawing.isASCII = call[ascii]
    drawing.joinsHeads = true
    drawing.zoom = call[zoom]
    let whole = TextDrawing(graph, found, options: drawing)
    let width = min(whole.width, call[width] ?? whole.width)
    if let note = DrawingText.note(ofCut: whole, columns: width) { call.warn(note) }
    if found.isCoarse { call.warn(coarse) }
    if whole.height == 0 { call.warn(Diagnostic(.note, code: "pathcase.empty", "the network has nothing to draw")) }
    try await call.emit(
      Value.text(try DrawingText.text(whole, columns: width)).typed(PathCaseValueType.drawing))
  }

  private static let layout = PathCaseCommand(
    CommandDescription(
      "layout", "Compute the layout of a pathway or file", output: .model(LaidOutNetwork.self)
    ).taking(NetworkInputs.network, commonHidden).explained(
      "Positions are centers of nodes in arbitrary units; y increases downward. A layout stored with the network is kept.",
      examples: [.init("layout glycolysis --json", "As JSON, for scripts")])
  ) { call, shelf in
    let graph = try await shelf.network(call[NetworkInputs.network], call.context).graph()
    let start = ContinuousClock.now
    let found = LayeredLayout.layout(graph, options: LayoutOptions(common: call[commonHidden])) { Task.isCancelled }
    try Task.checkCancellation()
    try await call.emit(LaidOutNetwork(layout: found, graph: graph, time: .now - start))
  }
}

extension TextDrawing.Zoom: ParameterValue {}

extension LayoutOptions.CommonMolecules: ParameterValue {
  /// Returns the option that chooses among some treatments.
  static func option(_ choices: [Self] = allCases, default content: Self) -> Option<Self> {
    Option("common", kind: .choice(choices.map(\.rawValue)), "Common molecules, such as ATP", default: content)
  }
}

/// A layout as `layout` returns it, with lengths in arbitrary units.
private struct LaidOutNetwork: Model {
  /// A node at one of its positions.
  struct Node: Model {
    let node: GraphNode
    let clone: Int
    let frame: GraphFrame

    static let typeName = "pathcase.layout-node"
    static let fields = Fields<Self> {
      Field("id", \.node.id.text, "Id of the node")
      Field("clone", \.clone, "Number of this position among those of the node, from 0")
      Field("kind", \.node.kind.rawValue, "Kind of the node")
      Field("label", \.node.label, "Label")
      Field("x", \.frame.x.inHundredths, "Center, to the right")
      Field("y", \.frame.y.inHundredths, "Center, downward")
      Field("width", \.frame.width.inHundredths, "Width")
      Field("height", \.frame.height.inHundredths, "Height")
    }
  }

  /// An edge with its line.
  struct Edge: Model {
    let edge: GraphEdge
    let source: GraphNode
    let target: GraphNode
    let points: [FrozenPath.Point]

    static let typeName = "pathcase.layout-edge"
    static let fields = Fields<Self> {
      Field("source", \.source.id.text, "Id of the node at its start")
      Field("target", \.target.id.text, "Id of the node at its end")
      Field("kind", \.edge.kind.rawValue, "Kind of the edge")
      Field("isReversible", \.edge.isReversible, "True if it has arrows at both ends", heading: "isReversible")
      Field("points", { $0.points.map { [$0.x.inHundredths, $0.y.inHundredths] } }, "Points of the line: x and y")
    }
  }

  /// The frame of a compartment.
  struct Frame: Model {
    let compartment: String
    let frame: GraphFrame

    static let typeName = "pathcase.layout-compartment"
    static let fields = Fields<Self> {
      Field("id", \.compartment, "Id of the compartment")
      Field("x", \.frame.x.inHundredths, "Center, to the right")
      Field("y", \.frame.y.inHundredths, "Center, downward")
      Field("width", \.frame.width.inHundredths, "Width")
      Field("height", \.frame.height.inHundredths, "Height")
    }
  }

  let layout: GraphLayout
  let graph: ReactionGraph
  let time: Duration

  static let typeName = "pathcase.layout"
  static let fields = Fields<Self> {
    Field("engine", { $0.layout.isFrozen ? "frozen" : "layers" }, "'frozen' for a stored layout, else 'layers'")
    Field("width", \.layout.width.inHundredths, "Width")
    Field("height", \.layout.height.inHundredths, "Height")
    Field("crossings", \.layout.crossings, "Number of crossings; a lower bound if the layout is coarse")
    Field("isCoarse", \.layout.isCoarse, "True if the layout is only approximate", heading: "isCoarse")
    Field("milliseconds", { ($0.time / .milliseconds(1)).inHundredths }, "Time taken, in milliseconds")
    Field("nodes", \.nodes, "Nodes, once per position")
    Field("edges", \.edges, "Edges with their lines")
    Field("compartments", \.frames, "Frames of compartments")
  }

  private var nodes: [Node] {
    layout.places.map { Node(node: graph.nodes[$0.node], clone: $0.clone, frame: $0.frame) }
  }

  private var edges: [Edge] {
    layout.routes.map { route in
      let edge = graph.edges[route.edge]
      return Edge(edge: edge, source: graph.nodes[edge.source], target: graph.nodes[edge.target], points: route.points)
    }
  }

  private var frames: [Frame] {
    zip(graph.compartments, layout.compartments).compactMap { compartment, frame in
      frame.map { Frame(compartment: compartment.id.text, frame: $0) }
    }
  }
}

extension Double {
  /// The number rounded to two decimals; more are meaningless in layout units.
  fileprivate var inHundredths: Double {
    let hundredths = (self * 100).rounded()
    return hundredths.isFinite ? hundredths / 100 : self
  }
}

/// The command that stores a layout as the user's own.
enum FreezeCommand {
  private struct Outcome: Model {
    var pathway: String
    var nodes: Int
    var isOwn: Bool

    static let typeName = "pathcase.own-layout"
    static let fields = Fields<Self> {
      Field("pathway", \.pathway, "Id of the pathway")
      Field("nodes", \.nodes, "Number of stored positions")
      Field("isOwn", \.isOwn, "True if the pathway now has a layout of your own")
    }
  }

  private static let pathway = Argument("pathway", String.self, "Id or name of a pathway").completedByPathways()
  private static let remove = Option(flag: "remove", "Delete your own layout")
  private static let anew = Option(flag: "anew", "Compute a new layout instead of keeping the current one")
  private static let common = LayoutOptions.CommonMolecules.option([.hidden, .asOthers], default: .hidden)

  static let command: PathCaseCommand = PathCaseCommand(
    CommandDescription(
      "freeze", "Keep the layout of a pathway as your own", output: .model(Outcome.self), effects: [.reads, .writes]
    ).taking(pathway, remove, anew, common).explained(
      "The pathway keeps this layout, even after updates. Nodes added by an update are placed beside it.",
      examples: [
        .init("freeze glycolysis", "Keep the current layout"),
        .init("freeze glycolysis --remove", "Return to the layout of the database, or to a computed one"),
      ])
  ) { call, shelf in
    let database = try await shelf.database(call.context)
    let index = try PathwayShelf.neededPathway(call[pathway], in: database)
    let id = database.pathways[index].id
    if call[remove] {
      try await shelf.forgetLayout(of: id, call.context)
      return try await call.emit(Outcome(pathway: id.text, nodes: 0, isOwn: false))
    }
    let graph = database.graph(ofPathway: index)
    let options = LayoutOptions(common: call[common], usesFrozenPlaces: !call[anew])
    let found = LayeredLayout.layout(graph, options: options) { Task.isCancelled }
    try Task.checkCancellation()
    var frozen = FrozenLayout(found, of: graph, pathway: id)
    frozen.version = database.ownLayouts[id]
    try await shelf.save(frozen, call.context)
    try await call.emit(Outcome(pathway: id.text, nodes: frozen.nodes.count, isOwn: true))
  }
}

/// The text of a drawing, or the reason why there is none.
enum DrawingText {
  /// The maximum number of cells written; larger texts are unreadable.
  private static let limit = 16_000_000
  /// The maximum number of independent cycles in a network of which some columns are shown.
  ///
  /// A larger one can take minutes to lay out and measure.
  static let mostCycles = 8_000
  /// The maximum number of independent cycles in a network that is shown whole.
  ///
  /// Drawings of genome-scale models of more cycles exceed ``limit`` at every zoom: iAF1260 with 1,196 cycles has 104
  /// million cells with boxes, and 23 million with dots.
  static let mostWholeCycles = 1_000
  static let partAdvice =
    "make a picture with 'pathcase draw FILE --output X.svg', or list parts with 'pathcase neighbors' and 'path'"
  private static let cutAdvice = "show only the first columns with '--width \(usefulWidth)'"
  /// The minimum number of columns worth showing without the others.
  private static let usefulWidth = 200
  /// The number of rows drawn at a time, which limits the memory.
  private static let band = 100

  /// Rejects a network whose drawing would exceed the limit, without laying it out.
  ///
  /// - Parameter isCut: True if only some columns are shown.
  /// - Throws: ``PathwayError/tooTangledToShow(cycles:limit:advice:)``.
  static func check(_ graph: ReactionGraph, _ options: LayoutOptions, isCut: Bool) throws(ErrorReport) {
    if options.usesFrozenPlaces, graph.nodes.contains(where: { $0.frame != nil }) { return }
    let cycles = LayoutNet(graph, options: options).cycleCount
    let limit = isCut ? mostCycles : mostWholeCycles
    if cycles <= limit { return }
    throw PathwayError.tooTangledToShow(
      cycles: cycles, limit: limit, advice: cycles <= mostCycles ? cutAdvice : partAdvice)
  }

  /// Returns the lines of a drawing, each truncated to a number of columns.
  ///
  /// - Throws: ``PathwayError`` if the drawing has too many cells.
  static func text(_ drawing: TextDrawing, columns: Int) throws(ErrorReport) -> String {
    guard fits(columns: columns, rows: drawing.height) else {
      throw PathwayError.tooLargeToShow(columns: drawing.width, rows: drawing.height, advice: advice(drawing))
    }
    var lines: [String] = []
    for row in stride(from: 0, to: drawing.height, by: band) {
      let height = min(band, drawing.height - row)
      lines += drawing.canvas(.init(row: row, width: columns, height: height)).lines
    }
    return lines.joined(separator: "\n")
  }

  /// Returns a note that only some columns of a drawing are shown, with the zoom that needs less space; nil if all are.
  static func note(ofCut drawing: TextDrawing, columns: Int) -> Diagnostic? {
    if columns >= drawing.width { return nil }
    let zoom: String? =
      switch drawing.options.zoom {
      case .full: "names"
      case .names: "overview"
      case .overview: nil
      }
    return Diagnostic(
      .note, code: "pathcase.cut", "the drawing has \(drawing.width) columns; only \(columns) are shown",
      advice: fitsAsDots(drawing) ? zoom.map { "make it smaller with '--zoom \($0)'" } : partAdvice)
  }

  /// Returns whether a drawing fits if each node is a dot, which takes about a third of a box's columns.
  private static func fitsAsDots(_ drawing: TextDrawing) -> Bool {
    fits(columns: drawing.options.zoom == .overview ? drawing.width : drawing.width / 3, rows: drawing.height)
  }

  private static func fits(columns: Int, rows: Int) -> Bool {
    let cells = columns.multipliedReportingOverflow(by: rows)
    return !cells.overflow && cells.partialValue <= limit && columns <= limit && rows <= limit
  }

  /// Returns the options that give a smaller text, without those already in use.
  private static func advice(_ drawing: TextDrawing) -> String {
    var options: [String] = []
    if drawing.options.zoom != .overview, fitsAsDots(drawing) {
      options.append("make it smaller with '--zoom overview'")
    }
    if fits(columns: usefulWidth, rows: drawing.height) { options.append(cutAdvice) }
    return options.isEmpty ? partAdvice : options.joined(separator: ", or ")
  }
}
