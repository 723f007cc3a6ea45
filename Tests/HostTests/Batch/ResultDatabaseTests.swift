import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

struct ResultDatabaseTests {
  @Test func `a database has one row per item and replaces an older file`() throws {
    let run = try BatchFolder(itemCount: 3, shardCount: 2)
    try run.log(shard: 1, "a", [BatchFolder.value(3, ["n": 1.5]), BatchFolder.value(1, "it's \"é\"")])
    try run.log(
      shard: 2, "a", [BatchFolder.error(2, ErrorReport(code: "sample.no-rock", kind: .notFound, "there is no rock"))])
    let folder = try TemporaryFolder()
    let file = try folder.write(Array("older".utf8), "results.sqlite").path
    let records = try RunRecords(of: run.folder, run.plan, SilentProgress())
    try ResultDatabase.write(records, run.plan, to: file, SilentProgress())
    let script = """
      import sqlite3, sys
      connection = sqlite3.connect(sys.argv[1])
      print(connection.execute("PRAGMA integrity_check").fetchone()[0])
      for row in connection.execute("SELECT run, typeof(item), item, id, value, error FROM workbench_result"):
          print("|".join(map(str, row)))
      print(connection.execute("SELECT json_extract(plan, '$.items') FROM workbench_run").fetchone()[0])
      """
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, file])
    #expect(
      outcome.output == #"""
        ok
        0123|integer|1|a|"it's \"é\""|None
        0123|integer|2|b|None|{"code":"sample.no-rock","message":"there is no rock","details":{},"retryable":false}
        0123|integer|3|c|{"n":1.5}|None
        3

        """#, "\(outcome.errors)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path.path) == ["results.sqlite"])
  }

  @Test func `a missing folder is reported as an unwritable file`() throws {
    let run = try BatchFolder(itemCount: 1)
    try run.log("a", [BatchFolder.value(1, "x")])
    let records = try RunRecords(of: run.folder, run.plan, SilentProgress())
    let error = #expect(throws: HostFileError.self) {
      try ResultDatabase.write(records, run.plan, to: "/nonexistent/results.sqlite", SilentProgress())
    }
    #expect(error?.report.code == "host.unwritable-file")
  }
}
