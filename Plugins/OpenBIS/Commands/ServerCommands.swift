import PluginAPI

/// Commands about servers and accounts: login, logout, servers.
enum ServerCommands {
  static let all = [LoginCommand.command, logout, list]

  private static let forget = Option(flag: "forget", "Delete the account and its cache too")

  static let logout = OpenBISCommand(
    CommandDescription(
      "logout", "End the session and delete the stored token and password", output: .init(.list(.text)),
      effects: [.reads, .writes, .network]
    ).taking(LabInputs.account, forget).explained(
      "The cache is kept for browsing offline, unless '--forget' deletes it.",
      examples: [
        .init("logout", "Log out of the server used last"),
        .init("logout --account lab --forget", "Delete the cache too"),
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
            ? "the server cannot be reached; the session there ends when it expires"
            : "the token and password were deleted here, but the session did not end at the server: \(reason)"
        ).sanitized)
    }
  }

  private static let use = Option(
    "use", String.self, "Account to use by default from now on")

  static let list = OpenBISCommand(
    CommandDescription(
      "servers", "List the known servers and users", output: .table(of: ListedAccount.self),
      effects: [.reads, .writes]
    ).taking(use).explained(
      "Each user of a server has a separate cache.",
      examples: [.init("servers", "All"), .init("servers --use lab.example.org", "Switch to another server")])
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

/// Commands about personal access tokens at the server: token list, token revoke.
enum TokenCommands {
  static let all = [list, revoke]

  static let list = OpenBISCommand(
    CommandDescription(
      "token list", "List your personal access tokens", output: .table(of: NativeAccessToken.self),
      effects: [.reads, .network]
    ).taking(LabInputs.account).explained(
      "The output never contains the tokens themselves. Servers list tokens only after a login with a password.",
      examples: [.init("token list", "Tokens at the server used last")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    try await call.emit(table: browser.native().accessTokens())
  }

  private static let token = Argument("token", String.self, "Id or name of the token, as 'token list' shows it")

  static let revoke = OpenBISCommand(
    CommandDescription(
      "token revoke", "Revoke a personal access token", output: .model(RevokedToken.self),
      effects: [.reads, .writes, .network]
    ).taking(token, LabInputs.account).explained(
      "The server then refuses the token everywhere. This cannot be undone.",
      examples: [.init("token revoke laptop", "By name"), .init("token revoke 3f5a0c91de", "By id")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let service = try await browser.native()
    let tokens = try await service.accessTokens()
    let word = call[token]
    let exact = tokens.filter { $0.id == word }
    let found = exact.isEmpty ? tokens.filter { $0.name == word } : exact
    guard let chosen = found.first else {
      throw LabError.noToken(
        "token '\(word)' does not exist",
        advice: tokens.isEmpty ? "you have no tokens" : "choose one of " + tokens.map(\.name).joined(separator: ", ")
      ).sanitized
    }
    guard found.count == 1 else {
      var report = LabError.noToken(
        "\(found.count) tokens have the name '\(word)'",
        advice: "give an id: " + found.map(\.id).joined(separator: ", "))
      report.kind = .usage
      throw report.sanitized
    }
    try await service.revoke(chosen)
    try await call.emit(RevokedToken(id: chosen.id, name: chosen.name))
  }

  private struct RevokedToken: Model {
    var id: String
    var name: String

    static let typeName = "openbis.revoked-token"
    static let fields = Fields<RevokedToken> {
      Field("id", \.id, "Part of the token's checksum")
      Field("name", \.name, "Name of the token")
    }
  }
}

/// Personal access tokens: long-lived tokens, their creation and expiry.
enum LabToken {
  /// The number of days before a token's expiry from which on a warning is shown.
  static let warningInDays = 7

  /// Creates a token at the server for the user of a session.
  ///
  /// - Parameter days: The lifetime requested; the server may grant less.
  static func make(_ name: String, days: Int, by session: RPCSession, at now: Instant) async throws -> Secret {
    let hour = 3_600_000
    let now = Int(now.seconds) * 1000
    // The server's clock may be behind.
    return Secret(
      try await NativeService(session).createAccessToken(name: name, from: now - hour, to: now + days * 24 * hour))
  }

  /// Returns a warning if the session's token is about to expire; nil if not, or if the server does not report it.
  static func warning(_ session: RPCSession, at now: Instant) async throws -> Diagnostic? {
    guard let token = session.token, SessionToken(token).isPersonal else { return nil }
    let end: Int?
    do {
      end = try await NativeService(session).endOfAccessToken(token)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // Some servers do not report this to sessions with such a token.
      return nil
    }
    guard let end, end / 1000 - Int(now.seconds) < warningInDays * 86_400 else { return nil }
    let last = NativeTime.instant(end)
    return Diagnostic(
      .warning, code: "openbis.token-ends", "the access token expires at \(last)",
      advice: "create a new one with 'workbench openbis login URL --user NAME --new-token NAME'")
  }
}
