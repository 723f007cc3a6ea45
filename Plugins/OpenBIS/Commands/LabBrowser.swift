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
    (self.context, self.laboratory, self.warn, self.report) = (context, laboratory, warn, report)
    servers = try ServersStore.of(context)
    account = try Self.account(word ?? "", in: try await servers.snapshot())
    cache = laboratory.cache(of: account.id, in: servers, context)
    self.key = key ?? LabKey(context, laboratory)
  }

  /// Opens the account named in a call.
  init(_ call: CommandCall, _ laboratory: Laboratory) async throws {
    try await self.init(
      call.context, laboratory, account: call[LabInputs.account], key: LabKey(call, laboratory),
      warn: { warning in
        let isOfRows = TableNotes.errorCodes.contains { $0.code == warning.code }
        let isForScreen = isOfRows && call.presentation.isInteractive
        if !isForScreen || laboratory.isNewOnScreen(warning, of: call[LabInputs.account] ?? "") {
          call.warn(warning.sanitized)
        }
      },
      report: { call.report(Progress(SanitizedText.line($0.label), fraction: $0.fraction)) })
  }

  /// Returns the account that an argument denotes.
  static func account(_ word: String, in registry: ServersSnapshot) throws -> Account {
    let accounts = registry.accounts
    guard let first = accounts.first else {
      throw LabError.notLoggedIn(
        "you are not logged in to any server",
        advice: "run 'workbench openbis login URL --user NAME', or try it with 'workbench openbis simulate'")
    }
    if word.isEmpty { return accounts.first { $0.id == registry.current } ?? first }
    if let exact = accounts.first(where: { $0.id == word }) { return exact }
    let found = accounts.filter {
      $0.user == word || $0.id.hasPrefix(word.lowercased()) || $0.server.shown.hasPrefix(word.lowercased())
        || $0.server.base == ServerAddress(word)?.base || "\($0.user)@\($0.server.shown)" == word
    }
    if found.count == 1 { return found[0] }
    // The word may be an address with a password in it.
    let shown = ServerAddress.hidingSecrets(word)
    var report = LabError.noSuchAccount(
      "no account matches '\(shown)'",
      advice: "choose one of " + accounts.map(\.id).joined(separator: ", "), details: ["account": .text(shown)])
    if !found.isEmpty {
      report.kind = .usage
      report.message = "'\(shown)' matches \(found.count) accounts"
      report.advice = "choose one of " + found.map(\.id).joined(separator: ", ")
    }
    throw report.sanitized
  }

  // MARK: Server

  /// Returns the session, shared by all users of the account in this process.
  func session() async throws -> RPCSession {
    let access = try await access()
    let credentials = try await key.credentials()
    return try laboratory.session(of: account.id) { try access.session(of: account, credentials) }
  }

  /// Returns the access to the server, with the trusted keys.
  func access() async throws -> LabAccess { LabAccess(context, keys: try await servers.snapshot().trustedKeys) }

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
      } else if (error as? RPCError)?.isFromServer == true {
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
          .warning, code: "openbis.offline", "'\(account.server.shown)' cannot be reached; showing cached data",
          advice: (error as? any ReportableError)?.report.message))
    } catch RPCError.sessionEnded(_, wasRenewed: false) {
      let isLoggedOut = !LabAccess.credentials(context).has(.token, of: account.id)
      warn(
        Diagnostic(
          .warning, code: isLoggedOut ? "openbis.logged-out" : "openbis.session-ended",
          "\(isLoggedOut ? "logged out" : "the session expired"); showing cached data",
          advice: "log in with 'workbench openbis login \(account.server.base)'"))
    } catch let error as RPCError {
      warnOfCache(error.report)
    } catch let report as ErrorReport where CredentialError.all.contains(where: { $0 ~= report }) {
      warnOfCache(report)
    }
  }

  private func warnOfCache(_ report: ErrorReport) {
    warn(
      Diagnostic(.warning, code: report.code, "\(report.message); showing cached data", advice: report.advice))
  }

  /// Notes how to fill the cache if it was never refreshed.
  func noteNeverSynced() async throws {
    guard try await cache.syncState().completedAt == nil else { return }
    warn(
      Diagnostic(
        .note, code: "openbis.never-synced", "the cache of '\(account.server.shown)' is empty",
        advice: "fill it with 'workbench openbis sync'"))
  }
}

