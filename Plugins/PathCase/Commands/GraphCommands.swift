import PluginAPI

/// Commands that describe and draw a network.
enum GraphCommands {
  static let all = [info, show, layout]

  private static let info = PathCaseCommand(
    CommandDescription("info", "says what a pathway or file holds", output: .init(.any)).taking(PathCaseCommand.network)
      .explained(
        "The format of a file is told by its content.",
        examples: [.init("info glycolysis", "a pathway"), .init("info model.xml --json", "a model, for scripts")])
  ) { call, shelf in
    try await call.emit(NetworkInfo.value(try shelf.network(call)))
  }

  static let coarse = Diagnostic(.note, code: "pathcase.coarse", "the network is large; it is laid out roughly")

  private static let zoom = Option(
    "zoom", "a dot, a short label or a box for each node", default: TextDrawing.Zoom.full)
  private static let ascii = Option(flag: "ascii", "only characters of ASCII for boxes and lines")
  private static let width = Option(
    "width", Int.self, kind: .integer(minimum: 1, maximum: 100_000), "cut lines after so many columns")
  private static let commonBeside = LayoutOptions.CommonMolecules.option(default: .beside)
  private static let commonHidden = LayoutOptions.CommonMolecules.option(default: .hidden)

  private static let show = PathCaseCommand(
    CommandDescription(
      "show", "draws a pathway or file as text", output: .init(.text, typeName: PathCaseValueType.drawing)
    ).taking(PathCaseCommand.network, zoom, ascii, width, commonBeside).explained(
      "Boxes are metabolites and processes, arrows what flows between them, frames the compartments. A hollow arrow "
        + "activates, a bar inhibits, a circle catalyses. Common molecules such as ATP stand beside their processes.",
      examples: [.init("show glycolysis", "boxes"), .init("show w-urea --zoom names", "names alone")])
  ) { call, shelf in
    let graph = try shelf.network(call[PathCaseCommand.network], call.context).graph()
    let options = LayoutOptions(common: call[commonBeside])
    try DrawingText.check(graph, options)
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
    if whole.height == 0 { call.warn(Diagnostic(.note, code: "pathcase.empty", "there is nothing in it to draw")) }
    try await call.emit(
      Value.text(try DrawingText.text(whole, columns: width)).typed(PathCaseValueType.drawing))
  }

  private static let layout = PathCaseCommand(
    CommandDescription(
      "layout", "computes where the nodes of a pathway or file are drawn", output: .init(.any)
    ).taking(PathCaseCommand.network, commonHidden).explained(
      "Places are centres, in a unit of their own, y downwards. A layout that the network brings along is kept.",
      examples: [.init("layout glycolysis --json", "for scripts")])
  ) { call, shelf in
    let graph = try shelf.network(call[PathCaseCommand.network], call.context).graph()
    let start = ContinuousClock.now
    let found = LayeredLayout.layout(graph, options: LayoutOptions(common: call[commonHidden])) { Task.isCancelled }
    try Task.checkCancellation()
    try await call.emit(LayoutValue.value(found, graph, took: .now - start))
  }
}

extension TextDrawing.Zoom: ParameterValue {}

extension LayoutOptions.CommonMolecules: ParameterValue {
  /// Returns the option that chooses among some treatments.
  static func option(_ choices: [Self] = allCases, default content: Self) -> Option<Self> {
    Option("common", kind: .choice(choices.map(\.rawValue)), "common molecules, such as ATP", default: content)
  }
}

/// A layout in the form returned by `layout`.
private enum LayoutValue {
  static func value(_ layout: GraphLayout, _ graph: ReactionGraph, took time: Duration) -> Value {
    let milliseconds = Double(time.components.seconds) * 1000 + Double(time.components.attoseconds) / 1e15
    return [
      "engine": .text(layout.isFrozen ? "frozen" : "layers"), "width": length(layout.width),
      "height": length(layout.height), "crossings": .integer(layout.crossings), "isCoarse": .bool(layout.isCoarse),
      "milliseconds": .number((milliseconds * 100).rounded() / 100),
      "nodes": .list(layout.places.map { node($0, graph) }),
      "edges": .list(layout.routes.map { edge($0, layout, graph) }),
      "compartments": .list(
        zip(graph.compartments, layout.compartments).compactMap { compartment, frame in
          frame.map { .record(Record([.init("id", .text(compartment.id.text))] + fields($0))) }
        }),
    ]
  }

  /// Returns a length rounded to two decimals; more are meaningless in layout units.
  private static func length(_ value: Double) -> Value {
    let hundredths = (value * 100).rounded()
    return .number(hundredths.isFinite ? hundredths / 100 : value)
  }

  private static func fields(_ frame: GraphFrame) -> [Record.Field] {
    [
      .init("x", length(frame.x)), .init("y", length(frame.y)), .init("width", length(frame.width)),
      .init("height", length(frame.height)),
    ]
  }

  private static func node(_ place: GraphLayout.Place, _ graph: ReactionGraph) -> Value {
    let node = graph.nodes[place.node]
    let about: [Record.Field] = [
      .init("id", .text(node.id.text)), .init("clone", .integer(place.clone)), .init("kind", .text(node.kind.rawValue)),
      .init("label", .text(node.label)),
    ]
    return .record(Record(about + fields(place.frame)))
  }

  private static func edge(_ route: GraphLayout.Route, _ layout: GraphLayout, _ graph: ReactionGraph) -> Value {
    let edge = graph.edges[route.edge]
    return [
      "source": .text(graph.nodes[edge.source].id.text), "target": .text(graph.nodes[edge.target].id.text),
      "kind": .text(edge.kind.rawValue), "isReversible": .bool(edge.isReversible),
      "points": .list(route.points.map { .list([length($0.x), length($0.y)]) }),
    ]
  }
}
