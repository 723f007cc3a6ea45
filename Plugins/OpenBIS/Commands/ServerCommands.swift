import PluginAPI

/// Commands about servers and accounts: login, logout, servers.
enum ServerCommands {
  static let all = [LoginCommand.command, logout, list]

  static let logout = OpenBISCommand(
    CommandDescription(
      "logout", "ends the session and forgets token and password", output: .init(.list(.text)),
      effects: [.reads, .writes, .network]
    ).taking(options: [
      OpenBISCommand.account, Parameter("forget", .flag, "forget the server too, with all that is cached of it"),
    ]).explained(
      "What is cached stays and can be browsed offline, unless '--forget' is given.",
      examples: [
        .init("logout", "the server used last"), .init("logout --account lab --forget", "and all of its cache"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    // An account whose secrets cannot be read can still be logged out.
    let session = try? await browser.session()
    laboratory.setSession(nil, of: browser.account.id)
    // The local secrets go first, whatever the server answers.
    let forgotten = Result { try LabAccess.credentials(call.context).forget(browser.account.id) }
    try await end(session, call)
    try forgotten.get()
    if call.flag("forget") {
      await laboratory.closeCache(of: browser.account.id)
      try await browser.servers.removeAccount(browser.account.id)
    }
    try await call.emit(.list([.text(browser.account.id)]))
  }

  /// Ends a session at its server; warns if that fails, because the session then lasts until it expires.
  private static func end(_ session: RPCSession?, _ call: CommandCall) async throws {
    do {
      try await session?.logout()
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      let reason = (error as? any ReportableError)?.report.message ?? "\(error)"
      let isOffline = RPCError.meansOffline(error)
      call.warn(
        Diagnostic(
          .warning, code: isOffline ? "openbis.offline" : "openbis.session-not-ended",
          isOffline
            ? "the server cannot be reached; the session ends there when its time is over"
            : "token and password are forgotten here, but the session did not end at the server: \(reason)"
        ).harmless)
    }
  }

  static let list = OpenBISCommand(
    CommandDescription(
      "servers", "lists the servers and users that are known", output: .init(.table(LoginCommand.fields)),
      effects: [.reads, .writes]
    ).taking(options: [Parameter("use", .text, "make this account the one that is used without '--account'")])
      .explained(
        "Each user of a server has a cache of their own.",
        examples: [.init("servers", "all"), .init("servers --use lab.example.org", "switches to another server")])
  ) { call, laboratory in
    let servers = try ServersStore.of(call.context)
    if !call.text("use").isEmpty {
      let chosen = try await LabBrowser(call.context, laboratory, account: call.text("use"))
      try await servers.setCurrent(chosen.account.id)
    }
    let registry = try await servers.snapshot()
    try await call.emit(.table(table(registry.accounts, current: registry.current)))
  }

  /// Returns an account as command output.
  static func value(_ account: Account, isCurrent: Bool) -> Value {
    let record: Value = [
      "account": .text(account.id), "server": .text(account.server.base), "user": .text(account.user),
      "backEnd": .optional(account.backEnd?.rawValue), "dataStore": .optional(account.dataStore),
      "dataStores": .list(account.dataStores.map(Value.text)), "usesAccessToken": .bool(account.usesAccessToken),
      "isCurrent": .bool(isCurrent),
    ]
    return record.typed(OpenBISValueType.account)
  }

  private static func table(_ accounts: [Account], current: String?) -> Table {
    Table(columns: [
      .init("account", title: "Account", .texts(accounts.map(\.id))),
      .init("server", title: "Server", .texts(accounts.map(\.server.base))),
      .init("user", title: "User", .texts(accounts.map(\.user))),
      .init("backEnd", title: "Back end", .values(accounts.map { .optional($0.backEnd?.rawValue) })),
      .init("dataStore", title: "Data store", .values(accounts.map { .optional($0.dataStore) })),
      .init("dataStores", title: "Data stores", .values(accounts.map { .list($0.dataStores.map(Value.text)) })),
      .init("usesAccessToken", title: "Token", .values(accounts.map { .bool($0.usesAccessToken) })),
      .init("isCurrent", title: "Current", .values(accounts.map { .bool($0.id == current) })),
    ])
  }
}
