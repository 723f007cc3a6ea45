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
  /// - Throws: The errors of reading and linking documents.
  func database(_ context: any PluginContext) async throws -> MetabolicDatabase { try await opened(context).database }

  /// Returns the active database with its origin.
  ///
  /// It is read on first use and again after it was replaced; other calls are fast. The user's layouts replace stored
  /// ones. A damaged snapshot is skipped, see ``OpenedDatabase/trouble``.
  ///
  /// - Throws: The errors of reading and linking documents.
  func opened(_ context: any PluginContext) async throws -> OpenedDatabase {
    let generation = generation.withLock { $0 }
    let pointer = try? Self.snapshots(context).folder.pointer()
    @Sendable func current(_ loaded: Loaded?) -> OpenedDatabase? {
      loaded.flatMap { $0.generation == generation && $0.pointer == pointer ? $0.opened : nil }
    }
    // While another task reads the database, waiting for it takes a thread.
    if let opened = loaded.withLockIfAvailable({ current($0) }) ?? nil { return opened }
    let own = try await ownLayouts(context)
    return try await context.eventLoop.compute("opening the database") { [self] _ in
      try loaded.withLock { loaded in
        if let opened = current(loaded) { return opened }
        let opened = try OpenedDatabase(context, own: own)
        loaded = Loaded(pointer: pointer, generation: generation, opened: opened)
        return opened
      }
    }
  }

  /// Returns the user's own layouts, or the reason why they cannot be read.
  private func ownLayouts(_ context: any PluginContext) async throws -> Result<[FrozenLayout], any Error> {
    do {
      return .success(try await keptUserData(context)?.layouts() ?? [])
    } catch let error as CancellationError {
      throw error
    } catch {
      return .failure(error)
    }
  }

  /// Invalidates the database, so that the next request reads it again.
  func forgetDatabase() { generation.withLock { $0 += 1 } }

  /// Invalidates the database, and notifies subscribers that another one is active.
  ///
  /// - Parameter reason: The operation that replaced it: `update`, `rollback` or `restore`.
  func databaseReplaced(_ context: any PluginContext, reason: String) async {
    forgetDatabase()
    let opened = try? await opened(context)
    let change = DatabaseChange(
      reason: reason, snapshot: opened?.database.snapshot, source: opened?.origin?.source,
      sha256: opened?.origin?.sha256)
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
    let store = try userData(context)
    return store.hasData ? store : nil
  }

  /// Announces the changes of all users of shared data from now on, for screens that show such data.
  func listen(_ context: any PluginContext) throws { try userData(context).listen() }

  /// Resolves a word: a pathway of the database by id or name, an imported network by its id, else a file.
  func network(_ word: String, _ context: any PluginContext) async throws -> OpenedNetwork {
    let isPath = Self.isPath(word)
    if !isPath {
      let database = try await database(context)
      if let exact = database.index.pathways[Identifier(word)] { return .pathway(exact, database) }
      // Exact ids take precedence over prefixes of pathways, which an update may have added.
      if let content = try await keptUserData(context)?.networkContent(Identifier(word)) {
        return try await context.eventLoop.compute("reading \(word)") { _ in
          OpenedNetwork.file(word, try NetworkFile.content(of: content, name: word))
        }
      }
      if let pathway = try Self.pathway(word, in: database) { return .pathway(pathway, database) }
    }
    do {
      return try await context.eventLoop.compute("reading \(word)") { progress in
        OpenedNetwork.file(word, try NetworkFile.read(word) { progress.isCancelled })
      }
    } catch let error where NetworkFileError.missing ~= error {
      let database = try await database(context)
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
struct OpenedDatabase: Sendable {
  let database: MetabolicDatabase
  /// The origin of the snapshot; nil for the bundled database.
  let origin: SnapshotOrigin?
  /// The problem that prevents the use of a fetched snapshot or of the user's layouts; nil if there is none.
  let trouble: Diagnostic?

  /// Opens the active database.
  ///
  /// - Parameter layouts: The user's own layouts, or the reason why they cannot be read.
  /// - Throws: The errors of reading and linking the bundled database.
  fileprivate init(_ context: any PluginContext, own layouts: Result<[FrozenLayout], any Error>) throws {
    var found: [Diagnostic] = []
    var own: [FrozenLayout] = []
    do {
      own = try layouts.get()
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
  private static func linked(
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
    var database = try DatabaseLinker.link(records, places: places)
    for layout in own { database.ownLayouts[layout.pathway] = layout.version }
    return database
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
  case observations(SavedObservations)
  case scenario(SavedScenario)

  var name: String {
    switch self {
    case .observations(let observations): observations.name
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

  /// Stores an item unless another one was stored in its place since it was read.
  ///
  /// - Returns: The item as it is stored, and true; or the item as a replacement of the other one, and false.
  private func keep<Item: UserItem>(
    _ item: Item, in store: UserDataStore
  ) async throws -> (item: Item, isKept: Bool) {
    let before = try await store.stored(item)
    if before?.version == item.version { return (try await store.save(item), true) }
    if let before, before.hasContent(of: item) { return (before, true) }
    var replacement = item
    replacement.version = before?.version
    return (replacement, false)
  }

  // MARK: Layouts

  /// Stores a layout, which appears in the database at its next request, unless another one was stored in its place.
  ///
  /// - Returns: The layout as it is stored, and true; or the layout as a replacement of the other one, and false.
  func keep(
    _ layout: FrozenLayout, _ context: any PluginContext
  ) async throws -> (item: FrozenLayout, isKept: Bool) {
    defer { forgetDatabase() }
    return try await keep(layout, in: userData(context))
  }

  /// Stores a layout in place of the version that it has.
  ///
  /// - Throws: `store.changed-meanwhile`.
  func save(_ layout: FrozenLayout, _ context: any PluginContext) async throws {
    defer { forgetDatabase() }
    try await userData(context).save(layout)
  }

  /// Deletes the user's layout of a pathway, if there is one.
  ///
  /// - Parameter version: The version that the user saw; nil for any.
  /// - Throws: `store.changed-meanwhile`; `pathcase.added-by-other`.
  func forgetLayout(of pathway: Identifier, version: Int? = nil, _ context: any PluginContext) async throws {
    defer { forgetDatabase() }
    guard let store = try keptUserData(context), var layout = try await store.layout(of: pathway) else { return }
    layout.version = version ?? layout.version
    try await store.remove(layout)
  }

  // MARK: Observations and scenarios

  /// Returns the names of stored observations.
  func observationNames(_ context: any PluginContext) async throws -> [String] {
    try await keptUserData(context)?.observationNames() ?? []
  }

  /// Returns stored observations; nil if there are none with that name.
  func observations(_ name: String, _ context: any PluginContext) async throws -> SavedObservations? {
    try await keptUserData(context)?.observations(name)
  }

  /// Returns the stored scenarios of a pathway.
  func scenarios(of pathway: Identifier, _ context: any PluginContext) async throws -> [SavedScenario] {
    try await keptUserData(context)?.scenarios(of: pathway) ?? []
  }

  /// Stores an item unless another one has its name.
  ///
  /// - Returns: The item as it is stored, and true; or the item as a replacement of the other one, and false.
  func keep(_ item: SavedItem, _ context: any PluginContext) async throws -> (item: SavedItem, isKept: Bool) {
    let store = try userData(context)
    switch item {
    case .observations(let observations):
      let kept = try await keep(observations, in: store)
      return (.observations(kept.item), kept.isKept)
    case .scenario(let scenario):
      let kept = try await keep(scenario, in: store)
      return (.scenario(kept.item), kept.isKept)
    }
  }
}
