import PluginAPI

/// Why a secret cannot be kept or found.
enum CredentialError: Error, Equatable, ReportableError {
  /// The account's id could lead out of the folder.
  case badAccount(String)
  /// A file cannot be read.
  case unreadable(account: String, reason: String)
  /// A file cannot be written or removed.
  case unwritable(account: String, reason: String)

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
    }
  }

  /// The stable codes.
  static let errorCodes: [ErrorCodeDescription] = [
    .init("openbis.bad-account", "a name of an account has other characters than letters, digits, '-', '_' and '.'"),
    .init("openbis.credentials-unreadable", "the file with the token or password of an account cannot be read"),
    .init("openbis.credentials-unwritable", "the token or password of an account cannot be kept or removed"),
  ]
}
