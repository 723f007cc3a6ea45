import Foundation
import Glibc
import PluginText
import TestSupport
import Testing

/// Kills of items' processes while their worker lives, and items that ran while their worker was killed.
@Suite(.timeLimit(.minutes(20)))
struct BatchKillTests {
  /// The outcome of a run of `wait` and `greet`.
  private struct Killed {
    var home: BatchHome
    var processes: Set<Int32>
    var status: Int32
    /// The gathered results.
    var rows: [[String: Any]]
  }

  /// Kills each process of an item while it waits, then lets the item end.
  private func killed(times count: Int) throws -> Killed {
    let home = try BatchHome()
    try plan(home, ["wait", "greet"])
    let run = try home.process("batch", "run", home.run.path, "--workers", "1")
    var killed: Set<Int32> = []
    for number in 1...count {
      #expect(polls { home.waiting.count == number || !run.isRunning })
      for process in home.waiting.subtracting(killed) {
        kill(process, SIGKILL)
        killed.insert(process)
      }
    }
    try home.openGate()
    run.waitUntilExit()
    return Killed(home: home, processes: killed, status: run.terminationStatus, rows: try gathered(home))
  }

  /// Plans a run of commands of the misbehaving plugin, in one shard.
  private func plan(_ home: BatchHome, _ items: [String]) throws {
    let options = ["--items", try home.list(items), "--shards", "1", "--probe", "0"]
    #expect(try home.batch("plan", options, items: ["misbehaving", "{}"]).status == 0)
  }

