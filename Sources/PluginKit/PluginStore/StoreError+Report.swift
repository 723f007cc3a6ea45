public import PluginAPI

extension StoreError: ReportableError {
  /// The error as users and scripts see it.
  public var report: ErrorReport {
    switch self {
    case .diskFull(let failure):
      failure.report("store.disk-full", .failure, "no space left for store '\(failure.path)'", "free some space")
    case .readOnly(let failure):
      failure.report(
        "store.read-only", .refused, "cannot write store '\(failure.path)': \(failure.message)",
        "make the file and its folder writable, or use another folder with '--home'")
    case .locked(let failure):
      failure.report(
        "store.locked", .refused, "store '\(failure.path)' is in use by another process",
        "wait until it ends, then try again", isRetryable: true)
    case .corrupt(let failure):
      failure.report(
        "store.damaged", .unusableInput, "store '\(failure.path)' is damaged: \(failure.message)",
        "restore a backup with 'workbench store restore'")
    case .notADatabase(let path):
      StoreError.report(
        "store.not-a-database", .unusableInput, "'\(path)' is not a SQLite database",
        "name another file, or restore a backup with 'workbench store restore'", path)
    case .newerSchema(let path, let found, let supported):
      StoreError.report(
        "store.newer-schema", .unusableInput,
        "store '\(path)' has schema version \(found); this plugin supports versions up to \(supported)",
        "use the newer version of the plugin that wrote it", path)
    case .cannotOpen(let failure):
      failure.report(
        "store.cannot-open", .failure, "cannot open store '\(failure.path)': \(failure.message)",
        "check that the path and its folder exist and belong to you")
    case .constraint(let failure):
      failure.report(
        "store.constraint", .unusableInput,
        "the data violates the schema of store '\(failure.path)': \(failure.message)",
        nil)
    case .writesWhileReading(let failure):
      failure.report(
        "store.writes-while-reading", .failure,
        "'\(failure.sql ?? "")' changes store '\(failure.path)' in a read access",
        "run it inside 'write'")
    case .migrationFailed(let version, let name, let failure):
      failure.report(
        "store.migration-failed", .failure,
        "store '\(failure.path)' is unchanged: migration \(version) '\(name)' failed: \(failure.message)",
        "report this to the plugin's author")
    case .foreignBackup(let path, let reason):
      StoreError.report(
        "store.foreign-backup", .unusableInput, "'\(path)' is not a backup of this store: \(reason)",
        "name a file made by 'workbench store backup'", path)
    case .fileExists(let path):
      StoreError.report("store.file-exists", .refused, "'\(path)' already exists", "choose another name", path)
    case .closed(let path):
      StoreError.report("store.closed", .failure, "store '\(path)' was closed", nil, path)
    case .failed(let failure):
      failure.report("store.failed", .failure, "store '\(failure.path)' failed: \(failure.message)", nil)
    }
  }

  /// The codes of all errors and diagnostics of stores, for a plugin's contributions.
  public static var errorCodes: [ErrorCodeDescription] {
    [
      ErrorCodeDescription("store.disk-full", "there is no space left on the device; free some space"),
      ErrorCodeDescription("store.read-only", "the file or its folder cannot be written; change its mode"),
      ErrorCodeDescription("store.locked", "another process uses the store; try again later"),
      ErrorCodeDescription("store.damaged", "the file is damaged; restore a backup"),
      ErrorCodeDescription("store.dangling-reference", "a row refers to a missing row"),
      ErrorCodeDescription("store.readable-by-others", "other users can read the file; make it private with chmod 600"),
      ErrorCodeDescription("store.not-a-database", "the file is not a SQLite database"),
      ErrorCodeDescription("store.newer-schema", "a newer version of the plugin wrote the file; use that version"),
      ErrorCodeDescription("store.cannot-open", "the file cannot be opened"),
      ErrorCodeDescription("store.constraint", "the data violates the schema"),
      ErrorCodeDescription(
        "store.writes-while-reading", "the plugin writes in a read access; report it to the plugin's author"),
      ErrorCodeDescription("store.migration-failed", "the file could not be updated to the plugin's schema version"),
      ErrorCodeDescription("store.foreign-backup", "the file is not a backup of this store"),
      ErrorCodeDescription("store.file-exists", "the file already exists"),
      ErrorCodeDescription("store.closed", "the store was used after it was closed"),
      ErrorCodeDescription("store.failed", "SQLite refused a statement"),
    ]
  }

  fileprivate static func report(
    _ code: String, _ kind: ErrorReport.Kind, _ message: String, _ advice: String?, _ path: String
  ) -> ErrorReport {
    ErrorReport(code: code, kind: kind, message, advice: advice, details: ["path": .text(path)])
  }
}

extension StoreError.Failure {
  fileprivate func report(
    _ reportCode: String, _ kind: ErrorReport.Kind, _ sentence: String, _ advice: String?, isRetryable: Bool = false
  ) -> ErrorReport {
    ErrorReport(
      code: reportCode, kind: kind, sentence, advice: advice,
      details: ["path": .text(path), "sqlite": .integer(Int(code)), "sql": .optional(sql)], isRetryable: isRetryable)
  }
}
