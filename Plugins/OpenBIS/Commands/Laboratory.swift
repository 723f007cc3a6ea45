import PluginAPI
import Synchronization

/// The state that commands and screens share while the program runs: sessions, so that each user logs in once.
final class Laboratory: Sendable {
  private struct State {
    var sessions: [String: RPCSession] = [:]
    var synced: Set<String> = []
    var caches: [String: EntityStore] = [:]
    var unreachable: Set<String> = []
    var searchKinds: [String: String] = [:]
    var toldOnScreen: Set<String> = []
    var secretsKey: SecretsKey?
  }

  private let state = Mutex(State())
  /// The lookups of the key of encrypted secrets, combined so that the user is asked once.
  let keyLookups = SingleFlight<SecretsKey>()

  /// Returns the session of an account; creates it on first use.
  func session(of accountID: String, make: () throws -> RPCSession) rethrows -> RPCSession {
    if let known = state.withLock({ $0.sessions[accountID] }) { return known }
    let new = try make()
    return state.withLock { state in
      let session = state.sessions[accountID] ?? new
      state.sessions[accountID] = session
      return session
    }
  }

  /// The open key of encrypted secrets; nil if it was not needed yet.
  var secretsKey: SecretsKey? { state.withLock { $0.secretsKey } }

  /// Stores the key of encrypted secrets while the program runs; nil discards it.
  ///
  /// Sessions that store their tokens with another key are discarded.
  func setSecretsKey(_ key: SecretsKey?) {
    state.withLock { state in
      if key?.id != state.secretsKey?.id { state.sessions = [:] }
      state.secretsKey = key
    }
  }

  /// Replaces the session of an account; nil discards it.
  func setSession(_ session: RPCSession?, of accountID: String) {
    state.withLock { $0.sessions[accountID] = session }
  }

  /// Returns the open cache of an account; creates it on first use, with the topic that publishes its changes.
  func cache(of accountID: String, in servers: ServersStore, _ context: any PluginContext) -> EntityStore {
    state.withLock { state in
      if let known = state.caches[accountID] { return known }
      var options = EntityStore.Options()
      options.imageBudget = (context.setting("image-budget").integer ?? 256) << 20
      let cache = EntityStore(path: servers.cachePath(of: accountID), options: options) { [weak context] in
        context?.notify(Self.cacheChanged, .text(accountID))
      }
      state.caches[accountID] = cache
      return cache
    }
  }

  /// The topic published after every change of a cache; the payload is the account's id.
  static let cacheChanged = "cache-changed"

  /// Closes a cache.
  func closeCache(of accountID: String) async {
    let cache = state.withLock { $0.caches.removeValue(forKey: accountID) }
    await cache?.close()
  }

  /// Closes all caches.
  func closeAllCaches() async {
    let caches = state.withLock { state in
      defer { state.caches = [:] }
      return Array(state.caches.values)
    }
    for cache in caches { await cache.close() }
  }

  /// Begins a refresh of a cache unless one is running in this process.
  ///
  /// - Returns: True if the refresh may begin; ``endSync(of:)`` must follow then.
  func beginSync(of accountID: String) -> Bool { state.withLock { $0.synced.insert(accountID).inserted } }

  /// Marks a refresh as ended.
  func endSync(of accountID: String) { state.withLock { _ = $0.synced.remove(accountID) } }

  /// Returns true if the last request to the account's server reached it; screens show this.
  func isReachable(_ accountID: String) -> Bool { state.withLock { !$0.unreachable.contains(accountID) } }

  /// Returns true if a note is new on the screens of an account, and records it as shown.
  ///
  /// Oddities of a server's rows recur at every refresh: they are shown only when they are new or their number changes.
  func isNewOnScreen(_ note: Diagnostic, of accountID: String) -> Bool {
    state.withLock { $0.toldOnScreen.insert([accountID, note.code, note.message].joined(separator: "\n")).inserted }
  }

  /// Returns the key of the search domain chosen on the screen for an account; nil for the server's default.
  func searchKind(of accountID: String) -> String? { state.withLock { $0.searchKinds[accountID] } }

  /// Stores a search domain while the program runs.
  func setSearchKind(_ key: String, of accountID: String) { state.withLock { $0.searchKinds[accountID] = key } }

  /// Records whether the server of an account is reachable.
  func setReachable(_ isReachable: Bool, _ accountID: String) {
    state.withLock { state in
      if isReachable { state.unreachable.remove(accountID) } else { state.unreachable.insert(accountID) }
    }
  }
}
