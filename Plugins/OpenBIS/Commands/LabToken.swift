import PluginAPI

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
