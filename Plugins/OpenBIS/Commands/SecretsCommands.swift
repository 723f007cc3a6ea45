import Glibc
import PluginAPI
import PluginVault

/// Commands about the encryption of stored tokens and passwords.
enum SecretsCommands {
  static let all = [status, encrypt, unlock, lock, changeKey, decrypt]

  private static let keyFile = Option(
    "key-file", String.self, kind: .inputFile(extensions: []),
    "the file with the key; WORKBENCH_OPENBIS_KEY_FILE and the setting 'key-file' name one too")

  private static let newKeyFile = Option(
    "new-key-file", String.self, kind: .outputFile, "make a key file here, for the new key")

  private static let passphraseInput = Option(
    flag: "passphrase-stdin", "take the passphrase from the first line of standard input")

  private static let passphrasesInput = Option(
    flag: "passphrase-stdin",
    "take passphrases from lines of standard input: first the old one, unless a key file opens, then the new one")

  private static let forget = Option(
    flag: "forget", "remove what is encrypted, without a key: log in again afterwards")

  static let status = OpenBISCommand(
    CommandDescription(
      "secrets status", "show whether stored tokens and passwords are encrypted", output: .model(SecretsStatus.self)
    )
    .explained(
      "It needs no key.", examples: [.init("secrets status", "before and after 'secrets encrypt'")])
  ) { call, _ in try await call.emit(state(of: LabAccess.credentials(call.context), call)) }

  static let encrypt = OpenBISCommand(
    CommandDescription(
      "secrets encrypt", "encrypt stored tokens and passwords", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(newKeyFile, keyFile, passphraseInput).explained(
      """
      Those that are stored already are encrypted at once, those of later logins when they are stored. The key is a \
      passphrase, which is asked for twice, or a key file of 32 random bytes. Commands that ask a server need it from \
      then on; what is cached can be read without it. Who loses the key logs in again after 'secrets decrypt --forget'.
      """,
      examples: [
        .init("secrets encrypt", "asks for a passphrase"),
        .init("secrets encrypt --new-key-file ~/openbis.key", "for scripts"),
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
          .note, code: "openbis.name-key-file", "commands that ask a server need the key file from now on",
          advice: "name it: export WORKBENCH_OPENBIS_KEY_FILE='\(path)'"))
    }
    try await call.emit(state(of: files, call))
  }

  static let unlock = OpenBISCommand(
    CommandDescription(
      "secrets unlock", "keep the key for the commands that follow", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(keyFile, passphraseInput).explained(
      """
      The key stays in the kernel's keyring of the user, never on a disk, until it was not used for as long as the \
      setting 'idle-lock' says, or until 'secrets lock'.
      """,
      examples: [
        .init("secrets unlock", "asks for the passphrase, once for all that follows"),
        .init("secrets unlock --passphrase-stdin", "for scripts"),
      ])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    let opened = try await LabKey.open(files, by: try await ownKey(call, files))
    laboratory.setSecretsKey(opened.key)
    if let number = LabKey.keyring(files).put(opened.wrapping, seconds: LabKey.idleLimit(call.context)) {
      call.warn(
        Diagnostic(
          .warning, code: "openbis.not-kept-unlocked",
          "the kernel keeps no keys here (\(String(cString: strerror(number)))): each command needs the key",
          advice: "name a key file with WORKBENCH_OPENBIS_KEY_FILE"))
    }
    try await call.emit(state(of: files, call))
  }

  static let lock = OpenBISCommand(
    CommandDescription(
      "secrets lock", "forget the key that 'secrets unlock' kept", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).explained("It needs no key.", examples: [.init("secrets lock", "before you leave the machine")])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    LabKey.keyring(files).drop()
    laboratory.setSecretsKey(nil)
    try await call.emit(state(of: files, call))
  }

  static let changeKey = OpenBISCommand(
    CommandDescription(
      "secrets change-key", "replace the passphrase or key file", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(newKeyFile, keyFile, passphrasesInput).explained(
      "The old one opens nothing from then on, and what 'secrets unlock' kept is forgotten.",
      examples: [
        .init("secrets change-key", "asks for the old and the new passphrase"),
        .init("secrets change-key --new-key-file ~/new.key", "from a passphrase or another file to a key file"),
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
      "secrets decrypt", "store tokens and passwords without encryption again", output: .model(SecretsStatus.self),
      effects: [.reads, .writes]
    ).taking(keyFile, passphraseInput, forget).explained(
      "They are in files then that only you can read. With '--forget' sessions are not ended at their servers.",
      examples: [
        .init("secrets decrypt", "asks for the passphrase"),
        .init("secrets decrypt --forget", "when the key is lost"),
      ])
  ) { call, laboratory in
    let files = LabAccess.credentials(call.context)
    if call[forget] {
      let accounts = try files.forgetSealed()
      if !accounts.isEmpty {
        call.warn(
          Diagnostic(
            .note, code: "openbis.logged-out", "logged out of \(accounts.joined(separator: ", "))",
            advice: "'workbench openbis login' logs in again"))
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

  /// Returns the key that opens the secrets: from an option, standard input, the file named for all commands, or a
  /// question.
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
      return .passphrase(Array(line.utf8))
    }
    guard let first = try await call.ask(PromptRequest("New passphrase", isSecret: true)),
      let again = try await call.ask(PromptRequest("The new passphrase again", isSecret: true))
    else { throw CredentialError.newKeyMissing }
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
    Field("folder", \.folder, "where tokens and passwords are stored")
    Field("isEncrypted", { $0.key != nil }, "whether they are encrypted")
    Field("key", \.key, "what opens them; null if they are not encrypted")
    Field("isLocked", \.isLocked, "whether a command that asks a server needs the key")
    Field("encrypted", \.encrypted, "how many are encrypted")
    Field("plain", \.plain, "how many are not")
  }
}
