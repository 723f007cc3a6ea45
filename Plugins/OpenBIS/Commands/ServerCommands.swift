import PluginAPI

/// Commands about servers and accounts: login, logout, servers.
enum ServerCommands {
  static let all = [LoginCommand.command, logout, list]

  private static let forget = Option(flag: "forget", "forget the server too, with all that is cached of it")

  static let logout = OpenBISCommand(
    CommandDescription(
      "logout", "ends the session and forgets token and password", output: .init(.list(.text)),
      effects: [.reads, .writes, .network]
    ).taking(OpenBISCommand.account, forget).explained(
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
    if call[forget] {
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

  private static let use = Option(
    "use", String.self, "make this account the one that is used without '--account'")

  static let list = OpenBISCommand(
    CommandDescription(
      "servers", "lists the servers and users that are known", output: .table(of: ListedAccount.self),
      effects: [.reads, .writes]
    ).taking(use).explained(
      "Each user of a server has a cache of their own.",
      examples: [.init("servers", "all"), .init("servers --use lab.example.org", "switches to another server")])
  ) { call, laboratory in
    let servers = try ServersStore.of(call.context)
    if let use = call[use], !use.isEmpty {
      let chosen = try await LabBrowser(call.context, laboratory, account: use)
      try await servers.setCurrent(chosen.account.id)
    }
    let registry = try await servers.snapshot()
    try await call.emit(
      table: registry.accounts.map { ListedAccount(account: $0, isCurrent: $0.id == registry.current) })
  }
}

/// An account as commands list it.
struct ListedAccount: Model {
  var account: Account
  var isCurrent: Bool

  static let typeName = OpenBISValueType.account
  static let fields = Fields<ListedAccount> {
    Field("account", \.account.id, "names the account in '--account'", heading: "Account")
    Field("server", \.account.server.base, "the server's address", heading: "Server")
    Field("user", \.account.user, "the user's name; empty if only a token is known", heading: "User")
    Field("backEnd", \.account.backEnd, "how the server is asked", heading: "Back end")
    Field(
      "dataStore", \.account.dataStore, "the data store that maps; null if a mapping file does", heading: "Data store")
    Field("dataStores", \.account.dataStores, "all data stores that map", heading: "Data stores")
    Field("usesAccessToken", \.account.usesAccessToken, "whether a personal access token is used", heading: "Token")
    Field("isCurrent", \.isCurrent, "whether it is the one used without '--account'", heading: "Current")
  }
}
