import PluginAPI
import PluginText

/// The network shown: a pathway of the database, or the contents of a file.
struct ShownNetwork: Sendable {
  /// The word that identifies it in commands: the id of a pathway, or the path of a file.
  var word: String
  var opened: OpenedNetwork
  /// Its graph, with the positions of its own or stored layout.
  var graph: ReactionGraph
  /// A Boolean value indicating whether its positions were stored by the user.
  var hasOwnLayout = false

  /// The heading of its screen.
  var title: String {
    switch opened {
    case .pathway(let index, let database): database.pathwayName(index)
    case .file: SanitizedText.line(opened.title)
    }
  }

  /// The database that contains it; nil for a file.
  var database: MetabolicDatabase? {
    if case .pathway(_, let database) = opened { database } else { nil }
  }

  /// The index of the pathway; nil for a file.
  var pathway: Int? {
    if case .pathway(let index, _) = opened { index } else { nil }
  }

  /// The contents that can be shown.
  var contents: [PathwayContent] {
    pathway != nil ? PathwayContent.allCases : [.graph, .scenarios, .processes, .metabolites]
  }
}

extension ShownNetwork {
  /// Opens the network identified by a word; the first pathway of the database without one.
  ///
  /// - Throws: The errors of the database, the formats and the user's data.
  static func open(
    _ word: String?, _ shelf: PathwayShelf, _ context: any PluginContext
  ) async throws -> ShownNetwork {
    var network = try await context.eventLoop.compute("opening") { _ in try read(word, shelf, context) }
    if case .pathway(let index, let database) = network.opened, database.links.layoutsOfPathways[index] != nil {
      network.hasOwnLayout = try await shelf.hasOwnLayout(of: database.pathways[index].id, context)
    }
    return network
  }

  /// Reads the network identified by a word, without asking for the user's own layout.
  ///
  /// Keeps its thread busy; call it only off the main loop.
  ///
  /// - Throws: The errors of the database and the formats.
  static func read(_ word: String?, _ shelf: PathwayShelf, _ context: any PluginContext) throws -> ShownNetwork {
    if let word { return try ShownNetwork(shelf.network(word, context), word: word) }
    let database = try shelf.database(context)
    guard let first = database.pathways.first else { throw PathwayError.unknownPathway("", nearest: nil) }
    return try ShownNetwork(.pathway(0, database), word: first.id.text)
  }

  private init(_ opened: OpenedNetwork, word: String) throws {
    self.init(word: word, opened: opened, graph: try opened.graph())
    // A pathway may be requested by its name: it is stored under its id.
    if case .pathway(let index, let database) = opened { self.word = database.pathways[index].id.text }
  }
}
