import Glibc
import PluginAPI
import Synchronization

/// `batch plan|run|submit|work`; the other commands of `batch` are in extensions.
@MainActor enum BatchCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [
      run(interpreter), submit(interpreter), plan(interpreter), work(interpreter), status(interpreter),
      errors(interpreter), retry(interpreter), cancel(interpreter), gather(interpreter), verify(interpreter),
      script(interpreter), list(interpreter), remove(interpreter),
    ]
  }

  static let runFolder = Parameter("run", .text, "Folder of the run", isRequired: true)
  static let workers = Parameter(
    "workers", .integer(minimum: 1, maximum: 4096), "Number of items that run at a time; default one for each core")
  static let otherVersion = Parameter(
    "allow-other-version", .flag, "Allow versions of program and plugins, and settings, that differ from the plan"
  )
  static let mostErrors = Parameter(
    "max-errors", .integer(minimum: 0, maximum: .max), "Maximum number of failed items for exit status 0",
    defaultValue: 0)

  static let executor = Parameter(
    "executor", .choice(BatchExecutor.allCases.map(\.rawValue)),
    "Executor of the run; default that of its last jobs, or local")
  private static let mostRunning = Parameter(
    "max-running", .integer(minimum: 1, maximum: .max), "Number of jobs that run at a time")
  static let jobOptions = [
    Parameter("partition", .text, "Partition of the jobs"),
    JobTime.option,
    Parameter("memory", .text, "Memory of a job, such as 2G"),
    mostRunning,
    Parameter("sbatch", .text, "Further option of sbatch, such as account=lab", isRepeatable: true),
    Parameter(
      "gather", .outputFile, "File that the follow-up job writes the results to; its suffix is the format, or jsonl"),
  ]

  static let follow = Parameter(
    "follow", .integer(minimum: 1, maximum: .max), "Number of the follow-up job that runs this command")

  /// The shape of a run's state.
  nonisolated static let stateSchema: ValueSchema = .record([
    .init("run", .text, "Identifier of the run"),
    .init("state", .text, "planned, running, stopped, canceled or done"),
    .init("items", .integer), .init("done", .integer, "Items with a record, errors included"),
    .init("errors", .map(.integer), "Number of failed items, by code"),
    .init("lost", .integer, "Number of workers that were lost"),
    .init("shards", .record([.init("waiting", .integer), .init("running", .integer), .init("done", .integer)])),
    .init("itemsPerSecond", .optional(.number)), .init("secondsLeft", .optional(.number)),
    .init("prediction", .optional(RunPrediction.schema), "Predicted time and memory, if items ran during planning"),
    .init("gather", .optional(GatherState.schema), "Results that the follow-up job writes"),
    .init(
      "engine", .optional(.record([.init("jobs", .map(.integer)), .init("reasons", .map(.integer))])),
      "Number of jobs by state, and by the reason that they wait, as the batch system reports them"),
  ])

  private static let planArguments = [
    runFolder,
    Parameter(
      "command", .text, "Command, after --; {} is the item, {NAME} a field of it", isRepeatable: true),
  ]

  private static let planOptions = [
    Parameter("files", .text, "Pattern of files, in quotes; each file is an item", isRepeatable: true),
    Parameter(
      "items", .inputFile(extensions: ["txt", "csv", "tsv", "jsonl"]),
      "File with an item on each line; - for standard input"),
    Parameter("null", .flag, "Items in the file are separated by null characters"),
    Parameter("from", .text, "Command whose rows are the items, such as 'molecules list'"),
    Parameter(
      "sql", .inputFile(extensions: ["sqlite", "db"]),
      "SQLite database; the next argument is the query for the items"),
    Parameter("parts", .integer(minimum: 1, maximum: 1_000_000), "Number of parts; the items are 1/N to N/N"),
    Parameter("cost", .text, "Field with the relative cost of an item; default the size of its file"),
    Parameter(
      "probe", .integer(minimum: 0, maximum: 10_000),
      "Number of items to run while planning, for a prediction; default 200, or a twentieth of a short list"),
    Parameter(
      "seed", .integer(minimum: 0, maximum: .max), "Seed from which the {seed} of each item is derived; default 0"),
    Parameter("checksums", .flag, "Record checksums of the files now, to detect changes that keep the size"),
    workers,
    Parameter(
      "shards", .integer(minimum: 1, maximum: ShardPlanner.mostShards),
      "Number of shards; default 16 for each worker, or about one for each running job"),
    Parameter(
      "item-timeout", .number(minimum: 0.1, maximum: 1e7), "Time limit of an item; default 600", unit: "second"),
    Parameter(
      "item-memory", .integer(minimum: 16, maximum: 1 << 30), "Memory limit of an item; default none", unit: "MiB"),
    Parameter("allow-network", .flag, "Allow a command that uses the network"),
  ]

  private static func plan(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch plan", "Plan a run without starting it", output: .init(stateSchema), effects: [.reads, .writes]
    ).taking(
      planArguments,
      options: planOptions + [
        Parameter(
          "executor", .choice(BatchExecutor.allCases.map(\.rawValue)), "Executor to divide the run for",
          defaultValue: .text(BatchExecutor.local.rawValue)), JobTime.option, mostRunning,
      ]
    ).explained(
      """
      The folder of the run keeps the list of items. 'batch run', 'batch submit' and 'batch work' start it. A few \
      items of all sizes run now. Their results are kept, and their times and memory predict those of the other items.
      """,
      examples: [
        .init(
          "batch plan dssp --files 'pdb/*.cif.gz' -- molecules secondary-structure {}", "One item for each file"),
        .init(
          "batch plan dssp --files 'pdb/*.cif.gz' --executor slurm --time 1:00:00 -- molecules secondary-structure {}",
          "Shards for Slurm jobs"),
      ])
    return HostCommand(declaration, takesDryRun: true) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      _ = try await executor(of: call, after: nil)
      guard let plan = try await planned(folder, call, interpreter) else {
        throw BatchError.noItems("'batch plan' needs a list of items and a command")
      }
      try plan.check(call, folder)
      try await emitState(plan, folder, call, interpreter)
    }
  }

  private static func run(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch run", "Run a command for many items on all cores, or resume the run", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking(planArguments, options: planOptions + [executor] + jobOptions + [mostErrors, otherVersion]).explained(
      """
      Each item runs in a child process. A crash, a timeout or running out of memory ends only that item. To resume a \
      run that was interrupted or killed, repeat the command, or use 'batch run RUN'. The command must be read-only: \
      an item may run more than once, but has one result.

      With --dry-run, the run is planned and its time and memory predicted, but it is not started. With --executor \
      slurm the items run in Slurm jobs. The command waits for them; the jobs continue even if it ends.

      The exit status is 0 if every item has a result, 5 if items ended in an error, 1 if items are missing.
      """,
      examples: [
        .init(
          "batch run dssp --files 'pdb/*.cif.gz' -- molecules secondary-structure {}", "One item for each file"),
        .init("batch run dssp", "Resume the run"),
        .init(
          "batch run areas --files 'pdb/*.cif.gz' --dry-run -- molecules surface-area {}", "Predict time and memory"),
        .init("batch run areas --from 'molecules list' -- molecules surface-area {code}", "The rows of a table"),
        .init("batch run fva --items models.txt --workers 4 -- pathcase fva {}", "The lines of a file"),
        .init("batch run dssp --executor slurm --time 1:00:00", "In Slurm jobs"),
      ])
    return HostCommand(declaration, takesDryRun: true) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      guard let plan = try await prepared(folder, call, interpreter) else { return }
      try await resume(plan, folder, call, interpreter)
    }
  }

  private static func submit(_ interpreter: CommandInterpreter) -> HostCommand {
    let systems = BatchExecutor.allCases.filter { $0 != .local }
    let declaration = CommandDescription(
      "batch submit", "Submit the missing items of a run as Slurm jobs", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking(
      planArguments,
      options: planOptions.filter { $0.name != "workers" } + [
        Parameter(
          "executor", .choice(systems.map(\.rawValue)), "Batch system",
          defaultValue: .text(BatchExecutor.slurm.rawValue))
      ] + jobOptions + [follow, otherVersion]
    ).explained(
      """
      Each shard is a task of a job array. A follow-up job resubmits missing shards, at most twice. You can log \
      out meanwhile: 'batch status' shows the progress of the run, and 'batch cancel' ends its jobs.

      Omitted options of the jobs keep the values of the last submission. With --dry-run, the run is planned and its \
      time and memory predicted, but nothing is submitted.
      """,
      examples: [
        .init(
          "batch submit dssp --files 'pdb/*.cif.gz' --max-running 200 -- molecules secondary-structure {}",
          "Two hundred jobs"),
        .init("batch submit dssp --partition long --gather dssp.jsonl", "The missing items of a run"),
      ])
    return HostCommand(declaration, takesDryRun: true) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      guard let plan = try await prepared(folder, call, interpreter) else { return }
      if let number = call["follow"].integer {
        try await follow(try JobNote(number, in: folder), plan, folder, call, interpreter)
      } else {
        try await resume(plan, folder, waits: false, call, interpreter)
      }
    }
  }

  private static func work(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch work", "Run the items of one shard, for a scheduler", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking(
      [runFolder],
      options: [
        Parameter(
          "shard", .integer(minimum: 1, maximum: ShardPlanner.mostShards), "Number of the shard", isRequired: true),
        otherVersion,
      ]
    ).explained(
      "The exit status is 0 if every item of the shard has a record, errors included.",
      examples: [.init("batch work dssp --shard 17", "Shard 17")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      let shard = call["shard"].integer ?? 0
      guard shard <= plan.shardCount else {
        throw BatchError.noRun("'\(folder.name)' has no shard \(shard); the last is \(plan.shardCount)")
      }
      try await BatchSetup(interpreter: interpreter).check(plan, folder, call)
      let local = try await localExecutor(plan, folder, shard...shard, call, interpreter, workerCount: 1)
      let end = try await local.run(only: shard, call)
      try await call.emit(
        try await call.compute("counting records") { _ in
          try RunSummary(of: folder, shards: [shard]).value(plan, folder)
        })
      try report(end, call)
    }
  }
}

