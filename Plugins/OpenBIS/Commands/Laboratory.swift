import PluginAPI
import Synchronization

/// What commands and screens of the plugin share while the program runs: sessions, so that each user logs in once.
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
  /// Looks for the key of encrypted secrets, so that the user is asked once.
  let keyLookups = SingleFlight<SecretsKey>()

  /// The session of an account; made at first.
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

  /// Keeps the key of encrypted secrets while the program runs; nil forgets it.
  ///
  /// Sessions that keep their tokens by another key are forgotten.
  func setSecretsKey(_ key: SecretsKey?) {
    state.withLock { state in
      if key?.id != state.secretsKey?.id { state.sessions = [:] }
      state.secretsKey = key
    }
  }

  /// Replaces the session of an account; nil forgets it.
  func setSession(_ session: RPCSession?, of accountID: String) {
    state.withLock { $0.sessions[accountID] = session }
  }

  /// The open cache of an account; made at first, with the topic that tells of its changes.
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

  /// Told after every change of a cache; the payload is the account's id.
  static let cacheChanged = "cache-changed"

  /// Ends the use of a cache.
  func closeCache(of accountID: String) async {
    let cache = state.withLock { $0.caches.removeValue(forKey: accountID) }
    await cache?.close()
  }

  /// Ends the use of all caches.
  func closeAllCaches() async {
    let caches = state.withLock { state in
      defer { state.caches = [:] }
      return Array(state.caches.values)
    }
    for cache in caches { await cache.close() }
  }

  /// Begins a refresh of a cache unless one runs in this process.
  ///
  /// - Returns: Whether it may begin; then ``endSync(of:)`` must follow.
  func beginSync(of accountID: String) -> Bool { state.withLock { $0.synced.insert(accountID).inserted } }

  /// Says that a refresh ended.
  func endSync(of accountID: String) { state.withLock { _ = $0.synced.remove(accountID) } }

  /// Whether the server of an account could be reached when it was asked last; screens show that.
  func isReachable(_ accountID: String) -> Bool { state.withLock { !$0.unreachable.contains(accountID) } }

  /// Whether the screens of an account were not told this yet; they are from now on.
  ///
  /// What is odd about a server's rows is so at every refresh: it is worth a line when it is new or another number.
  func isNewOnScreen(_ note: Diagnostic, of accountID: String) -> Bool {
    state.withLock { $0.toldOnScreen.insert([accountID, note.code, note.message].joined(separator: "\n")).inserted }
  }

  /// The key of the kind of search chosen on the screen for an account; nil for the server's usual one.
  func searchKind(of accountID: String) -> String? { state.withLock { $0.searchKinds[accountID] } }

  /// Keeps a kind of search while the program runs.
  func setSearchKind(_ key: String, of accountID: String) { state.withLock { $0.searchKinds[accountID] = key } }

  /// Keeps whether the server of an account could be reached.
  func setReachable(_ isReachable: Bool, _ accountID: String) {
    state.withLock { state in
      if isReachable { state.unreachable.remove(accountID) } else { state.unreachable.insert(accountID) }
    }
  }
}
