import Foundation
import TestSupport
import Testing

/// Batch runs from the command line: results, errors, refusals.
@Suite(.timeLimit(.minutes(10)))
struct BatchRunTests {
  @Test func `results are in item order, for any number of shards and workers`() throws {
    var outputs: Set<String> = []
    for (shards, workers) in [(1, 1), (7, 2), (100, 3)] {
      let home = try BatchHome()
      try home.planNested(210, shards: shards)
      let planned = try home.batch("status")
      #expect(planned.record["state"] as? String == "planned")
      let outcome = try home.batch("run", ["--workers", "\(workers)"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      #expect(outcome.record["state"] as? String == "done" && outcome.record["done"] as? Int == 210)
      let gathered = try home.workbench(["batch", "gather", home.run.path])
      #expect(gathered.status == 0)
      outputs.insert(gathered.output)
    }
    #expect(outputs == [BatchHome.nested(210)])
  }

  @Test func `items that crash, exit, fail or throw have coded errors, and the others have results`() throws {
    let home = try BatchHome()
    let items = ["greet", "trap", "abort", "segfault", "exit", "report", "throw", "overflow-in-thread", "greet"]
    let line = ["--items", try home.list(items), "--workers", "2"]
    let outcome = try home.batch("run", line, items: ["misbehaving", "{}"])
    #expect(outcome.status == 5)
    #expect(outcome.errorCode == "batch.items-failed")
    #expect(
      outcome.record["errors"] as? [String: Int] == [
        "batch.item-crashed": 5, "host.plugin-threw": 1, "misbehaving.no-luck": 1,
      ])
    let errors = try home.batch("errors", ["--code", "batch.item-crashed"])
    #expect(
      errors.rows.compactMap { $0["id"] as? String } == [
        "trap", "abort", "segfault", "exit", "overflow-in-thread",
      ])
    let gathered = try home.workbench(["batch", "gather", home.run.path]).output.split(separator: "\n")
    #expect(gathered.count == 9)
    #expect(gathered.first == #"{"item":1,"id":"greet","value":"hello from misbehaving","diagnostics":[]}"#)
    #expect(gathered.last?.hasPrefix(#"{"item":9,"id":"greet","value":"hello from"#) == true)
    // The user's own state knows nothing of the crashes.
    #expect(try home.workbench(["misbehaving", "greet"]).output == "hello from misbehaving\n")
    // Nothing is left to do, so nothing runs again.
    let logs = home.logs.count
    #expect(try home.batch("run", ["--max-errors", "7"]).status == 0)
    #expect(home.logs.count == logs)
  }

  @Test func `items of a probe have results, and predict the time of the others`() throws {
    let home = try BatchHome()
    try home.planNested(210, shards: 7, probe: 40)
    let planned = try home.batch("status").record
    #expect(planned["state"] as? String == "planned" && planned["done"] as? Int == 40)
    #expect(planned["lost"] as? Int == 0)
    let prediction = try #require(planned["prediction"] as? [String: Any])
    #expect((prediction["probe"] as? [String: Any])?["items"] as? Int == 40)
    for key in ["coreHours", "seconds", "mebibytes", "longestItemSeconds", "longestShardSeconds"] {
      #expect((prediction[key] as? Double ?? 0) > 0, "\(key)")
    }
    #expect(try home.batch("run").status == 0)
    // Nothing ran twice.
    #expect(home.recordCount == 210)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(210))
    #expect(try home.batch("verify", ["--sample", "20"]).status == 0)
  }