extension BatchCommands {
  /// Plans the run that a call describes, or reads the plan of its folder.
  ///
  /// - Returns: nil after a dry run, whose result is the state of the plan.
  private static func prepared(
    _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> RunPlan? {
    // First: planning takes a minute, and divides the run for its executor.
    _ = try executor(of: call, after: try JobNote.all(of: folder).last)
    let plan = try await planned(folder, call, interpreter) ?? RunPlan(reading: folder)
    try plan.check(call, folder)
    if !interpreter.options.isDryRun { return plan }
    try await emitState(plan, folder, call, interpreter)
    return nil
  }

  /// Plans the run that a call describes; returns nil if it names neither items nor a command.
  private static func planned(
    _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> RunPlan? {
    let setup = BatchSetup(interpreter: interpreter)
    var command = call.texts("command")
    let query = call["sql"].isNull || command.isEmpty ? nil : command.removeFirst()
    guard let source = try await setup.source(call, query: query) else {
      if command.isEmpty { return nil }
      throw BatchError.noItems(
        "a list of items is missing", advice: "name one with '--files', '--items', '--from', '--sql' or '--parts'")
    }
    guard !command.isEmpty else {
      throw BatchError.noItems("the command is missing", advice: "write it after '--'")
    }
    let limits = RunPlan.Limits(
      itemTimeoutInSeconds: call["item-timeout"].number ?? 600, itemMemoryInMebibytes: call["item-memory"].integer,
      allowsNetwork: call.flag("allow-network"))
    let first = try await call.compute("listing items") { _ in try source.first() }
    guard let first else { throw BatchError.noItems("the list of items is empty") }
    let seed = call["seed"].integer ?? 0
    let options = RunPlan.Options(
      costField: call["cost"].text, probeSize: call["probe"].integer, hashesInputs: call.flag("checksums"))
    let template = try CommandTemplate(command, fields: first.fields.names, seed: seed)
    guard template.hasPlaceholders else {
      throw BatchError.noItems("the command has no placeholder", advice: "write {} in place of the item")
    }
    let words = try template.words(for: first)
    let (entry, arguments, _) = try setup.command(of: words, allowsNetwork: limits.allowsNetwork)
    let isPlanned = access(folder.plan, F_OK) == 0
    let stores =
      isPlanned ? nil : try await setup.backUpStores(of: entry, arguments, allowsNetwork: limits.allowsNetwork)
    defer { if let stores { interpreter.streams.temporary.remove(stores) } }
    let planner = RunPlanner(
      folder: folder, command: command,
      choices: RunPlanner.Choices(
        limits: limits, seed: seed, options: options, shardCount: call["shards"].integer, workers: try workers(call),
        isPredictionWanted: interpreter.options.isDryRun),
      versions: try RunVersions(of: entry, interpreter),
      launch: setup.launch(in: FilePath.absolute("."), stores: stores, allowsNetwork: limits.allowsNetwork),
      stores: stores)
    let plan = try await call.compute("planning") { progress in try planner.plan(source, progress) }
    try RunRegistry(state: interpreter.session.folders.state).add(folder)
    return plan
  }

  /// Runs the missing items of a run and reports its state.
  ///
  /// - Parameters:
  ///   - items: The items to run again, whose records no longer count.
  ///   - waits: True to wait for the end of jobs.
  static func resume(
    _ plan: RunPlan, _ folder: RunFolder, retrying items: [Int] = [], waits: Bool = true, _ call: CommandCall,
    _ interpreter: CommandInterpreter
  ) async throws {
    // First: a refused run stays as it is.
    try BatchSetup(interpreter: interpreter).check(plan, folder, call)
    let submission = try await submission(plan, folder, after: try JobNote.all(of: folder).last, call, interpreter)
    unlink(folder.cancel)
    if !items.isEmpty {
      try RetryNotes.add(items: items, logs: folder.logs().values.flatMap(\.self).sorted(), to: folder)
    }
    let shards = 1...plan.shardCount
    let end: ShardWorker.End
    if let submission {
      try await submit(submission, following: nil, call)
      guard waits else { return try await emitState(plan, folder, call, interpreter) }
      end = try await call.compute("waiting for jobs") { try submission.wait($0) }
    } else {
      let local = try await localExecutor(plan, folder, shards, call, interpreter, workerCount: workerCount(call))
      end = try await local.run(shards, call)
    }
    let summary = try await call.compute("counting records") { _ in
      try RunSummary(of: folder, shards: shards)
    }
    let engine = try await engineState(plan, folder, call, interpreter)
    let gathering = try GatherState(of: folder)
    try await call.emit(summary.value(plan, folder, engine, gathering))
    try report(end, call)
    guard summary.done == plan.itemCount else {
      throw BatchError.itemsMissing(
        "\(plan.itemCount - summary.done) of \(plan.itemCount) items have no record",
        advice: "resume with 'workbench batch run \(folder.name)'")
    }
    if submission != nil { try gathering?.requireDone(folder) }
    guard summary.errorCount <= call["max-errors"].integer ?? 0 else {
      throw BatchError.itemsFailed(
        "\(summary.errorCount) of \(plan.itemCount) items ended in an error",
        advice: "list them with 'workbench batch errors \(folder.name)'")
    }
  }

  private static func localExecutor(
    _ plan: RunPlan, _ folder: RunFolder, _ shards: ClosedRange<Int>, _ call: CommandCall,
    _ interpreter: CommandInterpreter, workerCount: Int
  ) async throws -> LocalExecutor {
    let missing = try await call.compute("counting records") { _ in
      let summary = try RunSummary(of: folder, shards: shards, trustsMarkers: true)
      return summary.items - summary.done
    }
    try await call.compute("checking stores") { _ in
      for store in plan.stores { try store.check(in: folder) }
    }
    let counter = RecordCounter(total: missing, call)
    let launch = BatchSetup(interpreter: interpreter).launch(plan, folder)
    return LocalExecutor(
      job: ShardWorker.Job(
        folder: folder, plan: plan, launch: launch, stop: StopFlag(), onRecord: { counter.add() }),
      workerCount: workerCount)
  }

  /// Returns the workers for which a new run is divided.
  private static func workers(_ call: CommandCall) throws -> ShardPlanner.Workers {
    guard let executor = call["executor"].text, executor != BatchExecutor.local.rawValue else {
      return .threads(workerCount(call))
    }
    // Jobs begin seconds after each other: more shards than running jobs cost more than they balance.
    let usableSeconds = try JobTime.seconds(call).map { Double($0 - JobTime.noticeInSeconds) }
    return .jobs(call["max-running"].integer ?? defaultJobCount, timeLimitInSeconds: usableSeconds)
  }

  private static let defaultJobCount = 100

  private static func workerCount(_ call: CommandCall) -> Int {
    call["workers"].integer ?? max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN)))
  }

  /// Reports work that was stopped.
  ///
  /// - Throws: ``ReportedFailure`` with the status of SIGTERM; ``ErrorReport`` with the code `batch.canceled`.
  private nonisolated static func report(_ end: ShardWorker.End, _ call: CommandCall) throws {
    switch end {
    case .done: return
    case .stopped:
      call.warn(
        Diagnostic(
          .note, code: "batch.stopped", "stopped by SIGTERM; completed work is kept",
          advice: "repeat the command to resume"))
      throw ReportedFailure(status: 128 + SIGTERM)
    case .canceled:
      throw BatchError.canceled("the run was canceled; completed work is kept", advice: "repeat the command to resume")
    }
  }

  static func emitState(
    _ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    let engine = try await engineState(plan, folder, call, interpreter)
    let state = try await call.compute("counting records") { _ in
      try RunSummary(of: folder, shards: 1...plan.shardCount, trustsMarkers: true)
        .value(plan, folder, engine, try GatherState(of: folder))
    }
    try await call.emit(state)
  }
}

