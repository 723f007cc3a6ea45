import Foundation
import Glibc
import TestSupport
import Testing

/// The failures that a run survives: ended processes, damaged logs, a full disk, changed inputs.
@Suite(.serialized, .timeLimit(.minutes(20)))
struct BatchFailureTests {
  private static let faketime = InstalledProgram.url("faketime")

  @Test func `file times do not affect results, as machines' clocks differ`() throws {
    let home = try BatchHome()
    try home.planNested(60, shards: 3)
    #expect(try home.batch("work", ["--shard", "2"]).status == 0)
    for isFirstEarly in [true, false] {
      try skew(home, isFirstEarly)
      #expect(try home.batch("run").status == 0)
      #expect(home.recordCount == 60)
    }
    try skew(home, true)
    #expect(try home.batch("status").record["state"] as? String == "done")
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(60))
  }

  /// Sets the times of a run's files to 2001 and 2096 in turn.
  private func skew(_ home: BatchHome, _ isFirstEarly: Bool) throws {
    for (index, name) in try FileManager.default.subpathsOfDirectory(atPath: home.run.path).sorted().enumerated() {
      let time = Date(timeIntervalSince1970: index.isMultiple(of: 2) == isFirstEarly ? 1e9 : 4e9)
      try FileManager.default.setAttributes(
        [.modificationDate: time], ofItemAtPath: home.run.appendingPathComponent(name).path)
    }
  }

  @Test func `several workers on one shard give one result per item`() throws {
    let home = try BatchHome(["WORKBENCH_FIXTURE": "wait"])
    try home.planNested(300)
    let workers = try (0..<3).map { _ in try home.process("batch", "work", home.run.path, "--shard", "1") }
    // Each has read the logs and waits in the first item, so that each runs all items.
    #expect(polls { home.waiting.count == workers.count })
    try home.openGate()
    for worker in workers {
      worker.waitUntilExit()
      #expect(worker.terminationStatus == 0)
    }
    #expect(home.recordCount == 900)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(300))
    #expect(try home.batch("verify").status == 0)
  }

  @Test(.enabled(if: faketime != nil, "faketime is absent"))
  func `workers whose clocks differ by decades give equal records`() throws {
    let faketime = try #require(Self.faketime)
    let home = try BatchHome(["WORKBENCH_FIXTURE": "wait"])
    try home.planNested(30)
    let work = [BuiltProgram.workbench.path, "batch", "work", home.run.path, "--shard", "1"]
    let workers = try ["+30y", "-20y x5"].map { clock in try home.process(faketime, ["-f", clock] + work) }
    #expect(polls { home.waiting.count == workers.count })
    try home.openGate()
    for worker in workers {
      worker.waitUntilExit()
      #expect(worker.terminationStatus == 0)
    }
    #expect(home.recordCount == 60)
    #expect(try home.batch("status").record["state"] as? String == "done")
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(30))
  }

  @Test func `damaged logs of a finished run are detected, and their items run again`() throws {
    let home = try BatchHome()
    try home.planNested(60, shards: 2)
    #expect(try home.batch("run").status == 0)
    for (index, log) in home.logs.enumerated() {
      var bytes = try Data(contentsOf: log)
      if index == 0 { bytes.removeLast(bytes.count / 2) } else { bytes[bytes.count / 3] ^= 0x10 }
      try bytes.write(to: log)
    }
    #expect(try home.batch("gather").errorCode == "batch.items-missing")
    let outcome = try home.batch("run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(60))
  }

  @Test func `SIGTERM ends a run after its current items with status 143, and the run resumes`() throws {
    let home = try BatchHome()
    try home.planNested(3000, shards: 4)
    let run = try home.process("batch", "run", home.run.path, "--workers", "2")
    #expect(polls { home.recordCount > 0 })
    run.terminate()
    run.waitUntilExit()
    #expect(run.terminationReason == .exit && run.terminationStatus == 143)
    let ends = try home.logs.map { String(decoding: try Data(contentsOf: $0), as: UTF8.self) }
    // A worker that stopped says so; nothing that it began is without a record.
    #expect(ends.allSatisfy { $0.contains(#""kind":"end""#) })
    #expect(ends.contains { $0.contains(#""cause":"stopped""#) })
    let (done, logs) = (home.recordCount, home.logs.count)
    #expect(try home.batch("run").status == 0)
    #expect(home.recordCount == 3000 && done < 3000 && home.logs.count > logs)
  }

  @Test func `Ctrl-C closes the logs, so that no worker counts as lost`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["sleep"])]
    #expect(try home.batch("plan", line, items: ["misbehaving", "{}"]).status == 0)
    let run = try home.process("batch", "run", home.run.path)
    func log() -> String { home.logs.first.map(BatchHome.text) ?? "" }
    #expect(polls { log().contains(#""kind":"begin""#) })
    run.interrupt()
    run.waitUntilExit()
    #expect(run.terminationReason == .exit && run.terminationStatus == 130)
    #expect(log().contains(#"{"kind":"end","cause":"interrupted"}"#))
    let status = try home.batch("status").record
    #expect(status["lost"] as? Int == 0 && status["done"] as? Int == 0)
  }

  @Test func `a worker that ends with an error does not count as lost`() throws {
    let home = try BatchHome()
    let outcome = try home.shell(
      """
      mkdir "$TMPDIR/gone" && cd "$TMPDIR/gone" && echo greet >../list.txt || exit
      "$0" batch plan "$1" --items ../list.txt -- misbehaving {} >../plan.json || exit
      cd .. && rmdir gone
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let run = try home.batch("run")
    #expect(run.status == 1 && run.errorCode == "batch.child-failed")
    #expect(try home.batch("status").record["lost"] as? Int == 0)
  }

  @Test func `after a run in a script, SIGTERM ends the process again`() throws {
    let home = try BatchHome()
    try home.planNested(3)
    let process = try CommandLineProcess(
      ["exec", "batch run \(home.run.path); misbehaving finish"], environment: home.environment)
    var output = ""
    while !output.contains("begun\n") {
      let part = process.readSome()
      try #require(!part.isEmpty)
      output += part
    }
    process.send(SIGTERM)
    #expect(process.wait().status == 128 + SIGTERM)
  }

  @Test func `a canceled run starts no items until it is run again`() throws {
    let home = try BatchHome()
    try home.planNested(20, shards: 2)
    #expect(try home.batch("cancel").status == 0)
    let work = try home.batch("work", ["--shard", "1"])
    #expect(work.status == 130 && work.errorCode == "batch.canceled")
    #expect(home.recordCount == 0)
    #expect(try home.batch("status").record["state"] as? String == "canceled")
    #expect(try home.batch("run").status == 0)
    #expect(home.recordCount == 20)
  }

  @Test func `an input changed after planning is an error of its item`() throws {
    let home = try BatchHome()
    let outcome = try home.shell(
      """
      cd "$TMPDIR" && for n in 1 2 3 4; do echo "$n" >$n; done
      "$0" batch plan "$1" --files '[1-4]' --checksums -- misbehaving nest {} >plan.json || exit
      echo longer >1; echo x >2; rm 4
      "$0" batch run "$1" --json >state.json
      [ $? = 5 ] || exit 9
      "$0" batch errors "$1" --json
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.rows.compactMap { $0["id"] as? String } == ["1", "2", "4"])
    #expect(outcome.rows.allSatisfy { $0["code"] as? String == "batch.input-changed" })
    let value =
      try home.workbench(["batch", "gather", home.run.path]).output.split(separator: "\n").dropLast().last ?? ""
    #expect(value.contains(#""id":"3","input":{"bytes":2,"sha256":""#) && value.contains(#""value":[[[null]]]"#))
  }

  @Test func `an input edited between two attempts, with its size kept, is an error of the later one`() throws {
    let home = try BatchHome()
    let outcome = try home.shell(
      """
      cd "$TMPDIR" && for n in 1 2; do echo "$n" >$n; done
      "$0" batch plan "$1" --files '[12]' --shards 2 --checksums --probe 0 -- misbehaving nest {} >plan.txt || exit 9
      "$0" batch work "$1" --shard 1 >work.txt || exit 8
      echo x >1; echo x >2
      "$0" batch run "$1" --json >state.json
      [ $? = 5 ] || exit 7
      "$0" batch gather "$1"
      """)
    #expect(outcome.status == 0, "\(outcome.errors)")
    let lines = outcome.output.split(separator: "\n")
    #expect(lines.count == 2 && lines.count { $0.contains(#""value":[["#) || $0.contains(#""value":[n"#) } == 1)
    #expect(lines.count { $0.contains(#""code":"batch.input-changed""#) } == 1)
  }

  @Test func `two attempts that read different contents of an input are detected without checksums`() throws {
    let home = try BatchHome(["WORKBENCH_FIXTURE": "wait"])
    let input = home.run.deletingLastPathComponent().appendingPathComponent("1")
    try Data("a\n".utf8).write(to: input)
    let planned = try home.shell(
      "cd \"$TMPDIR\" && exec \"$0\" batch plan \"$1\" --files 1 --shards 1 --probe 0 --json -- misbehaving nest {}")
    #expect(planned.status == 0, "\(planned.errors)")
    var workers: [Process] = []
    for content in ["a\n", "b\n"] {
      try Data(content.utf8).write(to: input)
      workers.append(try home.process("batch", "work", home.run.path, "--shard", "1"))
      // The command waits after its input was read.
      #expect(polls { home.waiting.count == workers.count })
    }
    try home.openGate()
    for worker in workers {
      worker.waitUntilExit()
      #expect(worker.terminationStatus == 0)
    }
    let gathered = try home.batch("gather")
    #expect(gathered.status == 5 && gathered.errorCode == "batch.input-changed", "\(gathered.errors)")
  }

  @Test func `a full disk ends the run with status 1, and the run resumes later`() throws {
    let home = try BatchHome()
    try home.planNested(2000)
    // A limit of the size of files is the same to the program: a write fails with an error.
    let outcome = try home.shell(
      """
      trap '' XFSZ
      (ulimit -f 64; "$0" batch work "$1" --shard 1 --json)
      """)
    #expect(outcome.status == 1)
    #expect(outcome.errorCode == "host.unwritable-file")
    let kept = home.recordCount
    #expect(kept > 0 && kept < 2000)
    #expect(try home.batch("run").status == 0)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(2000))
  }

  @Test(.enabled(if: SmallDisk.canMount, "a user may not mount file systems"))
  func `a full small file system ends the run with status 1, and the run resumes later`() throws {
    let home = try BatchHome()
    let outcome = try SmallDisk.run(
      """
      export WORKBENCH_PLUGIN_PATH="$2"
      run="$0/run"
      for n in {0..1999}; do echo $((n % 200)); done >"$0/items.txt"
      "$1" batch plan "$run" --items "$0/items.txt" --shards 1 --probe 0 -- misbehaving nest {} >/dev/null || exit 9
      dd if=/dev/zero of="$0/filler" bs=4096 2>/dev/null
      truncate -s -65536 "$0/filler"
      "$1" batch work "$run" --shard 1 --json >/dev/null
      [ $? = 1 ] || exit 8
      rm "$0/filler"
      "$1" batch run "$run" >/dev/null || exit 7
      "$1" batch gather "$run"
      """, kilobytes: 16384, [BuiltProgram.workbench.path, home.environment["WORKBENCH_PLUGIN_PATH"] ?? ""])
    #expect(outcome.status == 0 && outcome.errorCode == "host.unwritable-file", "\(outcome.errors)")
    #expect(outcome.output == BatchHome.nested(2000))
  }

  @Test(.enabled(if: SmallDisk.canMount, "a user may not mount file systems"))
  func `planning on a full file system leaves an empty folder, and succeeds later`() throws {
    let home = try BatchHome()
    let outcome = try SmallDisk.run(
      """
      export WORKBENCH_PLUGIN_PATH="$2"
      plan() {
        "$1" batch plan "$0/run" --items "$0/items.txt" --shards 4 --probe 0 --json -- misbehaving nest {} >/dev/null
      }
      for n in {0..1999}; do echo $((n % 200)); done >"$0/items.txt"
      "$1" misbehaving greet >/dev/null || exit 9
      # There is room for nothing, for a part of the list of items, for that list and a part of the shards.
      for left in 0 8192 65536; do
        dd if=/dev/zero of="$0/filler" bs=4096 2>/dev/null
        truncate -s "-$left" "$0/filler"
        plan "$1"
        [ $? = 1 ] && [ -z "$(ls -A "$0/run")" ] || exit 8
        rm "$0/filler"
      done
      plan "$1" || exit 7
      "$1" batch run "$0/run" >/dev/null || exit 6
      "$1" batch gather "$0/run"
      """, kilobytes: 8192, [BuiltProgram.workbench.path, home.environment["WORKBENCH_PLUGIN_PATH"] ?? ""])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.errors.split(separator: "\n").count { $0.contains(#""code":"host.unwritable-file""#) } == 3)
    let isWhole = outcome.output == BatchHome.nested(2000)
    #expect(isWhole)
  }

  @Test(
    .enabled(if: SmallDisk.canMount, "a user may not mount file systems"), arguments: ["jsonl", "csv", "sqlite"])
  func `gathering on a full file system leaves the old file, and succeeds later`(format: String) throws {
    let home = try BatchHome()
    try home.planNested(2000)
    #expect(try home.batch("run", ["--workers", "2"]).status == 0)
    let outcome = try SmallDisk.run(
      """
      gather() { "$1" batch gather "$2" --format \(format) --output "$0/results" --json; }
      echo old >"$0/results"
      gather "$1" "$2" >/dev/null
      [ $? = 1 ] || exit 9
      [ "$(cat "$0/results")" = old ] && [ "$(cd "$0" && echo results*)" = results ] || exit 8
      mount -o remount,size=16384k "$0" || exit 7
      gather "$1" "$2" >/dev/null || exit 6
      wc -c <"$0/results"
      """, kilobytes: 64, [BuiltProgram.workbench.path, home.run.path])
    #expect(outcome.status == 0 && outcome.errorCode == "host.unwritable-file", "\(outcome.errors)")
    let size = Int(outcome.output.split(separator: "\n").last ?? "") ?? 0
    #expect(size > 100_000)
  }

  @Test func `children end soon after their worker is killed`() throws {
    let home = try BatchHome()
    let line = ["--items", try home.list(["sleep"])]
    #expect(try home.batch("plan", line, items: ["misbehaving", "{}"]).status == 0)
    let run = try home.process("batch", "run", home.run.path)
    var children: [Int32] = []
    #expect(
      polls {
        children = BatchHome.children(of: run.processIdentifier)
        return !children.isEmpty && !home.logs.isEmpty
      })
    kill(run.processIdentifier, SIGKILL)
    run.waitUntilExit()
    #expect(polls { !children.contains(where: BatchHome.isAlive) })
  }

  @Test func `several runs of one folder share its shards`() throws {
    let home = try BatchHome()
    try home.planNested(600, shards: 12)
    let others = try (0..<2).map { _ in try home.process("batch", "run", home.run.path, "--workers", "1") }
    #expect(try home.batch("run", ["--workers", "1"]).status == 0)
    for other in others {
      other.waitUntilExit()
      #expect(other.terminationStatus == 0)
    }
    #expect(home.recordCount == 600)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(600))
  }
}
