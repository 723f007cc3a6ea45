import PluginAPI

/// Commands that import and export networks.
enum NetworkCommands {
  static let all = [importing, imports, exporting, forgetting]

  private static let files = Argument(
    "file", list: String.self, kind: PathCaseCommand.document, "a file with a network", isRequired: true)
  private static let id = Option(
    "id", String.self, "the id to be kept under; that of the network, else the file's name, by default")
  private static let replace = Option(flag: "replace", "take the place of another file of the same id")

  private static let importing = PathCaseCommand(
    CommandDescription(
      "import", "keeps the network of a file, so that an id is enough for it",
      output: .table(of: NetworkImport.Outcome.self), effects: [.reads, .writes]
    ).taking(files, id, replace).explained(
      """
      The file is kept byte by byte. The same file again changes nothing; another one of the same id needs '--replace'. \
      Of several files each is kept that can be; what is wrong with the others is told, and the command fails then.
      """,
      examples: [
        .init("import model.xml", "a model"), .init("import map.json --id my-map", "a map, under an id of your own"),
      ])
  ) { call, shelf in
    let files = call[files]
    let id = call[id] ?? ""
    if files.count > 1, !id.isEmpty {
      throw ImportError.oneFile(
        "several files cannot have the one id '\(id)'", advice: "import them one by one, or leave '--id' out")
    }
    var taken: [NetworkImport.Outcome] = []
    var failures: [ErrorReport] = []
    for file in files {
      do {
        taken.append(try await outcome(of: file, id, shelf, call))
      } catch let error as any ReportableError where files.count > 1 {
        // The other files stay imported.
        let report = error.report
        failures.append(report)
        call.warn(Diagnostic(.error, code: report.code, "'\(file)': \(report.message)", advice: report.advice))
      }
    }
    if !taken.isEmpty { try await call.emit(table: taken) }
    if let first = failures.first {
      var report = ImportError.notAll(
        "\(failures.count) of \(files.count) files are not imported", advice: "see what is told of each above",
        details: ["failed": .integer(failures.count), "files": .integer(files.count)])
      report.kind = first.kind
      throw report
    }
  }

  private static func outcome(
    of file: String, _ id: String, _ shelf: PathwayShelf, _ call: CommandCall
  ) async throws -> NetworkImport.Outcome {
    let made = try await call.compute("reading \(file)") { progress in
      try NetworkImport.read(file, id: id) { progress.isCancelled }
    }
    for warning in made.warnings { call.warn(warning) }
    return try await made.keep(shelf, call, replaces: call[replace])
  }

  private static let imports = PathCaseCommand(
    CommandDescription(
      "imports", "lists imported networks", output: .table(of: ImportedNetwork.self)
    ).explained(
      "'list' counts what is in them, and lists the pathways of the database too.", examples: [.init("imports", "all")])
  ) { call, shelf in
    try await call.emit(table: try await shelf.keptUserData(call.context)?.networks() ?? [])
  }

  private struct Forgotten: Model {
    var ids: [Identifier]

    static let typeName = "pathcase.forgotten"
    static let fields = Fields<Self> {
      Field("forgotten", { $0.ids.map(\.text) }, "the ids that are no longer there")
    }
  }

  private static let imported = Argument("id", list: String.self, "the id of an imported network", isRequired: true)
    .completed(by: "imports", column: "id", summaryColumn: "name")

  private static let forgetting = PathCaseCommand(
    CommandDescription(
      "forget", "removes imported networks",
      output: .model(Forgotten.self), effects: [.reads, .writes, .deletes]
    ).taking(imported).explained(
      "Files that they came from stay where they are.", examples: [.init("forget my-map", "one of them")])
  ) { call, shelf in
    let store = try shelf.userData(call.context)
    let ids = call[imported].map { Identifier($0) }
    let known = try await store.networks().map(\.id)
    for id in ids where !known.contains(id) {
      let nearest = Suggestion.nearest(to: id.text, in: known.map(\.text))
      throw ImportError.unknown(
        "no imported network is called '\(id)'",
        advice: nearest.map { "did you mean '\($0)'?" } ?? "'workbench pathcase list' names them")
    }
    for id in ids { _ = try await store.removeNetwork(id) }
    try await call.emit(Forgotten(ids: ids))
  }

  private static let format = Option(
    "format", NetworkExport.Format.self, "the format; that of the file's name else")
  private static let output = Option(
    "output", String.self, kind: .outputFile, "the file, pipe or device; the text is the result without it")

  private static let exporting = PathCaseCommand(
    CommandDescription(
      "export", "writes a pathway or file in another format", output: .init(.any), effects: [.reads, .writes]
    ).taking(PathCaseCommand.network, format, output).explained(
      """
      SBML and COBRA JSON keep what takes part in reactions, with bounds, genes and charges; Escher, SBGN-ML, KGML and \
      JSON keep the drawing, which is laid out if there is none; DOT is for Graphviz, SVG the picture of 'draw'. What \
      a format has no room for is said.
      """,
      examples: [
        .init("export w-glycolysis --format sbml --output glycolysis.xml", "for other programs"),
        .init("export model.xml --format escher --output map.json", "a map of a model, laid out"),
      ])
  ) { call, shelf in
    let output = call[output]
    if let output { try NetworkOutput.check(output) }
    let format = try call[format] ?? NetworkExport.format(of: output)
    let network = try shelf.network(call)
    let made = try await call.compute("writing \(format.rawValue)") { progress in
      let written = try NetworkExport.written(network, as: format) { progress.isCancelled }
      // A canceled layout is not a drawing to store.
      try progress.checkCancellation()
      return written
    }
    for warning in made.warnings { call.warn(warning) }
    guard let output else { return try await call.emit(.text(String(decoding: made.bytes, as: UTF8.self))) }
    try NetworkOutput.write(made.bytes, to: output)
    try await call.emit([
      "file": .text(output), "format": .text(format.rawValue), "bytes": .integer(made.bytes.count),
      "diagnostics": .integer(made.warnings.count),
    ])
  }
}

extension ImportedNetwork: Model {
  static let typeName = "pathcase.imported-network"
  static let fields = Fields<Self> {
    Field("id", \.id.text, "names the network in other commands", heading: "Id")
    Field("name", \.name, "what it is called", heading: "Network")
    Field("format", \.format, "the format of its file", heading: "Format")
    Field("file", \.file, "the name of its file", heading: "File")
  }
}
