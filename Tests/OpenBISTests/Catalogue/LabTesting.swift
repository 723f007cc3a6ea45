import PluginAPI
import PluginTesting

@testable import OpenBIS

/// Somebody before the plugin, in tests from the command line to the cache.
protocol LabTesting: Sendable {
  var plugin: TestPlugin { get }
}

extension LabTesting {
  /// Runs a command line.
  @discardableResult
  func run(_ line: String) async throws -> CommandResult { try await plugin.run(line: line) }

  /// The report of the error a command line ends with.
  func report(_ line: String) async -> ErrorReport? {
    do {
      _ = try await run(line)
      return nil
    } catch {
      return (error as? any ReportableError)?.report
        ?? ErrorReport(code: "\(type(of: error))", kind: .pluginFailed, "\(error)")
    }
  }

  /// The codes of what a command noticed.
  func codes(_ line: String) async throws -> [String] { try await run(line).diagnostics.map(\.code) }

  // MARK: What is kept

  var servers: ServersStore {
    get throws { try ServersStore.of(plugin.context) }
  }

  func accounts() async throws -> [Account] { try await servers.accounts() }

  /// The file of the cache of an account; of the only one if none is named.
  func cachePath(_ account: String? = nil) async throws -> String {
    let known = try await accounts().map(\.id)
    return try servers.cachePath(of: account ?? known.first ?? "")
  }

  /// All that the cache has, in words.
  func content(_ account: String? = nil) async throws -> CacheContent {
    try CacheContent(path: try await cachePath(account))
  }

  /// An entity as `detail --cached` gives it.
  func entity(_ permID: String) async throws -> Value {
    try await plugin.run("detail", ["perm-id": .text(permID), "cached": true]).value
  }

  /// Whether what is cached can be listed and opened without the network.
  func canBrowse() async throws -> Bool {
    guard let first = try await run("roots --limit 1").value.list?.first?["permId"].text else { return false }
    return try await entity(first)["permId"].text == first
  }

  /// How far the refreshes of the cache are.
  func state() async throws -> SyncState { try CacheContent.state(path: try await cachePath()) ?? SyncState() }
}
