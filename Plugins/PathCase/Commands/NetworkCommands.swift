import PluginAPI

/// Commands that import and export networks.
enum NetworkCommands {
  static let all = [importing, imports, exporting, forgetting]

  private static let files = Argument(
    "file", list: String.self, kind: NetworkInputs.document, "File with a network", isRequired: true)
  private static let id = Option(
    "id", String.self, "Id of the stored network; by default its own id or the file name")
  private static let replace = Option(flag: "replace", "Replace another network with the same id")

  private static let importing = PathCaseCommand(
    CommandDescription(
      "import", "Store the network of a file, to use it by its id",
      output: .table(of: NetworkImport.Outcome.self), effects: [.reads, .writes]
    ).taking(files, id, replace).explained(
      """
      The file is stored unchanged. Importing the same file again has no effect; another file with the same id needs \
      '--replace'. If some of several files cannot be imported, the others are. The command then reports each problem and \
      fails.
      """,
      examples: [
        .init("import model.xml", "A model"), .init("import map.json --id my-map", "A map, under an id of your own"),
      ])
  ) { call, shelf in
    let files = call[files]
    let id = call[id] ?? ""
    if files.count > 1, !id.isEmpty {
      throw ImportError.oneFile(
        "several files cannot have the same id '\(id)'", advice: "import them one by one, or leave out '--id'")
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
        "could not import \(failures.count) of \(files.count) files", advice: "see the errors above",
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
      "imports", "List imported networks", output: .table(of: ImportedNetwork.self)
    ).explained(
      "'list' also shows their sizes and the pathways of the database.", examples: [.init("imports", "All")])
  ) { call, shelf in
    try await call.emit(table: try await shelf.imported(call.context))
  }

  private struct Forgotten: Model {
    var ids: [Identifier]

    static let typeName = "pathcase.forgotten"
    static let fields = Fields<Self> {
      Field("forgotten", { $0.ids.map(\.text) }, "Ids of the removed networks")
    }
  }

  private static let imported = Argument("id", list: String.self, "Id of an imported network", isRequired: true)
    .completed(by: "imports", column: "id", summaryColumn: "name")

  private static let forgetting = PathCaseCommand(
    CommandDescription(
      "forget", "Remove imported networks",
      output: .model(Forgotten.self), effects: [.reads, .writes, .deletes]
    ).taking(imported).explained(
      "The original files are kept.", examples: [.init("forget my-map", "One network")])
  ) { call, shelf in
    let store = try shelf.userData(call.context)
    let ids = call[imported].map { Identifier($0) }
    let known = try await store.networks()
    for id in ids where !known.contains(where: { $0.id == id }) {
      throw ImportError.unknown(
        "no imported network is called '\(id)'",
        advice: Suggestion.advice(for: id.text, in: known.map(\.id.text))
          ?? "list imported networks with 'workbench pathcase imports'")
    }
    for network in known where ids.contains(network.id) { try await store.remove(network) }
    try await call.emit(Forgotten(ids: ids))
  }

  private static let format = Option(
    "format", NetworkExport.Format.self, "File format; by default that of the file name")
  private static let output = Option(
    "output", String.self, kind: .outputFile, "Output file, pipe or device; standard output without it")

