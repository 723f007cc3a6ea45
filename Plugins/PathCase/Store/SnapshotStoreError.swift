import PluginAPI
internal import PluginStore

/// The errors of the snapshot store.
enum SnapshotStoreError {
  /// The catalog of the store's errors, including those of SQLite files.
  static let errorCodes = all.map(\.catalogueEntry) + StoreError.errorCodes

  private static let all: [DeclaredError] = [busy, empty, noEarlier, unusable, noRoom, damaged]

  static let busy = DeclaredError(
    "pathcase.update-running", .refused, "another process is changing the database: wait until it is done")

  static func busy(folder: String) -> ErrorReport {
    busy(
      "another process is changing the database in '\(folder)'", advice: "wait until it is done",
      details: ["folder": .text(folder)], isRetryable: true)
  }

  static let empty = DeclaredError("pathcase.no-database", .notFound, "no database was fetched yet: 'update' does it")

  static let noEarlier = DeclaredError(
    "pathcase.no-earlier-database", .notFound, "there was no database before the one in use")

  static let unusable = DeclaredError(
    "pathcase.store-unusable", .failure, "a file of the database cannot be read or written")

  static func unusable(path: String, reason: SystemReason) -> ErrorReport {
    var report = unusable(
      "'\(path)' cannot be used: \(reason)", advice: "the database in use stays as it was",
      details: ["file": .text(path)])
    if reason.kind == .refused { report.kind = .refused }
    return report
  }

  static let noRoom = DeclaredError(
    "pathcase.disk-full", .failure, "there is no room for another state of the database: free some space")

  static let damaged = DeclaredError(
    "pathcase.store-damaged", .failure, "a database file is damaged: roll back, or fetch it anew")

  static func damaged(path: String, reason: String) -> ErrorReport {
    damaged(
      "the database '\(path)' is damaged: \(reason)",
      advice: "'workbench pathcase rollback' takes the one before, 'update' fetches it anew",
      details: ["file": .text(path)])
  }

  /// Returns the error for SQLite's error while a snapshot is written to a file.
  static func writing(_ path: String, _ error: StoreError) -> ErrorReport {
    guard case .diskFull = error else { return unusable(path: path, reason: SystemReason(error.report.message)) }
    return noRoom(
      "there is no room for '\(path)'", advice: "free some space; the database in use stays as it was",
      details: ["file": .text(path)])
  }
}
