import Glibc
import PluginAPI

/// Submits the missing shards of a run to a batch system, as arrays with a task for each shard.
///
/// A follow-up job starts when the arrays have ended. It resubmits missing shards, or gathers a finished run.
struct JobSubmission: Sendable {
  /// The outcome of a submission.
  struct Outcome: Sendable, Equatable {
    /// The number of shards that were submitted.
    var shardCount = 0
    /// The error of the first job that was not accepted, after others were.
    var refusal: ErrorReport?
  }

  /// The number of times that missing shards are submitted by one call and its follow-up jobs.
  static let rounds = 3

  let folder: RunFolder
  let plan: RunPlan
  let executor: BatchExecutor
  let engine: any BatchEngine
  let options: JobOptions
  /// The path of this program and the options for the whole run.
  let program: [String]
  private let arrayLimit: Int

  /// Prepares a submission.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.no-slurm` if the batch system does not answer.
  init(
    of plan: RunPlan, in folder: RunFolder, to executor: BatchExecutor, _ engine: any BatchEngine,
    _ options: JobOptions,
    program: [String]
  ) throws {
    (self.plan, self.folder, self.executor, self.engine) = (plan, folder, executor, engine)
    (self.options, self.program) = (options, program)
    arrayLimit = try engine.arrayLimit()
  }

  /// Submits the shards that lack records and that no job of the run may still work on.
  ///
  /// - Parameter previous: The note of the follow-up job that calls this; nil for a call of the user.
  /// - Throws: The error of the first job, if it is not accepted; ``ErrorReport`` with the code `batch.items-missing`
  ///   after the last round.
  func submit(following previous: JobNote?, _ progress: any WorkProgress) throws -> Outcome {
    try HostFile.makeFolder(folder.jobs)
    return try HostFile.whileLocked(with: folder.jobs + "/lock", patienceInSeconds: 600) { lock in
      let live = try engine.tasks(of: plan.id).filter(\.isLive)
      let queued = try queuedShards(live)
      let summary = try RunSummary(of: folder, shards: 1...plan.shardCount)
      let missing = summary.shards.filter { !$0.value.isDone && !queued.keys.contains($0.key) }.keys.sorted()
      let round = (previous?.round ?? 0) + 1
      guard !missing.isEmpty else {
        // The submission of the others was killed before its follow-up job, or that job did not gather.
        let isNeeded = try !queued.isEmpty || previous == nil && lacksResults
        if isNeeded, try !hasFollowUp(live, beside: previous) {
          _ = try submit([], round: round, after: Set(queued.values).sorted(), lock)
        }
        return Outcome()
      }
      guard round <= Self.rounds else {
        throw BatchError.itemsMissing(
          "\(summary.items - summary.done) of \(summary.items) items have no record after \(Self.rounds) rounds of jobs",
          advice: "read the output of the jobs in '\(folder.name)/jobs', then 'workbench batch submit \(folder.name)'")
      }
      return try submit(missing, round: round, lock, progress)
    }
  }

  /// A Boolean value indicating whether no follow-up job wrote the file of the results, if there is to be one.
  private var lacksResults: Bool {
    get throws {
      guard let file = options.gather else { return false }
      return try GatherState(of: folder).map { $0.file != file || $0.outcome != .done } ?? true
    }
  }

  /// Returns true if a follow-up job for the same results may still run.
  private func hasFollowUp(_ live: [EngineTask], beside previous: JobNote?) throws -> Bool {
    try JobNote.all(of: folder).contains { note in
      note.shards.isEmpty && note.number != previous?.number && note.options.gather == options.gather
        && live.contains { $0.note == note.number }
    }
  }

  private func submit(
    _ shards: [Int], round: Int, _ lock: Int32, _ progress: any WorkProgress
  ) throws -> Outcome {
    var outcome = Outcome()
    var accepted: [String] = []
    do {
      for start in stride(from: 0, to: shards.count, by: arrayLimit) {
        try progress.checkCancellation()
        let part = Array(shards[start..<min(start + arrayLimit, shards.count)])
        // Slurm's limit of running tasks holds within an array.
        let predecessors = options.mostRunning == nil ? [] : Array(accepted.suffix(1))
        accepted.append(try submit(part, round: round, after: predecessors, lock))
        outcome.shardCount += part.count
      }
    } catch {
      if accepted.isEmpty || error is CancellationError { throw error }
      outcome.refusal = ErrorReport(error)
    }
    _ = try submit([], round: round, after: accepted, lock)
    return outcome
  }

  /// Submits one job: the array of these shards, or the follow-up job if there are none.
  ///
  /// If this process is killed, the next submission waits for the end of the batch system's program, whose job is then
  /// in the queue.
  private func submit(_ shards: [Int], round: Int, after predecessors: [String], _ lock: Int32) throws -> String {
    var note = JobNote(executor: executor, shards: shards, round: round, options: options)
    try note.add(to: folder)
    let script = folder.jobs + "/\(note.number).sh"
    try HostFile.write(Array((shards.isEmpty ? followUpScript(note) : arrayScript(shards)).utf8), to: script)
    let job: String
    do {
      job = try engine.submit(
        BatchJob(
          run: plan.id, note: note.number, script: script, folder: folder.jobs,
          taskCount: shards.isEmpty ? nil : shards.count, predecessors: predecessors,
          options: options, lock: lock))
    } catch {
      // A refused follow-up job writes no results.
      if shards.isEmpty, BatchError.jobRefused ~= error {
        try GatherState.note(ErrorReport(error), ofJob: note.number, in: folder)
      }
      throw error
    }
    try note.accept(job, in: folder)
    return job
  }

