import PluginAPI

/// How screens reach what is kept of an account; every function waits, so they are called in computed effects only.
struct ScreenLab: Sendable {
  /// Opens the cache of an account; "" for the one used last.
  let open: @Sendable (_ account: String) throws -> OpenLab
}

/// An account whose cache is open.
struct OpenLab: Sendable {
  /// Names the account in arguments of commands.
  var accountID: String
  /// What people call it: user and server.
  var title: String
  var reading: any EntityReading
  /// Whether the server could be reached when it was asked last.
  var isReachable: @Sendable () -> Bool = { true }
  var searchKinds = SearchKinds()
}

/// The kinds of search a server offers, and the one that is used while the program runs.
struct SearchKinds: Sendable {
  /// As the server named them when it was refreshed last, the usual one first.
  var offered: @Sendable () throws -> [ClientPreferences.SearchDomain] = { [] }
  /// The key of the one chosen; nil for the usual one.
  var chosen: @Sendable () -> String? = { nil }
  var choose: @Sendable (_ key: String) -> Void = { _ in }
}

extension ScreenLab {
  /// Reads what the commands of a laboratory keep.
  init(_ context: any PluginContext, _ laboratory: Laboratory) {
    self.init { word in
      let servers = try ServersStore.of(context)
      let account = try LabBrowser.account(word, in: try servers.snapshotAndWait())
      let id = account.id
      let cache = laboratory.cache(of: id, in: servers, context)
      return OpenLab(
        accountID: id, title: account.user.isEmpty ? account.server.shown : "\(account.user)@\(account.server.shown)",
        reading: CacheReading(cache: cache), isReachable: { laboratory.isReachable(id) },
        searchKinds: SearchKinds(
          offered: { try cache.stateAndWait().flatMap(SyncState.init(encoded:))?.preferences.searchDomains ?? [] },
          chosen: { laboratory.searchKind(of: id) }, choose: { laboratory.setSearchKind($0, of: id) }))
    }
  }
}

/// The cache of an account as screens read it.
struct CacheReading: EntityReading {
  let cache: EntityStore

  func navigationAndWait() throws -> [EntitySummary] { try cache.navigationAndWait() }
  func rootsAndWait(in category: String?, _ range: Range<Int>) throws -> EntityPage {
    try cache.rootsAndWait(in: category, range)
  }
  func otherRootsAndWait(_ range: Range<Int>) throws -> EntityPage { try cache.otherRootsAndWait(range) }
  func childrenAndWait(of permID: String, _ range: Range<Int>) throws -> EntityPage {
    try cache.childrenAndWait(of: permID, range)
  }
  func parentsAndWait(of permID: String) throws -> [EntitySummary] { try cache.parentsAndWait(of: permID) }
  func entityAndWait(_ permID: String) throws -> Entity? { try cache.entityAndWait(permID) }
  func summariesAndWait(_ permIDs: [String]) throws -> [EntitySummary?] { try cache.summariesAndWait(permIDs) }
  func childIDsAndWait(of permID: String) throws -> PackedTexts { try cache.childIDsAndWait(of: permID) }
  func searchAndWait(_ text: String, limit: Int) throws -> FoundEntities {
    try cache.searchAndWait(text, limit: limit)
  }
  func filterAndWait(_ text: String, under permID: String?, limit: Int) throws -> FoundEntities {
    try cache.filterAndWait(text, under: permID, limit: limit)
  }
}
