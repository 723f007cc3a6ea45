import PluginAPI

/// The command that draws pictures of networks.
enum DrawCommand {
  /// The formats of pictures.
  private enum Format: String, CaseIterable, ParameterValue {
    case svg, pdf, png
  }

  /// The texts beside nodes.
  private enum Labels: String, CaseIterable, ParameterValue {
    case auto, names, ids

    /// A Boolean value indicating whether ids replace names; nil to follow the file's own programs.
    var showsIDs: Bool? {
      switch self {
      case .auto: nil
      case .names: false
      case .ids: true
      }
    }
  }

  private static let output = Option(
    "output", String.self, kind: .outputFile, "Output file, named .svg, .pdf or .png; SVG on standard output without it"
  )
  private static let format = Option("format", Format.self, "File format; by default that of the file name")
  private static let theme = Option(
    "theme", "Colors for slides, for paper or for a dark background", default: PictureTheme.Name.light)
  private static let width = Option(
    "width", Int.self, kind: .integer(minimum: 16, maximum: 30_000), "Width of the picture", unit: "pixels or points")
  private static let labels = Option(
    "labels", "Labels of nodes; 'auto' shows ids on Escher maps and names elsewhere", default: Labels.auto)
  private static let hideCommon = Option(flag: "hide-common", "Leave out common molecules, such as ATP")
  private static let overlay = Option(
    "overlay", String.self, kind: .inputFile(extensions: ["json", "csv", "tsv"]),
    "File with numbers of processes or metabolites: Escher JSON, a table 'id,value', or the output of 'fba'")
  private static let noTitle = Option(flag: "no-title", "Leave out the name above the picture")

  static let command = PathCaseCommand(
    // Without '--output' the output is text, else a record.
    CommandDescription(
      "draw", "Draw a pathway or file as a picture: SVG, PDF or PNG", output: .init(.any), effects: [.reads, .writes]
    ).taking(NetworkInputs.network, output, format, theme, width, labels, hideCommon, overlay, noTitle).explained(
      """
      Metabolites are round, reactions are squares and transports are circles. A triangle marks a product, a bar an \
      inhibitor, an open triangle an activator and a circle a catalyst. Maps keep the layout of their file; other \
      networks have the layout that 'layout' computes.
      """,
      examples: [
        .init("draw w-glycolysis --output glycolysis.svg", "For a page"),
        .init("draw map.json --overlay fluxes.csv --output fluxes.pdf", "Fluxes over a map"),
      ])
  ) { call, shelf in
    let output = call[output]
    if let output { try NetworkOutput.check(output) }
    let format = try format(named: call[format], output)
    let graph = try await shelf.network(call).graph()
    let numbers = try call[overlay].map { try OverlayNumbers.file($0, over: graph, title: "") }
    if let warning = numbers?.warning { call.warn(warning) }
    let width = call[width].map(Double.init)
    let options = PathwayPicture.Options(
      theme: call[theme].theme, overlay: numbers?.overlay, hasHeading: !call[noTitle], hidesCommon: call[hideCommon],
      showsIDs: call[labels].showsIDs)
    let drawn = try await call.compute("drawing") { progress in
      let picture = PathwayPicture.picture(graph, options: options) { progress.isCancelled }
      try progress.checkCancellation()
      var drawn = Drawn(bytes: try bytes(picture, format, width))
      if picture.isCoarse { drawn.notes.append(GraphCommands.coarse) }
      if format == .png, width == nil, let note = scaled(CairoPicture.usualScale(picture)) { drawn.notes.append(note) }
      return drawn
    }
    for note in drawn.notes { call.warn(note) }
    guard let output else { return try await call.emit(.text(String(decoding: drawn.bytes, as: UTF8.self))) }
    try NetworkOutput.write(drawn.bytes, to: output)
    try await call.emit(
      WrittenPicture(file: output, format: format, nodes: graph.nodes.count, bytes: drawn.bytes.count))
  }

