public import PluginAPI

extension SQLiteStore {
  /// Checks that every page, index and reference of the file is intact, and whether other users can read it.
  ///
  /// - Returns: The findings, at most 100 faults; empty if all is well. An unusable file is a finding too.
  /// - Complexity: Reads the whole file.
  public func check() async throws -> [Diagnostic] {
    try await onThread { ticket in
      do {
        let connection = try self.opened(ticket)
        return try connection.withoutTransaction(ticket) { try SQLiteStore.faults($0) }
          + SQLiteStore.modeFaults(self.path)
      } catch let error as StoreError {
        switch error {
        case .corrupt, .notADatabase, .newerSchema:
          let report = error.report
          return [Diagnostic(.error, code: report.code, report.message, advice: report.advice)]
        default: throw error
        }
      }
    }
  }

  /// Returns the faults inside a file.
  ///
  /// - Source: SQLite, "PRAGMA integrity_check" and "PRAGMA foreign_key_check", https://sqlite.org/pragma.html.
  static func faults(_ connection: Connection) throws -> [Diagnostic] {
    let damages = try connection.list("PRAGMA integrity_check(100)") { $0.text(0) }.filter { $0 != "ok" }
    let dangling = try connection.list("SELECT \"table\", rowid, parent FROM pragma_foreign_key_check LIMIT 100") {
      "row \($0.integer(1)) of table '\($0.text(0))' refers to a missing row of table '\($0.text(2))'"
    }
    return damages.map {
      Diagnostic(.error, code: "store.damaged", $0, advice: "restore a backup with 'workbench store restore'")
    } + dangling.map { Diagnostic(.warning, code: "store.dangling-reference", $0) }
  }

  private static func modeFaults(_ path: String) -> [Diagnostic] {
    guard let mode = StoreFile(path: path).mode, mode & 0o077 != 0 else { return [] }
    return [
      Diagnostic(
        .warning, code: "store.readable-by-others",
        "other users can read '\(path)' (mode \(String(mode, radix: 8)))", advice: "run: chmod 600 '\(path)'")
    ]
  }
}
