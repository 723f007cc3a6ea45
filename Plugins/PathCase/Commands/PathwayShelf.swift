import Glibc
import PluginAPI
import Synchronization

/// The state that commands share: the database, opened once.
///
/// A caller that has a database keeps it unchanged. If this process or another one replaces the database, the next
/// request returns the new one.
final class PathwayShelf: Sendable {
  /// The database with the versions of its sources.
  private struct Loaded {
    var pointer: SnapshotFolder.Pointer?
    var generation: Int
    var opened: OpenedDatabase
  }

  private let loaded = Mutex<Loaded?>(nil)
  /// Counts the changes that may affect the database; separate from it, so that a notification never waits.
  private let generation = Mutex(0)
  private let reported = Mutex<Diagnostic?>(nil)

  /// The topic of notifications that another snapshot became active.
  static let databaseChanged = "database-changed"
  /// The topic of notifications that the user's own data changed.
  static let userDataChanged = "\(UserDataStore.storeName)-changed"

  /// Returns the active database: the last fetched snapshot, or else the bundled database.
  ///
  /// It is read on first use and again after it was replaced; other calls are fast. The user's layouts replace stored
  /// ones. A damaged snapshot is skipped, see ``trouble(_:)``.
  ///
  /// - Throws: The errors of reading and linking documents.
  func database(_ context: any PluginContext) throws -> MetabolicDatabase { try opened(context).database }

  /// Returns the origin of the active database.
  func origin(_ context: any PluginContext) throws -> SnapshotOrigin? { try opened(context).origin }

  /// Returns the problem that prevents the use of a fetched snapshot or of the user's layouts; nil if there is none.
  func trouble(_ context: any PluginContext) throws -> Diagnostic? { try opened(context).trouble }

  private func opened(_ context: any PluginContext) throws -> OpenedDatabase {
    let generation = generation.withLock { $0 }
    let pointer = try? Self.snapshots(context).folder.pointer()
    return try loaded.withLock { loaded in
      if let loaded, loaded.generation == generation, loaded.pointer == pointer { return loaded.opened }
      let opened = try OpenedDatabase(context, kept: keptUserData(context))
      loaded = Loaded(pointer: pointer, generation: generation, opened: opened)
      return opened
    }
  }

  /// Invalidates the database, so that the next request reads it again.
  func forgetDatabase() { generation.withLock { $0 += 1 } }

  /// Invalidates the database, and notifies subscribers that another one is active.
  ///
  /// - Parameter reason: The operation that replaced it: `update`, `rollback` or `restore`.
  func databaseReplaced(_ context: any PluginContext, reason: String) {
    forgetDatabase()
    let origin = try? origin(context)
    let change = DatabaseChange(
      reason: reason, snapshot: (try? database(context))?.snapshot, source: origin?.source, sha256: origin?.sha256)
    context.notify(Self.databaseChanged, change.fieldValue)
  }

  /// Returns the warning about the database that no command has reported yet.
  func unreportedTrouble() -> Diagnostic? {
    guard let trouble = loaded.withLock({ $0?.opened.trouble }) else { return nil }
    return reported.withLock { reported in
      if reported == trouble { return nil }
      reported = trouble
      return trouble
    }
  }

  /// Returns the store of snapshots.
  static func snapshots(_ context: any PluginContext) -> SnapshotStore {
    SnapshotStore(folder: DatabaseStore.path(in: context.folders.data))
  }

  /// Returns the store of the user's data, opened on first use.
  func userData(_ context: any PluginContext) throws -> UserDataStore {
    try context.store(UserDataStore.storeName, as: UserDataStore.self)
  }

  /// Returns the store of the user's data; nil if nothing was ever stored, so that reading creates no files.
  func keptUserData(_ context: any PluginContext) throws -> UserDataStore? {
    access(UserDataStore.path(in: context.folders.data), F_OK) == 0 ? try userData(context) : nil
  }

  /// Resolves a word: a pathway of the database by id or name, an imported network by its id, else a file.
  func network(_ word: String, _ context: any PluginContext) throws -> OpenedNetwork {
    let isPath = Self.isPath(word)
    if !isPath {
      let database = try database(context)
      if let exact = database.index.pathways[Identifier(word)] { return .pathway(exact, database) }
      // Exact ids take precedence over prefixes of pathways, which an update may have added.
      if let content = try keptUserData(context)?.networkContent(Identifier(word)) {
        return .file(word, try NetworkFile.content(of: content, name: word))
      }
      if let pathway = try Self.pathway(word, in: database) { return .pathway(pathway, database) }
    }
    do {
      return .file(word, try NetworkFile.read(word))
    } catch let error where NetworkFileError.missing ~= error {
      let database = try database(context)
      // Ids and names of other databases may look like paths: 'Glycolysis / Gluconeogenesis'.
      if isPath, try Self.pathway(word, in: database) == nil { throw error }
      return .pathway(try Self.neededPathway(word, in: database), database)
    }
  }