  private static let exporting = PathCaseCommand(
    // Without '--output' the output is text, else a record.
    CommandDescription(
      "export", "Write a pathway or file in another format", output: .init(.any), effects: [.reads, .writes]
    ).taking(NetworkInputs.network, format, output).explained(
      """
      SBML and COBRA JSON keep the reactions, with bounds, genes and charges. Escher, SBGN-ML, KGML and JSON keep the \
      layout; a network without one is laid out. DOT is for Graphviz, and SVG is the picture of 'draw'. A warning names \
      data that the format cannot hold.
      """,
      examples: [
        .init("export w-glycolysis --format sbml --output glycolysis.xml", "For other programs"),
        .init("export model.xml --format escher --output map.json", "A map of a model, with a computed layout"),
      ])
  ) { call, shelf in
    let output = call[output]
    if let output { try NetworkOutput.check(output) }
    let format = try call[format] ?? NetworkExport.format(of: output)
    let network = try await shelf.network(call)
    let made = try await call.compute("writing \(format.name)") { progress in
      let written = try format.write(network) { progress.isCancelled }
      // A canceled layout is not a drawing to store.
      try progress.checkCancellation()
      return written
    }
    for warning in made.warnings { call.warn(warning) }
    guard let output else { return try await call.emit(.text(String(decoding: made.bytes, as: UTF8.self))) }
    try NetworkOutput.write(made.bytes, to: output)
    try await call.emit(
      WrittenNetwork(
        file: output, format: format.name, bytes: made.bytes.count, diagnostics: made.warnings.count))
  }

  /// The result of writing a network to a file.
  private struct WrittenNetwork: Model {
    let file: String
    let format: String
    let bytes: Int
    let diagnostics: Int

    static let typeName = "pathcase.written-network"
    static let fields = Fields<Self> {
      Field("file", \.file, "Output file")
      Field("format", \.format, "Format")
      Field("bytes", \.bytes, "Size of the file in bytes")
      Field("diagnostics", \.diagnostics, "Number of warnings")
    }
  }
}

extension ImportedNetwork: Model {
  static let typeName = "pathcase.imported-network"
  static let fields = Fields<Self> {
    Field("id", \.id.text, "Id of the network in other commands", heading: "Id")
    Field("name", \.name, "Name", heading: "Network")
    Field("format", \.format, "Format of its file", heading: "Format")
    Field("file", \.file, "Name of its file", heading: "File")
  }
}

/// An import of a network from a file.
struct NetworkImport: Sendable {
  var network: ImportedNetwork
  var content: [UInt8]
  var counts: Counts
  var warnings: [Diagnostic]

  /// The size of a network.
  struct Counts: Sendable, Hashable {
    var species = 0
    var reactions = 0
    var compartments = 0
    var diagnostics = 0
  }

  /// The result of an import.
  struct Outcome: Model {
    var network: ImportedNetwork
    var counts: Counts
    var isNew: Bool

    static let typeName = "pathcase.import"
    static let fields = Fields<Self> {
      Field("id", \.network.id.text, "Id of the network in other commands", heading: "Id")
      Field("name", \.network.name, "Name", heading: "Network")
      Field("format", \.network.format, "Format of its file", heading: "Format")
      Field("species", \.counts.species, "Number of metabolites or pools", heading: "Species")
      Field("reactions", \.counts.reactions, "Number of reactions or processes", heading: "Reactions")
      Field("compartments", \.counts.compartments, "Number of compartments", heading: "Compartments")
      Field("diagnostics", \.counts.diagnostics, "Number of warnings", heading: "Diagnostics")
      Field("isNew", \.isNew, "True if it was not stored before", heading: "New")
    }
  }

  /// Reads a file.
  ///
  /// - Parameters:
  ///   - id: The id for the stored network; "" for its own id.
  ///   - shouldStop: Called while waiting for a pipe.
  static func read(
    _ path: String, id: String, shouldStop: () -> Bool = { Task.isCancelled }
  ) throws -> NetworkImport {
    let bytes = try NetworkFile.bytes(path, shouldStop: shouldStop)
    let content = try NetworkFile.content(of: bytes, name: path)
    let opened = OpenedNetwork.file(path, content)
    let file = path.split(separator: "/").last.map(String.init) ?? path
    let about = try about(content, path)
    let own = id.isEmpty ? plain(about.id) : id
    let network = ImportedNetwork(
      id: Identifier(own.isEmpty ? plain(NetworkFile.stem(of: path)) : own), name: opened.title,
      format: about.format, file: file, sha256: NetworkFile.digest(of: bytes), importedAt: 0)
    if !isUsable(network.id.text) {
      throw ImportError.unusableID(
        "'\(network.id)' cannot be the id of a network",
        advice: "choose an id with '--id' that has no '.', '/' or control characters and does not begin with '-'")
    }
    return NetworkImport(network: network, content: bytes, counts: counts(opened), warnings: opened.warnings)
  }

