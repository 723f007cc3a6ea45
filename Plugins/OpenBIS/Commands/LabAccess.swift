import PluginAPI

/// Access to servers: certificates, trusted keys and stored secrets.
struct LabAccess: Sendable {
  private let context: any PluginContext
  private let keys: [TrustedKey]

  /// The plugin's settings about servers.
  static let settings: [Parameter] = [
    Parameter("certificates", .text, "PEM file with the certificates to trust; the system's if it is empty"),
    Parameter(
      "connect-deadline", .number(minimum: 0.1, maximum: 600), "the time to reach a server", unit: "second",
      defaultValue: 15),
    Parameter(
      "full-refresh-days", .number(minimum: 0, maximum: 3650),
      "days after which 'sync' fetches everything, as some changes are announced by nothing else; 0 for never",
      defaultValue: 7),
    Parameter(
      "idle-lock", .integer(minimum: 1, maximum: 1440), "how long 'secrets unlock' lasts without use", unit: "minute",
      defaultValue: 15),
    Parameter(
      "image-budget", .integer(minimum: 1, maximum: 1 << 20), "how many MiB of images each cache keeps", unit: "MiB",
      defaultValue: 256),
    Parameter(
      "key-file", .text, "the file with the key of encrypted tokens and passwords; none if it is empty"),
  ]

  init(_ context: any PluginContext, keys: [TrustedKey]) {
    self.context = context
    self.keys = keys
  }

  /// Returns the files with tokens and remembered passwords; ``LabKey`` opens those that are encrypted.
  static func credentials(_ context: any PluginContext) -> CredentialFiles {
    CredentialFiles(folder: context.folders.state + "/sessions")
  }

  /// The access to servers with the configured certificates and trusted keys.
  var servers: ServerAccess {
    let certificates = context.setting("certificates").text ?? ""
    return ServerAccess(
      isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
      connectDeadlineInSeconds: context.setting("connect-deadline").number ?? 15, keys: keys)
  }

  /// Returns the session of an account, made with its stored token and password.
  ///
  /// - Throws: ``CredentialError``.
  func session(of account: Account, _ credentials: CredentialFiles) throws -> RPCSession {
    let password = account.usesAccessToken ? nil : try credentials.secret(.password, of: account.id)
    let token = try credentials.secret(.token, of: account.id)
    return RPCSession(
      servers.connection(to: account.server), user: account.user, key: password.map { .password($0) } ?? .none,
      token: token, onNewToken: Self.keeper(of: account.id, credentials, context),
      keptToken: { (try? credentials.secret(.token, of: account.id)) ?? nil })
  }

  /// Returns a function that stores each new token of an account, if something is stored of that account.
  ///
  /// Nothing is stored if the account was logged out in the meantime, possibly by another process, or if its login is
  /// not complete yet.
  static func keeper(
    of accountID: String, _ credentials: CredentialFiles, _ context: any PluginContext
  ) -> @Sendable (Secret) -> Void {
    { [weak context] token in
      do throws(ErrorReport) {
        if credentials.hasAny(of: accountID) { try credentials.keep(token, as: .token, of: accountID) }
      } catch {
        // The session still works; only the next start has to log in again.
        context?.log(.warning, error.report.description)
      }
    }
  }
}
