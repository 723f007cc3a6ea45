import PluginAPI
import PluginStore

/// The registry: the accounts, the current account, and the trusted keys of servers.
///
/// It contains neither passwords nor tokens. The cache of each account is a separate file, which backups leave out: it
/// can be fetched from the server again.
final class ServersStore: Store {
  static let storeName = "servers"

  let sqlite: SQLiteStore
  /// The folder with the caches of all accounts.
  let cacheFolder: String
  private let onClose: @Sendable () async -> Void

  /// Creates the registry without opening anything.
  ///
  /// - Parameters:
  ///   - folder: The plugin's data folder, as an absolute path.
  ///   - onChange: Called after every committed change.
  ///   - onClose: Called before the registry is closed, to close the caches as well.
  init(
    folder: String, onChange: @escaping @Sendable () -> Void = {},
    onClose: @escaping @Sendable () async -> Void = {}
  ) {
    self.onClose = onClose
    cacheFolder = folder + "/caches"
    sqlite = SQLiteStore(
      name: Self.storeName, path: folder + "/servers.sqlite", migrations: ServersMigrations.all
    ) { _ in onChange() }
  }

  var name: String { sqlite.name }
  var path: String { sqlite.path }
  var schemaVersion: Int { sqlite.schemaVersion }

  func backup(to path: String) async throws { try await sqlite.backup(to: path) }
  func restore(from path: String) async throws { try await sqlite.restore(from: path) }
  func export() async throws -> Value { try await sqlite.export() }

  /// Closes the caches and the registry.
  func close() async {
    await onClose()
    await sqlite.close()
  }

  /// Returns the problems of the registry and of each account's cache.
  func check() async throws -> [Diagnostic] {
    var found = try await sqlite.check()
    // The tables of a damaged file may be unreadable.
    if found.contains(where: { $0.severity == .error }) { return found }
    for account in try await accounts() {
      let path = cachePath(of: account.id)
      guard DamagedFile.exists(path) else { continue }
      let cache = EntityStore(path: path)
      for fault in try await cache.check() {
        found.append(
          Diagnostic(
            fault.severity, code: fault.code, "cache of account '\(account.id)': \(fault.message)",
            advice: "delete the cache and run 'workbench openbis sync'; nothing is lost"))
      }
      await cache.close()
    }
    return found
  }

  /// Returns the path of an account's cache.
  ///
  /// - Parameter id: The id of an account in the registry, which is a safe file name.
  func cachePath(of id: String) -> String { cacheFolder + "/" + id + ".sqlite" }
}

/// The content of the registry at one time.
struct ServersSnapshot: Sendable, Hashable {
  /// The accounts in the order in which they were added.
  var accounts: [Account] = []
  /// The id of the account that commands use by default.
  var current: String?
  /// The mapping file chosen for an account, by its id.
  var mappings: [String: String] = [:]
  var trustedKeys: [TrustedKey] = []
}

// Accounts.
extension ServersStore {
  /// Returns the whole content of the registry, in one access.
  func snapshot() async throws -> ServersSnapshot { try await sqlite.read(Self.snapshot) }

  private static func snapshot(_ connection: Connection) throws -> ServersSnapshot {
    var snapshot = ServersSnapshot()
    snapshot.accounts = try accounts(connection)
    snapshot.current = try setting("current", connection)
    try connection.forEach("SELECT id, mapping FROM account WHERE mapping IS NOT NULL") {
      snapshot.mappings[$0.text(0)] = $0.text(1)
    }
    snapshot.trustedKeys = try trustedKeys(connection)
    return snapshot
  }

  /// Returns all accounts, in the order in which they were added.
  func accounts() async throws -> [Account] { try await sqlite.read(Self.accounts) }

  private static func accounts(_ connection: Connection) throws -> [Account] {
    try connection.list(
      """
      SELECT id, server, user, back_end, data_store, data_stores, data_store_addresses, uses_access_token FROM account
        ORDER BY position, id
      """
    ) { row in
      Account(
        id: row.text(0), server: ServerAddress(base: row.text(1)), user: row.text(2),
        backEnd: row.isNull(3) ? nil : Account.BackEnd(rawValue: row.text(3)),
        dataStore: row.isNull(4) ? nil : row.text(4),
        dataStores: row.text(5).split(separator: "\n").map(String.init),
        dataStoreAddresses: row.text(6).split(separator: "\n").map(String.init), usesAccessToken: row.integer(7) != 0)
    }
  }

  /// Adds an account; the first one becomes the current one.
  ///
  /// - Throws: ``EntityStoreError/accountExists``, ``EntityStoreError/unusableAccountName``.
  func add(_ account: Account) async throws {
    guard Self.isUsable(account.id) else { throw EntityStoreError.unusableAccountName(account.id) }
    try await sqlite.write { connection in
      if try Self.exists(account.id, connection) { throw EntityStoreError.accountExists(account.id) }
      try connection.execute(
        """
        INSERT INTO account (id, position, server, user, data_stores, data_store_addresses, uses_access_token)
          VALUES (?, (SELECT coalesce(max(position), 0) + 1 FROM account), '', '', '', '', 0)
        """, [account.id])
      try Self.write(account, connection)
      if try Self.setting("current", connection) == nil { try Self.set("current", account.id, connection) }
    }
  }

