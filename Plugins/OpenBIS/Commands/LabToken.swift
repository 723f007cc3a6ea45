import PluginAPI

/// Personal access tokens: tokens that are good for long, and what is to be known of them.
enum LabToken {
  /// How long before its end a token is warned of.
  static let warningInDays = 7

  /// Has the server make a token for the user of a session.
  ///
  /// - Parameter days: How long it is to be good; the server may allow less.
  static func make(_ name: String, days: Int, by session: RPCSession, at now: Instant) async throws -> Secret {
    let hour = 3_600_000
    let now = Int(now.seconds) * 1000
    // The server's clock may be behind.
    return Secret(
      try await NativeService(session).createAccessToken(name: name, from: now - hour, to: now + days * 24 * hour))
  }

  /// A warning if the token of a session is about to end; nil if it is not, or the server does not say.
  static func warning(_ session: RPCSession, at now: Instant) async throws -> Diagnostic? {
    guard let token = session.token, SessionToken(token).isPersonal else { return nil }
    let end: Int?
    do {
      end = try await NativeService(session).endOfAccessToken(token)
    } catch is CancellationError {
      throw CancellationError()
    } catch {
      // Servers need not tell those who come with such a token.
      return nil
    }
    guard let end, end / 1000 - Int(now.seconds) < warningInDays * 86_400 else { return nil }
    let last = Instant(seconds: Int64(end / 1000))
    return Diagnostic(
      .warning, code: "openbis.token-ends", "the access token is good until \(last) only",
      advice: "'workbench openbis login URL --user NAME --new-token NAME' makes another one")
  }
}