  @Test func `a dry run predicts and runs only the probe, and the same command runs the others`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list((1...30).map(String.init)), "--shards", "3", "--workers", "2"]
    let dry = try home.batch("run", line + ["--dry-run"], items: ["misbehaving", "nest", "{}"])
    #expect(dry.status == 0, "\(dry.errors)")
    #expect(dry.record["state"] as? String == "planned" && dry.record["done"] as? Int == 8)
    let prediction = try #require(dry.record["prediction"] as? [String: Any])
    #expect(prediction["workers"] as? Int == 2)
    #expect(try home.batch("run", line, items: ["misbehaving", "nest", "{}"]).status == 0)
    #expect(home.recordCount == 30)
  }

  @Test func `an item that crashes or exits in a probe is left to the workers`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "trap", "exit", "report", "greet", "greet"]), "--probe", "6"]
    let planned = try home.batch("plan", line, items: ["misbehaving", "{}"])
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(planned.record["done"] as? Int == 4)
    #expect(planned.record["errors"] as? [String: Int] == ["misbehaving.no-luck": 1])
    let outcome = try home.batch("run")
    #expect(outcome.status == 5)
    #expect(
      outcome.record["errors"] as? [String: Int] == ["batch.item-crashed": 2, "misbehaving.no-luck": 1])
  }

  @Test func `an item that writes into the probe's channel is left to the workers`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "babble", "greet", "greet"]), "--probe", "4"]
    let planned = try home.batch("plan", line, items: ["misbehaving", "{}"])
    #expect(planned.status == 0, "\(planned.errors)")
    #expect(planned.record["done"] as? Int == 3)
    let outcome = try home.batch("run")
    #expect(outcome.status == 5)
    #expect(outcome.record["errors"] as? [String: Int] == ["batch.item-crashed": 1])
  }

  @Test func `the seed is part of the plan`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["1"]), "--seed"]
    #expect(try home.batch("run", line + ["42"], items: ["misbehaving", "nest", "{}"]).status == 0)
    let plan = try String(contentsOf: home.run.appendingPathComponent("run.json"), encoding: .utf8)
    #expect(plan.contains(#""seed": 42"#))
    #expect(try home.batch("run", line + ["43"], items: ["misbehaving", "nest", "{}"]).errorCode == "batch.other-plan")
    #expect(try home.batch("run", line + ["42"], items: ["misbehaving", "nest", "{}"]).status == 0)
  }

  @Test func `records may be nested as deeply as values`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["200"])]
    let failed = try home.batch("run", line, items: ["misbehaving", "nest-report", "{}"])
    #expect(failed.record["errors"] as? [String: Int] == ["misbehaving.no-luck": 1])
    #expect(try home.batch("errors").rows.compactMap { $0["code"] as? String } == ["misbehaving.no-luck"])
    let other = try BatchHome()
    let run = try other.batch("run", ["--items", try other.list(["200"])], items: ["misbehaving", "nest", "{}"])
    #expect(run.status == 0)
    let gathered = try other.workbench(["batch", "gather", other.run.path, "--format", "csv"])
    #expect(gathered.status == 0, "\(gathered.errors)")
    #expect(gathered.output.contains(String(repeating: "[", count: 200) + "null"))
  }

  @Test func `a changed library of the same version is refused`() throws {
    let home = try BatchHome()
    try home.planNested(4)
    let plan = try #require(
      try JSONSerialization.jsonObject(with: Data(contentsOf: home.run.appendingPathComponent("run.json")))
        as? [String: Any])
    let plugins = try #require(plan["plugins"] as? [[String: Any]])
    #expect(Set(plugins.compactMap { $0["id"] as? String }).isSuperset(of: ["misbehaving", "molecules", "pathcase"]))
    #expect(plugins.allSatisfy { ($0["sha256"] as? String)?.count == 64 })
    try home.changeLibrary()
    let refused = try home.batch("run")
    #expect(refused.status == 7 && refused.errorCode == "batch.other-version", "\(refused.errors)")
    #expect(refused.errorMessage.contains("the library of misbehaving"))
    #expect(try home.batch("work", ["--shard", "1"]).errorCode == "batch.other-version")
    #expect(try home.batch("run", ["--allow-other-version"]).status == 0)
  }

  @Test func `a changed setting of a plugin is refused until it is set back`() throws {
    let home = try BatchHome()
    let setting = "molecules.content-limit"
    #expect(try home.workbench(["config", "set", setting, "100"]).status == 0)
    // A setting of the host does not change results.
    #expect(try home.workbench(["config", "set", "color", "never"]).status == 0)
    try home.planNested(4)
    let plan = try String(contentsOf: home.run.appendingPathComponent("run.json"), encoding: .utf8)
    #expect(plan.contains(#""molecules.content-limit": 100"#) && !plan.contains("color"))
    #expect(try home.workbench(["config", "set", "color", "always"]).status == 0)
    #expect(try home.workbench(["config", "set", setting, "101"]).status == 0)
    let refused = try home.batch("run")
    #expect(refused.status == 7 && refused.errorCode == "batch.other-version", "\(refused.errors)")
    #expect(refused.errorMessage.contains("'\(setting)' was '100'") && refused.errorMessage.contains("is '101' now"))
    #expect(try home.workbench(["config", "set", setting, "100"]).status == 0)
    #expect(try home.batch("run").status == 0)
  }

  @Test func `a crash counts against its item alone, though the child has the next`() throws {
    let home = try BatchHome()
    let items = ["greet", "abort", "greet", "exit", "greet", "greet"]
    let options = ["--items", try home.list(items), "--shards", "1", "--workers", "1", "--probe", "0"]
    let outcome = try home.batch("run", options, items: ["misbehaving", "{}"])
    #expect(outcome.record["errors"] as? [String: Int] == ["batch.item-crashed": 2])
    #expect(try home.batch("errors").rows.compactMap { $0["id"] as? String } == ["abort", "exit"])
    let log = try String(contentsOf: try #require(home.logs.first), encoding: .utf8)
    // Each record follows the note that its item began.
    let marks = log.split(separator: "\n").compactMap { line -> String? in
      guard let kind = ["begin", "value", "error"].first(where: { line.contains(#"{"kind":"\#($0)","item":"#) }) else {
        return nil
      }
      let number = line.components(separatedBy: #""item":"#)[1].prefix { $0.isNumber }
      return kind == "begin" ? "+\(number)" : "-\(number)"
    }
    #expect(marks.filter { $0.hasPrefix("-") } == ["-1", "-2", "-3", "-4", "-5", "-6"])
    for number in 1...6 {
      let began = marks.firstIndex(of: "+\(number)") ?? marks.count
      let ended = marks.firstIndex(of: "-\(number)") ?? 0
      #expect(began < ended && (number == 1 || marks[..<began].contains("-\(number - 1)")), "\(marks)")
    }
  }

  @Test func `a refused run or retry leaves the run unchanged`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "report"])]
    #expect(try home.batch("run", line, items: ["misbehaving", "{}"]).status == 5)
    #expect(try home.batch("cancel").status == 0)
    let file = home.run.appendingPathComponent("run.json")
    let plan = try String(contentsOf: file, encoding: .utf8)
    // The version of the program; the plugin's is indented further.
    let other = plan.replacingOccurrences(of: "\n  \"version\": \"", with: "\n  \"version\": \"0.")
    try #require(other != plan)
    try Data(other.utf8).write(to: file)
    #expect(try home.batch("retry").errorCode == "batch.other-version")
    #expect(try home.batch("run").errorCode == "batch.other-version")
    #expect(FileManager.default.fileExists(atPath: home.run.appendingPathComponent("cancel").path))
    let state = try home.batch("status").record
    #expect(state["done"] as? Int == 2 && state["errors"] as? [String: Int] == ["misbehaving.no-luck": 1])
    // Nothing is left to run; the item in error stays one.
    #expect(try home.batch("run", ["--allow-other-version"]).errorCode == "batch.items-failed")
    #expect(try home.batch("retry", ["--allow-other-version", "--max-errors", "1"]).status == 0)
  }

  @Test func `a transient error is retried up to three times`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["unreachable"])]
    let refused = try home.batch("run", line, items: ["misbehaving", "{}"])
    #expect(refused.status == 7 && refused.errorCode == "batch.not-allowed")
    #expect(!FileManager.default.fileExists(atPath: home.run.path))
    let outcome = try home.batch("run", line + ["--allow-network"], items: ["misbehaving", "{}"])
    #expect(outcome.status == 5)
    #expect(outcome.record["errors"] as? [String: Int] == ["misbehaving.far": 1])
    #expect(try String(contentsOf: try #require(home.logs.first), encoding: .utf8).contains(#""tries":3"#))
    #expect(try home.batch("errors").rows.first?["retryable"] as? Bool == true)
  }

  @Test(arguments: [([], "true"), (["--allow-network"], "false")] as [([String], String)])
  func `items are offline unless the run allows the network`(options: [String], isOffline: String) throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["offline"])] + options
    #expect(try home.batch("run", line, items: ["misbehaving", "{}"]).status == 0)
    let gathered = try home.workbench(["batch", "gather", home.run.path]).output
    #expect(gathered == #"{"item":1,"id":"offline","value":"\#(isOffline)","diagnostics":[]}"# + "\n")
  }

  @Test func `an item's picture is a file of the run, named by its record`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "paint"]), "--shards", "1"]
    let named = try home.batch("run", line, items: ["misbehaving", "{}", "--output", "{}.png"])
    #expect(named.errorCode == "batch.not-allowed")
    let outcome = try home.batch("run", line, items: ["misbehaving", "{}"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    let gathered = try home.workbench(["batch", "gather", home.run.path]).output
    let value = #""value":{"width":2,"height":2,"format":"png","file":"files/00000/2.png","sha256":""#
    #expect(gathered.contains(value), "\(gathered)")
    let file = try Data(contentsOf: home.run.appendingPathComponent("files/00000/2.png"))
    #expect(file.starts(with: [0x89, 0x50, 0x4E, 0x47]))
  }

  @Test func `rows of a command's table are run as items`() throws {
    let home = try BatchHome()
    try home.planNested(3)
    let other = home.run.path + "-of-rows"
    let outcome = try home.workbench(
      ["batch", "run", other, "--from", "batch list", "--json", "--", "misbehaving", "nest", "{items}"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try home.workbench(["batch", "gather", other]).output.contains(#""value":[[[null]]]"#))
  }

  @Test func `an item that hangs or uses too much memory is killed`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "spin", "sleep", "eat", "greet"])]
    let outcome = try home.batch(
      "run", line + ["--item-timeout", "5", "--item-memory", "200"], items: ["misbehaving", "{}"])
    #expect(outcome.status == 5)
    #expect(
      outcome.record["errors"] as? [String: Int] == [
        "batch.item-out-of-memory": 1, "batch.item-timed-out": 2,
      ])
    #expect(outcome.record["done"] as? Int == 5)
  }

  @Test func `a retry runs only items in error or named items again`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "report", "throw"]), "--shards", "1"]
    #expect(try home.batch("run", line, items: ["misbehaving", "{}"]).status == 5)
    let before = home.recordCount
    #expect(try home.batch("retry", ["--code", "misbehaving.no-luck", "--max-errors", "2"]).status == 0)
    #expect(home.recordCount == before)
    #expect(home.logs.count == 2)
    // An item with a value is run again if it is named.
    #expect(try home.batch("retry", ["--item", "1", "--max-errors", "2"]).status == 0)
    #expect(home.recordCount == before + 1)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output.split(separator: "\n").count == 3)
  }

  @Test func `a retry of missing items runs no item in error again`() throws {
    let home = try BatchHome()
    let list = ["--items", try home.list(["report", "greet", "greet", "throw"]), "--shards", "2", "--probe", "0"]
    #expect(try home.batch("plan", list, items: ["misbehaving", "{}"]).status == 0)
    #expect(try home.batch("work", ["--shard", "1"]).status == 0)
    let first = try #require(home.logs.first)
    let before = BatchHome.text(of: first)
    let outcome = try home.batch("retry", ["--missing", "--max-errors", "2"])
    #expect(outcome.status == 0 && outcome.record["done"] as? Int == 4, "\(outcome.errors)")
    #expect(
      outcome.record["errors"] as? [String: Int] == ["misbehaving.no-luck": 1, "host.plugin-threw": 1])
    // The finished shard has no new attempt.
    #expect(home.logs.count == 2 && BatchHome.text(of: first) == before)
    #expect(!FileManager.default.fileExists(atPath: home.run.appendingPathComponent("retries").path))
  }

  @Test func `commands that write, use the network or belong to the program are refused`() throws {
    let home = try BatchHome()
    for (item, line) in [("finish", ["misbehaving", "{}"]), ("x", ["store", "check", "{}"]), ("x", ["exec", "{}"])] {
      let outcome = try home.batch("run", ["--items", try home.list([item])], items: line)
      #expect(outcome.status == 7 && outcome.errorCode == "batch.not-allowed", "\(line)")
      #expect(!FileManager.default.fileExists(atPath: home.run.path))
    }
    let mixed = try home.batch("run", ["--items", try home.list(["greet", "finish"])], items: ["misbehaving", "{}"])
    #expect(mixed.status == 5)
    #expect(mixed.record["errors"] as? [String: Int] == ["batch.not-allowed": 1])
    #expect(try home.batch("remove", ["--yes"]).status == 0)
    let list = ["--items", try home.list(["1"])]
    #expect(try home.batch("run", list, items: ["misbehaving", "greet"]).errorCode == "batch.no-items")
    #expect(try home.batch("run", list, items: ["misbehaving", "nest", "{code}"]).errorCode == "batch.unknown-field")
    #expect(try home.batch("status").errorCode == "batch.no-run")
  }

  @Test func `another command, items or limits in a run's folder are refused, the same resume it`() throws {
    let home = try BatchHome()
    let line = ["misbehaving", "nest", "{}"]
    let list = try home.list(["1", "2"])
    #expect(try home.batch("plan", ["--items", list], items: line).status == 0)
    #expect(try home.batch("run", ["--items", list], items: line).status == 0)
    #expect(
      try home.batch("run", ["--items", list], items: ["misbehaving", "nest-report", "{}"]).errorCode
        == "batch.other-plan")
    for options in [["--item-timeout", "9"], ["--item-memory", "900"], ["--allow-network"]] {
      let outcome = try home.batch("run", ["--items", list] + options, items: line)
      #expect(outcome.status == 7 && outcome.errorCode == "batch.other-plan", "\(options)")
    }
    let other = try home.list(["1", "3"])
    #expect(try home.batch("run", ["--items", other], items: line).errorCode == "batch.other-plan")
  }

  @Test func `an incomplete run is gathered only with '--partial'`() throws {
    let home = try BatchHome()
    try home.planNested(10, shards: 2)
    let work = try home.batch("work", ["--shard", "2"])
    #expect(work.status == 0)
    #expect(work.record["items"] as? Int == 5 && work.record["done"] as? Int == 5)
    let outcome = try home.batch("gather")
    #expect(outcome.status == 1 && outcome.errorCode == "batch.items-missing" && outcome.output.isEmpty)
    #expect(try home.batch("gather", ["--partial"]).output.split(separator: "\n").count == 5)
    #expect(try home.batch("status").record["state"] as? String == "stopped")
    #expect(try home.batch("work", ["--shard", "3"]).status == 3)
  }

  @Test func `verification requires a complete run and reproduces its results`() throws {
    let home = try BatchHome()
    try home.planNested(30, shards: 3)
    #expect(try home.batch("verify").errorCode == "batch.items-missing")
    #expect(try home.batch("run").status == 0)
    let outcome = try home.batch("verify", ["--sample", "7"])
    #expect(outcome.status == 0)
    #expect(outcome.record["sampled"] as? Int == 7 && (outcome.record["differing"] as? [Any])?.isEmpty == true)
  }

  @Test func `verification does not rerun items with transient errors`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["greet", "report", "trap"])]
    #expect(try home.batch("run", line, items: ["misbehaving", "{}"]).status == 5)
    let outcome = try home.batch("verify", ["--sample", "3"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.record["sampled"] as? Int == 2 && (outcome.record["differing"] as? [Any])?.isEmpty == true)
  }

  @Test func `an item that writes into its channel during verification is the only difference`() throws {
    let home = try BatchHome()
    let list = try home.list(["greet", "babble", "greet", "greet"])
    let outcome = try home.shell(
      """
      WORKBENCH_FIXTURE=quiet "$0" batch run "$1" --items '\(list)' -- misbehaving {} >/dev/null || exit 9
      "$0" batch verify "$1" --sample 4 --json
      """)
    #expect(outcome.status == 1 && outcome.record["sampled"] as? Int == 4, "\(outcome.errors)")
    let differing = outcome.record["differing"] as? [[String: Any]]
    #expect(differing?.compactMap { $0["item"] as? Int } == [2])
  }

  @Test func `drafts of a killed plan go with the next plan and with the run`() throws {
    let home = try BatchHome()
    let drafts = ["items.new", "run.json.17-1.new"].map { home.run.appendingPathComponent($0) }
    func leaveDrafts() throws { for draft in drafts { try Data("{}".utf8).write(to: draft) } }
    try home.planNested(3)
    try leaveDrafts()
    try home.planNested(3)
    #expect(drafts.allSatisfy { !FileManager.default.fileExists(atPath: $0.path) })
    try leaveDrafts()
    #expect(try home.batch("remove", ["--yes"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: home.run.path))
  }

  @Test func `items in front of a line that is not an item keep their records`() throws {
    let home = try BatchHome()
    try home.planNested(6)
    let shard = home.run.appendingPathComponent("shards/00001.jsonl")
    var lines = try String(contentsOf: shard, encoding: .utf8).split(separator: "\n").map(String.init)
    try #require(lines.count == 6)
    lines[4] = "{"
    try Data(lines.map { $0 + "\n" }.joined().utf8).write(to: shard)
    for _ in 0..<2 {
      let outcome = try home.batch("run")
      #expect(outcome.status == 5 && outcome.errorCode == "batch.broken-run", "\(outcome.errors)")
      #expect(outcome.errorMessage.hasPrefix("line 5 of '"))
      #expect(home.recordCount == 4)
    }
  }

  @Test func `runs are listed until they are removed`() throws {
    let home = try BatchHome()
    try home.planNested(3)
    let rows = try home.workbench(["batch", "list", "--json"]).rows
    #expect(rows.compactMap { $0["folder"] as? String } == [home.run.path])
    #expect(rows.first?["command"] as? String == "misbehaving nest '{}'" && rows.first?["items"] as? Int == 3)
    #expect(try home.batch("remove", ["--no-input"]).errorCode == "host.not-confirmed")
    // A removal that was killed.
    try FileManager.default.removeItem(at: home.run.appendingPathComponent("shards/00001.jsonl"))
    #expect(try home.batch("remove", ["--yes"]).status == 0)
    #expect(!FileManager.default.fileExists(atPath: home.run.path))
    #expect(try home.workbench(["batch", "list", "--json"]).rows.isEmpty)
  }
}
