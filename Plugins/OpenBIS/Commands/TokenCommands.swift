import PluginAPI

/// Commands about personal access tokens at the server: token list, token revoke.
enum TokenCommands {
  static let all = [list, revoke]

  static let list = OpenBISCommand(
    CommandDescription(
      "token list", "list the personal access tokens of the user", output: .table(of: NativeAccessToken.self),
      effects: [.reads, .network]
    ).taking(OpenBISCommand.account).explained(
      "A token itself is never shown: its id is a part of its checksum. Servers list tokens only for those who log in by "
        + "password.",
      examples: [.init("token list", "of the server used last")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    try await call.emit(table: browser.native().accessTokens())
  }

  private static let token = Argument("token", String.self, "the token's id or name, as 'token list' gives it")

  static let revoke = OpenBISCommand(
    CommandDescription(
      "token revoke", "end a personal access token at the server", output: .model(RevokedToken.self),
      effects: [.reads, .writes, .network]
    ).taking(token, OpenBISCommand.account).explained(
      "Whoever uses it is refused from then on. It cannot be undone.",
      examples: [.init("token revoke laptop", "by its name"), .init("token revoke 3f5a0c91de", "by its id")])
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
        advice: tokens.isEmpty ? "you have none" : "tokens are " + tokens.map(\.name).joined(separator: ", ")
      ).harmless
    }
    guard found.count == 1 else {
      var report = LabError.noToken(
        "\(found.count) tokens are named '\(word)'",
        advice: "name one by its id: " + found.map(\.id).joined(separator: ", "))
      report.kind = .usage
      throw report.harmless
    }
    try await service.revoke(chosen)
    try await call.emit(RevokedToken(id: chosen.id, name: chosen.name))
  }

  private struct RevokedToken: Model {
    var id: String
    var name: String

    static let typeName = "openbis.revoked-token"
    static let fields = Fields<RevokedToken> {
      Field("id", \.id, "a part of its checksum")
      Field("name", \.name, "what it was for")
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
    let last = Instant(seconds: Int64(end / 1000))
    return Diagnostic(
      .warning, code: "openbis.token-ends", "the access token is good until \(last) only",
      advice: "'workbench openbis login URL --user NAME --new-token NAME' makes another one")
  }
}
