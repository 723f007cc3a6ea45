import PluginAPI
import PluginVault

/// Errors of stored secrets.
enum CredentialError: Error, Equatable, ReportableError {
  /// The account's id may lead out of the folder.
  case badAccount(String)
  /// A file cannot be read.
  case unreadable(account: String, reason: String)
  /// A file cannot be written or removed.
  case unwritable(account: String, reason: String)
  /// The secrets are encrypted, and their key is unknown.
  case locked
  /// The key does not open the secrets.
  case wrongKey(folder: String)
  /// An encrypted secret, or the record of its key, was changed or damaged.
  case damaged(secret: String, path: String, advice: String)
  /// The secrets are encrypted already.
  case encrypted
  /// The secrets are not encrypted.
  case notEncrypted
  /// No new key was given, and the user cannot be asked.
  case newKeyMissing
  /// The two entries of a new passphrase differ.
  case passphrasesDiffer
  /// An operation with keys failed.
  case key(VaultFailure)

  var report: ErrorReport {
    switch self {
    case .badAccount(let account):
      ErrorReport(
        code: "openbis.bad-account", kind: .usage, "'\(account.prefix(80))' is no name of an account",
        advice: "use letters, digits, '-', '_' and '.'")
    case .unreadable(let account, let reason):
      ErrorReport(
        code: "openbis.credentials-unreadable", kind: .refused,
        "the kept token or password of '\(account)' cannot be read: \(reason)", advice: "log in again")
    case .unwritable(let account, let reason):
      ErrorReport(
        code: "openbis.credentials-unwritable", kind: .failure,
        "the token or password of '\(account)' cannot be kept or removed: \(reason)",
        advice: "look at the rights of the plugin's folder")
    case .locked:
      ErrorReport(
        code: "openbis.secrets-locked", kind: .refused,
        "the stored tokens and passwords are encrypted, and no key is given",
        advice: "run 'workbench openbis secrets unlock', or name the key file with WORKBENCH_OPENBIS_KEY_FILE; "
          + "if the key is lost, run 'workbench openbis secrets decrypt --forget' and log in again")
    case .wrongKey(let folder):
      ErrorReport(
        code: "openbis.wrong-key", kind: .refused,
        "the passphrase or key file does not open the tokens and passwords in '\(folder)'",
        advice: "try again; if the key is lost, run 'workbench openbis secrets decrypt --forget' and log in again",
        details: ["path": .text(folder)])
    case .damaged(let secret, let path, let advice):
      ErrorReport(
        code: "openbis.secrets-damaged", kind: .unusableInput, "\(secret) in '\(path)' is not as it was written",
        advice: advice, details: ["path": .text(path)])
    case .encrypted:
      ErrorReport(
        code: "openbis.encrypted", kind: .refused, "the stored tokens and passwords are encrypted already",
        advice: "'workbench openbis secrets change-key' changes the key")
    case .notEncrypted:
      ErrorReport(
        code: "openbis.not-encrypted", kind: .refused, "the stored tokens and passwords are not encrypted",
        advice: "'workbench openbis secrets encrypt' encrypts them")
    case .newKeyMissing:
      ErrorReport(
        code: "openbis.new-key-needed", kind: .usage, "no new key is given, and nobody can be asked for one",
        advice: "give '--new-key-file FILE' or '--passphrase-stdin'")
    case .passphrasesDiffer:
      ErrorReport(
        code: "openbis.unusable-passphrase", kind: .usage, "the two passphrases differ", advice: "type the same twice")
    case .key(let failure): Self.report(failure)
    }
  }

  private static func report(_ failure: VaultFailure) -> ErrorReport {
    switch failure {
    case .noLibrary(let problem):
      ErrorReport(
        code: "openbis.no-libsodium", kind: .failure, "encryption needs libsodium, which cannot be used: \(problem)",
        advice: "run: sudo apt install libsodium23")
    case .noMemory:
      ErrorReport(
        code: "openbis.no-memory", kind: .failure, "no memory is left to work with keys",
        advice: "end other programs and try again", isRetryable: true)
    case .unusablePassphrase, .unusableKey, .unusablePublicKey:
      ErrorReport(
        code: "openbis.unusable-passphrase", kind: .usage, "a passphrase has 1 to 1024 bytes",
        advice: "take a sentence of several words")
    case .noKeyFile(let path):
      ErrorReport(
        code: "openbis.key-file", kind: .notFound, "key file '\(path)' does not exist",
        advice: "check the path; if the key is lost, run 'workbench openbis secrets decrypt --forget' and log in again",
        details: ["path": .text(path)])
    case .keyFile(let path, let reason, let advice):
      ErrorReport(
        code: "openbis.key-file", kind: .refused, "key file '\(path)' cannot be used: \(reason)", advice: advice,
        details: ["path": .text(path)])
    }
  }

  /// The stable error codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.bad-account", "a name of an account has other characters than letters, digits, '-', '_' and '.'"),
    .init("openbis.credentials-unreadable", "the file with the token or password of an account cannot be read"),
    .init("openbis.credentials-unwritable", "the token or password of an account cannot be kept or removed"),
    .init("openbis.secrets-locked", "the stored tokens and passwords are encrypted, and no key is given"),
    .init("openbis.wrong-key", "the passphrase or key file does not open the stored tokens and passwords"),
    .init("openbis.secrets-damaged", "an encrypted token or password is not as it was written: log in again"),
    .init("openbis.encrypted", "the stored tokens and passwords are encrypted already"),
    .init("openbis.not-encrypted", "the stored tokens and passwords are not encrypted"),
    .init("openbis.new-key-needed", "a new passphrase or key file is needed, and none is given"),
    .init("openbis.unusable-passphrase", "a passphrase is empty, longer than 1024 bytes, or was typed differently"),
    .init("openbis.key-file", "a key file is missing, has not 32 bytes, or can be read by others"),
    .init("openbis.no-libsodium", "libsodium is not installed: sudo apt install libsodium23"),
    .init("openbis.no-memory", "no memory is left to work with keys"),
  ]
}