  /// Returns whether commands would take a word as the id of a network rather than as a path or an option.
  private static func isUsable(_ id: String) -> Bool {
    let isPath = id.utf8.contains { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: ".") }
    let isShown = id.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
    return !id.isEmpty && !isPath && isShown && !id.hasPrefix("-")
  }

  /// Returns the size of a network.
  static func counts(_ opened: OpenedNetwork) -> Counts {
    var counts = Counts(diagnostics: opened.warnings.count)
    if case .file(_, .model(let document)) = opened {
      counts.species = document.model.species.count
      counts.reactions = document.model.reactions.count
      counts.compartments = document.model.compartments.count
    } else if let graph = try? opened.graph() {
      counts.species = graph.poolCount
      counts.reactions = graph.nodes.count { $0.kind == .process }
      counts.compartments = graph.compartments.count
    }
    return counts
  }

  /// Returns the id that a file gives its network, and its format.
  private static func about(
    _ content: NetworkFile.Content, _ path: String
  ) throws(ErrorReport) -> (id: String, format: String) {
    switch content {
    case .model(let document): (document.model.id.text, NetworkInfo.format(of: document))
    case .map(let document):
      // Programs number the maps of SBGN-ML, and BioPAX objects have addresses: neither is practical to type.
      ([.sbgn, .biopax].contains(document.format) ? "" : document.graph.id.text, document.format.title)
    case .scenario(let network): (network.name, NetworkFormat.scenario.title)
    case .document: throw PathwayError.loneDocument(path)
    }
  }

  /// Returns a name as an id that does not look like a path: characters other than letters, digits, `-` and `_` become
  /// `-`.
  private static func plain(_ name: String) -> String {
    var bytes: [UInt8] = []
    for byte in name.utf8.prefix(80) {
      let small = byte | 0x20
      let isPlain =
        small >= UInt8(ascii: "a") && small <= UInt8(ascii: "z") || byte >= 0x30 && byte <= 0x39
        || byte == UInt8(ascii: "_") || byte >= 0x80
      if isPlain { bytes.append(byte) } else if bytes.last != UInt8(ascii: "-") { bytes.append(UInt8(ascii: "-")) }
    }
    while bytes.last == UInt8(ascii: "-") { bytes.removeLast() }
    return String(decoding: bytes.drop { $0 == UInt8(ascii: "-") }, as: UTF8.self)
  }

  /// Stores the network unless the same file is already stored.
  @MainActor func keep(_ shelf: PathwayShelf, _ call: CommandCall, replaces: Bool) async throws -> Outcome {
    let store = try shelf.userData(call.context)
    let id = network.id
    do {
      let pathway = try PathwayShelf.pathway(id.text, in: try await shelf.database(call.context))
      if pathway != nil {
        throw ImportError.taken(
          "'\(id)' is the id of a pathway of the database", advice: "choose another id with '--id'")
      }
    } catch PathwayError.ambiguousPathway {
      // The word is a prefix of several pathways, so it identifies none of them; from now on it identifies the network.
    }
    var kept = network
    if let old = try await store.networks().first(where: { $0.id == id }) {
      if old.sha256 == network.sha256 {
        call.warn(
          Diagnostic(.note, code: "pathcase.import-known", "'\(id)' was already imported from the same file"))
        return Outcome(network: old, counts: counts, isNew: false)
      }
      if !replaces {
        throw ImportError.taken(
          "'\(id)' is the id of another network, imported from '\(old.file)'",
          advice: "replace it with '--replace', or keep both with '--id'")
      }
      kept.version = old.version
    }
    kept.importedAt = Int(call.context.now().seconds)
    try await store.save(kept, content: content)
    return Outcome(network: kept, counts: counts, isNew: true)
  }
}

