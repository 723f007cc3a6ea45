import Foundation
import PluginAPI
import TestSupport
import Testing

@testable import Host

/// Submissions to programs with the names of Slurm's.
@MainActor struct JobSubmissionTests {
  private static func submission(
    _ run: BatchFolder, _ slurm: FakeSlurm, _ options: JobOptions = JobOptions()
  ) throws -> JobSubmission {
    try JobSubmission(
      of: run.plan, in: run.folder, to: .slurm, Slurm(environment: slurm.environment), options,
      program: ["/opt/work bench", "--offline"])
  }

  private static func submit(_ run: BatchFolder, _ slurm: FakeSlurm) throws -> JobSubmission.Outcome {
    try submission(run, slurm).submit(following: nil, SilentProgress())
  }

  private static func script(_ number: Int, _ run: BatchFolder) throws -> String {
    String(decoding: try HostFile.read(run.folder.jobs + "/\(number).sh"), as: UTF8.self)
  }

  @Test func `missing shards become an array job, and a follow-up job waits for it`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 4, shardCount: 4), try FakeSlurm())
    try run.log(shard: 2, "a", [BatchFolder.value(2, "done"), BatchFolder.end])
    #expect(try Self.submit(run, slurm) == JobSubmission.Outcome(shardCount: 3))
    let submissions = slurm.submissions
    try #require(submissions.count == 2)
    #expect(submissions[0].contains("--array=0-2") && submissions[0].contains("--job-name=0123"))
    #expect(submissions[1].contains("--dependency=afterany:101"))
    #expect(!submissions[1].contains { $0.hasPrefix("--array") })
    let notes = try JobNote.all(of: run.folder)
    #expect(notes.map(\.shards) == [[1, 3, 4], []] && notes.map(\.job) == ["101", "102"])
    #expect(notes.map(\.number) == [1, 2] && notes.allSatisfy { $0.round == 1 })
    #expect(
      try Self.script(1, run) == """
        #!/bin/sh
        set -- 1 3 4
        shift "$SLURM_ARRAY_TASK_ID"
        exec '/opt/work bench' --offline batch work \(run.folder.path) --shard "$1"

        """)
    #expect(try Self.script(2, run).hasSuffix("batch submit \(run.folder.path) --follow 2\n"))
  }

  @Test func `'sbatch' has the lock of submissions, as it may outlive a killed one`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 1), try FakeSlurm())
    // Another submission cannot have the lock; the program has it, and nothing else of this process.
    try slurm.program(
      "sbatch",
      """
      [ /proc/$$/fd/3 -ef '\(run.folder.jobs)' ] && [ ! -e /proc/$$/fd/4 ] || exit 1
      echo 101
      """)
    #expect(try Self.submit(run, slurm).shardCount == 1)
    #expect(try JobNote.all(of: run.folder).map(\.job) == ["101", "101"])
  }

  @Test func `only the shards of retried items are submitted again`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 4, shardCount: 4), try FakeSlurm())
    let report = ErrorReport(code: "sample.no-rock", kind: .notFound, "there is no rock")
    for item in 1...4 {
      let record = item == 3 ? BatchFolder.error(3, report) : BatchFolder.value(item, "done")
      try run.log(shard: item, "a", [record, BatchFolder.end])
    }
    #expect(try Self.submit(run, slurm) == JobSubmission.Outcome() && slurm.submissions.isEmpty)
    try RetryNotes.add(items: [3], logs: run.folder.logs().values.flatMap(\.self).sorted(), to: run.folder)
    #expect(try Self.submit(run, slurm).shardCount == 1)
    #expect(try JobNote.all(of: run.folder).map(\.shards) == [[3], []])
  }

  @Test func `shards beyond MaxArraySize go into more arrays`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 10, shardCount: 10), try FakeSlurm(arrayLimit: 4))
    #expect(try Self.submit(run, slurm).shardCount == 10)
    let arrays = slurm.submissions.compactMap { $0.first { $0.hasPrefix("--array") } }
    #expect(arrays == ["--array=0-3", "--array=0-3", "--array=0-1"])
    #expect(slurm.submissions.last?.contains("--dependency=afterany:101:102:103") == true)
    #expect(try JobNote.all(of: run.folder).map(\.shards) == [[1, 2, 3, 4], [5, 6, 7, 8], [9, 10], []])
  }

  @Test func `a limit of running tasks applies across arrays, which run in sequence`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 6, shardCount: 6), try FakeSlurm(arrayLimit: 4))
    var options = JobOptions()
    options.mostRunning = 2
    #expect(try Self.submission(run, slurm, options).submit(following: nil, SilentProgress()).shardCount == 6)
    #expect(slurm.submissions[0].contains("--array=0-3%2"))
    #expect(
      slurm.submissions[1].contains("--array=0-1%2") && slurm.submissions[1].contains("--dependency=afterany:101"))
  }

  @Test func `a job submitted just before the program was killed is found, not resubmitted`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 3, shardCount: 3), try FakeSlurm())
    try HostFile.makeFolder(run.folder.jobs)
    var intent = JobNote(executor: .slurm, shards: [1, 2, 3], round: 1, options: JobOptions())
    try intent.add(to: run.folder)
    try slurm.setQueue("7|0|RUNNING|None|1\n7|1|PENDING|Resources|1\n7|2|FAILED|NonZeroExitCode|1\n")
    #expect(try Self.submit(run, slurm).shardCount == 1)
    let notes = try JobNote.all(of: run.folder)
    #expect(notes.map(\.shards) == [[1, 2, 3], [3], []] && notes.map(\.job) == ["7", "101", "102"])

    let other = try BatchFolder(itemCount: 1)
    try HostFile.makeFolder(other.folder.jobs)
    intent = JobNote(executor: .slurm, shards: [1], round: 1, options: JobOptions())
    try intent.add(to: other.folder)
    try slurm.setQueue("8|0|RUNNING|None|1\n")
    #expect(try Self.submit(other, slurm).shardCount == 0)
    #expect(slurm.submissions.last?.contains("--dependency=afterany:8") == true)
    // Now there is a follow-up job, so nothing more is submitted.
    try slurm.setQueue("8|0|RUNNING|None|1\n103|N/A|PENDING|Dependency|2\n")
    #expect(try Self.submit(other, slurm).shardCount == 0)
    #expect(slurm.submissions.count == 3)
  }

  @Test func `shards of a note without a job are submitted again`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 2, shardCount: 2), try FakeSlurm())
    try HostFile.makeFolder(run.folder.jobs)
    var intent = JobNote(executor: .slurm, shards: [1, 2], round: 1, options: JobOptions())
    try intent.add(to: run.folder)
    #expect(try Self.submit(run, slurm).shardCount == 2)
  }

  @Test func `a refused job is an error, and a follow-up of accepted jobs is still submitted`() throws {
    let run = try BatchFolder(itemCount: 3, shardCount: 3)
    let error = #expect(throws: ErrorReport.self) { try Self.submit(run, FakeSlurm(accepted: 0)) }
    #expect(error?.code == "batch.job-refused" && error?.exitStatus == 7)
    #expect(error?.message == "Slurm refused the job: Invalid partition name specified")
    let slurm = try FakeSlurm(arrayLimit: 2, accepted: 1)
    // The follow-up job is refused, too.
    #expect(throws: ErrorReport.self) { try Self.submit(run, slurm) }
    #expect(slurm.submissions.count == 3)
    #expect(slurm.submissions[2].contains("--dependency=afterany:101"))
  }

  @Test func `a controller lost during a submission is reported as unreachable`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 1), try FakeSlurm())
    try slurm.program(
      "sbatch",
      "echo 'sbatch: error: Batch job submission failed: Zero Bytes were transmitted or received' >&2; exit 1")
    let error = #expect(throws: ErrorReport.self) { try Self.submit(run, slurm) }
    #expect(error?.code == "batch.no-slurm" && error?.isRetryable == true)
  }

  @Test func `a follow-up job submits missing shards, in at most three rounds`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 2, shardCount: 2), try FakeSlurm())
    #expect(try Self.submit(run, slurm).shardCount == 2)
    try run.log(shard: 1, "a", [BatchFolder.value(1, "done"), BatchFolder.end])
    for round in 1...2 {
      let last = try #require(try JobNote.all(of: run.folder).last)
      #expect(last.round == round && last.shards.isEmpty)
      // The follow-up job itself runs meanwhile.
      try slurm.setQueue("9|N/A|RUNNING|None|\(last.number)\n")
      #expect(try Self.submission(run, slurm).submit(following: last, SilentProgress()).shardCount == 1)
    }
    let last = try #require(try JobNote.all(of: run.folder).last)
    let submission = try Self.submission(run, slurm)
    let error = #expect(throws: ErrorReport.self) { try submission.submit(following: last, SilentProgress()) }
    #expect(error?.code == "batch.items-missing")
    try run.log(shard: 2, "a", [BatchFolder.value(2, "done"), BatchFolder.end])
    #expect(try submission.submit(following: last, SilentProgress()).shardCount == 0)
  }

  @Test func `the follow-up job gathers in the format of the file's suffix`() throws {
    let (run, slurm) = (try BatchFolder(itemCount: 1), try FakeSlurm())
    for (number, file, format) in [(2, "/r.csv", "csv"), (4, "/r", "jsonl"), (6, "/r.sqlite", "sqlite")] {
      var options = JobOptions()
      options.gather = file
      _ = try Self.submission(run, slurm, options).submit(following: nil, SilentProgress())
      #expect(
        try Self.script(number, run).contains("--follow \(number) --format \(format) --output \(file) ;;"))
    }
  }

  @Test(arguments: [("running", 0), ("done", 3)])
  func `the follow-up job gathers only a finished run and fails if gathering fails`(state: String, status: Int) throws {
    let (run, slurm) = (try BatchFolder(itemCount: 1), try FakeSlurm())
    let folder = try TemporaryFolder()
    let program = try folder.write(
      Array(
        """
        #!/bin/sh
        case $2 in
          submit) echo '{"run":"0123","state":"\(state)","items":1}' ;;
          gather) exit 3 ;;
        esac

        """.utf8), "program")
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
    var options = JobOptions()
    options.gather = "/r.csv"
    let submission = try JobSubmission(
      of: run.plan, in: run.folder, to: .slurm, Slurm(environment: slurm.environment), options,
      program: [program.path])
    _ = try submission.submit(following: nil, SilentProgress())
    let outcome = try BuiltProgram.run(URL(fileURLWithPath: "/bin/sh"), [run.folder.jobs + "/2.sh"])
    #expect(Int(outcome.status) == status && outcome.output.contains(#""state":"\#(state)""#), "\(outcome.errors)")
  }

  /// Plans a run of which nothing is missing but the results.
  private static func runLackingResults(_ slurm: FakeSlurm) async throws -> (run: CommandLineRun, folder: String) {
    let run = try CommandLineRun(environment: slurm.environment)
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--from", "sample list", "--shards", "1", "--", "sample", "info", "{name}")
    try AttemptLog.write(
      (1...2).map { BatchFolder.value($0, "rock") }, of: 1, in: RunFolder(folder),
      run: RunPlan(reading: RunFolder(folder)).id)
    return (run, folder)
  }

  /// Returns what `batch status` says of the follow-up job.
  private static func gatherState(of run: CommandLineRun, in folder: String) async throws -> Value {
    try JSONReader.read(Array(try await run.output("batch", "status", folder, "--json").utf8))["gather"]
  }

  @Test func `status and exit status show whether the follow-up job wrote the results`() async throws {
    let slurm = try FakeSlurm()
    let (run, folder) = try await Self.runLackingResults(slurm)
    func state() async throws -> Value { try await Self.gatherState(of: run, in: folder) }
    #expect(try await state().isNull)
    let file = run.home + "/results.jsonl"
    let line = ["batch", "run", folder, "--executor", "slurm", "--gather", file]
    // Nothing is missing but the results, and the follow-up job ends at once.
    let lost = await run.error(line)
    #expect(lost?.code == "batch.gather-failed" && lost?.exitStatus == 1)
    #expect(lost?.message == "the follow-up job ended without writing '\(file)'")
    #expect(slurm.submissions.count == 1)
    #expect(try await state() == ["file": .text(file), "outcome": "waiting", "error": .null])

    let nowhere = run.home + "/none/results.jsonl"
    let failed = await run.error("batch", "gather", folder, "--follow", "1", "--output", nowhere)
    let message = try #require(failed?.message)
    #expect(try await state() == ["file": .text(file), "outcome": "failed", "error": .text(message)])
    #expect(await run.error(line)?.message == "the follow-up job ended without writing '\(file)'")
    #expect(slurm.submissions.count == 2)

    try await run("batch", "gather", folder, "--follow", "2", "--output", file)
    #expect(try await state() == ["file": .text(file), "outcome": "done", "error": .null])
    try await run.run(line)
    #expect(slurm.submissions.count == 2)
    // A follow-up job that still waits gathers; another file needs another one.
    try await run("batch", "submit", folder, "--gather", nowhere)
    try slurm.setQueue("103|N/A|PENDING|Dependency|3\n")
    try await run("batch", "submit", folder)
    #expect(slurm.submissions.count == 3)
    try await run("batch", "submit", folder, "--gather", file)
    #expect(slurm.submissions.count == 4)
  }

  @Test func `status shows why Slurm refused the follow-up job, and another one writes the results`() async throws {
    let slurm = try FakeSlurm(accepted: 0)
    let (run, folder) = try await Self.runLackingResults(slurm)
    func state() async throws -> Value { try await Self.gatherState(of: run, in: folder) }
    let file = run.home + "/results.jsonl"
    let refused = await run.error("batch", "submit", folder, "--gather", file)
    #expect(refused?.code == "batch.job-refused" && refused?.exitStatus == 7)
    let message = "Slurm refused the job: Invalid partition name specified"
    #expect(try await state() == ["file": .text(file), "outcome": "failed", "error": .text(message)])
    #expect(await run.error("batch", "submit", folder)?.code == "batch.job-refused")
    #expect(slurm.submissions.count == 2)
    try await run("batch", "gather", folder, "--follow", "2", "--output", file)
    #expect(try await state() == ["file": .text(file), "outcome": "done", "error": .null])
  }

  @Test func `without Slurm or its controller, nothing changes and the exit status is 6`() async throws {
    let slurm = try FakeSlurm()
    let run = try CommandLineRun(environment: slurm.environment)
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--from", "sample list", "--shards", "1", "--", "sample", "info", "{name}")
    try await run("batch", "cancel", folder)
    try slurm.loseController()
    let away = await run.error("batch", "submit", folder)
    #expect(away?.code == "batch.no-slurm" && away?.exitStatus == 6 && away?.isRetryable == true)
    try slurm.remove("scontrol")
    let absent = await run.error("batch", "run", folder, "--executor", "slurm")
    #expect(absent?.code == "batch.no-slurm" && absent?.exitStatus == 6)
    #expect(absent?.message == "Slurm is not on this machine: 'scontrol' is not in PATH")
    #expect(RunFolder(folder).isCanceled && slurm.submissions.isEmpty)
  }

  @Test func `status shows states and reasons, and cancel ends jobs by the run's name`() async throws {
    let slurm = try FakeSlurm()
    let run = try CommandLineRun(environment: slurm.environment)
    let folder = run.home + "/run"
    let line = ["--from", "sample list", "--shards", "1", "--", "sample", "info", "{name}"]
    try await run.run(["batch", "submit", folder, "--sbatch", "account=lab"] + line)
    #expect(slurm.submissions.first?.contains("--account=lab") == true)
    try slurm.setQueue("101|0|PENDING|Priority|1\n102|N/A|PENDING|Dependency|2\n")
    let status = try await run.output("batch", "status", folder, "--json")
    #expect(
      status.hasSuffix(#""engine":{"jobs":{"PENDING":2},"reasons":{"Dependency":1,"Priority":1}}}"# + "\n"), "\(status)"
    )
    #expect(await run.error("batch", "remove", folder, "--yes")?.code == "batch.not-allowed")
    // Jobs that Slurm forgot are in its records, and an ended job no longer waits for its reason.
    try slurm.setQueue("102|N/A|CANCELLED|Dependency|2\n")
    try slurm.program("sacct", "echo '101_0|FAILED|5:0'")
    #expect(
      try await run.output("batch", "status", folder, "--json").contains(
        #""engine":{"jobs":{"CANCELLED":1,"FAILED":1},"reasons":{}}"#))
    try await run("batch", "cancel", folder)
    #expect(slurm.cancellations == ["--name=\(try RunPlan(reading: RunFolder(folder)).id)"])
    try slurm.loseController()
    #expect(try await run.output("batch", "status", folder, "--json").contains(#""engine":null"#))
    #expect(run.messages.contains("Slurm does not respond"))
    #expect(await run.error("batch", "submit", folder, "--follow", "2")?.code == "batch.canceled")
  }

  @Test func `a dry run plans but submits nothing, and the same command without it submits`() async throws {
    let slurm = try FakeSlurm()
    let run = try CommandLineRun(environment: slurm.environment)
    let folder = run.home + "/run"
    let line = ["--from", "sample list", "--probe", "0", "--shards", "2", "--", "sample", "info", "{name}"]
    try await run.run(["batch", "submit", folder, "--dry-run"] + line)
    let plan = try RunPlan(reading: RunFolder(folder))
    #expect(plan.shardCount == 2 && slurm.submissions.isEmpty)
    #expect(try JobNote.all(of: RunFolder(folder)).isEmpty)
    try await run.run(["batch", "submit", folder] + line)
    #expect(try RunPlan(reading: RunFolder(folder)) == plan && slurm.submissions.count == 2)
  }

  @Test func `planning for jobs works without Slurm and matches the plan of a submission`() async throws {
    let slurm = try FakeSlurm()
    let run = try CommandLineRun(environment: slurm.environment)
    let items = try run.file("items.txt", (1...40).map { "\($0)\n" }.joined())
    let line = ["--items", items, "--probe", "0", "--", "sample", "info", "{}"]
    let options = ["--time", "1:00:00", "--max-running", "7"]
    try await run.run(["batch", "submit", run.home + "/submitted"] + options + line)
    try slurm.loseController()
    try await run.run(["batch", "plan", run.home + "/planned", "--executor", "slurm", "--dry-run"] + options + line)
    let plans = try ["submitted", "planned"].map { try RunPlan(reading: RunFolder(run.home + "/" + $0)) }
    #expect(plans.map(\.shardCount) == [7, 7])
    let shards = try ["submitted", "planned"].map { name in
      try (1...7).map { try RunFolder(run.home + "/" + name).items(of: $0).map(\.id) }
    }
    #expect(shards[0] == shards[1])
  }

  @Test func `options that the executor does not use are refused`() async throws {
    let run = try CommandLineRun(environment: try FakeSlurm().environment)
    let folder = run.home + "/run"
    try await run(
      "batch", "plan", folder, "--from", "sample list", "--shards", "1", "--", "sample", "info", "{name}")
    #expect(await run.error("batch", "run", folder, "--partition", "long")?.code == "batch.unused-option")
    let workers = await run.error("batch", "run", folder, "--executor", "slurm", "--workers", "2")
    #expect(workers?.code == "batch.unused-option" && workers?.exitStatus == 2)
  }
}
