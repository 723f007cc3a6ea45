import PluginAPI
import PluginText

/// An account as commands and screens use it: registry, cache and server combined.
struct LabBrowser: Sendable {
  let context: any PluginContext
  let laboratory: Laboratory
  let servers: ServersStore
  let account: Account
  let cache: EntityStore
  /// The key that opens encrypted tokens and passwords.
  let key: LabKey
  /// Receives diagnostics while the work is going on.
  let warn: @Sendable (Diagnostic) -> Void
  /// Receives the progress of the work.
  let report: @Sendable (Progress) -> Void

  /// Opens an account.
  ///
  /// - Parameter word: An account's name as the user gave it; nil or "" for the account used last.
  /// - Throws: ``LabError``; errors of the registry.
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

  /// Opens the account named in a call.
  init(_ call: CommandCall, _ laboratory: Laboratory) async throws {
    try await self.init(
      call.context, laboratory, account: call[OpenBISCommand.account], key: LabKey(call, laboratory),
      warn: { warning in
        let isOfRows = TableNotes.errorCodes.contains { $0.code == warning.code }
        let isTold = isOfRows && call.presentation.isInteractive
        if !isTold || laboratory.isNewOnScreen(warning, of: call[OpenBISCommand.account] ?? "") {
          call.warn(warning.harmless)
        }
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

  /// Returns the account that an argument denotes.
  static func account(_ word: String, in registry: ServersSnapshot) throws -> Account {
    let accounts = registry.accounts
    guard let first = accounts.first else {
      throw LabError.notLoggedIn(
        "no server is known yet",
        advice: "'workbench openbis login URL --user NAME' begins; 'workbench openbis simulate' gives one to try")
    }
    if word.isEmpty { return accounts.first { $0.id == registry.current } ?? first }
    if let exact = accounts.first(where: { $0.id == word }) { return exact }
    let found = accounts.filter {
      $0.id.hasPrefix(word.lowercased()) || $0.server.shown.hasPrefix(word.lowercased())
        || $0.server.base == ServerAddress(word)?.base || "\($0.user)@\($0.server.shown)" == word
    }
    if found.count == 1 { return found[0] }
    // The word may be an address with a password in it.
    let shown = ServerAddress.hidingSecrets(word)
    var report = LabError.noSuchAccount(
      "no server or user is called '\(shown)'",
      advice: "there are " + accounts.map(\.id).joined(separator: ", "), details: ["account": .text(shown)])
    if !found.isEmpty {
      report.kind = .usage
      report.message = "'\(shown)' means \(found.count) accounts"
      report.advice = "name one of " + found.map(\.id).joined(separator: ", ")
    }
    throw report.harmless
  }

  // MARK: Server

  /// Returns the session, shared by all users of the account in this process.
  func session() async throws -> RPCSession {
    let keys = try await servers.snapshot().trustedKeys
    let credentials = try await key.credentials()
    let (access, account) = (LabAccess(context, keys: keys), self.account)
    return try laboratory.session(of: account.id) {
      try access.session(of: account, credentials)
    }
  }

  /// Returns the table service; nil if the client maps the objects itself.
  func tables() async throws -> TableService? {
    let session = try await session()
    switch account.backEnd {
    case .tablesV1: return TableService(session, host: .v1, dataStore: account.dataStore ?? "")
    case .tablesV3: return TableService(session, host: .v3, dataStore: account.dataStore ?? "")
    case .native, nil: return nil
    }
  }

  /// Returns the service for V3 objects.
  func native() async throws -> NativeService { NativeService(try await session()) }

  /// Returns the mapping from objects to entities.
  func mapping() async throws -> Mapping {
    try MappingFile.read(try await servers.snapshot().mappings[account.id] ?? Self.defaultMapping(context))
  }

  /// Returns the path of the mapping that ships with the plugin.
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

extension LabBrowser {
  /// Sends a request to the server, and records for the screens whether the server was reachable.
  func notingReach<Answer>(_ ask: () async throws -> Answer) async throws -> Answer {
    do {
      let answer = try await ask()
      laboratory.setReachable(true, account.id)
      return answer
    } catch {
      if RPCError.meansOffline(error) {
        laboratory.setReachable(false, account.id)
      } else if (error as? RPCError)?.isServersWord == true {
        laboratory.setReachable(true, account.id)
      }
      throw error
    }
  }

  /// Sends a request to the server; if it fails, warns and continues with the cached data.
  ///
  /// - Throws: Errors of a server that is not the trusted one, and errors unrelated to the server.
  func unlessOffline(_ ask: () async throws -> Void) async throws {
    do {
      try await notingReach(ask)
    } catch let error where RPCError.meansOffline(error) {
      warn(
        Diagnostic(
          .warning, code: "openbis.offline", "'\(account.server.shown)' cannot be reached; this is what is cached",
          advice: (error as? any ReportableError)?.report.message))
    } catch RPCError.sessionEnded(_, wasRenewed: false) {
      let isLoggedOut = !LabAccess.credentials(context).has(.token, of: account.id)
      warn(
        Diagnostic(
          .warning, code: isLoggedOut ? "openbis.logged-out" : "openbis.session-ended",
          "\(isLoggedOut ? "logged out" : "the session is over"): this is what is cached",
          advice: "'workbench openbis login \(account.server.base)' asks the server again"))
    } catch let error as RPCError {
      warnOfCache(error.report)
    } catch let report as ErrorReport where CredentialError.all.contains(where: { $0 ~= report }) {
      warnOfCache(report)
    }
  }

  private func warnOfCache(_ report: ErrorReport) {
    warn(
      Diagnostic(.warning, code: report.code, "\(report.message); this is what is cached", advice: report.advice))
  }

  /// Notes how to fill the cache if it was never refreshed.
  func noteNeverSynced() async throws {
    guard try await setting.state().completedAt == nil else { return }
    warn(
      Diagnostic(
        .note, code: "openbis.never-synced", "nothing was fetched from '\(account.server.shown)' yet",
        advice: "'workbench openbis sync' does"))
  }
}

extension ServersStore {
  /// Returns the registry of a plugin's context.
  static func of(_ context: any PluginContext) throws -> ServersStore {
    guard let store = try context.store(storeName) as? ServersStore else { throw MissingPart.store(storeName) }
    return store
  }

  /// Adds an account, or replaces the stored data of it.
  func keep(_ account: Account) async throws {
    let isKnown = try await accounts().contains { $0.id == account.id }
    try await isKnown ? update(account) : add(account)
  }
}