  private func gathered(_ home: BatchHome) throws -> [[String: Any]] {
    try home.workbench(["batch", "gather", home.run.path]).output.split(separator: "\n").compactMap { line in
      try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any]
    }
  }

  @Test func `an item whose process is killed from outside seven times has its value`() throws {
    let killed = try killed(times: 7)
    #expect(killed.status == 0 && killed.processes.count == 7)
    let value = try #require((killed.rows.first?["value"] as? String).flatMap { Int32($0) })
    #expect(!killed.processes.contains(value))
    #expect(killed.rows.last?["value"] as? String == "hello from misbehaving")
    let log = try #require(killed.home.logs.first)
    #expect(killed.home.logs.count == 1 && BatchHome.text(of: log).contains(#""tries":8}"#))
  }

  @Test func `an item whose process is killed from outside eight times has an error`() throws {
    let killed = try killed(times: 8)
    #expect(killed.status == 5 && killed.processes.count == 8)
    let error = try #require(killed.rows.first?["error"] as? [String: Any])
    #expect(error["code"] as? String == "batch.item-crashed")
    #expect((error["details"] as? [String: Any])?["signal"] as? String == "SIGKILL")
    // The worker continues.
    #expect(killed.rows.last?["value"] as? String == "hello from misbehaving")
    #expect(try killed.home.batch("status").record["lost"] as? Int == 0)
  }

  /// Plans a run of five items and kills its worker twice: while item 1 runs, and while item 3 does.
  private func withTwoSuspects() throws -> BatchHome {
    let home = try BatchHome()
    try plan(home, ["wait", "process", "wait", "process", "process"])
    for number in 1...2 {
      let worker = try home.process("batch", "work", home.run.path, "--shard", "1")
      #expect(polls { home.waiting.count == number })
      kill(worker.processIdentifier, SIGKILL)
      worker.waitUntilExit()
    }
    try home.openGate()
    return home
  }

  @Test func `items that ran in lost attempts run last, each in a process of its own`() throws {
    let home = try withTwoSuspects()
    let lost = Set(home.logs)
    #expect(try home.batch("work", ["--shard", "1"]).status == 0)
    #expect(try home.batch("status").record["lost"] as? Int == 2)
    let last = BatchHome.text(of: try #require(home.logs.first { !lost.contains($0) }))
    let order = last.matches(of: /"kind":"begin","item":([0-9]+)/).compactMap { Int($0.1) }
    #expect(order == [4, 5, 1, 3])
    let processes = try gathered(home).compactMap { $0["value"] as? String }
    try #require(processes.count == 5)
    #expect(processes[3] == processes[4])
    #expect(Set([processes[0], processes[2], processes[3]]).count == 3)
  }

  private static let strace = InstalledProgram.url("strace")

  @Test(.enabled(if: strace != nil, "strace is absent"))
  func `the begin of an item that ran in a lost attempt is on disk before the item runs`() throws {
    let home = try withTwoSuspects()
    let trace = home.run.deletingLastPathComponent().appendingPathComponent("trace")
    let worker = try home.process(
      try #require(Self.strace),
      [
        "-f", "-y", "-s", "64", "-e", "trace=write,fsync", "-o", trace.path, BuiltProgram.workbench.path, "batch",
        "work", home.run.path, "--shard", "1",
      ])
    worker.waitUntilExit()
    #expect(worker.terminationStatus == 0)
    // The begin of an item in the log, the log on the disk, the request to the child.
    let calls = try String(contentsOf: trace, encoding: .utf8).split(separator: "\n").compactMap { line -> String? in
      if line.contains(/fsync\([0-9]+<[^>]*\.log>/) { return "disk" }
      if let item = line.firstMatch(of: /\\"kind\\":\\"begin\\",\\"item\\":([0-9]+)/) { return "begin \(item.1)" }
      return line.firstMatch(of: /write\([0-9]+<socket:[^>]*>, "\{\\"item\\":\{\\"item\\":([0-9]+)/).map {
        "run \($0.1)"
      }
    }
    for item in [1, 3] {
      let begin = try #require(calls.firstIndex(of: "begin \(item)"), "\(calls)")
      #expect(calls[begin...].prefix(3) == ["begin \(item)", "disk", "run \(item)"], "\(calls)")
    }
  }
}

/// Kills of commands that write a run's folder or its results.
///
/// WORKBENCH_BATCH_KILLS sets the number of kills, WORKBENCH_SEED their moments. Only kills of a live process count.
@Suite(.timeLimit(.minutes(120)))
struct BatchCommandKillTests {
  private static let kills = CampaignNumber.of("WORKBENCH_BATCH_KILLS", else: 24) / 4
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 24)

  /// The number of processes to start for some kills: more than one of ten is alive when it is killed.
  private static func most(for kills: Int) -> Int { 10 * kills }

  /// Waits until a process reached a state or ended.
  private func waits(for process: Process, until isReached: () -> Bool) {
    #expect(polls { isReached() || !process.isRunning })
  }

  private func printLine(_ name: String, _ killed: Int, _ words: String) {
    CampaignLine(name, seed: Self.seed, runs: killed, words: words).print()
  }

  private func exists(_ file: URL) -> Bool { FileManager.default.fileExists(atPath: file.path) }

  @Test func `a killed plan leaves no run or a complete one, and planning again completes it`() throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    let home = try BatchHome()
    // The plugin is probed before: a plugin whose probe is killed is quarantined.
    #expect(try home.workbench(["misbehaving", "greet"]).status == 0)
    let list = try home.list((0..<600).map { "\($0 % 200)" })
    let line = [
      "batch", "plan", home.run.path, "--items", list, "--shards", "8", "--probe", "20", "--", "misbehaving", "nest",
      "{}",
    ]
    // The folder, then what the plan consists of, in the order of its making.
    let parts = ["", "shards", "attempts"]
    var moments = parts.map { _ in KillMoment() }
    var (killed, partial, rounds) = (0, 0, 0)
    while killed < Self.kills, rounds < Self.most(for: Self.kills) {
      let stage = rounds % parts.count
      rounds += 1
      let plan = try home.process(BuiltProgram.workbench, line)
      waits(for: plan) { exists(home.run.appendingPathComponent(parts[stage])) }
      let isKilled = moments[stage].kill(plan, &random)
      if isKilled { killed += 1 } else { #expect(plan.terminationStatus == 0) }
      if !exists(home.run.appendingPathComponent("run.json")) {
        partial += isKilled ? 1 : 0
        #expect(try home.batch("status").errorCode == "batch.no-run")
      }
      let outcome = try home.workbench(line)
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(try home.batch("run").status == 0)
      #expect(home.recordCount == 600)
      #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(600))
      let entries = try FileManager.default.contentsOfDirectory(atPath: home.run.path)
      #expect(Set(entries) == ["attempts", "done", "run.json", "shards"])
      #expect(polls { home.temporaryFolders.isEmpty })
      #expect(try home.batch("remove", ["--yes"]).status == 0)
    }
    #expect(killed == Self.kills)
    printLine(
      "batch plans killed", killed, "\(partial) of the plans were incomplete; all were completed by the same command")
  }

  @Test func `killed retries lose no result, and all items in error are run again`() throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    let home = try BatchHome()
    let items = (0..<90).map { $0 % 3 == 0 ? "report" : "greet" }
    let line = ["--items", try home.list(items), "--shards", "6", "--probe", "0"]
    #expect(try home.batch("run", line, items: ["misbehaving", "{}"]).status == 5)
    let expected = try home.workbench(["batch", "gather", home.run.path]).output
    #expect(expected.split(separator: "\n").count == 90)
    let notes = home.run.appendingPathComponent("retries")
    func noteCount() -> Int { (try? FileManager.default.contentsOfDirectory(atPath: notes.path))?.count ?? 0 }
    // From the start of the command, and once it has written its note, which it does only for items in error.
    var moments = [KillMoment(), KillMoment()]
    var (killed, rounds, errors) = (0, 0, 30)
    while killed < Self.kills, rounds < Self.most(for: Self.kills) {
      rounds += 1
      let stage = errors > 0 && rounds.isMultiple(of: 2) ? 1 : 0
      let before = noteCount()
      let retry = try home.process("batch", "retry", home.run.path, "--workers", "2")
      if stage == 1 { waits(for: retry) { noteCount() > before } }
      if moments[stage].kill(retry, &random) { killed += 1 } else { #expect(retry.terminationStatus == 5) }
      let state = try home.batch("status").record
      errors = (state["errors"] as? [String: Int])?["misbehaving.no-luck"] ?? 0
      #expect(state["done"] as? Int == 60 + errors)
    }
    let outcome = try home.batch("run")
    #expect(outcome.status == 5 && outcome.errorCode == "batch.items-failed")
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == expected)
    #expect(killed == Self.kills)
    printLine("batch retries killed", killed, "no value lost, all items in error run again")
  }

  @Test(arguments: ["jsonl", "csv", "sqlite"])
  func `a killed gather leaves the old file or the new one`(format: String) throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    let home = try BatchHome()
    try home.planNested(2000, shards: 4)
    #expect(try home.batch("run", ["--workers", "2"]).status == 0)
    let folder = home.run.deletingLastPathComponent().appendingPathComponent("results")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let file = folder.appendingPathComponent("results." + format)
    let line = ["batch", "gather", home.run.path, "--format", format, "--output", file.path]
    #expect(try home.workbench(line).status == 0)
    let new = try Data(contentsOf: file)
    #expect(new.count > 100_000)
    let old = Data("old".utf8)
    // SQLite's file has a counter of its own.
    func isNew(_ content: Data) -> Bool { format == "sqlite" ? content.count == new.count : content == new }
    func drafts() -> Int { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).count }
    // From the start of the command, and once it has begun to write.
    var moments = [KillMoment(), KillMoment()]
    let wanted = max(1, Self.kills / 2)
    var (killed, rounds, replaced) = (0, 0, 0)
    while killed < wanted, rounds < Self.most(for: wanted) {
      let stage = rounds % moments.count
      rounds += 1
      try old.write(to: file)
      let before = drafts()
      let gather = try home.process(BuiltProgram.workbench, line)
      if stage == 1 { waits(for: gather) { drafts() > before } }
      let isKilled = moments[stage].kill(gather, &random)
      let content = try Data(contentsOf: file)
      if isKilled {
        killed += 1
        replaced += content == old ? 0 : 1
      } else {
        #expect(gather.terminationStatus == 0)
      }
      let isOld = content == old
      #expect(isOld && isKilled || isNew(content))
    }
    #expect(try home.workbench(line).status == 0)
    let last = try Data(contentsOf: file)
    #expect(isNew(last))
    #expect(killed == wanted)
    printLine("batch gathers killed, \(format)", killed, "\(replaced) left the new file, the others the old one")
  }

  @Test func `killed runs leave whole pictures with the checksums of their records`() throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    var moment = KillMoment(within: 50)
    var (killed, rounds) = (0, 0)
    while killed < Self.kills, rounds < Self.most(for: Self.kills) {
      rounds += 1
      let home = try BatchHome()
      let items = Array(repeating: "paint", count: Self.pictureCount)
      let options = ["--items", try home.list(items), "--shards", "4", "--probe", "0"]
      #expect(try home.batch("plan", options, items: ["misbehaving", "{}"]).status == 0)
      var isComplete = false
      while !isComplete, killed < Self.kills {
        let before = home.recordCount
        let run = try home.process("batch", "run", home.run.path, "--workers", "2")
        waits(for: run) { home.recordCount > before }
        // Children first: they write the pictures.
        for child in BatchHome.children(of: run.processIdentifier) { kill(child, SIGKILL) }
        if moment.kill(run, &random) {
          killed += 1
        } else {
          isComplete = true
          #expect(run.terminationStatus == 0)
        }
      }
      try checkPictures(of: home)
    }
    #expect(killed == Self.kills)
    printLine(
      "batch pictures killed", killed,
      "\(rounds) plans of \(Self.pictureCount) pictures: all whole, with the checksums of their records")
  }

  private static let pictureCount = 200

  /// Completes a run of pictures and checks its files.
  private func checkPictures(of home: BatchHome) throws {
    #expect(try home.batch("run").status == 0)
    let rows = try home.workbench(["batch", "gather", home.run.path]).output.split(separator: "\n").map { line in
      (try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["value"] as? [String: Any]
    }
    let sums = rows.compactMap { value -> String? in
      guard let sum = value?["sha256"] as? String, let file = value?["file"] as? String else { return nil }
      return "\(sum)  \(file)\n"
    }
    #expect(sums.count == Self.pictureCount)
    let list = home.run.deletingLastPathComponent().appendingPathComponent("sums")
    try Data(sums.joined().utf8).write(to: list)
    let check = try home.shell("cd \"$1\" && sha256sum --check --quiet --strict '\(list.path)'")
    #expect(check.status == 0, "\(check.output) \(check.errors)")
  }
}
