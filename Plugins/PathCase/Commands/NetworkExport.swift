import PluginAPI

/// Writes networks to files.
enum NetworkExport {
  /// An export format: its name, the endings of its file names, and its writer.
  ///
  /// A new format is a writer and a row of ``all``.
  struct Format: Sendable {
    let name: String
    fileprivate let endings: [String]
    /// Returns the contents of the file.
    let write: @Sendable (_ network: OpenedNetwork, _ shouldStop: @escaping () -> Bool) throws -> WrittenMap

    private init(
      _ name: String, _ endings: [String] = [],
      _ write: @escaping @Sendable (OpenedNetwork, @escaping () -> Bool) throws -> WrittenMap
    ) {
      (self.name, self.endings, self.write) = (name, endings, write)
    }

    /// All formats, in the order of the help; of several with a file's extension, the first is used.
    static let all: [Format] = [
      Format("sbml", [".xml", ".sbml"]) { try writeSBML($0, $1) },
      Format("sbgn", [".sbgn"]) { try SBGNWriter.write(try document($0, isPlaced: true, $1)) },
      Format("escher") { try writeEscher($0, $1) },
      Format("kgml", [".kgml"]) { try KGMLWriter.write(try document($0, isPlaced: true, $1)) },
      Format("dot", [".dot", ".gv"]) { network, stop in
        WrittenMap(bytes: DOTWriter.write(try document(network, isPlaced: false, stop).graph))
      },
      Format("svg", [".svg"]) { try writeSVG($0, $1) },
      Format("json") { network, stop in
        WrittenMap(bytes: GraphJSONWriter.write(try document(network, isPlaced: true, stop).graph, indentation: 2))
      },
      Format("cobra") { network, _ in try writeCOBRA(network) },
    ]
  }

  /// Returns the format of a file name.
  static func format(of output: String?) throws(ErrorReport) -> Format {
    guard let output else {
      let formats = Format.all.map(\.name).joined(separator: ", ")
      throw ExportError.noFormat(
        "no format is given",
        advice: "give '--format' with one of \(formats), or '--output' with a file name")
    }
    let name = output.lowercased()
    if let format = Format.all.first(where: { $0.endings.contains { name.hasSuffix($0) } }) { return format }
    let endings = Format.all.flatMap(\.endings).map { String($0.dropFirst()) }
    throw ExportError.unknownEnding(output, formats: endings)
  }

  private static func writeCOBRA(_ network: OpenedNetwork) throws -> WrittenMap {
    let model = try network.anyModel()
    var written = COBRAWriter.write(network.isCOBRA ? model : model.withCOBRAIdentifiers())
    written.warnings += leftOut(of: network)
    return written
  }

  private static func writeSVG(_ network: OpenedNetwork, _ shouldStop: @escaping () -> Bool) throws -> WrittenMap {
    WrittenMap(bytes: SVGPictureWriter.bytes(PathwayPicture.picture(try network.graph(), shouldStop: shouldStop)))
  }

  /// Returns the model with its drawings; a pathway or map without a drawing gets the layout in which it is shown.
  private static func writeSBML(_ network: OpenedNetwork, _ shouldStop: @escaping () -> Bool) throws -> WrittenMap {
    var model = try network.anyModel()
    var isOwn = false
    if case .file(_, .model) = network { isOwn = true }
    if !isOwn {
      let placed = try document(network, isPlaced: true, shouldStop).graph
      model.layouts = [ModelLayout(placed.splittingDirectFlows(), of: model)]
    }
    if network.isCOBRA { model = model.withSBMLIdentifiers() }
    // Only SBML has a reason to give subsystems twice: notes that it had before.
    let (plain, changed) = model.withSubsystemGroups(isOnly: network.isCOBRA).withPlainIdentifiers()
    var written = WrittenMap(bytes: try SBMLWriter.bytes(plain))
    written.warnings += leftOut(of: network)
    if changed > 0 {
      written.warnings.append(
        Diagnostic(
          .note, code: "pathcase.ids-changed",
          "changed \(changed) ids: in SBML they are unique, have only letters, digits and '_', and do not begin with a digit"
        )
      )
    }
    return written
  }

