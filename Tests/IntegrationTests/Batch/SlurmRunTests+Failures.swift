import Foundation
import Glibc
import PluginText
import TestSupport
import Testing

/// Jobs that are lost, requeued or submitted by a killed command, and several arrays.
///
/// WORKBENCH_SUBMIT_KILLS sets the number of killed submissions, WORKBENCH_SEED their moments.
extension SlurmRunTests {
  private static let kills = CampaignNumber.of("WORKBENCH_SUBMIT_KILLS", else: 12)
  private static let seed = CampaignNumber.of("WORKBENCH_SEED", else: 24)

  @Test func `the follow-up job alone submits the shard of a killed worker again`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables.merging(["WORKBENCH_FIXTURE": "wait"]) { $1 })
    try home.planNested(40, shards: 4)
    #expect(try home.batch("submit").status == 0)
    #expect(polls { home.waiting.count == 4 })
    let victim = try #require(home.attempts(at: 2).first.flatMap(BatchHome.worker))
    #expect(kill(victim, SIGKILL) == 0)
    try home.openGate()
    #expect(try waits(for: "done", home, nil))
    #expect(home.jobNotes.map(\.shards) == [[1, 2, 3, 4], [], [2], []])
    #expect(home.jobNotes.map(\.round) == [1, 1, 2, 2])
    #expect((1...4).map { home.attempts(at: $0).count } == [1, 2, 1, 1])
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(40))
  }

  @Test func `more shards than an array may have become several arrays`() throws {
    let slurm = try SlurmNode(arrayLimit: 5)
    let home = try BatchHome(slurm.variables)
    try home.planNested(60, shards: 12)
    let outcome = try home.batch("run", ["--executor", "slurm"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    #expect(home.jobNotes.map(\.shards) == [[1, 2, 3, 4, 5], [6, 7, 8, 9, 10], [11, 12], []])
    #expect(home.logs.count == 12)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(60))
  }

  @Test func `a requeued task, a node set down, and a node lost with its job are run again`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables.merging(["WORKBENCH_FIXTURE": "wait"]) { $1 })
    try home.planNested(60, shards: 6)
    #expect(try home.batch("submit").status == 0)
    #expect(polls { home.waiting.count == 4 })
    let tasks = try ["n1", "n2", "n4"].map { try #require(try slurm.task(on: $0)) }
    let workers = try tasks.map { task in
      try #require(home.attempts(at: task.shard).first.flatMap(BatchHome.worker))
    }
    try slurm.run("scontrol", ["requeue", tasks[0].id])
    try slurm.run("scontrol", ["update", "nodename=n2", "state=down", "reason=test"])
    try slurm.kill("n4")
    #expect(kill(workers[2], SIGKILL) == 0)
    // Slurm kills tasks that do not end in time; none of them has a record.
    #expect(polls { !workers.contains(where: BatchHome.isAlive) })
    #expect(home.recordCount == 0)
    try home.openGate()
    #expect(try waits(for: "done", home, slurm))
    #expect(tasks.allSatisfy { home.attempts(at: $0.shard).count >= 2 })
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(60))
  }

  @Test func `sbatch runs the script of 'batch script', each shard once`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables)
    try home.planNested(50, shards: 5)
    let folder = home.run.deletingLastPathComponent()
    let script = folder.appendingPathComponent("shards.sh").path
    let written = try home.workbench(["batch", "script", home.run.path, "--engine", "slurm", "--output", script])
    #expect(written.status == 0, "\(written.errors)")
    // It ends with the status of the jobs, after the last of them.
    try slurm.run("sbatch", ["--parsable", "--wait", "--output=\(folder.path)/%a.txt", script])
    #expect(home.logs.count == 5)
    #expect(try home.workbench(["batch", "gather", home.run.path]).output == BatchHome.nested(50))
  }

  @Test func `a retry submits only the shards of items in error`() throws {
    let slurm = try SlurmNode()
    let home = try BatchHome(slurm.variables)
    let items = ["greet", "report", "greet", "greet"]
    let options = ["--items", try home.list(items), "--shards", "4", "--probe", "0", "--executor", "slurm"]
    #expect(try home.batch("run", options, items: ["misbehaving", "{}"]).status == 5)
    let retried = try home.batch("retry")
    #expect(retried.status == 0 && retried.record["done"] as? Int == 3, "\(retried.errors)")
    #expect(try waits(for: "done", home, nil))
    #expect(home.jobNotes.map(\.shards) == [[1, 2, 3, 4], [], [2], []])
    #expect((1...4).map { home.attempts(at: $0).count } == [1, 2, 1, 1])
    #expect(try home.batch("status").record["errors"] as? [String: Int] == ["misbehaving.no-luck": 1])
  }

  @Test(.timeLimit(.minutes(120)))
  func `submissions killed at any moment submit each shard once in the end`() throws {
    var random = SplitMix64(seed: UInt64(Self.seed))
    let slurm = try SlurmNode(nodes: 1, arrayLimit: 2)
    var moment = KillMoment(within: 20)
    var (killed, rounds) = (0, 0)
    while killed < Self.kills, rounds < 10 * Self.kills {
      rounds += 1
      let home = try BatchHome(slurm.variables)
      try home.planNested(16, shards: 8)
      var isComplete = false
      while !isComplete, killed < Self.kills {
        // Tasks of jobs that are held stay in the queue.
        let submit = try home.process("batch", "submit", home.run.path, "--sbatch", "hold")
        let notes = home.jobNotes.count + Int.random(in: 1...4, using: &random)
        #expect(polls { home.jobNotes.count >= notes || !submit.isRunning })
        if moment.kill(submit, &random) {
          killed += 1
        } else {
          isComplete = true
          #expect(submit.terminationStatus == 0)
        }
      }
      let outcome = try home.batch("submit", ["--sbatch", "hold"])
      #expect(outcome.status == 0, "\(outcome.errors)")
      let run = try #require(outcome.record["run"] as? String)
      let tasks = try slurm.run("squeue", ["-h", "-r", "-t", "all", "-n", run, "-o", "%K %k"]).split(separator: "\n")
      let shards = try tasks.flatMap { task -> [Int] in
        let fields = task.split(separator: " ").map { Int($0) }
        try #require(fields.count == 2)
        // A follow-up job has no index.
        guard let index = fields[0], let note = fields[1] else { return [] }
        return [home.jobNotes[note - 1].shards[index]]
      }
      #expect(shards.sorted() == Array(1...8), "\(tasks)")
      #expect(tasks.count > shards.count, "there is no follow-up job")
      #expect(try home.batch("cancel").status == 0)
    }
    #expect(killed == Self.kills)
    CampaignLine(
      "batch submissions killed", seed: Self.seed, runs: killed,
      words: "\(rounds) runs of 8 shards in arrays of 2: no shard submitted twice or never"
    ).print()
  }
}
