import Foundation
import Glibc
import TestSupport
import Testing

/// Batch runs in jobs of a real Slurm.
@Suite(
  .serialized, .timeLimit(.minutes(20)), .enabled(if: SlurmNode.isAvailable, "Slurm is absent or needs root"))
struct SlurmRunTests {
  private static let count = 1000

  @Test func `a killed task, slurmd and slurmctld neither lose, duplicate nor change results`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables.merging(["WORKBENCH_FIXTURE": "wait"]) { $1 })
    try home.planNested(Self.count, shards: 20)
    let submitted = try home.batch("submit")
    #expect(submitted.status == 0, "\(submitted.errors)")
    #expect(((submitted.record["engine"] as? [String: Any])?["jobs"] as? [String: Int])?.values.reduce(0, +) == 21)

    // A worker on each node is in its first item.
    #expect(polls { home.waiting.count == 4 })
    func worker(on node: String) throws -> (shard: Int, process: Int32) {
      let shard = try #require(try slurm.task(on: node)).shard
      return (shard, try #require(home.attempts(at: shard).first.flatMap(BatchHome.worker)))
    }
    let (victim, lost) = (try worker(on: "n4"), try worker(on: "n2"))
    #expect(kill(victim.process, SIGKILL) == 0)
    // One node loses its job, too; on the other the job continues.
    try slurm.kill("n2")
    #expect(kill(lost.process, SIGKILL) == 0)
    try slurm.kill("n3")
    try slurm.kill("slurmctld")
    // Workers need no controller.
    try home.openGate()
    #expect(polls { home.recordCount > 0 })
    #expect(try home.batch("status").status == 0)
    try slurm.start()
    // A controller may forget jobs of its last seconds; only shards that no job has are submitted.
    #expect(try home.batch("submit").status == 0)

    #expect(try waits(for: "done", home, slurm))
    #expect(home.attempts(at: victim.shard).count >= 2 && home.attempts(at: lost.shard).count >= 2)
    let gathered = try home.workbench(["batch", "gather", home.run.path])
    #expect(gathered.status == 0, "\(gathered.errors)")
    #expect(gathered.output == BatchHome.nested(Self.count))
    let local = try BatchHome()
    try local.planNested(Self.count, shards: 3)
    #expect(try local.batch("run").status == 0)
    #expect(try local.workbench(["batch", "gather", local.run.path]).output == gathered.output)
  }

  @Test func `a run waits for its jobs, and the follow-up job gathers results`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables)
    try home.planNested(40, shards: 3)
    let file = home.run.deletingLastPathComponent().appendingPathComponent("results.csv")
    let outcome = try home.batch("run", ["--executor", "slurm", "--gather", file.path])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(outcome.record["state"] as? String == "done" && outcome.record["done"] as? Int == 40)
    let engine = outcome.record["engine"] as? [String: Any]
    #expect(engine?["jobs"] as? [String: Int] == ["COMPLETED": 4])
    let results = try String(contentsOf: file, encoding: .utf8)
    #expect(results == (try home.workbench(["batch", "gather", home.run.path, "--format", "csv"]).output))
    #expect(try slurm.run("squeue", ["-h"]).isEmpty)
  }

  @Test func `a follow-up job that cannot write results fails the run, and repeating writes them`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables)
    try home.planNested(4, shards: 2)
    let folder = home.run.deletingLastPathComponent().appendingPathComponent("later")
    let file = folder.appendingPathComponent("results.jsonl")
    let line = ["--executor", "slurm", "--gather", file.path]
    let failed = try home.batch("run", line)
    #expect(failed.status == 1 && failed.errorCode == "batch.gather-failed", "\(failed.errors)")
    let gather = try home.batch("status").record["gather"] as? [String: Any]
    #expect(gather?["outcome"] as? String == "failed" && gather?["file"] as? String == file.path)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    let outcome = try home.batch("run", line)
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try String(contentsOf: file, encoding: .utf8) == BatchHome.nested(4))
    #expect((try home.batch("status").record["gather"] as? [String: Any])?["outcome"] as? String == "done")
  }

  @Test func `canceling ends the jobs, and running again completes the items`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables.merging(["WORKBENCH_FIXTURE": "slow"]) { $1 })
    try home.planNested(400, shards: 8)
    #expect(try home.batch("submit", ["--max-running", "2"]).status == 0)
    #expect(polls { home.recordCount > 0 })
    #expect(try home.batch("cancel").status == 0)
    #expect(polls { (try? slurm.run("squeue", ["-h"])) == "" })
    #expect(try home.batch("status").record["state"] as? String == "canceled")
    // The last submission's executor and options are the default.
    let outcome = try home.batch("run")
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(400))
    #expect(try slurm.run("squeue", ["-h"]).isEmpty)
  }

  @Test func `a job refused by Slurm leaves the run unchanged`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables)
    try home.planNested(4, shards: 2)
    let refused = try home.batch("submit", ["--partition", "absent"])
    #expect(refused.status == 7 && refused.errorCode == "batch.job-refused")
    #expect(refused.errors.contains("partition") && home.logs.isEmpty)
    try slurm.kill("slurmctld")
    let unreachable = try home.batch("submit")
    #expect(unreachable.status == 6 && unreachable.errorCode == "batch.no-slurm")
  }

  @Test func `the test's Slurm node ends with its owner process`() throws {
    let owner = Process()
    owner.executableURL = URL(fileURLWithPath: "/bin/sleep")
    owner.arguments = ["600"]
    try owner.run()
    defer { if owner.isRunning { kill(owner.processIdentifier, SIGKILL) } }
    let folder = try TemporaryFolder()
    let started = try BuiltProgram.run(
      Checkout.root.appendingPathComponent("Scripts/slurm-node"),
      ["start", folder.path.path, "1", "\(owner.processIdentifier)"])
    try #require(started.status == 0, "\(started.errors)")
    let daemons = try ["slurmctld.pid", "n1.pid"].map { name in
      let text = try String(contentsOf: folder.url(name), encoding: .utf8)
      return try #require(pid_t(text.prefix { $0 != "\n" }))
    }
    kill(owner.processIdentifier, SIGKILL)
    owner.waitUntilExit()
    #expect(polls { !FileManager.default.fileExists(atPath: folder.path.path) })
    #expect(!daemons.contains(where: BatchHome.isAlive))
  }

  /// Waits for a state of a run, while an administrator looks after Slurm, if it is given.
  func waits(for state: String, _ home: BatchHome, _ slurm: SlurmNode?) throws -> Bool {
    for _ in 0..<400 {
      if try home.batch("status").record["state"] as? String == state { return true }
      try? slurm?.restore()
      poll(nil, 0, 500)
    }
    return false
  }
}
