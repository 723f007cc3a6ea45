import PluginAPI

/// Errors of the caches and the registry, beyond those of the database itself.
enum EntityStoreError {
  private static let rebuilt = DeclaredError(
    "openbis.cache-rebuilt", .unusableInput, "a damaged cache was moved aside and begun anew")
  /// Returns the error for a damaged cache that was replaced by a new one.
  static func cacheRebuilt(path: String, damaged: String) -> ErrorReport {
    rebuilt(
      "the cache '\(path)' was damaged and is empty now"
        + (damaged.isEmpty ? "" : "; the damaged file is '\(damaged)'"),
      advice: "synchronize again")
  }

  private static let noAccount = DeclaredError(
    "openbis.unknown-account", .notFound, "there is no account of that name")
  static func unknownAccount(_ id: String) -> ErrorReport {
    noAccount("there is no account '\(id)'", advice: "'workbench openbis servers' shows those there are")
  }

  private static let existingAccount = DeclaredError(
    "openbis.account-exists", .refused, "there is an account of that name already")
  static func accountExists(_ id: String) -> ErrorReport {
    existingAccount("there is an account '\(id)' already", advice: "take another name, or remove that one first")
  }

  private static let unusableName = DeclaredError(
    "openbis.unusable-account-name", .unusableInput, "a name has characters that an account's cannot have")
  /// Returns the error for a name that cannot be a file name.
  static func unusableAccountName(_ id: String) -> ErrorReport {
    unusableName(
      "'\(id)' cannot name an account: letters, digits, '-', '_' and '.' can, not '.' first",
      advice: "take a name of those")
  }

  /// All errors, in the order of the catalog.
  static let all = [rebuilt, noAccount, existingAccount, unusableName]
}
