import PluginAPI
import PluginPostgres
import PluginStore

/// The data of several users in a PostgreSQL database.
struct SharedUserData: SharedContent {
  private static let schema = "pathcase_user_data"

  private let store: PostgresStore

  /// Creates the data without connecting.
  ///
  /// - Parameters:
  ///   - isOffline: True if no connection is allowed.
  ///   - onChange: Called after every change made here; after those by any user once ``listen()`` was called.
  init(_ address: String, isOffline: Bool, onChange: @escaping @Sendable () -> Void) throws {
    store = PostgresStore(
      name: UserDataStore.storeName, address: try PostgresAddress(address), schema: Self.schema,
      migrations: UserDataMigrations.shared, isOffline: isOffline, onChange: onChange)
  }

  func listen() { store.listen() }
  func close() async { await store.close() }

  func read<Result: Sendable>(
    _ body: @escaping @Sendable (any UserDataAccess) throws -> Result
  ) async throws -> Result {
    try await store.read { try body(SharedAccess(connection: $0)) }
  }

  func write<Result: Sendable>(
    _ body: @escaping @Sendable (any UserDataAccess) throws -> Result
  ) async throws -> Result {
    try await store.write { try body(SharedAccess(connection: $0)) }
  }

  /// Returns all tables.
  func export() async throws -> Value {
    try await store.export(
      Self.table(of: FrozenLayout.self) + Self.table(of: SavedObservations.self) + Self.table(of: SavedScenario.self)
        + Self.table(of: StoredNetwork.self))
  }

  private static func table<Item: UserItem>(of _: Item.Type) -> [PostgresTable] {
    let table = Item.table
    let key = table.key.joined(separator: ", ")
    return [PostgresTable(table.name, columns: table.key + table.columns + ["version", "added_by"], order: key)]
      + table.parts.map { PostgresTable($0.name, columns: table.key + $0.columns, order: key + ", position") }
  }
}

// MARK: Sharing

extension SharedUserData {
  /// Copies the items that the database lacks; a user who may only read copies nothing.
  ///
  /// Each item is one transaction, so that an interrupted copy has whole items only and can be repeated.
  /// - Parameter local: The file on this machine; nil if there is none.
  /// - Returns: The numbers of items. An item whose name the database has for another one is not copied.
  /// - Throws: `pathcase.copy-differs`.
  func receive(
    _ local: SQLiteStore?, progress: @Sendable (Progress) -> Void
  ) async throws -> SharedStoreSummary {
    progress(Progress("preparing the database"))
    try await store.migrate()
    guard let local else { return SharedStoreSummary(copied: 0, known: 0) }
    let mayAdd = try await store.read { connection in
      try connection.value("SELECT has_table_privilege('layout', 'INSERT')").boolean == true
    }
    var summary = SharedStoreSummary(copied: 0, known: 0)
    progress(Progress("copying layouts"))
    try await copy(FrozenLayout.self, from: local, mayAdd, &summary)
    progress(Progress("copying observations"))
    try await copy(SavedObservations.self, from: local, mayAdd, &summary)
    progress(Progress("copying scenarios"))
    try await copy(SavedScenario.self, from: local, mayAdd, &summary)
    progress(Progress("copying networks"))
    try await copy(StoredNetwork.self, from: local, mayAdd, &summary)
    return summary
  }

  private func copy<Item: UserItem>(
    _: Item.Type, from local: SQLiteStore, _ mayAdd: Bool, _ summary: inout SharedStoreSummary
  ) async throws {
    for key in try await local.read({ try LocalAccess(connection: $0).keys(of: Item.self) }) {
      try Task.checkCancellation()
      let item = try await local.read { try LocalAccess(connection: $0).items(Item.self, key: key).first }
      // The user's other programs may delete items during the copy.
      guard let item else { continue }
      let place: @Sendable (any UserDataAccess) throws -> (isNew: Bool, isSame: Bool) = { access in
        let isNew = try mayAdd && access.add(item) != nil
        let isSame = try access.items(Item.self, key: key).first?.hasContent(of: item) == true
        // Within the transaction: a copy that differs must not stay, as it would count as another user's item later.
        if isNew, !isSame { throw UserDataError.sharing.copyDiffers([item.title]) }
        return (isNew, isSame)
      }
      let (isNew, isSame) = try await mayAdd ? write(place) : read(place)
      summary.copied += isNew ? 1 : 0
      summary.known += isSame && !isNew ? 1 : 0
      summary.notCopied += isSame ? 0 : 1
    }
  }
}
