import PluginAPI
import PluginStore

/// The registry: accounts, which of them is the current one, and keys of servers that are trusted.
///
/// Neither passwords nor tokens are in it. The cache of each account is a file of its own, which a backup leaves out:
/// all of it comes again from the server.
final class ServersStore: Store {
  static let storeName = "servers"

  let sqlite: SQLiteStore
  /// Where the caches of all accounts are.
  let cacheFolder: String
  private let onClose: @Sendable () async -> Void

  /// Makes the registry; nothing is opened yet.
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

  /// What is wrong with the registry and with the cache of each account.
  func check() async throws -> [Diagnostic] {
    var found = try await sqlite.check()
    // The tables of a damaged file may not be readable.
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

  /// The file with the cache of an account.
  ///
  /// - Parameter id: The id of an account of the registry, which names a file safely.
  func cachePath(of id: String) -> String { cacheFolder + "/" + id + ".sqlite" }
}