extension ServersStore {
  /// Returns the registry of a plugin's context.
  static func of(_ context: any PluginContext) throws -> ServersStore {
    try context.store(storeName, as: ServersStore.self)
  }

  /// Adds an account, or replaces the stored data of it.
  func keep(_ account: Account) async throws {
    let isKnown = try await accounts().contains { $0.id == account.id }
    try await isKnown ? update(account) : add(account)
  }
}

extension LabBrowser {
  /// Requests the children of an entity.
  func drill(_ permID: String) async throws {
    let reference = EntityReference(permID: permID, refcon: try await known(permID).refcon ?? "")
    guard let tables = try await tables() else {
      try await fetchObjects([permID])
      return try await fetchObjects(below: permID)
    }
    report(Progress("requesting the children of \(permID)"))
    try await take(.drill(of: permID)) { try await tables.rows(.drill([reference]), into: $0) }
  }

  /// Requests the details of entities, except of categories: the server has none of those.
  func details(_ permIDs: [String]) async throws {
    var asked: [EntityReference] = []
    for permID in permIDs {
      let entity = try await known(permID)
      if entity.flags.contains(.navigation) { continue }
      asked.append(EntityReference(permID: permID, refcon: entity.refcon ?? ""))
    }
    guard let first = asked.first else { return }
    let (references, wanted) = (asked, asked.map(\.permID))
    guard let tables = try await tables() else { return try await fetchObjects(wanted) }
    report(Progress("requesting details of \(first.permID)"))
    try await take(.details(of: wanted)) { try await tables.rows(.details(references), into: $0) }
  }

  /// Searches on the server; the results are cached.
  ///
  /// - Parameters:
  ///   - text: At least three characters: servers do not search for shorter texts.
  ///   - domain: The key of a search domain that the server offers; nil for the default one.
  ///   - limit: The largest number of V3 objects to request; the server decides the length of tables.
  /// - Returns: The ids of the entities found, in the server's order.
  func searchRemotely(_ text: String, domain: String?, limit: Int = 100) async throws -> [String] {
    report(Progress("searching for '\(text)'"))
    let rows: [EntityRow]
    if let tables = try await tables() {
      let domain = try await cache.syncState().preferences.domain(domain)
      rows = try await setting.rows { try await tables.rows(.search(text, domain: domain), into: $0) }.0
    } else {
      rows = try await found(text, limit: limit)
    }
    let living = rows.filter { !$0.isDeleted }
    if !living.isEmpty { try await take(.search) { $0.push(living) } }
    return living.map(\.permID)
  }

  /// Returns the cached entity of an id.
  private func known(_ permID: String) async throws -> Entity {
    guard let entity = try await cache.entity(permID) else { throw try await unknown(permID) }
    return entity
  }

  /// Returns the error for an id that is not cached, with a similar id as suggestion if there is one.
  func unknown(_ permID: String) async throws -> ErrorReport {
    // Lists show codes too, which some commands accept in place of ids; a search does not look in ids.
    let ids = NativeKind.allCases.map { NativeObject.entityID($0, permID) }
    let named = try await cache.summaries(ids).compactMap { $0?.permID }.first.map { "did you mean '\($0)'?" }
    let near = try await named == nil ? cache.search(permID, limit: 50).rows.map(\.permID) : []
    return LabError.unknownEntity(
      "'\(permID)' is not in the cache",
      advice: named ?? Suggestion.advice(for: permID, in: near)
        ?? "find entities with 'workbench openbis search TEXT'",
      details: ["permId": .text(permID)]
    ).sanitized
  }

  /// The configuration shared by refreshes and single requests.
  var setting: SyncSetting {
    SyncSetting(
      cache: cache, clock: clock, report: report, warn: warn,
      fullRefreshDays: context[LabAccess.fullRefreshDays])
  }