  /// Returns whether a word looks like a file name.
  private static func isPath(_ word: String) -> Bool { word.contains("/") || word.contains(".") }

  /// Returns the pathway identified by a word.
  ///
  /// - Returns: The index of the pathway.
  /// - Throws: `unknownPathway` or `notAPathway` if there is none; `ambiguousPathway`.
  static func neededPathway(_ word: String, in database: MetabolicDatabase) throws(ErrorReport) -> Int {
    if let pathway = try pathway(word, in: database) { return pathway }
    if isPath(word) { throw PathwayError.notAPathway(word) }
    let known = database.pathways.flatMap { [$0.id.text, $0.name] }
    throw PathwayError.unknownPathway(word, known: known)
  }

  /// Returns the pathway identified by a word: its id, with or without `w-`, its name, or a prefix of these.
  ///
  /// - Returns: The index of the pathway; nil if there is none.
  static func pathway(_ word: String, in database: MetabolicDatabase) throws(ErrorReport) -> Int? {
    if let exact = database.index.pathways[Identifier(word)] { return exact }
    let folded = word.lowercased()
    let criteria: [(MetabolicPathway) -> Bool] = [
      { $0.name.lowercased() == folded || $0.id.text.lowercased() == "w-" + folded },
      { $0.synonyms.contains { $0.lowercased() == folded } },
      { $0.name.lowercased().hasPrefix(folded) || $0.id.text.lowercased().hasPrefix(folded) },
    ]
    let found =
      criteria.lazy.map { isMeant in database.pathways.indices.filter { isMeant(database.pathways[$0]) } }
      .first { !$0.isEmpty } ?? []
    if found.count > 1 {
      let ids = found.map { database.pathways[$0].id.text }.joined(separator: ", ")
      throw PathwayError.ambiguousPathway("'\(word)' matches several pathways", advice: "choose one of \(ids)").short
    }
    return found.first
  }
}

/// The notification that another database is active.
struct DatabaseChange: Model {
  var reason: String
  var snapshot: String?
  var source: String?
  var sha256: String?

  static let typeName = "pathcase.database-change"
  static let fields = Fields<Self> {
    Field("reason", \.reason, "Operation that replaced the database: update, rollback or restore")
    Field("snapshot", \.snapshot, "Version of the database, as named by its publisher")
    Field("source", \.source, "Source of the download; null for the bundled database")
    Field("sha256", \.sha256, "SHA-256 digest of its manifest")
  }
}

/// The active database as it was opened, with the user's own layouts.
private struct OpenedDatabase: Sendable {
  let database: MetabolicDatabase
  /// The origin of the snapshot; nil for the bundled database.
  let origin: SnapshotOrigin?
  /// The reason why a different database was opened; nil if there is no problem.
  let trouble: Diagnostic?

  /// Opens the active database.
  ///
  /// - Parameter kept: The user's data; nil if nothing was ever stored.
  /// - Throws: The errors of reading and linking the bundled database.
  init(_ context: any PluginContext, kept: @autoclosure () throws -> UserDataStore?) throws {
    var found: [Diagnostic] = []
    var own: [FrozenLayout] = []
    do {
      own = try kept()?.layouts() ?? []
    } catch {
      found.append(Self.trouble(error, then: "your own layouts are not shown"))
    }
    var fetched: (MetabolicDatabase, SnapshotOrigin)?
    do {
      fetched = try Self.fetched(context, own)
    } catch {
      found.append(Self.trouble(error, then: "using the bundled database instead"))
    }
    if let fetched {
      (database, origin) = fetched
    } else {
      let bundled = try BundledDatabase.read(context.folders.resources)
      (database, origin) = (try Self.linked(bundled.records, own, places: bundled.places), nil)
    }
    trouble = found.first
  }

