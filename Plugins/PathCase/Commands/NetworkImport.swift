import PluginAPI

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
      Field("id", \.network.id.text, "names the network in other commands", heading: "Id")
      Field("name", \.network.name, "what it is called", heading: "Network")
      Field("format", \.network.format, "the format of its file", heading: "Format")
      Field("species", \.counts.species, "metabolites or pools", heading: "Species")
      Field("reactions", \.counts.reactions, "reactions or processes", heading: "Reactions")
      Field("compartments", \.counts.compartments, "compartments", heading: "Compartments")
      Field("diagnostics", \.counts.diagnostics, "how much was odd in it", heading: "Diagnostics")
      Field("isNew", \.isNew, "whether it was not there before", heading: "New")
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
      format: about.format, file: file, sha256: FileDigest.hexadecimal(of: bytes), importedAt: 0)
    if !isUsable(network.id.text) {
      throw ImportError.unusableID(
        "'\(network.id)' cannot be the id of a network",
        advice: "name one with '--id' that has no '.', '/' or control characters and does not begin with '-'")
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
      counts.species = graph.nodes.count { $0.kind == .pool }
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
      let pathway = try PathwayShelf.pathway(id.text, in: try shelf.database(call.context))
      if pathway != nil {
        throw ImportError.taken("'\(id)' means a pathway of the database", advice: "name another id with '--id'")
      }
    } catch PathwayError.ambiguousPathway {
      // The word is a prefix of several pathways, so it identifies none of them; from now on it identifies the network.
    }
    if let old = try await store.networks().first(where: { $0.id == id }) {
      if old.sha256 == network.sha256 {
        call.warn(
          Diagnostic(.note, code: "pathcase.import-known", "'\(id)' is there already, with the same file"))
        return Outcome(network: old, counts: counts, isNew: false)
      }
      if !replaces {
        throw ImportError.taken(
          "'\(id)' is another network, of the file '\(old.file)'",
          advice: "'--replace' puts this one in its place, '--id' keeps both")
      }
    }
    var kept = network
    kept.importedAt = Int(call.context.now().seconds)
    try await store.save(kept, content: content)
    return Outcome(network: kept, counts: counts, isNew: true)
  }
}

/// The errors of importing, checking and forgetting networks.
enum ImportError {
  static let all: [DeclaredError] = [oneFile, unusableID, taken, notAll, faults, unknown]

  static let oneFile = DeclaredError(
    "pathcase.import-one-file", .usage, "several files cannot be kept under one id")
  static let unusableID = DeclaredError("pathcase.import-id", .usage, "an id looks like the name of a file")
  static let taken = DeclaredError("pathcase.import-taken", .usage, "another network has the id")
  static let notAll = DeclaredError(
    "pathcase.import-not-all", .failure, "some of several files are not imported; what is wrong is told of each")
  static let faults = DeclaredError(
    "pathcase.faults", .unusableInput, "a file breaks rules of its format: 'validate' lists them")
  static let unknown = DeclaredError("pathcase.unknown-network", .notFound, "no imported network has the id")
}
