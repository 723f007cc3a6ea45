import Glibc
import PluginAPI
import Synchronization

/// `batch plan|run|work`; the other commands of `batch` are in extensions.
@MainActor enum BatchCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [
      run(interpreter), plan(interpreter), work(interpreter), status(interpreter), errors(interpreter),
      retry(interpreter), cancel(interpreter), gather(interpreter), verify(interpreter), script(interpreter),
      list(interpreter), remove(interpreter),
    ]
  }

  static let runFolder = Parameter("run", .text, "Folder of the run", isRequired: true)
  static let workers = Parameter(
    "workers", .integer(minimum: 1, maximum: 4096), "Number of items that run at a time; default one for each core")
  static let otherVersion = Parameter(
    "allow-other-version", .flag, "Allow other versions of the program and plugin than the plan's")
  static let mostErrors = Parameter(
    "max-errors", .integer(minimum: 0, maximum: .max), "Number of failed items that still counts as success",
    defaultValue: 0)

  /// The shape of a run's state.
  nonisolated static let stateSchema: ValueSchema = .record([
    .init("run", .text, "Identifier of the run"),
    .init("state", .text, "planned, running, stopped, canceled or done"),
    .init("items", .integer), .init("done", .integer, "Items with a record, errors included"),
    .init("errors", .map(.integer), "Items in error, by code"),
    .init("lost", .integer, "Workers that did not end on their own"),
    .init("shards", .record([.init("waiting", .integer), .init("running", .integer), .init("done", .integer)])),
    .init("itemsPerSecond", .optional(.number)), .init("secondsLeft", .optional(.number)),
    .init("prediction", .optional(RunPrediction.schema), "Time and memory, if items were run when it was planned"),
  ])

  private static let planArguments = [
    runFolder,
    Parameter(
      "command", .text, "Command, after --; {} is the item, {NAME} a field of it", isRepeatable: true),
  ]

  private static let planOptions = [
    Parameter("files", .text, "Pattern of files, each an item, in quotes", isRepeatable: true),
    Parameter(
      "items", .inputFile(extensions: ["txt", "csv", "tsv", "jsonl"]),
      "File with an item on each line; - for standard input"),
    Parameter("null", .flag, "Items in the file are separated by null characters"),
    Parameter("from", .text, "Command whose rows are the items, such as 'molecules list'"),
    Parameter(
      "sql", .inputFile(extensions: ["sqlite", "db"]),
      "SQLite database; the next argument is the query for the items"),
    Parameter("parts", .integer(minimum: 1, maximum: 1_000_000), "Number of items 1/N to N/N"),
    Parameter("cost", .text, "Field with the relative cost of an item; default the size of its file"),
    Parameter(
      "probe", .integer(minimum: 0, maximum: 10_000),
      "Number of items to run while planning, for a prediction; default 200, of short lists a twentieth"),
    Parameter(
      "seed", .integer(minimum: 0, maximum: .max), "Number from which {seed} of each item is made", defaultValue: 0),
    Parameter("checksums", .flag, "Record the checksums of the files now, to find changes of the same size"),
    workers,
    Parameter(
      "shards", .integer(minimum: 1, maximum: ShardPlanner.mostShards), "Number of shards; default 16 for each worker"),
    Parameter(
      "item-timeout", .number(minimum: 0.1, maximum: 1e7), "Time limit of an item", unit: "seconds", defaultValue: 600),
    Parameter(
      "item-memory", .integer(minimum: 16, maximum: 1 << 30), "Memory limit of an item; default none", unit: "MiB"),
    Parameter("allow-network", .flag, "Allow a command that uses the network"),
  ]

  private static func plan(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch plan", "Plan a run without starting it", output: .init(stateSchema), effects: [.reads, .writes]
    ).taking(planArguments, options: planOptions).explained(
      """
      The folder of the run keeps the list of items. 'batch run' and 'batch work' start it. A few items of all sizes \
      run now: their results are kept, and the time and memory of the others are predicted from them.
      """,
      examples: [
        .init(
          "batch plan dssp --files 'pdb/*.cif.gz' -- molecules secondary-structure {}", "One item for each file")
      ])
    return HostCommand(declaration, takesDryRun: true) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      guard let plan = try await planned(folder, call, interpreter) else {
        throw BatchError.noItems("'batch plan' needs a list of items and a command")
      }
      try await emitState(plan, folder, call)
    }
  }

  private static func run(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch run", "Run a command for many items on all cores, or resume the run", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking(planArguments, options: planOptions + [mostErrors, otherVersion]).explained(
      """
      Each item runs in a child process. A crash, a time-out or a lack of memory ends that item only. The same line \
      again resumes a run that was interrupted or killed, and so does 'batch run RUN'. Only commands that read are \
      allowed: an item may run more than once, but has one result.

      With --dry-run, the run is planned and its time and memory predicted, but it is not started. The exit status is \
      0 if every item has a result, 5 if items ended in an error, 1 if items are missing.
      """,
      examples: [
        .init(
          "batch run dssp --files 'pdb/*.cif.gz' -- molecules secondary-structure {}", "One item for each file"),
        .init("batch run dssp", "Resume the run"),
        .init(
          "batch run areas --files 'pdb/*.cif.gz' --dry-run -- molecules surface-area {}", "Predict time and memory"),
        .init("batch run areas --from 'molecules list' -- molecules surface-area {code}", "The rows of a table"),
        .init("batch run fva --items models.txt --workers 4 -- pathcase fva {}", "The lines of a file"),
      ])
    return HostCommand(declaration, takesDryRun: true) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try await planned(folder, call, interpreter) ?? RunPlan(reading: folder)
      if await interpreter.options.isDryRun { return try await emitState(plan, folder, call) }
      try await resume(plan, folder, call, interpreter)
    }
  }

  private static func work(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch work", "Run the items of one shard, as schedulers do", output: .init(stateSchema),
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
      examples: [.init("batch work dssp --shard 17", "The seventeenth shard")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      let shard = call["shard"].integer ?? 0
      guard shard <= plan.shardCount else {
        throw BatchError.noRun("'\(folder.name)' has no shard \(shard); the last is \(plan.shardCount)")
      }
      try await BatchSetup(interpreter: interpreter).check(plan, folder, call)
      let local = try await executor(plan, folder, shard...shard, call, interpreter, workerCount: 1)
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
    let template = try CommandTemplate(command, fields: first.fields.names, seed: seed)
    guard template.hasPlaceholders else {
      throw BatchError.noItems("the command has no placeholder", advice: "write {} in place of the item")
    }
    let words = try template.words(for: first)
    let entry = try setup.command(of: words, allowsNetwork: limits.allowsNetwork).entry
    let planner = RunPlanner(
      folder: folder, command: command,
      choices: RunPlanner.Choices(
        limits: limits, seed: seed, shardCount: call["shards"].integer, workers: .threads(workerCount(call)),
        probeSize: call["probe"].integer, isPredictionWanted: interpreter.options.isDryRun,
        costField: call["cost"].text, hashesInputs: call.flag("checksums")),
      versions: try RunVersions(of: entry, interpreter.session.plugins),
      launch: setup.launch(in: FilePath.absolute("."), allowsNetwork: limits.allowsNetwork))
    let plan = try await call.compute("planning") { progress in try planner.plan(source, progress) }
    try RunRegistry(state: interpreter.session.folders.state).add(folder)
    return plan
  }

  /// Runs what is missing of a run and reports its state.
  ///
  /// - Parameter items: The items to run again, whose records no longer count.
  static func resume(
    _ plan: RunPlan, _ folder: RunFolder, retrying items: [Int] = [], _ call: CommandCall,
    _ interpreter: CommandInterpreter
  ) async throws {
    // First: a refused run stays as it is.
    try BatchSetup(interpreter: interpreter).check(plan, folder, call)
    unlink(folder.cancel)
    if !items.isEmpty {
      try RetryNotes.add(items: items, logs: folder.logs().values.flatMap(\.self).sorted(), to: folder)
    }
    let shards = 1...plan.shardCount
    let local = try await executor(plan, folder, shards, call, interpreter, workerCount: workerCount(call))
    let end = try await local.run(shards, call)
    let summary = try await call.compute("counting records") { _ in
      try RunSummary(of: folder, shards: shards)
    }
    try await call.emit(summary.value(plan, folder))
    try report(end, call)
    guard summary.done == plan.itemCount else {
      throw BatchError.itemsMissing(
        "\(plan.itemCount - summary.done) of \(plan.itemCount) items have no record",
        advice: "resume with 'workbench batch run \(folder.name)'")
    }
    guard summary.errorCount <= call["max-errors"].integer ?? 0 else {
      throw BatchError.itemsFailed(
        "\(summary.errorCount) of \(plan.itemCount) items ended in an error",
        advice: "list them with 'workbench batch errors \(folder.name)'")
    }
  }

  private static func executor(
    _ plan: RunPlan, _ folder: RunFolder, _ shards: ClosedRange<Int>, _ call: CommandCall,
    _ interpreter: CommandInterpreter, workerCount: Int
  ) async throws -> LocalExecutor {
    let missing = try await call.compute("counting records") { _ in
      let summary = try RunSummary(of: folder, shards: shards, trustsMarkers: true)
      return summary.items - summary.done
    }
    let counter = RecordCounter(total: missing, call)
    let launch = BatchSetup(interpreter: interpreter).launch(plan)
    return LocalExecutor(
      job: ShardWorker.Job(
        folder: folder, plan: plan, launch: launch, stop: StopFlag(), onRecord: { counter.add() }),
      workerCount: workerCount)
  }

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
          .note, code: "batch.stopped", "stopped by SIGTERM; completed work is kept", advice: "run it again to resume"))
      throw ReportedFailure(status: 128 + SIGTERM)
    case .canceled:
      throw BatchError.canceled("the run was canceled; completed work is kept", advice: "run it again to resume")
    }
  }

  static func emitState(_ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall) async throws {
    let state = try await call.compute("counting records") { _ in
      try RunSummary(of: folder, shards: 1...plan.shardCount, trustsMarkers: true).value(plan, folder)
    }
    try await call.emit(state)
  }
}

/// Counts new records and reports them as progress, of those that were missing.
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
