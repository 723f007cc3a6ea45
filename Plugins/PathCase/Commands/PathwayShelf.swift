import PluginAPI
import Synchronization

/// What the commands share: the database, opened once.
final class PathwayShelf: Sendable {
  private let opened = Mutex<MetabolicDatabase?>(nil)

  /// The database in use.
  ///
  /// - Throws: What reading and linking documents throws.
  func database(_ context: any PluginContext) throws -> MetabolicDatabase {
    try opened.withLock { opened in
      if let opened { return opened }
      let database = try BundledDatabase.open(context.folders.resources)
      opened = database
      return database
    }
  }

  /// What a word means: a pathway of the database by id or name, else a file.
  func network(_ word: String, _ context: any PluginContext) throws -> OpenedNetwork {
    let isPath = word.contains("/") || word.contains(".")
    if !isPath {
      let database = try database(context)
      if let pathway = try Self.pathway(word, in: database) { return .pathway(pathway, database) }
    }
    do {
      return .file(word, try NetworkFile.read(word))
    } catch NetworkFileError.missing where !isPath {
      let database = try database(context)
      let known = database.pathways.flatMap { [$0.id.text, $0.name] }
      throw PathwayError.unknownPathway(word, nearest: Suggestion.nearest(to: word, in: known))
    }
  }

  private static func pathway(_ word: String, in database: MetabolicDatabase) throws(PathwayError) -> Int? {
    if let exact = database.index.pathways[Identifier(word)] { return exact }
    let folded = word.lowercased()
    let named = database.pathways.indices.filter { database.pathways[$0].name.lowercased() == folded }
    let begun =
      named.isEmpty
      ? database.pathways.indices.filter {
        database.pathways[$0].name.lowercased().hasPrefix(folded)
          || database.pathways[$0].id.text.lowercased().hasPrefix(folded)
      } : named
    if begun.count > 1 {
      throw .ambiguousPathway(word, found: begun.map { database.pathways[$0].id.text })
    }
    return begun.first
  }
}
