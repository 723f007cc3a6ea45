import PluginAPI

/// A network that a command works on: a pathway of the database, or a file.
enum OpenedNetwork: Sendable {
  /// A pathway, by its index.
  case pathway(Int, MetabolicDatabase)
  /// A file, by its path.
  case file(String, NetworkFile.Content)

  /// The picture of it.
  func graph() throws(PathwayError) -> ReactionGraph {
    var graph: ReactionGraph
    switch self {
    case .pathway(let pathway, let database): return database.graph(ofPathway: pathway)
    case .file(_, .model(let document)): graph = document.model.drawnGraph ?? document.model.graph
    case .file(_, .map(let document)): graph = document.graph
    case .file(_, .scenario(let network)): graph = network.graph
    case .file(let path, .document): throw .loneDocument(path)
    }
    graph.name = title
    return graph
  }

  /// The name that people know it by: that of its file without extensions if it has none of its own.
  ///
  /// Ids of files are made by programs and never shown as names.
  var title: String {
    switch self {
    case .pathway(let pathway, let database): database.pathways[pathway].name
    case .file(let path, .model(let document)): Self.name(document.model.name, orOf: path)
    case .file(let path, .map(let document)):
      Self.name(document.title.isEmpty ? document.graph.name : document.title, orOf: path)
    case .file(let path, .scenario(let network)): Self.name(network.name, orOf: path)
    case .file(_, .document(let document)): document.type.rawValue
    }
  }

  private static func name(_ name: String, orOf path: String) -> String {
    name.allSatisfy(\.isWhitespace) ? NetworkFile.stem(of: path) : name
  }

  /// It as scenario analysis sees it.
  ///
  /// - Parameter isClosed: Whether what other pathways of the database move stays inside.
  func scenarioNetwork(isClosed: Bool = false) throws(PathwayError) -> ScenarioNetwork {
    switch self {
    case .pathway(let pathway, let database):
      var network = database.scenarioNetwork(ofPathways: [pathway], isClosed: isClosed)
      network.closeEnds(withSingles: isClosed)
      return network
    case .file(_, .model(let document)): return document.model.scenarioNetwork
    case .file(_, .scenario(let network)): return network
    case .file(let path, .map): throw .noScenarios(path)
    case .file(let path, .document): throw .loneDocument(path)
    }
  }

  /// The model with limits of fluxes.
  func model() throws(PathwayError) -> ReactionModel {
    switch self {
    case .file(_, .model(let document)): return document.model
    case .pathway(let pathway, let database): throw .noFluxes(database.pathways[pathway].id.text)
    case .file(let path, _): throw .noFluxes(path)
    }
  }

  /// What takes part in its processes, whether it comes with limits of fluxes or not.
  func anyModel() throws(PathwayError) -> ReactionModel {
    switch self {
    case .pathway(let pathway, let database): return database.model(ofPathway: pathway)
    case .file(_, .model(let document)): return document.model
    case .file(_, .map): return try graph().model
    case .file(_, .scenario(let network)): return network.graph.model
    case .file(let path, .document): throw .loneDocument(path)
    }
  }

  /// A Boolean value indicating whether its ids are those of COBRApy, without the prefixes of SBML.
  var isCOBRA: Bool {
    if case .file(_, .model(let document)) = self { document.format == .cobra } else { false }
  }

  /// What messages call it: the word that means it in commands.
  var name: String {
    switch self {
    case .pathway(let pathway, let database): database.pathways[pathway].id.text
    case .file(let path, _): path
    }
  }

  /// What was odd in it.
  var warnings: [Diagnostic] {
    switch self {
    case .file(_, .model(let document)):
      document.warnings.map { problem in
        let place = problem.line > 0 ? "line \(problem.line), column \(problem.column): " : ""
        return Diagnostic(.warning, code: problem.code, (place + problem.text).asMessage)
      }
    case .file(_, .map(let document)): document.warnings
    case .file(_, .document(let document)):
      document.warnings.map { Diagnostic(.warning, code: $0.code.errorCode, $0.text.asMessage) }
    default: []
    }
  }
}