  /// Writes a response into the cache, independently of any refresh.
  @discardableResult
  private func take<Summary: Sendable>(
    _ kind: ResponseKind, _ transfer: @escaping @Sendable (RowChannel) async throws -> Summary
  ) async throws -> AppliedRows {
    let generation = try await cache.syncState().generation
    let applied = try await setting.takeSeparately(kind, generation: generation, transfer)
    for permID in applied.missing {
      warn(
        Diagnostic(
          .warning, code: "openbis.no-details",
          "the server sent no details of '\(permID)'; it may have been deleted there",
          advice: "its cached data is kept"))
    }
    return applied
  }

  // MARK: V3 objects

  /// Fetches the objects that entities were made from, with all files that are shown with them.
  private func fetchObjects(_ permIDs: [String]) async throws {
    let (service, mapping) = (try await native(), try await mapping())
    var wanted: [NativeKind: [String]] = [:]
    var asked: [String] = []
    for permID in permIDs {
      if let object = Refcon.object(of: permID) {
        wanted[object.kind, default: []].append(object.permID)
      } else if let file = Refcon.file(of: permID) {
        wanted[.dataSet, default: []].append(file.dataSet)
      } else {
        // A group, which is not an object.
        continue
      }
      asked.append(permID)
    }
    guard let first = asked.first else { return }
    report(Progress("requesting details of \(first)"))
    var (groups, rows): ([EntityRow], [EntityRow]) = ([], [])
    for kind in NativeKind.allCases {
      guard let ids = wanted[kind] else { continue }
      let mapped = try await mapped(try await service.objects(kind, ids), service, mapping)
      groups += mapped.groups
      rows += mapped.rows
    }
    let all = groups + rows
    try await take(.details(of: asked)) { $0.push(all) }
  }

  /// Fetches the objects that the mapping lists below the one an entity was made from.
  private func fetchObjects(below permID: String) async throws {
    guard let object = Refcon.object(of: permID) else { return }
    let (service, mapping) = (try await native(), try await mapping())
    for edge in mapping.listed(below: object.kind) {
      report(Progress("requesting \(edge.kind.plural) below \(permID)"))
      var (from, hasMore) = (0, true)
      while hasMore {
        let page = try await service.belonging(edge, to: [object.permID], from: from, count: Self.pageSize)
        let mapped = try await mapped(page.objects, service, mapping)
        if !mapped.rows.isEmpty {
          try await take(.drill(of: permID)) {
            $0.push(mapped.groups)
            $0.push(mapped.rows)
          }
        }
        (from, hasMore) = (from + Self.pageSize, page.hasMore)
      }
    }
  }

  /// The number of objects per request for those below another.
  private static let pageSize = 500

  private func mapped(
    _ objects: [NativeObject], _ service: NativeService, _ mapping: Mapping
  ) async throws -> MappedRows {
    let context = NativeContext(service: service, mapping: mapping, warn: warn)
    var mapped = mapping.rows(of: objects, try await context.surroundings(of: objects, wantsFiles: .all))
    // Without properties a row keeps the cached ones, among them those of the refused kinds; a refresh decides on them.
    if !context.refused.isEmpty { for index in mapped.rows.indices { mapped.rows[index].properties = nil } }
    return mapped
  }

  /// Returns the matches of a search over all objects, as rows.
  private func found(_ text: String, limit: Int) async throws -> [EntityRow] {
    let (service, mapping) = (try await native(), try await mapping())
    let matches = try await service.searchGlobally(text, limit: limit)
    var rows: [String: EntityRow] = [:]
    for kind in NativeKind.allCases {
      let ids = matches.filter { $0.kind == kind }.map(\.permID)
      if ids.isEmpty { continue }
      for start in stride(from: 0, to: ids.count, by: 500) {
        let some = Array(ids[start..<min(ids.count, start + 500)])
        for row in try await mapped(try await service.objects(kind, some), service, mapping).rows {
          rows[row.permID] = row
        }
      }
    }
    return matches.compactMap { rows[NativeObject.entityID($0.kind, $0.permID)] }
  }
}
