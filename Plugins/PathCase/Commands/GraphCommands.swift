import PluginAPI

/// Commands that describe and draw a network.
enum GraphCommands {
  static let all = [info, show, layout]

  private static let info = PathCaseCommand(
    CommandDescription("info", "says what a pathway or file holds", output: .init(.any), effects: [.reads])
      .taking([PathCaseCommand.network]).explained(
        "The format of a file is told by its content.",
        examples: [.init("info glycolysis", "a pathway"), .init("info model.xml --json", "a model, for scripts")])
  ) { call, shelf in
    let network = try shelf.network(call.text("network"), call.context)
    for warning in network.warnings { call.warn(warning) }
    try await call.emit(NetworkInfo.value(network))
  }

  static let coarse = Diagnostic(.note, code: "pathcase.coarse", "the network is large; it is laid out roughly")

  private static let zoom = Parameter(
    "zoom", .choice(["overview", "names", "full"]), "a dot, a short label or a box for each node", defaultValue: "full")

  private static func common(_ usual: String) -> Parameter {
    Parameter(
      "common", .choice(["hidden", "beside", "as-others"]), "common molecules, such as ATP",
      defaultValue: .text(usual))
  }

  private static let show = PathCaseCommand(
    CommandDescription(
      "show", "draws a pathway or file as text", output: .init(.text, typeName: PathCaseValueType.drawing),
      effects: [.reads]
    )
    .taking(
      [PathCaseCommand.network],
      options: [
        zoom, Parameter("ascii", .flag, "only characters of ASCII for boxes and lines"),
        Parameter("width", .integer(minimum: 1, maximum: 100_000), "cut lines after so many columns"),
        common("beside"),
      ]
    ).explained(
      "Boxes are metabolites and processes, arrows what flows between them, frames the compartments. A hollow arrow "
        + "activates, a bar inhibits, a circle catalyses. Common molecules such as ATP stand beside their processes.",
      examples: [.init("show glycolysis", "boxes"), .init("show w-urea --zoom names", "names alone")])
  ) { call, shelf in
    let graph = try shelf.network(call.text("network"), call.context).graph()
    let layoutOptions = options(call)
    try DrawingText.check(graph, layoutOptions)
    let found = LayeredLayout.layout(graph, options: layoutOptions) { Task.isCancelled }
    try Task.checkCancellation()
    var drawing = TextDrawing.Options()
    drawing.isASCII = call.flag("ascii")
    drawing.joinsHeads = true
    drawing.zoom = ["overview": .overview, "names": .names][call.text("zoom")] ?? .full
    let whole = TextDrawing(graph, found, options: drawing)
    let width = min(whole.width, call["width"].integer ?? whole.width)
    if let note = DrawingText.note(ofCut: whole, columns: width) { call.warn(note) }
    if found.isCoarse { call.warn(coarse) }
    if whole.height == 0 { call.warn(Diagnostic(.note, code: "pathcase.empty", "there is nothing in it to draw")) }
    try await call.emit(
      Value.text(try DrawingText.text(whole, columns: width)).typed(PathCaseValueType.drawing))
  }

  private static let layout = PathCaseCommand(
    CommandDescription(
      "layout", "computes where the nodes of a pathway or file are drawn", output: .init(.any), effects: [.reads]
    ).taking(
      [PathCaseCommand.network],
      options: [
        common("hidden")
      ]
    ).explained(
      "Places are centres, in a unit of their own, y downwards. A layout that the network brings along is kept.",
      examples: [.init("layout glycolysis --json", "for scripts")])
  ) { call, shelf in
    let graph = try shelf.network(call.text("network"), call.context).graph()
    let start = ContinuousClock.now
    let found = LayeredLayout.layout(graph, options: options(call)) { Task.isCancelled }
    try Task.checkCancellation()
    try await call.emit(LayoutValue.value(found, graph, took: .now - start))
  }

  private static func options(_ call: CommandCall) -> LayoutOptions {
    var options = LayoutOptions()
    options.common = ["hidden": .hidden, "as-others": .asOthers][call.text("common")] ?? .beside
    return options
  }
}
