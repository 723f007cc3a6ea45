import Glibc
import PluginAPI
import PluginVault

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
    let question = PromptRequest("Passphrase of the stored tokens and passwords", isSecret: true)
    // A token is useless without the network.
    guard !context.isOffline, let answer = try await ask(question) else { throw CredentialError.locked }
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

  /// Opens the key on a thread of its own, because a passphrase takes time.
  static func open(
    _ files: CredentialFiles, by source: VaultKeySource
  ) async throws -> (key: SecretsKey, wrapping: WrappingKey) {
    try await files.apart { try $0.openKey(by: source) }
  }

  /// Returns the key file named by the environment, else by the setting; nil if there is none.
  static func namedFile(_ context: any PluginContext) -> String? {
    let named = getenv("WORKBENCH_OPENBIS_KEY_FILE").map { String(cString: $0) } ?? ""
    let file = named.isEmpty ? context.setting("key-file").text ?? "" : named
    return file.isEmpty ? nil : file
  }

  /// Returns the keyring in which `secrets unlock` stores the key.
  static func keyring(_ files: CredentialFiles) -> KernelKeyring {
    KernelKeyring(name: "workbench:openbis:\(files.folder)")
  }

  /// Returns the time after which the keyring drops an unused key, in seconds.
  static func idleLimit(_ context: any PluginContext) -> Int { 60 * (context.setting("idle-lock").integer ?? 15) }
}
