import PluginAPI
import PluginVault

/// Errors of stored secrets: each is declared with its code, followed by the reports of its occurrences.
enum CredentialError {
  private static let unsafeName = DeclaredError(
    "openbis.bad-account", .usage, "the name of an account has characters other than letters, digits, '-', '_' and '.'")
  /// Returns the error for an account's id that may lead out of the folder.
  static func badAccount(_ account: String) -> ErrorReport {
    unsafeName(
      "'\(account.prefix(80))' is not the name of an account", advice: "use letters, digits, '-', '_' and '.'")
  }

  private static let unreadable = DeclaredError(
    "openbis.credentials-unreadable", .refused, "the file with the token or password of an account cannot be read")
  static func unreadable(account: String, reason: String) -> ErrorReport {
    unreadable("cannot read the stored token or password of '\(account)': \(reason)", advice: "log in again")
  }

  private static let unwritable = DeclaredError(
    "openbis.credentials-unwritable", .failure, "the token or password of an account cannot be stored or deleted")
  static func unwritable(account: String, reason: String) -> ErrorReport {
    unwritable(
      "cannot store or delete the token or password of '\(account)': \(reason)",
      advice: "check the permissions of the plugin's folder")
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
    "an encrypted token or password was damaged or changed")
  /// Returns the error for an encrypted secret, or the record of its key, that was changed or damaged.
  static func damaged(secret: String, path: String, advice: String) -> ErrorReport {
    damaged("\(secret) in '\(path)' was damaged or changed", advice: advice, details: ["path": .text(path)])
  }

  private static let alreadyEncrypted = DeclaredError(
    "openbis.encrypted", .refused, "the stored tokens and passwords are already encrypted")
  static let encrypted = alreadyEncrypted(
    "the stored tokens and passwords are already encrypted",
    advice: "change the key with 'workbench openbis secrets change-key'")

  private static let unencrypted = DeclaredError(
    "openbis.not-encrypted", .refused, "the stored tokens and passwords are not encrypted")
  static let notEncrypted = unencrypted(
    "the stored tokens and passwords are not encrypted", advice: "encrypt them with 'workbench openbis secrets encrypt'"
  )

  private static let newKeyNeeded = DeclaredError(
    "openbis.new-key-needed", .usage, "a new passphrase or key file is missing")
  static let newKeyMissing = newKeyNeeded(
    "the new key is missing, and there is no terminal to type a passphrase",
    advice: "give '--new-key-file FILE' or '--passphrase-stdin'")

  private static let unusablePassphrase = DeclaredError(
    "openbis.unusable-passphrase", .usage, "a passphrase is empty, longer than 1024 bytes, or was typed differently")
  static let passphrasesDiffer = unusablePassphrase(
    "the two passphrases differ", advice: "type the same passphrase twice")

  static let shortPassphrase = DeclaredError(
    "openbis.short-passphrase", .refused, "a short new passphrase was not confirmed")

  private static let keyFile = DeclaredError(
    "openbis.key-file", .refused, "a key file is missing, does not have 32 bytes, or others can read it")
  private static let noLibrary = DeclaredError(
    "openbis.no-libsodium", .failure, "libsodium is not installed: sudo apt install libsodium23")
  private static let noMemory = DeclaredError(
    "openbis.no-memory", .failure, "not enough memory for keys")

  /// Returns the error for a failed operation with keys.
  static func key(_ failure: VaultFailure) -> ErrorReport {
    switch failure {
    case .noLibrary(let problem):
      return noLibrary(
        "cannot use libsodium, which encryption needs: \(problem)", advice: "run: sudo apt install libsodium23")
    case .noMemory:
      return noMemory(
        "not enough memory for keys", advice: "close other programs and try again", isRetryable: true)
    case .unusablePassphrase, .unusableKey, .unusablePublicKey:
      return unusablePassphrase("a passphrase must have 1 to 1024 bytes", advice: "use a sentence of several words")
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
    unusablePassphrase, shortPassphrase, keyFile, noLibrary, noMemory,
  ]
}
