import PluginAPI
internal import PluginStore

/// The errors of the snapshot store.
enum SnapshotStoreError: Error, Equatable, ReportableError {
  /// Another process is updating the database.
  case busy(folder: String)
  /// There is no snapshot yet.
  case empty
  /// There is no previous snapshot.
  case noEarlier
  /// A file or folder cannot be used.
  case unusable(path: String, reason: SystemReason)
  /// The disk is full.
  case noRoom(path: String)
  /// The file of a snapshot is damaged.
  case damaged(path: String, reason: String)

  var report: ErrorReport {
    switch self {
    case .busy(let folder):
      ErrorReport(
        code: "pathcase.update-running", kind: .refused, "another process is changing the database in '\(folder)'",
        advice: "wait until it is done", details: ["folder": .text(folder)], isRetryable: true)
    case .empty:
      ErrorReport(
        code: "pathcase.no-database", kind: .notFound, "no database was fetched yet",
        advice: "'workbench pathcase update' fetches one")
    case .noEarlier:
      ErrorReport(
        code: "pathcase.no-earlier-database", kind: .notFound, "there was no database before the one in use",
        advice: "each update keeps the one before")
    case .unusable(let path, let reason):
      ErrorReport(
        code: "pathcase.store-unusable", kind: reason.kind == .refused ? .refused : .failure,
        "'\(path)' cannot be used: \(reason)",
        advice: "the database in use stays as it was", details: ["file": .text(path)])
    case .noRoom(let path):
      ErrorReport(
        code: "pathcase.disk-full", kind: .failure, "there is no room for '\(path)'",
        advice: "free some space; the database in use stays as it was", details: ["file": .text(path)])
    case .damaged(let path, let reason):
      ErrorReport(
        code: "pathcase.store-damaged", kind: .failure, "the database '\(path)' is damaged: \(reason)",
        advice: "'workbench pathcase rollback' takes the one before, 'update' fetches it anew",
        details: ["file": .text(path)])
    }
  }

  /// Creates an error from SQLite's error while a snapshot is written.
  ///
  /// - Parameter path: The file being written.
  init(writing path: String, _ error: StoreError) {
    if case .diskFull = error {
      self = .noRoom(path: path)
    } else {
      self = .unusable(path: path, reason: SystemReason(error.report.message))
    }
  }

  /// The stable error codes of the store, including those of SQLite files.
  static let errorCodes = own + StoreError.errorCodes

  private static let own = [
    ErrorCodeDescription("pathcase.update-running", "another process is changing the database: wait until it is done"),
    ErrorCodeDescription("pathcase.no-database", "no database was fetched yet: 'update' does it"),
    ErrorCodeDescription("pathcase.no-earlier-database", "there was no database before the one in use"),
    ErrorCodeDescription("pathcase.store-unusable", "a file of the database cannot be read or written"),
    ErrorCodeDescription("pathcase.disk-full", "there is no room for another state of the database: free some space"),
    ErrorCodeDescription("pathcase.store-damaged", "a database file is damaged: roll back, or fetch it anew"),
  ]
}
