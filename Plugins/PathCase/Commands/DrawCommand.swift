import PluginAPI

/// The command that draws pictures of networks.
enum DrawCommand {
  /// The formats of pictures.
  enum Format: String, CaseIterable {
    case svg, pdf, png
  }

  static let command = PathCaseCommand(
    CommandDescription(
      "draw", "draws a pathway or file as a picture: SVG, PDF or PNG", output: .init(.any), effects: [.reads, .writes]
    ).taking(
      [PathCaseCommand.network],
      options: [
        Parameter("output", .outputFile, "the file, named .svg, .pdf or .png; SVG is the result without it"),
        Parameter("format", .choice(Format.allCases.map(\.rawValue)), "the form; that of the file's name by default"),
        Parameter(
          "theme", .choice(PictureTheme.named.map(\.name)), "colours for slides, for paper or for a dark ground",
          defaultValue: "light"),
        Parameter("width", .integer(minimum: 16, maximum: 30_000), "the picture's width", unit: "pixels or points"),
        Parameter(
          "labels", .choice(["auto", "names", "ids"]), "what is written; 'auto' has ids on Escher's maps, else names",
          defaultValue: "auto"),
        Parameter("hide-common", .flag, "leave out common molecules, such as ATP"),
        Parameter(
          "overlay", .inputFile(extensions: ["json", "csv", "tsv"]),
          "numbers of processes or metabolites: Escher's JSON, a table 'id,value', or the output of 'fba'"),
        Parameter("no-title", .flag, "leave out the name above the picture"),
      ]
    ).explained(
      """
      Metabolites are round, processes squares, and circles where they carry something through a wall. A triangle is \
      where something is made, a bar an inhibitor, an open triangle an activator, a circle a catalyst. Maps are drawn \
      as their files have them; all else has the places that 'layout' gives.
      """,
      examples: [
        .init("draw w-glycolysis --output glycolysis.svg", "for a page"),
        .init("draw map.json --overlay fluxes.csv --output fluxes.pdf", "fluxes over a map"),
      ])
  ) { call, shelf in
    let output = call["output"].text
    if let output { try NetworkOutput.check(output) }
    let format = try format(call, output)
    let network = try shelf.network(call.text("network"), call.context)
    for warning in network.warnings { call.warn(warning) }
    let graph = try network.graph()
    let overlay = try call["overlay"].text.map { try Self.overlay($0, graph, call) }
    let (theme, width) = (call.text("theme"), call["width"].integer.map(Double.init))
    let showsIDs: Bool? = ["ids": true, "names": false][call.text("labels")]
    let (hidesCommon, hasHeading) = (call.flag("hide-common"), !call.flag("no-title"))
    let drawn = try await call.compute("drawing") { progress in
      var options = PathwayPicture.Options(overlay: overlay, hasHeading: hasHeading, hidesCommon: hidesCommon)
      options.theme = PictureTheme.named.first { $0.name == theme }?.theme ?? .light
      options.showsIDs = showsIDs
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
    try await call.emit([
      "file": .text(output), "format": .text(format.rawValue), "nodes": .integer(graph.nodes.count),
      "bytes": .integer(drawn.bytes.count),
    ])
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
      advice: "'--width' sets another width; SVG and PDF have no limit")
  }

  private static func format(_ call: CommandCall, _ output: String?) throws(ExportError) -> Format {
    if let format = Format(rawValue: call.text("format")) {
      if output == nil, format != .svg { throw .noFile(format: format.rawValue) }
      return format
    }
    guard let output else { return .svg }
    let name = output.lowercased()
    guard let format = Format.allCases.first(where: { name.hasSuffix("." + $0.rawValue) }) else {
      throw .unknownEnding(output, formats: Format.allCases.map(\.rawValue))
    }
    return format
  }

  private static func bytes(
    _ picture: VectorPicture, _ format: Format, _ width: Double?
  ) throws(PictureError) -> [UInt8] {
    switch format {
    case .svg: SVGPictureWriter.bytes(picture, width: width)
    case .pdf: try CairoPicture.pdf(picture, width: width)
    case .png: try CairoPicture.png(picture, width: width)
    }
  }

  /// Returns the overlay of a file's numbers on a picture.
  private static func overlay(_ path: String, _ graph: ReactionGraph, _ call: CommandCall) throws -> GraphOverlay {
    let numbers = try LaidNumbers.file(path, over: graph, title: "")
    if let warning = numbers.warning { call.warn(warning) }
    return numbers.overlay
  }
}