  /// Returns the fetched snapshot; nil if there is none.
  private static func fetched(
    _ context: any PluginContext, _ own: [FrozenLayout]
  ) throws -> (MetabolicDatabase, SnapshotOrigin)? {
    let store = PathwayShelf.snapshots(context)
    store.removeLeftovers()
    let handle: SnapshotHandle
    do {
      handle = try store.open()
    } catch SnapshotStoreError.empty {
      return nil
    }
    defer { handle.close() }
    return (try linked(handle.records(), own), try handle.origin())
  }

  /// Links records, with the user's layouts in place of those in the records.
  ///
  /// Layouts of pathways that no longer exist are kept until the pathways come back.
  static func linked(
    _ records: DatabaseRecords, _ own: [FrozenLayout], places: RecordPlaces = RecordPlaces()
  ) throws -> MetabolicDatabase {
    var (records, places) = (records, places)
    let known = Set(records.pathways.map(\.id))
    let own = own.filter { known.contains($0.pathway) }
    if !own.isEmpty {
      let replaced = Set(own.map(\.pathway))
      records.layouts = records.layouts.filter { !replaced.contains($0.pathway) } + own
      // Positions in documents no longer correspond to the list.
      places[.layout] = []
    }
    return try DatabaseLinker.link(records, places: places)
  }

  private static func trouble(_ error: any Error, then consequence: String) -> Diagnostic {
    let report =
      (error as? any ReportableError)?.report
      ?? ErrorReport(code: "pathcase.store-damaged", kind: .failure, "the database cannot be used: \(error)")
    return Diagnostic(.warning, code: report.code, "\(report.message); \(consequence)", advice: report.advice)
  }
}

/// An item that the user stores under a name.
enum SavedItem: Sendable {
  case observations([SavedObservation], name: String)
  case scenario(SavedScenario)

  var name: String {
    switch self {
    case .observations(_, let name): name
    case .scenario(let scenario): scenario.name
    }
  }
}

/// The user's own layouts, observations, scenarios and imported networks.
extension PathwayShelf {
  /// Returns the networks that the user imported from files, ordered by id.
  func imported(_ context: any PluginContext) async throws -> [ImportedNetwork] {
    try await keptUserData(context)?.networks() ?? []
  }

  // MARK: Layouts

  /// Stores a layout, which appears in the database at its next request.
  func keep(_ layout: FrozenLayout, _ context: any PluginContext) async throws {
    defer { forgetDatabase() }
    try await userData(context).save(layout)
  }

  /// Deletes the user's layout of a pathway, if there is one.
  func forgetLayout(of pathway: Identifier, _ context: any PluginContext) async throws {
    defer { forgetDatabase() }
    _ = try await keptUserData(context)?.removeLayout(of: pathway)
  }

  /// Returns whether the user has a layout of a pathway.
  func hasOwnLayout(of pathway: Identifier, _ context: any PluginContext) async throws -> Bool {
    try await keptUserData(context)?.layout(of: pathway) != nil
  }

  // MARK: Observations and scenarios

  /// Returns the names of stored observations.
  func observationNames(_ context: any PluginContext) async throws -> [String] {
    try await keptUserData(context)?.observationNames() ?? []
  }

  /// Returns stored observations; nil if there are none with that name.
  func observations(_ name: String, _ context: any PluginContext) async throws -> [SavedObservation]? {
    try await keptUserData(context)?.observations(name)
  }

  /// Returns the stored scenarios of a pathway.
  func scenarios(of pathway: Identifier, _ context: any PluginContext) async throws -> [SavedScenario] {
    try await keptUserData(context)?.scenarios(of: pathway) ?? []
  }

  /// Stores an item.
  ///
  /// - Parameter replaces: True to replace another item of its name.
  /// - Returns: False if another item has the name and was not replaced.
  func keep(_ item: SavedItem, replaces: Bool, _ context: any PluginContext) async throws -> Bool {
    if !replaces, try await isTaken(item, context) { return false }
    switch item {
    case .observations(let rows, let name): try await userData(context).save(rows, as: name)
    case .scenario(let scenario): try await userData(context).save(scenario)
    }
    return true
  }

  /// Returns whether another item is stored under the name.
  private func isTaken(_ item: SavedItem, _ context: any PluginContext) async throws -> Bool {
    switch item {
    case .observations(let rows, let name):
      guard let before = try await observations(name, context) else { return false }
      return before != rows
    case .scenario(let scenario):
      let all = try await scenarios(of: scenario.pathway, context)
      let before = all.first { $0.name.utf8.elementsEqual(scenario.name.utf8) }
      return before.map { $0.activities != scenario.activities } ?? false
    }
  }
}