  /// Returns the map of a network with its own positions, or else with a layout that fits Escher's font size.
  private static func writeEscher(_ network: OpenedNetwork, _ shouldStop: @escaping () -> Bool) throws -> WrittenMap {
    var document: MapDocument
    switch network {
    case .file(_, .map(let own)): document = own
    case .file(_, .model(let own)) where own.format != .cobra:
      let model = own.model.withCOBRAIdentifiers()
      document = MapDocument(format: .sbml, graph: model.drawnGraph ?? model.graph)
    case .pathway, .file: document = MapDocument(format: .contract, graph: try network.graph())
    }
    document.title = network.title
    if document.format == .escher, document.graph.isPlaced { return try EscherWriter.write(document) }
    let isPlaced = document.graph.isPlaced
    var drawn = EscherNetwork(document.graph)
    if [.sbgn, .gpml, .biopax].contains(document.format) { drawn.nameByLabels() }
    document.graph = isPlaced ? drawn.onPaper() : EscherPlacement(drawn, shouldStop: shouldStop).graph
    return try EscherWriter.write(document, leftOut: drawn.leftOut)
  }

  /// Returns notes on the features of a file that no model can hold.
  private static func leftOut(of network: OpenedNetwork) -> [Diagnostic] {
    switch network {
    case .file(_, .model(let document)):
      if document.leftOut.isEmpty { return [] }
      let words = document.leftOut.map { Identifier($0) }.sorted().map(\.text).joined(separator: ", ")
      return [
        Diagnostic(
          .warning, code: "pathcase.model-simplified", "the file has data that is not read and is left out: \(words)")
      ]
    case .file(_, .map(let document)):
      let count = document.graph.edgesBesideModel
      if count == 0 { return [] }
      return [
        Diagnostic(
          .warning, code: "pathcase.map-simplified",
          count == 1
            ? "left out a line of the map that does not end at a process or has no known effect on it"
            : "left out \(count) lines of the map that do not end at a process or have no known effect on it")
      ]
    case .pathway, .file(_, .scenario), .file(_, .document): return []
    }
  }

  /// Returns the drawing of a network.
  private static func document(
    _ network: OpenedNetwork, isPlaced: Bool, _ shouldStop: @escaping () -> Bool
  ) throws -> MapDocument {
    var document: MapDocument
    if case .file(_, .map(let own)) = network {
      document = own
      (document.title, document.graph.name) = (network.title, network.title)
      if own.graph.isPlaced || !isPlaced { return document }
    } else {
      let graph = try network.graph()
      document = MapDocument(format: .contract, graph: graph, title: graph.name)
      if graph.isPlaced || !isPlaced { return document }
    }
    var options = LayoutOptions()
    options.common = document.graph.nodes.contains { $0.frame != nil } ? .asOthers : .beside
    let layout = LayeredLayout.layout(document.graph, options: options, shouldStop: shouldStop)
    document.graph = document.graph.placed(by: layout)
    return document
  }
}

extension NetworkExport.Format: ParameterValue {
  static var parameterKind: Parameter.Kind { .choice(all.map(\.name)) }

  init?(parameterValue value: Value) {
    guard let format = Self.all.first(where: { $0.name == value.text }) else { return nil }
    self = format
  }

  var parameterValue: Value { .text(name) }
}

/// The errors of writing networks and pictures.
enum ExportError {
  static let all: [DeclaredError] = [unknownEnding, noFormat, noFile, notWritten]

  static let unknownEnding = DeclaredError(
    "pathcase.unknown-ending", .usage, "the format cannot be determined from the file name")

  static func unknownEnding(_ path: String, formats: [String]) -> ErrorReport {
    unknownEnding(
      "cannot determine a format from the file name '\(path)'",
      advice: "use a name that ends in .\(formats.joined(separator: ", .")), or give '--format'")
  }

  static let noFormat = DeclaredError(
    "pathcase.no-format", .usage, "neither a format nor an output file is given")
  static let noFile = DeclaredError("pathcase.no-output", .usage, "a format other than text needs an output file")
  private static let notWritten = DeclaredError(
    "pathcase.not-exported", .unusableInput, "the network lacks data that the format needs")
}