  /// Returns the jobs of shards whose tasks may still run, by shard.
  ///
  /// A submission that was killed before its note gets its identifier.
  private func queuedShards(_ live: [EngineTask]) throws -> [Int: String] {
    var queued: [Int: String] = [:]
    for var note in try JobNote.all(of: folder) {
      let tasks = live.filter { $0.note == note.number }
      if note.job == nil, let task = tasks.first { try note.accept(task.job, in: folder) }
      for task in tasks {
        guard let index = task.index, note.shards.indices.contains(index) else { continue }
        queued[note.shards[index]] = task.job
      }
    }
    return queued
  }

  private func line(_ words: String...) -> String {
    (program + ["batch"] + words).map(FilePath.quoted).joined(separator: " ")
  }

  private var versionOption: String { options.allowsOtherVersion ? " --allow-other-version" : "" }

  private func arrayScript(_ shards: [Int]) -> String {
    // The worker replaces the shell, so that it gets the signals.
    """
    #!/bin/sh
    set -- \(shards.map(String.init).joined(separator: " "))
    shift "$\(engine.taskVariable)"
    exec \(line("work", folder.path))\(versionOption) --shard "$1"

    """
  }

  private func followUpScript(_ note: JobNote) -> String {
    let submit = line("submit", folder.path, "--follow", "\(note.number)") + versionOption
    guard let file = options.gather else { return "#!/bin/sh\nexec \(submit)\n" }
    let suffix = file.split(separator: ".").last.map(String.init) ?? ""
    let format = BatchCommands.gatherFormats.contains(suffix) ? suffix : "jsonl"
    let gather = line(
      "gather", folder.path, "--follow", "\(note.number)", "--format", format, "--output", file)
    // Gathering comes last: the job fails if the file cannot be written.
    return """
      #!/bin/sh
      state=$(\(submit) --json) || exit
      printf '%s\\n' "$state"
      case $state in *'"state":"done"'*) exec \(gather) ;; esac

      """
  }

  /// Waits until no job of the run is left.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.no-slurm` if the batch system does not answer for a long time.
  func wait(_ progress: any WorkProgress) throws -> ShardWorker.End {
    var lastAnswer = MonotonicClock.seconds
    while true {
      if folder.isCanceled { return .canceled }
      do {
        let live = try engine.tasks(of: plan.id).filter(\.isLive)
        if live.isEmpty { return .done }
        lastAnswer = MonotonicClock.seconds
        let states = EngineState.count(live.map(\.state)).map { "\($0.value) \($0.key.lowercased())" }
        let done = HostFile.names(in: folder.done).count { $0.hasSuffix(".json") }
        progress.report(
          Progress(
            "\(done) of \(plan.shardCount) shards done, jobs: \(states.sorted().joined(separator: ", "))",
            fraction: Double(done) / Double(plan.shardCount)))
      } catch BatchError.noSlurm where MonotonicClock.seconds - lastAnswer < Self.patienceInSeconds {
        progress.report(Progress("waiting for the batch system to respond"))
      }
      for _ in 0..<10 {
        try progress.checkCancellation()
        poll(nil, 0, 200)
      }
    }
  }

  private static let patienceInSeconds = 600.0
}

/// The state of a run's jobs, as `batch status` shows it.
struct EngineState: Sendable, Equatable {
  /// The number of tasks by state.
  var jobs: [String: Int] = [:]
  /// The number of tasks by the reason why they wait.
  var reasons: [String: Int] = [:]

  /// Queries a batch system.
  ///
  /// - Parameter notes: The notes of the run's jobs.
  init(of run: String, _ notes: [JobNote], _ engine: any BatchEngine) throws {
    let tasks = try engine.tasks(of: run)
    // A batch system forgets jobs some minutes after their end; its records may have them.
    let known = Set(tasks.compactMap(\.note))
    let forgotten = notes.filter { !known.contains($0.number) }.compactMap(\.job)
    jobs = Self.count(tasks.map(\.state) + engine.history(of: forgotten))
    reasons = Self.count(tasks.filter(\.isLive).compactMap(\.reason))
  }

  static func count(_ words: [String]) -> [String: Int] {
    Dictionary(words.map { ($0, 1) }, uniquingKeysWith: +)
  }

  var value: Value {
    func record(_ counts: [String: Int]) -> Value {
      .record(Record(counts.sorted { $0.key < $1.key }.map { .init($0.key, .integer($0.value)) }))
    }
    return ["jobs": record(jobs), "reasons": record(reasons)]
  }
}
