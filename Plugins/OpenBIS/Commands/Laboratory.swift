import PluginAPI
import Synchronization

/// A command that uses the state shared by the commands and screens of the plugin.
typealias OpenBISCommand = StatefulCommand<Laboratory>

/// The commands of this plugin.
enum OpenBISCommands {
  /// All commands, in the order of the help.
  static let all: [OpenBISCommand] =
    ServerCommands.all + TokenCommands.all + SecretsCommands.all + [SyncCommand.command] + BrowseCommands.all
    + [SearchCommand.command, ImageCommand.command] + FileCommands.all + MappingCommands.all + [SimulateCommand.command]
}

/// The arguments and options that commands share.
enum LabInputs {
  /// The option that selects a server and user.
  static let account = Option(
    "account", String.self,
    "Account to use: its user, or the start of its id or of the server's host; by default the one used last")

  /// The argument that identifies an entity.
  static let entity = Argument("perm-id", String.self, "PERM_ID of the entity")
    .completed(by: "entities", column: "permId", summaryColumn: "title")

  /// The flag that limits a command to the cache.
  static let cached = Option(flag: "cached", "Use the cache only, without a request to the server")
}

extension CommandCall {
  /// Asks a question that is answered by yes or no; returns false where the user cannot be asked.
  func isConfirmed(_ question: String) async throws -> Bool {
    let answer = try await ask(PromptRequest(question + " [y/N]"))
    return ["y", "yes"].contains(answer?.lowercased())
  }
}

/// The state that commands and screens share while the program runs: sessions, so that each user logs in once.
final class Laboratory: Sendable {
  private struct State {
    var sessions: [String: RPCSession] = [:]
    var synced: Set<String> = []
    var caches: [String: EntityStore] = [:]
    var unreachable: Set<String> = []
    var searchKinds: [String: String] = [:]
    var shownNotes: Set<String> = []
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
      options.imageBudget = context[LabAccess.imageBudget] << 20
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
    state.withLock { $0.shownNotes.insert([accountID, note.code, note.message].joined(separator: "\n")).inserted }
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

/// The screens' access to the cached data of accounts.
struct ScreenLab: Sendable {
  /// Opens the cache of an account; "" for the account used last.
  let open: @Sendable (_ account: String) async throws -> OpenLab

  /// Creates an access with another way to open caches.
  init(open: @escaping @Sendable (_ account: String) async throws -> OpenLab) { self.open = open }

  /// Creates an access that reads the data stored by the commands of a laboratory.
  init(_ context: any PluginContext, _ laboratory: Laboratory) {
    self.init { word in
      let servers = try ServersStore.of(context)
      let account = try LabBrowser.account(word, in: try await servers.snapshot())
      return OpenLab(
        accountID: account.id,
        title: account.user.isEmpty ? account.server.shown : "\(account.user)@\(account.server.shown)",
        cache: laboratory.cache(of: account.id, in: servers, context), laboratory: laboratory)
    }
  }
}

/// An account whose cache is open.
struct OpenLab: Sendable {
  /// The account's id, for arguments of commands.
  let accountID: String
  /// The account's title for people: user and server.
  let title: String
  /// The cached entities.
  let cache: EntityStore
  private let laboratory: Laboratory

  init(accountID: String, title: String, cache: EntityStore, laboratory: Laboratory) {
    (self.accountID, self.title, self.cache, self.laboratory) = (accountID, title, cache, laboratory)
  }

  /// A Boolean value indicating whether the last request reached the server.
  var isReachable: Bool { laboratory.isReachable(accountID) }

  /// The key of the search domain in use while the program runs; nil for the default one.
  var searchKind: String? { laboratory.searchKind(of: accountID) }

  /// Uses a search domain from now on.
  func useSearchKind(_ key: String) { laboratory.setSearchKind(key, of: accountID) }

  /// Returns the search domains that the server named at the last refresh, the default one first.
  func searchKinds() async throws -> [ClientPreferences.SearchDomain] {
    try await cache.syncState().preferences.searchDomains
  }
}
