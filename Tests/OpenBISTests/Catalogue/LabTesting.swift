import PluginAPI
import PluginTesting

@testable import OpenBIS

/// A user of the plugin, in tests from the command line to the cache.
protocol LabTesting: Sendable {
  var plugin: TestPlugin { get }
}

extension LabTesting {
  /// Runs a command line.
  @discardableResult
  func run(_ line: String) async throws -> CommandResult { try await plugin.run(line: line) }

  /// Returns the report of the error with which a command line fails.
  func report(_ line: String) async -> ErrorReport? {
    do {
      _ = try await run(line)
      return nil
    } catch {
      return (error as? any ReportableError)?.report
        ?? ErrorReport(code: "\(type(of: error))", kind: .pluginFailed, "\(error)")
    }
  }

  /// Returns the codes of a command's diagnostics.
  func codes(_ line: String) async throws -> [String] { try await run(line).diagnostics.map(\.code) }

  // MARK: Cache

  var servers: ServersStore {
    get throws { try ServersStore.of(plugin.context) }
  }

  func accounts() async throws -> [Account] { try await servers.accounts() }

  /// Returns the path of an account's cache, or of the only one if none is named.
  func cachePath(_ account: String? = nil) async throws -> String {
    let known = try await accounts().map(\.id)
    return try servers.cachePath(of: account ?? known.first ?? "")
  }

  /// Returns the whole content of the cache.
  func content(_ account: String? = nil) async throws -> CacheContent {
    try CacheContent(path: try await cachePath(account))
  }

  /// Returns an entity as output of `detail --cached`.
  func entity(_ permID: String) async throws -> Value {
    try await plugin.run("detail", ["perm-id": .text(permID), "cached": true]).value
  }

  /// Returns true if the cached entities can be listed and opened without the network.
  func canBrowse() async throws -> Bool {
    guard let first = try await run("roots --limit 1").value.list?.first?["permId"].text else { return false }
    return try await entity(first)["permId"].text == first
  }

  /// Returns the state of the cache's refreshes.
  func state() async throws -> SyncState { try CacheContent.state(path: try await cachePath()) ?? SyncState() }
}
