import PluginAPI
import PluginVault

/// Errors of stored secrets: each is declared with its code, followed by the reports of its occurrences.
enum CredentialError {
  private static let unsafeName = DeclaredError(
    "openbis.bad-account", .usage, "a name of an account has other characters than letters, digits, '-', '_' and '.'")
  /// Returns the error for an account's id that may lead out of the folder.
  static func badAccount(_ account: String) -> ErrorReport {
    unsafeName(
      "'\(account.prefix(80))' is not the name of an account", advice: "use letters, digits, '-', '_' and '.'")
  }

  private static let unreadable = DeclaredError(
    "openbis.credentials-unreadable", .refused, "the file with the token or password of an account cannot be read")
  static func unreadable(account: String, reason: String) -> ErrorReport {
    unreadable("the kept token or password of '\(account)' cannot be read: \(reason)", advice: "log in again")
  }

  private static let unwritable = DeclaredError(
    "openbis.credentials-unwritable", .failure, "the token or password of an account cannot be kept or removed")
  static func unwritable(account: String, reason: String) -> ErrorReport {
    unwritable(
      "the token or password of '\(account)' cannot be kept or removed: \(reason)",
      advice: "look at the rights of the plugin's folder")
  }

  private static let secretsLocked = DeclaredError(
    "openbis.secrets-locked", .refused, "the stored tokens and passwords are encrypted, and no key is given")
  static let locked = secretsLocked(
    "the stored tokens and passwords are encrypted, and no key is given",
    advice: "run 'workbench openbis secrets unlock', or name the key file with WORKBENCH_OPENBIS_KEY_FILE; "
      + "if the key is lost, run 'workbench openbis secrets decrypt --forget' and log in again")

  static let wrongKey = DeclaredError(
    "openbis.wrong-key", .refused, "the passphrase or key file does not open the stored tokens and passwords")
  static func wrongKey(folder: String) -> ErrorReport {
    wrongKey(
      "the passphrase or key file does not open the tokens and passwords in '\(folder)'",
      advice: "try again; if the key is lost, run 'workbench openbis secrets decrypt --forget' and log in again",
      details: ["path": .text(folder)])
  }

  private static let damaged = DeclaredError(
    "openbis.secrets-damaged", .unusableInput,
    "an encrypted token or password is not as it was written: log in again")
  /// Returns the error for an encrypted secret, or the record of its key, that was changed or damaged.
  static func damaged(secret: String, path: String, advice: String) -> ErrorReport {
    damaged("\(secret) in '\(path)' is not as it was written", advice: advice, details: ["path": .text(path)])
  }

  private static let alreadyEncrypted = DeclaredError(
    "openbis.encrypted", .refused, "the stored tokens and passwords are encrypted already")
  static let encrypted = alreadyEncrypted(
    "the stored tokens and passwords are encrypted already",
    advice: "'workbench openbis secrets change-key' changes the key")

  private static let unencrypted = DeclaredError(
    "openbis.not-encrypted", .refused, "the stored tokens and passwords are not encrypted")
  static let notEncrypted = unencrypted(
    "the stored tokens and passwords are not encrypted", advice: "'workbench openbis secrets encrypt' encrypts them")

  private static let newKeyNeeded = DeclaredError(
    "openbis.new-key-needed", .usage, "a new passphrase or key file is needed, and none is given")
  static let newKeyMissing = newKeyNeeded(
    "no new key is given, and nobody can be asked for one",
    advice: "give '--new-key-file FILE' or '--passphrase-stdin'")

  private static let unusablePassphrase = DeclaredError(
    "openbis.unusable-passphrase", .usage, "a passphrase is empty, longer than 1024 bytes, or was typed differently")
  static let passphrasesDiffer = unusablePassphrase("the two passphrases differ", advice: "type the same twice")

  private static let keyFile = DeclaredError(
    "openbis.key-file", .refused, "a key file is missing, has not 32 bytes, or can be read by others")
  private static let noLibrary = DeclaredError(
    "openbis.no-libsodium", .failure, "libsodium is not installed: sudo apt install libsodium23")
  private static let noMemory = DeclaredError(
    "openbis.no-memory", .failure, "no memory is left to work with keys")

  /// Returns the error for a failed operation with keys.
  static func key(_ failure: VaultFailure) -> ErrorReport {
    switch failure {
    case .noLibrary(let problem):
      return noLibrary(
        "encryption needs libsodium, which cannot be used: \(problem)", advice: "run: sudo apt install libsodium23")
    case .noMemory:
      return noMemory(
        "no memory is left to work with keys", advice: "end other programs and try again", isRetryable: true)
    case .unusablePassphrase, .unusableKey, .unusablePublicKey:
      return unusablePassphrase("a passphrase has 1 to 1024 bytes", advice: "take a sentence of several words")
    case .noKeyFile(let path):
      var report = keyFile(
        "key file '\(path)' does not exist",
        advice: "check the path; if the key is lost, run 'workbench openbis secrets decrypt --forget' and log in again",
        details: ["path": .text(path)])
      report.kind = .notFound
      return report
    case .keyFile(let path, let reason, let advice):
      return keyFile(
        "key file '\(path)' cannot be used: \(reason)", advice: advice, details: ["path": .text(path)])
    }
  }

  /// All errors, in the order of the catalog.
  static let all = [
    unsafeName, unreadable, unwritable, secretsLocked, wrongKey, damaged, alreadyEncrypted, unencrypted, newKeyNeeded,
    unusablePassphrase, keyFile, noLibrary, noMemory,
  ]
}
