import Glibc
import PluginAPI
import PluginStore
import PluginText

/// The user's data: own layouts, observations, scenarios, imported networks; or those that a lab shares in a PostgreSQL
/// database.
///
/// It is stored apart from the snapshots and refers to things by id, so that it survives every update. Data about
/// things that a snapshot no longer contains are kept. Each item has a version: a write states the version that it
/// replaces, so that no change of another user or program is lost.
final class UserDataStore: ShareableStore {
  static let storeName = "user-data"
  private static let tables: Set = ["layout", "observations", "scenario", "network"]

  /// The file on this machine, which stays as it is while the data is shared.
  let local: SQLiteStore
  private let sharing: StoreSharing<SharedUserData>

  /// Creates the store without opening a database.
  ///
  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - isOffline: True if a shared database must not be connected to.
  ///   - onChange: Called after every committed change with the tables that changed; with those of all items after a
  ///     change in a shared database.
  init(
    folder: String, isOffline: Bool = false, onChange: @escaping @Sendable (_ tables: Set<String>) -> Void = { _ in }
  ) {
    local = SQLiteStore(
      name: Self.storeName, path: folder + "/user-data.sqlite", migrations: UserDataMigrations.all, onChange: onChange)
    let changed: @Sendable () -> Void = { onChange(Self.tables) }
    sharing = StoreSharing(UserDataError.sharing, folder: folder, onChange: changed) {
      try SharedUserData($0, isOffline: isOffline, onChange: changed)
    }
  }

  var name: String { Self.storeName }
  var path: String { local.path }
  var schemaVersion: Int { sharedAddress == nil ? local.schemaVersion : UserDataMigrations.shared.count }

  /// False if nothing was ever stored, so that there is no file to read.
  var hasData: Bool { sharedAddress != nil || access(path, F_OK) == 0 }

  /// Returns the problems of the file on this machine, and those of the stored networks.
  func check() async throws -> [Diagnostic] {
    let found = try await sharedAddress == nil ? local.check() : []
    guard hasData, !found.contains(where: { $0.severity == .error }) else { return found }
    var changed: [Diagnostic] = []
    for network in try await networks() {
      guard let content = try await networkContent(network.id) else { continue }
      if SHA256.hexadecimal(of: content) != network.sha256 { changed.append(UserDataError.networkChanged(network)) }
    }
    return found + changed
  }

  func backup(to path: String) async throws {
    if let sharedAddress {
      throw UserDataError.sharing.shared(at: sharedAddress, "backed up to a file", use: "'pg_dump'")
    }
    try await local.backup(to: path)
  }

  func restore(from path: String) async throws {
    if let sharedAddress { throw UserDataError.sharing.shared(at: sharedAddress, "replaced by a backup") }
    try await local.restore(from: path)
  }

  func export() async throws -> Value {
    if let shared = try sharing.content() { return try await shared.export() }
    return try await local.export()
  }

  func close() async {
    await sharing.close()
    await local.close()
  }

  private func read<Result: Sendable>(
    _ body: @escaping @Sendable (any UserDataAccess) throws -> Result
  ) async throws -> Result {
    if let shared = try sharing.content() { return try await shared.read(body) }
    return try await local.read { try body(LocalAccess(connection: $0)) }
  }

  private func write<Result: Sendable>(
    _ body: @escaping @Sendable (any UserDataAccess) throws -> Result
  ) async throws -> Result {
    if let shared = try sharing.content() { return try await shared.write(body) }
    return try await local.write { try body(LocalAccess(connection: $0)) }
  }
}

// MARK: Sharing

extension UserDataStore {
  var sharedAddress: String? { sharing.address }

  /// Copies the user's own data to a database and uses that from then on; the file stays.
  func share(
    to address: String, progress: @escaping @Sendable (Progress) -> Void
  ) async throws -> SharedStoreSummary {
    let file = access(path, F_OK) == 0 ? local : nil
    return try await sharing.share(to: address) { try await $0.receive(file, progress: progress) }
  }

  func unshare() async throws { try await sharing.unshare() }

  /// Reports changes by other users of a shared database from now on.
  func listen() { sharing.listen() }
}

// MARK: Items

extension UserDataStore {
  /// Stores an item in place of the version that it has; a new one only if there is no other of its name.
  ///
  /// - Returns: The item with the version that it has now.
  /// - Throws: `store.changed-meanwhile`.
  @discardableResult
  func save<Item: UserItem>(_ item: Item) async throws -> Item { try await write { try $0.save(item) } }

  /// Deletes an item if it still has the version that it was read with.
  ///
  /// - Throws: `store.changed-meanwhile`; `pathcase.added-by-other`.
  func remove<Item: UserItem>(_ item: Item) async throws { try await write { try $0.remove(item) } }

  /// Returns the stored item of the name of another one; nil if there is none.
  func stored<Item: UserItem>(_ item: Item) async throws -> Item? { try await self.item(item.key) }

  private func item<Item: UserItem>(_ key: [String]) async throws -> Item? {
    try await read { try $0.items(Item.self, key: key).first }
  }

  /// Returns the user's layout of a pathway; nil if there is none.
  func layout(of pathway: Identifier) async throws -> FrozenLayout? { try await item([pathway.text]) }

  /// Returns all of the user's layouts, ordered by pathway.
  func layouts() async throws -> [FrozenLayout] { try await read { try $0.items() } }

  /// Returns the observations with a name; nil if there are none.
  func observations(_ name: String) async throws -> SavedObservations? { try await item([name]) }

  /// Returns the names of all observations, ordered by their bytes.
  func observationNames() async throws -> [String] {
    try await read { try $0.keys(of: SavedObservations.self).map { $0[0] } }
  }

  /// Returns the scenarios of a pathway, ordered by name.
  func scenarios(of pathway: Identifier) async throws -> [SavedScenario] {
    try await read { try $0.items(key: [pathway.text]) }
  }

  /// Returns all imported networks, ordered by id.
  func networks() async throws -> [ImportedNetwork] {
    try await read { access in
      let columns = ["id"] + StoredNetwork.columns + ["version"]
      return try access.rows("SELECT \(columns.joined(separator: ", ")) FROM network ORDER BY id", []).map { row in
        var network = ImportedNetwork(row)
        network.version = row.integer(6)
        return network
      }
    }
  }

  /// Returns the bytes of an imported network; nil if there is none with the id.
  func networkContent(_ id: Identifier) async throws -> [UInt8]? {
    let network: StoredNetwork? = try await item([id.text])
    return network?.content
  }

  /// Stores a network with the bytes of its file.
  ///
  /// - Throws: `store.changed-meanwhile`.
  func save(_ network: ImportedNetwork, content: [UInt8]) async throws {
    try await save(StoredNetwork(network: network, content: content))
  }

  /// Deletes an imported network.
  ///
  /// - Throws: `store.changed-meanwhile`; `pathcase.added-by-other`.
  func remove(_ network: ImportedNetwork) async throws { try await remove(StoredNetwork(network: network)) }
}
