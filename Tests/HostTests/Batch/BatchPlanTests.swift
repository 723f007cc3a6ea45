import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Planning from the command line, with the sample plugin.
@MainActor struct BatchPlanTests {
  @Test func `a plan has each item once, with the size of its file`() async throws {
    let run = try CommandLineRun()
    let files = try (1...9).map { try run.file("\($0).rock", String(repeating: "r", count: $0 * 1000)) }
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--files", run.home + "/*.rock", "--shards", "4", "--", "sample", "info", "{}")
    let plan = try RunPlan(reading: RunFolder(folder))
    #expect(plan.command == ["sample", "info", "{}"] && plan.itemCount == 9 && plan.shardCount == 4)
    #expect(plan.plugin == RunPlan.PluginVersion(id: "sample", version: "1.2.3", sha256: nil))
    let items = try (1...4).flatMap { try RunFolder(folder).items(of: $0) }.sorted { $0.number < $1.number }
    #expect(items.map(\.number) == Array(1...9))
    #expect(items.map(\.id) == files)
    #expect(items.map { $0.input?.bytes } == (1...9).map { $0 * 1000 })
    #expect(items.allSatisfy { $0.input?.sha256 == nil })
    for shard in 1...4 {
      let numbers = try RunFolder(folder).items(of: shard).map(\.number)
      #expect(numbers == numbers.sorted() && !numbers.isEmpty)
    }
    // Repeating the command changes nothing.
    try await run(
      "batch", "plan", folder, "--files", run.home + "/*.rock", "--shards", "4", "--", "sample", "info", "{}")
    #expect(try RunPlan(reading: RunFolder(folder)) == plan)
  }

  @Test func `an option that differs from the plan's is refused, an equal one resumes the run`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.csv", "id,weight\na,1\nb,2\n")
    let folder = run.home + "/run"
    let options = [
      "--seed", "7", "--item-timeout", "9", "--item-memory", "512", "--cost", "weight", "--probe", "0", "--shards", "9",
    ]
    let line = ["--items", items, "--", "sample", "info", "{}"]
    try await run.run(["batch", "plan", folder] + options + line)
    let plan = try RunPlan(reading: RunFolder(folder))
    #expect(plan.shardCount == 2)
    let refusals = [
      (["--seed", "8"], "'--seed' is 8, but '\(folder)' was planned with 7"),
      (["--item-timeout", "600"], "'--item-timeout' is 600, but '\(folder)' was planned with 9"),
      (["--item-memory", "511"], "'--item-memory' is 511, but '\(folder)' was planned with 512"),
      (["--cost", "id"], "'--cost' is id, but '\(folder)' was planned with weight"),
      (["--probe", "1"], "'--probe' is 1, but '\(folder)' was planned with 0"),
      (["--shards", "1"], "'--shards' is 1, but '\(folder)' was planned with 2"),
      (["--checksums"], "'--checksums' is yes, but '\(folder)' was planned without it"),
      (["--allow-network"], "'--allow-network' is yes, but '\(folder)' was planned without it"),
    ]
    for (words, message) in refusals {
      let error = await run.error(["batch", "run", folder] + words)
      #expect(error?.code == "batch.other-plan" && error?.exitStatus == 7 && error?.message == message)
      #expect(await run.error(["batch", "plan", folder] + words + line)?.message == message)
    }
    try await run.run(["batch", "run", folder, "--dry-run"] + options)
    try await run.run(["batch", "plan", folder] + options + line)
    try await run.run(["batch", "plan", folder, "--workers", "3"] + line)
    #expect(try RunPlan(reading: RunFolder(folder)) == plan)
  }

  @Test func `a run that was planned without limits refuses them`() async throws {
    let run = try CommandLineRun()
    let folder = run.home + "/run"
    try await run("batch", "plan", folder, "--from", "sample list", "--", "sample", "info", "{name}")
    let error = await run.error("batch", "run", folder, "--item-memory", "512")
    #expect(error?.message == "'--item-memory' is 512, but '\(folder)' was planned without it")
    // The defaults are those of the plan.
    try await run("batch", "run", folder, "--dry-run", "--seed", "0", "--item-timeout", "600")
  }

  @Test func `records left by a killed plan are ignored`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.txt", "granite\nslate\n")
    let folder = RunFolder(run.home + "/run")
    try HostFile.makeFolder(folder.attempts)
    try HostFile.write([], to: folder.path + "/items.new")
    try AttemptLog.write([BatchFolder.value(1, "of another list")], of: 1, in: folder, run: "0123")
    try await run("batch", "plan", folder.path, "--items", items, "--", "sample", "info", "{}")
    #expect(folder.logs().isEmpty)
    let state = try JSONReader.read(Array(try await run.output("batch", "status", folder.path, "--json").utf8))
    #expect(state["done"] == 0 && state["state"] == "planned" && state["prediction"].isNull)
  }

  @Test func `a run with only the probe's records is planned, not stopped`() throws {
    let run = try BatchFolder(itemCount: 4, shardCount: 2)
    try AttemptLog.write([BatchFolder.value(2, "b")], of: 2, in: run.folder, run: run.plan.id)
    let state = try RunSummary(of: run.folder, shards: 1...2).value(run.plan, run.folder)
    #expect(state["state"] == "planned" && state["done"] == 1 && state["lost"] == 0)
    try run.log("a", [BatchFolder.value(1, "a"), BatchFolder.end])
    #expect(try RunSummary(of: run.folder, shards: 1...2).value(run.plan, run.folder)["state"] == "stopped")
  }

  @Test func `'--checksums' adds the checksums of files to the plan`() async throws {
    let run = try CommandLineRun()
    _ = try run.file("1.rock", "abc")
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--files", run.home + "/*.rock", "--checksums", "--", "sample", "info", "{}")
    // The example of FIPS 180-4.
    #expect(
      try RunFolder(folder).items(of: 1).first?.input?.sha256
        == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad")
  }

  @Test func `rows of a command become items with fields for placeholders`() async throws {
    let run = try CommandLineRun()
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--from", "sample list", "--shards", "1", "--", "sample", "info", "{name}")
    let items = try RunFolder(folder).items(of: 1)
    #expect(items.map(\.id) == ["granite", "slate, \"grey\""])
    #expect(items.map { $0.fields["weight"] } == ["2.5", ""])
    #expect(try RunPlan(reading: RunFolder(folder)).fields == ["name", "weight"])
  }

  @Test(arguments: [
    ("sample warn", "batch.bad-items"), ("sample reset", "batch.not-allowed"),
    ("sample list; sample list", "batch.no-items"),
  ])
  func `a command cannot list items if it returns no table, writes, or is several commands`(
    command: String, code: String
  ) async throws {
    let run = try CommandLineRun()
    let error = await run.error(
      ["batch", "plan", run.home + "/run", "--from", command, "--", "sample", "info", "{}"])
    #expect(error?.code == code)
    #expect(!FileManager.default.fileExists(atPath: run.home + "/run"))
  }

  @Test func `rows of a query become items with fields for placeholders`() async throws {
    let run = try CommandLineRun()
    let database = try Self.database(run.home, "rocks?#%.db")
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--sql", database, "SELECT name, weight FROM rocks ORDER BY weight", "--shards", "1",
      "--", "sample", "info", "{name}")
    let plan = try RunPlan(reading: RunFolder(folder))
    #expect(plan.fields == ["name", "weight"] && plan.command == ["sample", "info", "{name}"])
    let items = try RunFolder(folder).items(of: 1)
    #expect(items.map(\.id) == ["slate", "granite", "é\"'"])
    #expect(items.map { $0.fields["weight"] } == ["", "2.5", "7"])
    // The database was only read.
    #expect(try FileManager.default.contentsOfDirectory(atPath: run.home).filter { $0.hasPrefix("rocks") }.count == 1)
  }

  @Test func `a query that is missing, returns no rows or writes is refused`() async throws {
    let run = try CommandLineRun()
    let database = try Self.database(run.home, "rocks.db")
    func error(_ query: String...) async -> ErrorReport? {
      await run.error(
        ["batch", "plan", run.home + "/run", "--sql", database] + query + ["--", "sample", "info", "{}"])
    }
    #expect(await error()?.message == "the query of '--sql' is missing")
    #expect(await error("DELETE FROM rocks")?.message.hasSuffix("the statement gives no rows") == true)
    #expect(await error("SELECT name FROM rocks; SELECT 1")?.message.hasSuffix("more than one statement") == true)
    #expect(await error("DELETE FROM rocks RETURNING name")?.message.contains("readonly") == true)
    #expect(await error("SELECT name FROM stones")?.message.contains("no such table: stones") == true)
    #expect(await error("SELECT name, name FROM rocks")?.message.contains("without repetition") == true)
    #expect(await error("SELECT x'ff' AS name")?.message.contains("not UTF-8") == true)
    #expect(await error("SELECT name FROM rocks WHERE weight > 99")?.code == "batch.no-items")
    #expect(!FileManager.default.fileExists(atPath: run.home + "/run"))
  }

  /// Makes a database with a table of rocks.
  private static func database(_ home: String, _ name: String) throws -> String {
    let script = """
      import os, sqlite3, sys
      os.makedirs(os.path.dirname(sys.argv[1]), exist_ok=True)
      connection = sqlite3.connect(sys.argv[1])
      connection.execute("CREATE TABLE rocks (name TEXT, weight)")
      rocks = [("granite", 2.5), ("é\\"'", 7), ("slate", None)]
      connection.executemany("INSERT INTO rocks VALUES (?, ?)", rocks)
      connection.commit()
      """
    let path = home + "/" + name
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/usr/bin/env"), ["python3", "-c", script, path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return path
  }

  @Test func `personal arguments, the program's own commands and options of the whole run are refused`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.txt", "granite\n")
    let plan = ["batch", "plan", run.home + "/run", "--items", items, "--"]
    let personal = await run.error(plan + ["sample", "info", "{}", "--owner", "Ada"])
    #expect(personal?.code == "batch.not-allowed" && personal?.message.contains("'owner'") == true)
    let own = await run.error(plan + ["config", "get", "{}"])
    #expect(own?.code == "batch.not-allowed" && own?.exitStatus == 7)
    let offline = await run.error(plan + ["sample", "info", "{}", "--offline"])
    #expect(offline?.code == "batch.not-allowed" && offline?.message.contains("'--offline'") == true)
    for options in [["--output", "x"], ["--dry-run"]] {
      let error = await run.error(plan + ["sample", "info", "{}"] + options)
      #expect(error?.code == "batch.not-allowed" && error?.message == "'\(options[0])' has no effect on items")
    }
    #expect(!FileManager.default.fileExists(atPath: run.home + "/run"))
  }

  @Test func `a folder with other files is refused and unchanged`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.txt", "granite\n")
    let error = await run.error(["batch", "plan", run.home, "--items", items, "--", "sample", "info", "{}"])
    #expect(error?.code == "batch.not-a-run")
    #expect(!FileManager.default.fileExists(atPath: run.home + "/run.json"))
  }

  @Test(arguments: ["files", "done", "attempts"])
  func `a user's folder named like a part of a run is refused and unchanged`(name: String) async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.txt", "granite\n")
    let folder = run.home + "/project"
    try HostFile.write(Array("mine".utf8), to: folder + "/\(name)/photo.txt", makesFolder: true)
    let error = await run.error(["batch", "plan", folder, "--items", items, "--", "sample", "info", "{}"])
    #expect(error?.code == "batch.not-a-run")
    #expect(try HostFile.read(folder + "/\(name)/photo.txt") == Array("mine".utf8))
  }

  @Test func `a failed plan leaves an empty folder`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.csv", "id,cost\na,1\nb,x\n")
    let folder = run.home + "/run"
    let options = ["--items", items, "--cost", "cost", "--", "sample", "info", "{}"]
    #expect(await run.error(["batch", "plan", folder] + options)?.code == "batch.bad-items")
    #expect(HostFile.names(in: folder).isEmpty)
  }

  @Test func `'--cost' reads costs from a field`() async throws {
    let run = try CommandLineRun()
    let items = try run.file("items.csv", "id,cost\na,1\nb,100\nc,2\nd,3\n")
    let folder = run.home + "/run"
    let options = ["--items", items, "--cost", "cost", "--shards", "2", "--", "sample", "info", "{}"]
    try await run.run(["batch", "plan", folder] + options)
    let shards = try (1...2).map { try RunFolder(folder).items(of: $0).map(\.id) }
    #expect(shards.contains(["b"]) && shards.contains(["a", "c", "d"]))
    let broken = try run.file("items.csv", "id,cost\na,much\n")
    let error = await run.error(
      ["batch", "plan", run.home + "/other", "--items", broken, "--cost", "cost", "--", "sample", "info", "{}"])
    #expect(error?.code == "batch.bad-items")
  }
}