/// The errors of importing, checking and forgetting networks.
enum ImportError {
  static let all: [DeclaredError] = [oneFile, unusableID, taken, notAll, faults, unknown]

  static let oneFile = DeclaredError(
    "pathcase.import-one-file", .usage, "several files cannot have the same id")
  static let unusableID = DeclaredError("pathcase.import-id", .usage, "the id looks like a file name")
  static let taken = DeclaredError("pathcase.import-taken", .usage, "another network has this id")
  static let notAll = DeclaredError(
    "pathcase.import-not-all", .failure, "some of several files could not be imported; each has an error of its own")
  static let faults = DeclaredError(
    "pathcase.faults", .unusableInput, "the file violates rules of its format, which 'validate' lists")
  static let unknown = DeclaredError("pathcase.unknown-network", .notFound, "no imported network has this id")
}

/// The command that reports the problems of a file.
enum ValidateCommand {
  private struct Finding: Model {
    var severity: Diagnostic.Severity
    var code: String
    var rule: Int?
    var line: Int?
    var column: Int?
    var message: String

    init(_ finding: NetworkCheck.Finding) {
      let problem = finding.problem
      let place = problem.line > 0 ? (problem.line, problem.column) : nil
      (severity, code, rule) = (finding.isFault ? .error : .warning, problem.code, problem.rule)
      (line, column, message) = (place?.0, place?.1, problem.text)
    }

    init(_ diagnostic: Diagnostic) {
      (severity, code, message) = (diagnostic.severity, diagnostic.code, diagnostic.message)
      (line, column) = (diagnostic.line, diagnostic.column)
    }

    static let typeName = "pathcase.finding"
    static let fields = Fields<Self> {
      Field(
        "severity", \.severity.rawValue, "'error' for a violated rule, else 'warning'",
        heading: "Severity")
      Field("code", \.code, "Stable code", heading: "Code")
      Field("rule", \.rule, "Number of the SBML rule; null without one", heading: "Rule")
      Field("line", \.line, "Line, from 1; null for the whole file", heading: "Line")
      Field("column", \.column, "Column where the tag ends, in bytes from 1", heading: "Column")
      Field("message", \.message.asMessage, "Description of the problem", heading: "Message")
    }
  }

  private static let file = Argument("file", String.self, kind: NetworkInputs.document, "File with a network")

  static let command = PathCaseCommand(
    CommandDescription("validate", "Check a file for problems", output: .table(of: Finding.self))
      .taking(file).explained(
        """
        SBML files are checked against the rules for XML, identifiers, lists, species and flux balance constraints. Other \
        formats are read, and their warnings are listed. If there are errors, the command fails after listing all problems.
        """, examples: [.init("validate model.xml", "All problems of a model")])
  ) { call, _ in
    let path = call[file]
    let found = try await call.compute("reading \(path)") { progress in
      try findings(in: path) { progress.isCancelled }
    }
    try await call.emit(table: found)
    let faults = found.count { $0.severity == .error }
    if faults > 0 {
      throw ImportError.faults(
        "'\(path)' violates rules in \(faults) \(faults == 1 ? "place" : "places")",
        advice: "correct the file, or export the model again", details: ["faults": .integer(faults)])
    }
  }

  private static func findings(in path: String, _ shouldStop: () -> Bool) throws -> [Finding] {
    let bytes = try NetworkFile.bytes(path, shouldStop: shouldStop)
    if let found = try NetworkFile.naming(path, { try NetworkCheck.findings(bytes) }) {
      return found.map(Finding.init)
    }
    let opened = OpenedNetwork.file(path, try NetworkFile.content(of: bytes, name: path))
    return opened.warnings.map(Finding.init)
  }
}
