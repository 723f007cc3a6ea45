import Glibc
import PluginAPI
import PluginVault

/// The commands for the encryption of stored tokens and passwords.
enum SecretsCommands {
  static let all = [status, encrypt, unlock, lock, changeKey, decrypt]

  private static let keyFile = Option(
    "key-file", String.self, kind: .inputFile(extensions: []),
    "Key file; by default that of WORKBENCH_OPENBIS_KEY_FILE or the setting 'key-file'")

  private static let newKeyFile = Option(
    "new-key-file", String.self, kind: .outputFile, "Path of a key file to create for the new key")

  private static let passphraseInput = Option(
    flag: "passphrase-stdin", "Read the passphrase from the first line of standard input")

  private static let passphrasesInput = Option(
    flag: "passphrase-stdin",
    "Read passphrases from standard input, one per line: the old one unless a key file is used, then the new one")

  private static let forget = Option(
    flag: "forget", "Delete the encrypted tokens and passwords without the key; log in again afterwards")

  static let status = OpenBISCommand(
    CommandDescription(
      "secrets status", "Show whether stored tokens and passwords are encrypted", output: .model(SecretsStatus.self)
    )
    .explained(
      "The command works without the key.", examples: [.init("secrets status", "Before and after 'secrets encrypt'")])
  ) { call, _ in try await call.emit(state(of: LabAccess.credentials(call.context), call)) }

