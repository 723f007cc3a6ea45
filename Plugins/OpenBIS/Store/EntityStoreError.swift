import PluginAPI
import PluginStore

/// Errors of the caches and the registry, beyond those of the database itself.
enum EntityStoreError: Error, Equatable, ReportableError {
  /// The file of a cache was damaged and replaced by a new one.
  case cacheRebuilt(path: String, damaged: String)
  /// There is no account with that name.
  case unknownAccount(String)
  /// An account with that name exists already.
  case accountExists(String)
  /// A name that cannot be a file name.
  case unusableAccountName(String)

  var report: ErrorReport {
    switch self {
    case .cacheRebuilt(let path, let damaged):
      ErrorReport(
        code: "openbis.cache-rebuilt", kind: .unusableInput,
        "the cache '\(path)' was damaged and is empty now"
          + (damaged.isEmpty ? "" : "; the damaged file is '\(damaged)'"),
        advice: "synchronize again")
    case .unknownAccount(let id):
      ErrorReport(
        code: "openbis.unknown-account", kind: .notFound, "there is no account '\(id)'",
        advice: "'workbench openbis servers' shows those there are")
    case .accountExists(let id):
      ErrorReport(
        code: "openbis.account-exists", kind: .refused, "there is an account '\(id)' already",
        advice: "take another name, or remove that one first")
    case .unusableAccountName(let id):
      ErrorReport(
        code: "openbis.unusable-account-name", kind: .unusableInput,
        "'\(id)' cannot name an account: letters, digits, '-', '_' and '.' can, not '.' first",
        advice: "take a name of those")
    }
  }
}

extension EntityStore {
  /// The stable error codes of caches and the registry of accounts.
  static let errorCodes: [ErrorCodeDescription] =
    [
      ErrorCodeDescription("openbis.cache-rebuilt", "a damaged cache was moved aside and begun anew"),
      ErrorCodeDescription("openbis.unknown-account", "there is no account of that name"),
      ErrorCodeDescription("openbis.account-exists", "there is an account of that name already"),
      ErrorCodeDescription("openbis.unusable-account-name", "a name has characters that an account's cannot have"),
    ]
}