  /// Replaces the data of an account.
  ///
  /// - Throws: ``EntityStoreError/unknownAccount``.
  func update(_ account: Account) async throws {
    try await sqlite.write { connection in
      try Self.require(account.id, connection)
      try Self.write(account, connection)
    }
  }

  private static func write(_ account: Account, _ connection: Connection) throws {
    try connection.execute(
      """
      UPDATE account SET server = ?, user = ?, back_end = ?, data_store = ?, data_stores = ?, data_store_addresses = ?,
          uses_access_token = ?
        WHERE id = ?
      """,
      [
        account.server.base, account.user, account.backEnd?.rawValue, account.dataStore,
        account.dataStores.joined(separator: "\n"), account.dataStoreAddresses.joined(separator: "\n"),
        account.usesAccessToken ? 1 : 0, account.id,
      ])
  }

  /// Removes an account with its cache, which must not be open.
  ///
  /// If it was the current one, the first of the others becomes it.
  /// - Throws: ``EntityStoreError/unknownAccount``.
  func removeAccount(_ id: String) async throws {
    try await sqlite.write { connection in
      try Self.require(id, connection)
      try connection.execute("DELETE FROM account WHERE id = ?", [id])
      if try Self.setting("current", connection) == id {
        try Self.set("current", try Self.accounts(connection).first?.id, connection)
      }
    }
    DamagedFile.removeAll(cachePath(of: id))
  }

  /// Makes an account the current one.
  ///
  /// - Throws: ``EntityStoreError/unknownAccount``.
  func setCurrent(_ id: String) async throws {
    try await sqlite.write { connection in
      try Self.require(id, connection)
      try Self.set("current", id, connection)
    }
  }

  /// Chooses the mapping file of an account; nil for the default mapping.
  ///
  /// - Throws: ``EntityStoreError/unknownAccount``.
  func setMapping(_ path: String?, of id: String) async throws {
    try await sqlite.write { connection in
      try Self.require(id, connection)
      try connection.execute("UPDATE account SET mapping = ? WHERE id = ?", [path, id])
    }
  }

  private static func exists(_ id: String, _ connection: Connection) throws -> Bool {
    try connection.first("SELECT 1 FROM account WHERE id = ?", [id]) { _ in true } ?? false
  }

  private static func require(_ id: String, _ connection: Connection) throws {
    if try !exists(id, connection) { throw EntityStoreError.unknownAccount(id) }
  }

  /// Returns true if an id can be a file name and is readable.
  private static func isUsable(_ id: String) -> Bool {
    !id.isEmpty && id.utf8.count <= 200 && !id.hasPrefix(".")
      && id.unicodeScalars.allSatisfy { scalar in
        scalar.isASCII
          && (scalar.properties.isAlphabetic || "0"..."9" ~= scalar || "-_.".unicodeScalars.contains(scalar))
      }
  }
}

// Trusted keys and settings.
extension ServersStore {
  private static func trustedKeys(_ connection: Connection) throws -> [TrustedKey] {
    try connection.list("SELECT host, pin, subject, first_trusted_seconds FROM trusted_key ORDER BY host") {
      TrustedKey(
        host: $0.text(0), pin: $0.text(1), subject: $0.text(2), firstTrustedAt: Instant(seconds: Int64($0.integer(3))))
    }
  }

  /// Trusts a key for its host and port, and replaces the former one.
  func trust(_ key: TrustedKey) async throws {
    try await sqlite.write { connection in
      try connection.execute(
        "INSERT OR REPLACE INTO trusted_key (host, pin, subject, first_trusted_seconds) VALUES (?, ?, ?, ?)",
        [key.host, key.pin, key.subject, Int(key.firstTrustedAt.seconds)])
    }
  }

  private static func setting(_ name: String, _ connection: Connection) throws -> String? {
    try connection.first("SELECT value FROM setting WHERE name = ?", [name]) { $0.text(0) }
  }

  private static func set(_ name: String, _ value: String?, _ connection: Connection) throws {
    if let value {
      try connection.execute("INSERT OR REPLACE INTO setting (name, value) VALUES (?, ?)", [name, value])
    } else {
      try connection.execute("DELETE FROM setting WHERE name = ?", [name])
    }
  }
}

/// The schema of the registry of accounts, step by step; released steps are never edited.
private enum ServersMigrations {
  static let all = [
    Migration(
      1, "accounts, trusted keys and settings",
      sql: """
        CREATE TABLE account (
          id TEXT PRIMARY KEY,
          position INTEGER NOT NULL,
          server TEXT NOT NULL,
          user TEXT NOT NULL,
          back_end TEXT,
          data_store TEXT,
          data_stores TEXT NOT NULL,
          data_store_addresses TEXT NOT NULL,
          uses_access_token INTEGER NOT NULL,
          mapping TEXT
        ) WITHOUT ROWID;
        CREATE TABLE trusted_key (
          host TEXT PRIMARY KEY,
          pin TEXT NOT NULL,
          subject TEXT NOT NULL,
          first_trusted_seconds INTEGER NOT NULL
        ) WITHOUT ROWID;
        CREATE TABLE setting (
          name TEXT PRIMARY KEY,
          value TEXT NOT NULL
        ) WITHOUT ROWID;
        """)
  ]
}