  static let encrypt = OpenBISCommand(
    CommandDescription(
      "secrets encrypt", "Encrypt stored tokens and passwords", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(newKeyFile, keyFile, passphraseInput, ShortPassphrase.option).explained(
      """
      The command encrypts all stored tokens and passwords, and those of later logins. The key is a passphrase, which \
      you type twice, or a key file of 32 random bytes. Commands that contact a server then need the key; the cache \
      can be read without it. If you lose the key, run 'secrets decrypt --forget' and log in again.
      """,
      examples: [
        .init("secrets encrypt", "With a passphrase"),
        .init("secrets encrypt --new-key-file ~/openbis.key", "With a key file, for scripts"),
      ])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    if try files.sealing() != nil { throw CredentialError.encrypted }
    let named = call[keyFile] ?? ""
    let isFile = !named.isEmpty && (call[newKeyFile] ?? "").isEmpty
    let source = isFile ? VaultKeySource.keyFile(path: named) : try await newKey(call)
    laboratory.setSecretsKey(try await files.apart { try $0.encrypt(by: source) })
    if case .keyFile(let path) = source, LabKey.namedFile(call.context) == nil {
      call.warn(
        Diagnostic(
          .note, code: "openbis.name-key-file", "commands that contact a server now need the key file",
          advice: "run: export WORKBENCH_OPENBIS_KEY_FILE='\(path)'"))
    }
    try await call.emit(state(of: files, call))
  }

  static let unlock = OpenBISCommand(
    CommandDescription(
      "secrets unlock", "Keep the key in memory for later commands", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(keyFile, passphraseInput).explained(
      """
      The key stays in your kernel keyring, never on a disk. 'secrets lock' removes it. It is also removed when unused \
      for the time in the setting 'idle-lock'.
      """,
      examples: [
        .init("secrets unlock", "Type the passphrase once for all later commands"),
        .init("secrets unlock --passphrase-stdin", "For scripts"),
      ])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    let opened = try await LabKey.open(files, by: try await ownKey(call, files))
    laboratory.setSecretsKey(opened.key)
    if let number = LabKey.keyring(files).put(opened.wrapping, seconds: LabKey.idleLimit(call.context)) {
      call.warn(
        Diagnostic(
          .warning, code: "openbis.not-kept-unlocked",
          "the kernel cannot store the key (\(String(cString: strerror(number)))); each command needs it",
          advice: "name a key file with WORKBENCH_OPENBIS_KEY_FILE"))
    }
    try await call.emit(state(of: files, call))
  }

  static let lock = OpenBISCommand(
    CommandDescription(
      "secrets lock", "Remove the key that 'secrets unlock' keeps in memory", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).explained("The command works without the key.", examples: [.init("secrets lock", "Before you leave the machine")])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    LabKey.keyring(files).drop()
    laboratory.setSecretsKey(nil)
    try await call.emit(state(of: files, call))
  }

  static let changeKey = OpenBISCommand(
    CommandDescription(
      "secrets change-key", "Replace the passphrase or key file", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(newKeyFile, keyFile, passphrasesInput, ShortPassphrase.option).explained(
      "The old key no longer opens anything, and the key of 'secrets unlock' is removed from memory.",
      examples: [
        .init("secrets change-key", "From the old to a new passphrase"),
        .init("secrets change-key --new-key-file ~/new.key", "From a passphrase or another key file to a new key file"),
      ])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    let key = try await LabKey.open(files, by: try await ownKey(call, files)).key
    let source = try await newKey(call)
    try await files.apart { try $0.changeKey(key, to: source) }
    LabKey.keyring(files).drop()
    laboratory.setSecretsKey(key)
    try await call.emit(state(of: files, call))
  }

  static let decrypt = OpenBISCommand(
    CommandDescription(
      "secrets decrypt", "Decrypt stored tokens and passwords", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(keyFile, passphraseInput, forget).explained(
      "The secrets are then in plain files that only you can read. '--forget' does not end sessions at servers.",
      examples: [
        .init("secrets decrypt", "With the passphrase"),
        .init("secrets decrypt --forget", "When the key is lost"),
      ])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    if call[forget] {
      let accounts = try files.forgetSealed()
      if !accounts.isEmpty {
        call.warn(
          Diagnostic(
            .note, code: "openbis.logged-out", "logged out of \(accounts.joined(separator: ", "))",
            advice: "log in again with 'workbench openbis login'"))
      }
    } else {
      let key = try await LabKey.open(files, by: try await ownKey(call, files)).key
      try files.decrypt(key)
    }
    LabKey.keyring(files).drop()
    laboratory.setSecretsKey(nil)
    try await call.emit(state(of: files, call))
  }

  // MARK: Keys

  /// Returns the key that opens the secrets: from an option, standard input, the configured file, or a prompt.
  private static func ownKey(_ call: CommandCall, _ files: CredentialFiles) async throws -> VaultKeySource {
    guard let record = try files.sealing() else { throw CredentialError.notEncrypted }
    if let file = call[keyFile], !file.isEmpty { return .keyFile(path: file) }
    if record.kind == LabKey.keyFileKind {
      guard let named = LabKey.namedFile(call.context) else { throw CredentialError.locked }
      return .keyFile(path: named)
    }
    if call[passphraseInput] {
      guard let line = try await call.inputLine() else { throw CredentialError.key(.unusablePassphrase) }
      return .passphrase(Array(line.utf8))
    }
    guard let answer = try await call.ask(LabKey.passphraseQuestion) else { throw CredentialError.locked }
    return .passphrase(Array(answer.utf8))
  }

  /// Returns a new key: from a key file created here, the next line of standard input, or a passphrase typed twice.
  private static func newKey(_ call: CommandCall) async throws -> VaultKeySource {
    if let file = call[newKeyFile], !file.isEmpty {
      do { try KeyFile.make(at: file) } catch { throw CredentialError.key(error) }
      return .keyFile(path: file)
    }
    if call[passphraseInput] {
      guard let line = try await call.inputLine() else { throw CredentialError.newKeyMissing }
      try await ShortPassphrase.confirm(line, in: call, orThrow: CredentialError.shortPassphrase)
      return .passphrase(Array(line.utf8))
    }
    guard let first = try await call.ask(PromptRequest("New passphrase", isSecret: true)) else {
      throw CredentialError.newKeyMissing
    }
    try await ShortPassphrase.confirm(first, in: call, orThrow: CredentialError.shortPassphrase)
    guard let again = try await call.ask(PromptRequest("Repeat the new passphrase", isSecret: true)) else {
      throw CredentialError.newKeyMissing
    }
    guard Array(first.utf8) == Array(again.utf8) else { throw CredentialError.passphrasesDiffer }
    return .passphrase(Array(first.utf8))
  }

  private static func state(of files: CredentialFiles, _ call: CommandCall) throws -> SecretsStatus {
    let state = try files.sealingState()
    let key: SecretsStatus.Key? = state.kind.map { $0 == LabKey.keyFileKind ? .keyFile : .passphrase }
    let isNamed = key == .keyFile && LabKey.namedFile(call.context) != nil
    return SecretsStatus(
      folder: files.folder, key: key, isLocked: key != nil && !isNamed && LabKey.keyring(files).key == nil,
      encrypted: state.sealed, plain: state.plain)
  }
}

/// The encryption of stored tokens and passwords.
private struct SecretsStatus: Model {
  /// The kind of key.
  enum Key: String, CaseIterable, FieldValue {
    case passphrase
    case keyFile = "key-file"
  }

  var folder: String
  /// The kind of key that opens them; nil if they are not encrypted.
  var key: Key?
  var isLocked: Bool
  var encrypted: Int
  var plain: Int

  static let typeName = "openbis.secrets"
  static let fields = Fields<SecretsStatus> {
    Field("folder", \.folder, "Folder with the tokens and passwords")
    Field("isEncrypted", { $0.key != nil }, "True if they are encrypted")
    Field("key", \.key, "Kind of key; null if they are not encrypted")
    Field("isLocked", \.isLocked, "True if commands that contact a server ask for the key")
    Field("encrypted", \.encrypted, "Number of encrypted tokens and passwords")
    Field("plain", \.plain, "Number of unencrypted tokens and passwords")
  }
}