  /// The result of writing a picture to a file.
  private struct WrittenPicture: Model {
    let file: String
    let format: Format
    let nodes: Int
    let bytes: Int

    static let typeName = "pathcase.written-picture"
    static let fields = Fields<Self> {
      Field("file", \.file, "Output file")
      Field("format", \.format.rawValue, "Format")
      Field("nodes", \.nodes, "Number of nodes in the network")
      Field("bytes", \.bytes, "Size of the file in bytes")
    }
  }

  /// A drawn file with its notes.
  private struct Drawn: Sendable {
    var bytes: [UInt8]
    var notes: [Diagnostic] = []
  }

  /// Returns the note for a PNG at reduced resolution; nil if it has two pixels per point.
  private static func scaled(_ scale: Double) -> Diagnostic? {
    if scale >= 2 { return nil }
    let pixels = (scale * 100).rounded() / 100
    return Diagnostic(
      .note, code: "pathcase.picture-scaled",
      "scaled to fit \(Int(CairoPicture.usualSide)) pixels: \(pixels) pixels per point instead of 2",
      advice: "set the width with '--width', or use SVG or PDF, which have no limit")
  }

  private static func format(named: Format?, _ output: String?) throws(ErrorReport) -> Format {
    if let named {
      if output == nil, named != .svg {
        throw ExportError.noFile(
          "\(named.rawValue.uppercased()) needs an output file", advice: "name it with '--output'")
      }
      return named
    }
    guard let output else { return .svg }
    let name = output.lowercased()
    guard let format = Format.allCases.first(where: { name.hasSuffix("." + $0.rawValue) }) else {
      throw ExportError.unknownEnding(output, formats: Format.allCases.map(\.rawValue))
    }
    return format
  }

  private static func bytes(
    _ picture: VectorPicture, _ format: Format, _ width: Double?
  ) throws(ErrorReport) -> [UInt8] {
    switch format {
    case .svg: SVGPictureWriter.bytes(picture, width: width)
    case .pdf: try CairoPicture.pdf(picture, width: width)
    case .png: try CairoPicture.png(picture, width: width)
    }
  }
}

extension PictureTheme.Name: ParameterValue {}

/// Numbers to show on the picture of a network, with their warning.
struct OverlayNumbers: Sendable {
  var overlay: GraphOverlay
  /// A warning about numbers that are not in the network.
  var warning: Diagnostic?

  /// Returns the numbers of a file.
  ///
  /// - Throws: The errors of reading the file.
  static func file(_ path: String, over graph: ReactionGraph, title: String) throws -> OverlayNumbers {
    let data = try NetworkFile.data(path, OverlayReader.read)
    let (overlay, missing) = GraphOverlay.laying(data, over: graph, title: title)
    let warning = missing.first.map { first in
      Diagnostic(
        .warning, code: "pathcase.overlay-missing",
        "\(missing.count) of \(data.entries.count) numbers have ids that are not in the network, such as '\(first)'")
    }
    return OverlayNumbers(overlay: overlay, warning: warning)
  }

  /// Returns the optimal fluxes of a model with the smallest total flux.
  ///
  /// - Throws: `PathwayError` for a network without flux bounds, and for a model without an optimum.
  static func bestFluxes(of network: OpenedNetwork) throws -> OverlayNumbers {
    let model = try network.model()
    let problem = FluxProblem(model)
    let solution = try FluxAnalysis.leastTotal(problem)
    if solution.status != .optimal { throw PathwayError.noOptimum(solution.status) }
    var overlay = GraphOverlay(fluxes: solution, of: model)
    // The legend truncates titles: the status comes first.
    overlay.title = "optimal fluxes of \(network.title)"
    return OverlayNumbers(overlay: overlay, warning: problem.hasEmptyObjective ? FluxCommands.emptyObjective : nil)
  }
}
