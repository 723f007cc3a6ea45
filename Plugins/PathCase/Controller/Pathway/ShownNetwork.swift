import PluginAPI
import PluginText

/// A network that is shown: a pathway of the database, or what a file holds.
struct ShownNetwork: Sendable {
  /// What it is called in commands: the id of a pathway, or the path of a file.
  var word: String
  var opened: OpenedNetwork
  /// Its picture, with the places of its own or stored layout.
  var graph: ReactionGraph
  /// Whether its places are those that the user kept.
  var hasOwnLayout = false

  /// The heading of its screen.
  var title: String {
    switch opened {
    case .pathway(let index, let database):
      ShownText.name(database.pathways[index].name, or: database.pathways[index].id)
    case .file: SanitizedText.line(opened.title)
    }
  }

  /// The database it is of; nil for a file.
  var database: MetabolicDatabase? {
    if case .pathway(_, let database) = opened { database } else { nil }
  }

  /// The pathway, by index; nil for a file.
  var pathway: Int? {
    if case .pathway(let index, _) = opened { index } else { nil }
  }

  /// What can be shown of it.
  var contents: [PathwayContent] {
    pathway != nil ? PathwayContent.allCases : [.graph, .scenarios, .processes, .metabolites]
  }
}

extension ShownText {
  /// The last part of a path.
  static func fileName(_ path: String) -> String { path.split(separator: "/").last.map(String.init) ?? path }
}

extension ShownNetwork {
  /// Opens what a word means; the first pathway of the database for none.
  ///
  /// - Throws: What the database and the formats throw.
  static func open(_ word: String?, _ shelf: PathwayShelf, _ context: any PluginContext) throws -> ShownNetwork {
    guard let word else {
      let database = try shelf.database(context)
      guard let first = database.pathways.first else { throw PathwayError.unknownPathway("", nearest: nil) }
      return try of(.pathway(0, database), word: first.id.text, shelf, context)
    }
    return try of(try shelf.network(word, context), word: word, shelf, context)
  }

  private static func of(
    _ opened: OpenedNetwork, word: String, _ shelf: PathwayShelf, _ context: any PluginContext
  ) throws -> ShownNetwork {
    var network = ShownNetwork(word: word, opened: opened, graph: try opened.graph())
    // A pathway may be asked for by its name: it is known by its id.
    if case .pathway(let index, let database) = opened {
      network.word = database.pathways[index].id.text
      if database.links.layoutsOfPathways[index] != nil {
        network.hasOwnLayout = try shelf.hasOwnLayoutAndWait(of: database.pathways[index].id, context)
      }
    }
    return network
  }
}
