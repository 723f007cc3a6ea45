import PluginAPI

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
    try await cache.state().flatMap(SyncState.init(encoded:))?.preferences.searchDomains ?? []
  }
}
