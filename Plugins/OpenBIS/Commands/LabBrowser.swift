import PluginAPI
import PluginText

/// An account as commands and screens use it: registry, cache and server joined.
struct LabBrowser: Sendable {
  let context: any PluginContext
  let laboratory: Laboratory
  let servers: ServersStore
  let account: Account
  let cache: EntityStore
  /// Opens stored tokens and passwords that are encrypted.
  let key: LabKey
  /// Takes what is noticed on the way.
  let warn: @Sendable (Diagnostic) -> Void
  /// Takes how far the work is.
  let report: @Sendable (Progress) -> Void

  /// Opens an account.
  ///
  /// - Parameter word: Names the account; nil or "" for the one used last.
  /// - Throws: ``LabError``; what the registry throws.
  init(
    _ context: any PluginContext, _ laboratory: Laboratory, account word: String? = nil,
    key: LabKey? = nil, warn: @escaping @Sendable (Diagnostic) -> Void = { _ in },
    report: @escaping @Sendable (Progress) -> Void = { _ in }
  ) async throws {
    let servers = try ServersStore.of(context)
    let account = try Self.account(word ?? "", in: try await servers.snapshot())
    self.init(
      context: context, laboratory: laboratory, servers: servers, account: account,
      cache: laboratory.cache(of: account.id, in: servers, context), key: key ?? LabKey(context, laboratory),
      warn: warn, report: report)
  }

  /// Opens the account that a call names.
  init(_ call: CommandCall, _ laboratory: Laboratory) async throws {
    try await self.init(
      call.context, laboratory, account: call.text("account"), key: LabKey(call, laboratory),
      warn: { warning in
        let isOfRows = TableNotes.errorCodes.contains { $0.code == warning.code }
        let isTold = isOfRows && call.presentation.isInteractive
        if !isTold || laboratory.isNewOnScreen(warning, of: call.text("account")) { call.warn(warning.harmless) }
      },
      report: { call.report(Progress(SanitizedText.line($0.label), fraction: $0.fraction)) })
  }

  private init(
    context: any PluginContext, laboratory: Laboratory, servers: ServersStore, account: Account, cache: EntityStore,
    key: LabKey, warn: @escaping @Sendable (Diagnostic) -> Void, report: @escaping @Sendable (Progress) -> Void
  ) {
    self.context = context
    self.laboratory = laboratory
    self.servers = servers
    self.account = account
    self.cache = cache
    self.key = key
    self.warn = warn
    self.report = report
  }

  /// The account a word means.
  static func account(_ word: String, in registry: ServersSnapshot) throws -> Account {
    let accounts = registry.accounts
    guard let first = accounts.first else { throw LabError.noAccount }
    if word.isEmpty { return accounts.first { $0.id == registry.current } ?? first }
    if let exact = accounts.first(where: { $0.id == word }) { return exact }
    let found = accounts.filter {
      $0.id.hasPrefix(word.lowercased()) || $0.server.shown.hasPrefix(word.lowercased())
        || $0.server.base == ServerAddress(word)?.base || "\($0.user)@\($0.server.shown)" == word
    }
    if found.count > 1 { throw LabError.ambiguousAccount(word, accounts: found.map(\.id)) }
    guard let account = found.first else { throw LabError.unknownAccount(word, known: accounts.map(\.id)) }
    return account
  }

  // MARK: The server

  /// The session, shared by all who use the account in this process.
  func session() async throws -> RPCSession {
    let keys = try await servers.snapshot().trustedKeys
    let credentials = try await key.credentials()
    let (access, account) = (LabAccess(context, keys: keys), self.account)
    return try laboratory.session(of: account.id) {
      try access.session(of: account, credentials)
    }
  }

  /// The table service; nil if objects are mapped here.
  func tables() async throws -> TableService? {
    let session = try await session()
    switch account.backEnd {
    case .tablesV1: return TableService(session, host: .v1, dataStore: account.dataStore ?? "")
    case .tablesV3: return TableService(session, host: .v3, dataStore: account.dataStore ?? "")
    case .native, nil: return nil
    }
  }

  /// The objects of V3.
  func native() async throws -> NativeService { NativeService(try await session()) }

  /// How objects become entities.
  func mapping() async throws -> Mapping {
    try MappingFile.read(try await servers.snapshot().mappings[account.id] ?? Self.defaultMapping(context))
  }

  /// The mapping that ships.
  static func defaultMapping(_ context: any PluginContext) -> String {
    context.folders.resources + "/default-mapping.json"
  }

  /// The time now, in seconds since 1970.
  var clock: @Sendable () -> Double {
    let context = self.context
    return {
      let now = context.now()
      return Double(now.seconds) + Double(now.nanoseconds) / 1e9
    }
  }
}

extension ServersStore {
  /// The registry of a plugin's context.
  static func of(_ context: any PluginContext) throws -> ServersStore {
    guard let store = try context.store(storeName) as? ServersStore else { throw MissingPart.store(storeName) }
    return store
  }

  /// Adds an account, or replaces what is known of it.
  func keep(_ account: Account) async throws {
    let isKnown = try await accounts().contains { $0.id == account.id }
    try await isKnown ? update(account) : add(account)
  }
}
