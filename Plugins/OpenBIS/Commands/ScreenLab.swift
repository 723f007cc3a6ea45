import PluginAPI

/// The screens' access to the cached data of an account; every function waits, so call them in computed effects only.
struct ScreenLab: Sendable {
  /// Opens the cache of an account; "" for the account used last.
  let open: @Sendable (_ account: String) throws -> OpenLab
}

/// An account whose cache is open.
struct OpenLab: Sendable {
  /// The account's id, for arguments of commands.
  var accountID: String
  /// The account's title for people: user and server.
  var title: String
  var reading: any EntityReading
  /// A Boolean value indicating whether the last request reached the server.
  var isReachable: @Sendable () -> Bool = { true }
  var searchKinds = SearchKinds()
}

/// The search domains that a server offers, and the one in use while the program runs.
struct SearchKinds: Sendable {
  /// The domains that the server named at the last refresh, the default one first.
  var offered: @Sendable () throws -> [ClientPreferences.SearchDomain] = { [] }
  /// The key of the chosen domain; nil for the default one.
  var chosen: @Sendable () -> String? = { nil }
  var choose: @Sendable (_ key: String) -> Void = { _ in }
}

extension ScreenLab {
  /// Creates an access that reads the data stored by the commands of a laboratory.
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

/// The read access of screens to the cache of an account.
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
