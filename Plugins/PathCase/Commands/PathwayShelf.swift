import Glibc
import PluginAPI
import Synchronization

/// What the commands share: the database, opened once.
///
/// Whoever has a database keeps it as it is; what was replaced meanwhile, by this process or another, is given to who
/// asks next.
final class PathwayShelf: Sendable {
  /// The database with what it was made of.
  private struct Shelved {
    var pointer: SnapshotFolder.Pointer?
    var generation: Int
    var opened: OpenedDatabase
  }

  private let shelved = Mutex<Shelved?>(nil)
  /// Counts what may have changed the database; apart from it, so that telling waits for nobody.
  private let generation = Mutex(0)
  private let told = Mutex<Diagnostic?>(nil)

  /// Sent after another snapshot came into use.
  static let databaseChanged = "database-changed"

  /// The database in use: the snapshot that was fetched last, else the one that came with the program.
  ///
  /// It is read at first, and again after it was replaced; quick otherwise. Own layouts stand in the place of stored
  /// ones. A damaged snapshot is passed over, see ``trouble(_:)``.
  ///
  /// - Throws: What reading and linking documents throws.
  func database(_ context: any PluginContext) throws -> MetabolicDatabase { try opened(context).database }

  /// Where the database in use is from.
  func origin(_ context: any PluginContext) throws -> SnapshotOrigin? { try opened(context).origin }

  /// What keeps a fetched snapshot or own layouts from being used; nil if nothing does.
  func trouble(_ context: any PluginContext) throws -> Diagnostic? { try opened(context).trouble }

  private func opened(_ context: any PluginContext) throws -> OpenedDatabase {
    let generation = generation.withLock { $0 }
    let pointer = try? Self.snapshots(context).folder.pointer()
    return try shelved.withLock { shelved in
      if let shelved, shelved.generation == generation, shelved.pointer == pointer { return shelved.opened }
      let opened = try OpenedDatabase(context, kept: keptUserData(context))
      shelved = Shelved(pointer: pointer, generation: generation, opened: opened)
      return opened
    }
  }

  /// Has the database read anew at the next request.
  func forgetDatabase() { generation.withLock { $0 += 1 } }

  /// Has the database read anew at the next request, and tells everybody that there is another one.
  ///
  /// - Parameter reason: What replaced it: `update`, `rollback` or `restore`.
  func databaseReplaced(_ context: any PluginContext, reason: String) {
    forgetDatabase()
    let origin = try? origin(context)
    context.notify(
      Self.databaseChanged,
      [
        "reason": .text(reason), "snapshot": .optional((try? database(context))?.snapshot),
        "source": .optional(origin?.source), "sha256": .optional(origin?.sha256),
      ])
  }

  /// The warning about the database that no command told yet.
  func untoldTrouble() -> Diagnostic? {
    guard let trouble = shelved.withLock({ $0?.opened.trouble }) else { return nil }
    return told.withLock { told in
      if told == trouble { return nil }
      told = trouble
      return trouble
    }
  }

  /// Where snapshots are kept.
  static func snapshots(_ context: any PluginContext) -> SnapshotStore {
    SnapshotStore(folder: DatabaseStore.path(in: context.folders.data))
  }

  /// What belongs to the user; opened at its first use.
  func userData(_ context: any PluginContext) throws -> UserDataStore {
    guard let store = try context.store(UserDataStore.storeName) as? UserDataStore else {
      throw MissingPart.store(UserDataStore.storeName)
    }
    return store
  }

  /// What belongs to the user; nil if nothing was ever kept: nothing is made for who only reads.
  func keptUserData(_ context: any PluginContext) throws -> UserDataStore? {
    access(UserDataStore.path(in: context.folders.data), F_OK) == 0 ? try userData(context) : nil
  }

  /// What a word means: a pathway of the database by id or name, an imported network by its id, else a file.
  func network(_ word: String, _ context: any PluginContext) throws -> OpenedNetwork {
    let isPath = Self.isPath(word)
    if !isPath {
      let database = try database(context)
      if let exact = database.index.pathways[Identifier(word)] { return .pathway(exact, database) }
      // Before pathways whose names only begin so, which an update may have brought.
      if let content = try keptUserData(context)?.networkContentAndWait(Identifier(word)) {
        return .file(word, try NetworkFile.content(of: content, name: word))
      }
      if let pathway = try Self.pathway(word, in: database) { return .pathway(pathway, database) }
    }
    do {
      return .file(word, try NetworkFile.read(word))
    } catch let error as NetworkFileError {
      guard case .missing = error else { throw error }
      let database = try database(context)
      // Ids and names of other databases may look like paths: 'Glycolysis / Gluconeogenesis'.
      if isPath, try Self.pathway(word, in: database) == nil { throw error }
      return .pathway(try Self.neededPathway(word, in: database), database)
    }
  }

  /// Whether a word looks like a file's name.
  private static func isPath(_ word: String) -> Bool { word.contains("/") || word.contains(".") }

  /// The pathway that a word means.
  ///
  /// - Returns: Its index.
  /// - Throws: `unknownPathway` or `notAPathway` if there is none; `ambiguousPathway`.
  static func neededPathway(_ word: String, in database: MetabolicDatabase) throws(PathwayError) -> Int {
    if let pathway = try pathway(word, in: database) { return pathway }
    if isPath(word) { throw .notAPathway(word) }
    let known = database.pathways.flatMap { [$0.id.text, $0.name] }
    throw .unknownPathway(word, nearest: Suggestion.nearest(to: word, in: known))
  }

  /// The pathway that a word means: by its id, which may go without `w-`, its name, or how these begin.
  ///
  /// - Returns: Its index; nil if there is none.
  static func pathway(_ word: String, in database: MetabolicDatabase) throws(PathwayError) -> Int? {
    if let exact = database.index.pathways[Identifier(word)] { return exact }
    let folded = word.lowercased()
    let named = database.pathways.indices.filter {
      database.pathways[$0].name.lowercased() == folded || database.pathways[$0].id.text.lowercased() == "w-" + folded
    }
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
