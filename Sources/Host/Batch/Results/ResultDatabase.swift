internal import CHost
import Glibc
import PluginAPI

/// Writes gathered results into a new SQLite database.
///
/// It has the table `workbench_run (id, plan)` with the plan as JSON, and `workbench_result (run, item, id, value,
/// error)` with a row for each item, whose value or error is JSON.
enum ResultDatabase {
  private static let schema = """
    CREATE TABLE workbench_run (id TEXT PRIMARY KEY, plan TEXT NOT NULL);
    CREATE TABLE workbench_result (
      run TEXT NOT NULL REFERENCES workbench_run, item INTEGER NOT NULL, id TEXT NOT NULL, value TEXT, error TEXT,
      PRIMARY KEY (run, item)
    ) WITHOUT ROWID
    """

  /// Writes all records of a run; an existing file is replaced in one step.
  ///
  /// - Throws: ``ErrorReport`` with the code `host.library-missing` or `host.unwritable-file`.
  static func write(_ records: RunRecords, _ plan: RunPlan, to path: String, _ progress: any WorkProgress) throws {
    let file = try FileReplacement(of: path, mode: HostFile.resultMode)
    do {
      guard let draft = file.draft else { throw unwritable(path, "not a regular file") }
      try fill(draft, records, plan, named: path, progress)
    } catch {
      file.discard()
      throw error
    }
    try file.commit(isDurable: true)
  }

  private static func fill(
    _ draft: String, _ records: RunRecords, _ plan: RunPlan, named path: String, _ progress: any WorkProgress
  ) throws {
    var database = chost_sqlite()
    defer { _ = chost_sqlite_end(&database, false) }
    var isMissing = false
    let insert = "INSERT INTO workbench_result VALUES (?, ?, ?, ?, ?)"
    let run = "INSERT INTO workbench_run VALUES (\(quoted(plan.id)), \(quoted(JSONWriter.text(of: plan.value))))"
    let problem = chost_sqlite_create(&database, draft, schema + ";" + run, insert, &isMissing)
    if isMissing { throw missingLibrary(advice: "choose another '--format'") }
    try check(problem, path)
    try records.forEach(progress) { document in
      let record = try ItemRecord.read(document)
      let texts: [String?] = [
        plan.id, JSONWriter.text(of: record["item"]), record["id"].text, text(record.record?["value"]),
        text(record.record?["error"]),
      ]
      var pointers = texts.map { $0.flatMap { UnsafePointer(strdup($0)) } }
      defer { for pointer in pointers { free(UnsafeMutablePointer(mutating: pointer)) } }
      try check(chost_sqlite_add(&database, &pointers, Int32(pointers.count)), path)
    }
    try check(chost_sqlite_end(&database, true), path)
  }

  /// Returns the error of a system without SQLite.
  ///
  /// - Parameter advice: A way to do without it.
  static func missingLibrary(advice: String) -> ErrorReport {
    CommonHostError.libraryMissing(
      "cannot open 'libsqlite3.so.0'", advice: "install the package 'libsqlite3-0', or \(advice)")
  }

  private static func text(_ value: Value?) -> String? { value.map { JSONWriter.text(of: $0) } }

  /// Returns a text as a literal of SQL.
  private static func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "''") + "'"
  }

  private static func check(_ problem: UnsafePointer<CChar>?, _ path: String) throws(ErrorReport) {
    if let problem { throw unwritable(path, String(cString: problem)) }
  }

  private static func unwritable(_ path: String, _ reason: String) -> ErrorReport {
    ErrorReport(
      code: "host.unwritable-file", kind: .failure, "cannot write '\(path)': \(reason)",
      details: ["path": .text(path)])
  }
}
