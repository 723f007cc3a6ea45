import PluginAPI

/// A file format of networks, their maps or their data.
enum NetworkFormat: String, Sendable, CaseIterable {
  case sbml, escher, cobra, kgml, sbgn, gpml, biopax
  /// Documents of a PathCase server.
  case contract
  /// A network with observations for steady-state analysis.
  case scenario
  /// A number for each reaction or metabolite, to show on a map.
  case overlay
  /// A graph with its positions, as written by `export --format json`.
  case graph

  /// The display name of the format.
  var title: String {
    switch self {
    case .sbml: "SBML"
    case .escher: "Escher map"
    case .cobra: "COBRA JSON"
    case .kgml: "KGML"
    case .sbgn: "SBGN-ML"
    case .gpml: "GPML"
    case .biopax: "BioPAX"
    case .contract: "PathCase XML"
    case .scenario: "scenario network"
    case .overlay: "data for a map"
    case .graph: "PathCase JSON"
    }
  }
}

/// A model as read from a file in SBML or another model format.
struct SBMLDocument: Sendable, Hashable {
  var model = ReactionModel()
  var format = NetworkFormat.sbml
  /// The level of SBML, 1 to 3.
  var level = 3
  var version = 1
  /// The version of the flux balance constraints package; nil if the file does not use it.
  var fluxPackage: Int?
  /// The file's features that the model cannot represent, in words: `events`, `rate laws`.
  var leftOut: Set<String> = []
  /// Problems in the file that do not prevent its use.
  var warnings: [SBMLProblem] = []
}

/// A problem in an SBML file, with its position.
struct SBMLProblem: Sendable, Hashable {
  /// The error, which gives the stable code.
  var error: DeclaredError
  /// The number of the violated rule, as given by SBML validators; nil if there is none.
  ///
  /// Examples are 10301, and 2020705 for rule 20705 of the flux balance constraints package.
  var rule: Int?
  /// The line, from 1; 0 if the problem concerns the whole file.
  var line = 0
  /// The column at which the tag ends, in bytes, from 1.
  var column = 0
  /// The id of the element concerned.
  var id: String?
  /// The description of the problem, without position and rule.
  var text: String

  /// The stable code: `pathcase.ref-001`.
  var code: String { error.code }

  /// The description of the problem, with position and rule.
  var description: String {
    let location = line > 0 ? " in line \(line), column \(column)" : ""
    return text + location + (rule.map { " (SBML rule \($0))" } ?? "")
  }
}

/// A pathway map as read from a file.
struct MapDocument: Sendable, Hashable {
  var format: NetworkFormat
  /// The format version as given in the file: a namespace or a schema; "" if it is not given.
  var version = ""
  var graph: ReactionGraph
  /// Further maps in the file, to which nodes of the first may link.
  var submaps: [ReactionGraph] = []
  /// The title of the map.
  var title = ""
  /// The description in the file.
  var summary = ""
  /// The organism as given in the file: a name or a code; "" if it is not given.
  var organism = ""
  /// The number of elements in the file, keyed by the format's names; `glyph_classes.process` for kinds.
  var counts: [String: Int] = [:]
  /// The repairs, omissions and guesses made by the reader.
  var warnings: [Diagnostic] = []

  /// The counts ordered by name.
  var sortedCounts: [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted { Identifier($0.name) < Identifier($1.name) }
  }
}

/// Numbers to show on a map, in the order of the file.
struct OverlayData: Sendable, Hashable {
  /// The number of a reaction or a metabolite.
  struct Entry: Sendable, Hashable {
    var id: Identifier
    /// The number; nil if the file leaves it empty.
    var value: Double?
  }

  var entries: [Entry] = []
}

/// A network that the user imported from a file, without the file's bytes.
struct ImportedNetwork: Sendable, Hashable {
  /// The id that names it in commands; unique among the imported networks.
  var id: Identifier
  /// The display name.
  var name: String
  /// The format of the file, as shown by `info`.
  var format: String
  /// The name of the file, without folders.
  var file: String
  /// The SHA-256 digest of its bytes as 64 lowercase hexadecimal digits.
  var sha256: String
  /// The time of the import, in seconds since 1970-01-01 UTC.
  var importedAt: Int
  /// The version of the stored network; nil for a new one.
  var version: Int?
}
