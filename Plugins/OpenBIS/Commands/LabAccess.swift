import Glibc
import PluginAPI
import PluginVault

/// Access to servers: certificates, trusted keys and stored secrets.
struct LabAccess: Sendable {
  private let context: any PluginContext
  private let keys: [TrustedKey]

  private static let certificates = Setting(
    "certificates", String.self, "PEM file with certificates to trust; empty for those of the system")
  private static let connectDeadline = Setting<Double>(
    "connect-deadline", in: 0.1...600, "Time to wait for a connection to a server", unit: "second", default: 15)
  static let fullRefreshDays = Setting<Double>(
    "full-refresh-days", in: 0...3650,
    "Days between full syncs, which also find changes that the server does not report; 0 for never", default: 7)
  fileprivate static let idleLock = Setting(
    "idle-lock", in: 1...1440, "Time without use after which 'secrets unlock' ends", unit: "minute", default: 15)
  static let imageBudget = Setting(
    "image-budget", in: 1...1 << 20, "Maximum total size of the images in a cache", unit: "MiB", default: 256)
  fileprivate static let keyFile = Setting(
    "key-file", String.self, "File with the key of encrypted tokens and passwords; empty for none")

  /// The plugin's settings.
  static let settings: [Parameter] = [
    certificates.parameter, connectDeadline.parameter, fullRefreshDays.parameter, idleLock.parameter,
    imageBudget.parameter, keyFile.parameter,
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
    let certificates = context[Self.certificates] ?? ""
    return ServerAccess(
      isOffline: context.isOffline, certificates: certificates.isEmpty ? nil : certificates,
      connectDeadlineInSeconds: context[Self.connectDeadline], keys: keys)
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

/// The key of encrypted tokens and passwords, found when one of them is needed.
struct LabKey: Sendable {
  private let context: any PluginContext
  private let laboratory: Laboratory
  /// Asks the user; returns nil where the user cannot be asked.
  private let ask: @Sendable (PromptRequest) async throws -> String?

  /// Creates a key for code that cannot ask the user.
  init(_ context: any PluginContext, _ laboratory: Laboratory) {
    (self.context, self.laboratory, ask) = (context, laboratory, { _ in nil })
  }

  /// Creates a key for a command.
  init(_ call: CommandCall, _ laboratory: Laboratory) {
    (context, self.laboratory, ask) = (call.context, laboratory, { try await call.ask($0) })
  }

  /// Returns the stored secrets, opened if they are encrypted.
  ///
  /// The key comes from the keyring of `secrets unlock`, from the key file named by environment or setting, or from a
  /// passphrase. The user is asked for the passphrase once per run of the program.
  /// - Throws: ``CredentialError``.
  func credentials() async throws -> CredentialFiles {
    let files = LabAccess.credentials(context)
    guard let record = try files.sealing() else { return files }
    if let key = laboratory.secretsKey, key.id == record.id { return files.with(key) }
    let key = try await laboratory.keyLookups.run { try await find(record, files) }
    laboratory.setSecretsKey(key)
    return files.with(key)
  }

  private func find(_ record: SealingRecord, _ files: CredentialFiles) async throws -> SecretsKey {
    if let key = try await kept(files) { return key }
    if record.kind == Self.keyFileKind {
      guard let file = Self.namedFile(context) else { throw CredentialError.locked }
      return try await Self.open(files, by: .keyFile(path: file)).key
    }
    // A token is useless without the network.
    guard !context.isOffline, let answer = try await ask(Self.passphraseQuestion) else { throw CredentialError.locked }
    return try await Self.open(files, by: .passphrase(Array(answer.utf8))).key
  }

  /// Returns the key stored by `secrets unlock`; drops a key that no longer opens anything.
  private func kept(_ files: CredentialFiles) async throws -> SecretsKey? {
    let keyring = Self.keyring(files)
    guard let key = keyring.take(seconds: Self.idleLimit(context)) else { return nil }
    do {
      return try await Self.open(files, by: .wrapping(key)).key
    } catch CredentialError.wrongKey {
      keyring.drop()
      return nil
    }
  }

  // MARK: Parts

  static let keyFileKind = 2
  static let passphraseQuestion = PromptRequest("Passphrase of the stored tokens and passwords", isSecret: true)

  /// Opens the key on a thread of its own, because a passphrase takes time.
  static func open(
    _ files: CredentialFiles, by source: VaultKeySource
  ) async throws -> (key: SecretsKey, wrapping: WrappingKey) {
    try await files.apart { try $0.openKey(by: source) }
  }

  /// Returns the key file named by the environment, else by the setting; nil if there is none.
  static func namedFile(_ context: any PluginContext) -> String? {
    let named = getenv("WORKBENCH_OPENBIS_KEY_FILE").map { String(cString: $0) } ?? ""
    let file = named.isEmpty ? context[LabAccess.keyFile] ?? "" : named
    return file.isEmpty ? nil : file
  }

  /// Returns the keyring in which `secrets unlock` stores the key.
  static func keyring(_ files: CredentialFiles) -> KernelKeyring {
    KernelKeyring(name: "workbench:openbis:\(files.folder)")
  }

  /// Returns the time after which the keyring drops an unused key, in seconds.
  static func idleLimit(_ context: any PluginContext) -> Int { 60 * context[LabAccess.idleLock] }
}
