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
            advice: "remove the account's cache and synchronize again: nothing is lost"))
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