/// Jobs of batch systems.
extension BatchCommands {
  /// Prepares to submit a run; returns nil if this machine is to run it.
  ///
  /// - Parameter last: The note with the options that the call leaves out.
  /// - Throws: ``ErrorReport`` with the code `batch.not-allowed` or `batch.no-slurm`, or that of ``executor(of:after:)``.
  private static func submission(
    _ plan: RunPlan, _ folder: RunFolder, after last: JobNote?, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> JobSubmission? {
    let executor = try executor(of: call, after: last)
    guard let engine = executor.engine(interpreter.streams.environment) else { return nil }
    if plan.limits.allowsNetwork { throw networkRefusal }
    let launch = BatchSetup(interpreter: interpreter).launch(plan, folder)
    let options = JobOptions(call, else: last?.options)
    return try await call.compute("asking for limits") { _ in
      try JobSubmission(of: plan, in: folder, to: executor, engine, options, program: [launch.program] + launch.options)
    }
  }

  /// Returns the executor that a call names, else that of the run's last jobs, else this machine.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.unused-option` for an option without effect, `batch.bad-time`, or
  ///   `batch.not-allowed` for the network in jobs.
  private static func executor(of call: CommandCall, after last: JobNote?) throws -> BatchExecutor {
    let executor = call["executor"].text.flatMap(BatchExecutor.init) ?? last?.executor ?? .local
    let unused: [Parameter] = executor == .local ? jobOptions : [workers]
    if let option = unused.first(where: { !call[$0.name].isNull && call[$0.name].list?.isEmpty != true }) {
      throw BatchError.unusedOption(
        "'--\(option.name)' has no effect with the executor '\(executor.rawValue)'",
        advice: "leave it out, or name another '--executor'")
    }
    try JobTime.checkForJobs(call)
    if executor != .local, call.flag("allow-network") { throw networkRefusal }
    return executor
  }

  private static var networkRefusal: ErrorReport {
    BatchError.notAllowed("jobs cannot use the network", advice: "run it with '--executor local'")
  }

  private static func submit(_ submission: JobSubmission, following note: JobNote?, _ call: CommandCall) async throws {
    let outcome = try await call.compute("submitting") { try submission.submit(following: note, $0) }
    if let refusal = outcome.refusal {
      call.warn(
        Diagnostic(
          .warning, code: refusal.code, refusal.message,
          advice: "the other \(outcome.shardCount) shards are submitted; their follow-up job submits the rest"))
    }
  }

  /// Submits the shards that the jobs of a submission did not finish, as their follow-up job.
  private static func follow(
    _ note: JobNote, _ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    if folder.isCanceled { try report(.canceled, call) }
    try BatchSetup(interpreter: interpreter).check(plan, folder, call)
    if let submission = try await submission(plan, folder, after: note, call, interpreter) {
      try await submit(submission, following: note, call)
    }
    try await emitState(plan, folder, call, interpreter)
  }

  /// Returns the batch system that has jobs of a run; nil if there were none.
  static func engine(of folder: RunFolder, _ interpreter: CommandInterpreter) throws -> (any BatchEngine)? {
    try JobNote.all(of: folder).last?.executor.engine(interpreter.streams.environment)
  }

  /// Returns the state of a run's jobs; nil if there were none, or with a warning if the batch system does not answer.
  private static func engineState(
    _ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws -> EngineState? {
    guard let engine = try engine(of: folder, interpreter) else { return nil }
    return try await warning(call) {
      try await call.compute("asking for jobs") { _ in
        try EngineState(of: plan.id, try JobNote.all(of: folder), engine)
      }
    }
  }

  /// Queries a batch system for information that the run does not depend on; an error is only a warning.
  static func warning<Result>(_ call: CommandCall, _ ask: () async throws -> Result) async throws -> Result? {
    do {
      return try await ask()
    } catch BatchError.noSlurm {
      call.warn(Diagnostic(.warning, code: BatchError.noSlurm.code, "jobs are unknown: Slurm does not respond"))
      return nil
    }
  }
}

/// Counts new records and reports them as progress toward the number that was missing.
private final class RecordCounter: Sendable {
  private let count = Atomic(0)
  private let total: Int
  private let call: CommandCall

  init(total: Int, _ call: CommandCall) { (self.total, self.call) = (total, call) }

  func add() {
    let new = count.add(1, ordering: .relaxed).newValue
    call.report(Progress("\(new) items run", fraction: Double(new) / Double(max(new, total))))
  }
}
