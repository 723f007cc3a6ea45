import Glibc
import PluginAPI
import PluginPostgres

/// `batch status|errors|gather|verify|list`.
extension BatchCommands {
  static func status(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch status", "Show the progress of a run", output: .init(stateSchema)
    ).taking(
      [runFolder],
      options: [Parameter("watch", .flag, "Report progress until the run is done or canceled, then show the state")]
    ).explained(
      """
      On a terminal, --watch refreshes one line of progress; elsewhere it writes a note to standard error for each \
      percent completed. Ctrl-C ends the watch, not the run.
      """,
      examples: [
        .init("batch status dssp", "State, errors and speed"),
        .init("batch status dssp --watch", "Wait for the end of the run, then show its state"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      if call.flag("watch") { try await watch(plan, folder, call, interpreter) }
      try await emitState(plan, folder, call, interpreter)
    }
  }

  /// Reports the progress of a run until it is done or canceled.
  ///
  /// A stopped run may get a worker again, so the watch continues.
  private static func watch(
    _ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    let showsLine = interpreter.streams.error.isTerminal && !interpreter.options.isPlain
    try await call.compute("watching") { progress in
      var noted: (state: RunSummary.State, percent: Int)?
      while true {
        let start = MonotonicClock.seconds
        let summary = try RunSummary(of: folder, shards: 1...plan.shardCount, trustsMarkers: true)
        let (state, percent) = (summary.state(folder), summary.done * 100 / max(1, summary.items))
        if showsLine {
          progress.report(
            Progress(summary.line(folder), fraction: Double(summary.done) / Double(max(1, summary.items))))
        } else if noted.map({ $0 != (state, percent) }) ?? true {
          call.warn(Diagnostic(.note, code: "batch.progress", summary.line(folder)))
          noted = (state, percent)
        }
        switch state {
        case .done, .canceled: return
        case .planned, .running, .stopped: break
        }
        // Reading the logs of a large run takes at most a fifth of the time.
        let resume = MonotonicClock.seconds + max(1, 4 * (MonotonicClock.seconds - start))
        repeat {
          try progress.checkCancellation()
          poll(nil, 0, 100)
        } while MonotonicClock.seconds < resume
      }
    }
  }

  static func errors(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("item", .integer), .init("id", .text), .init("code", .text), .init("message", .text),
      .init("retryable", .bool),
    ]
    let declaration = CommandDescription(
      "batch errors", "List the items of a run that ended in an error", output: .init(.table(fields))
    ).taking([runFolder], options: [Parameter("code", .text, "Code of the errors to list")])
      .explained(examples: [.init("batch errors dssp --code batch.item-timed-out", "Items that timed out")])
    return HostCommand(declaration) { call in
      let folder = RunFolder(call.text("run"))
      let errors = try await call.compute("reading errors") { progress in
        try FailedItem.all(of: folder, code: call["code"].text, progress)
      }
      try await call.emit(
        .table(
          Table(columns: [
            .init("item", .integers(errors.map(\.item))), .init("id", .texts(errors.map(\.id))),
            .init("code", .texts(errors.map(\.code))), .init("message", .texts(errors.map(\.message))),
            .init("retryable", .values(errors.map { .bool($0.isRetryable) })),
          ])))
    }
  }

  /// The formats of gathered results.
  nonisolated static let gatherFormats = GatherFormat.allCases.map(\.rawValue) + ["sqlite"]

  static func gather(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch gather", "Write the results of a run, in the order of its items", output: .init(.any, isStream: true),
      effects: [.reads, .writes, .network]
    ).taking(
      [runFolder],
      options: [
        Parameter(
          "format", .choice(gatherFormats), "Format; default jsonl, or that of --csv, --tsv or --arrow"),
        Parameter("output", .outputFile, "Output file; default standard output"),
        Parameter("into", .url, "PostgreSQL database to add the results to, instead of a file"),
        Parameter("partial", .flag, "Write the results of an incomplete run"), follow,
      ]
    ).explained(
      """
      JSON Lines have one record for each item: {item, id, value} or {item, id, error}. The columns of CSV, TSV and \
      Arrow begin with those of the item, 'item', 'item.id' and its fields; an item whose value is a table has many \
      rows. SQLite and PostgreSQL have the tables workbench_run and workbench_result. '--into' adds the rows that the \
      database lacks; the password comes from '~/.pgpass' or the file that PGPASSFILE names.
      """,
      examples: [
        .init("batch gather dssp --output dssp.jsonl", "One record for each item"),
        .init("batch gather areas --format csv --output areas.csv", "One row for each row of the values"),
        .init("batch gather dssp --into postgresql://localhost/lab", "Rows of a PostgreSQL database"),
      ])
    return HostCommand(declaration, writesOutput: true) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      do {
        try await write(plan, folder, call, interpreter)
      } catch {
        if let job = call["follow"].integer { try? GatherState.note(ErrorReport(error), ofJob: job, in: folder) }
        throw error
      }
      if let job = call["follow"].integer { try GatherState.note(nil, ofJob: job, in: folder) }
    }
  }

  /// Writes the results of a run to a file, standard output or a database.
  private static func write(
    _ plan: RunPlan, _ folder: RunFolder, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    if let address = call["into"].text { return try await add(plan, folder, to: address, call, interpreter) }
    let schema = BatchSetup(interpreter: interpreter).schema(of: plan)
    // nil for a database.
    let format = GatherFormat(rawValue: call["format"].text ?? GatherFormat(interpreter.options.format).rawValue)
    if format == nil, call["output"].isNull {
      throw CommonHostError.noStandardOutput(
        "a database cannot go to standard output", advice: "name a file with '--output'")
    }
    let output = interpreter.streams.output
    if format == .arrow, call["output"].isNull, output.isTerminal, !interpreter.options.assumeYes {
      throw OutputError.binaryOnTerminal
    }
    try await call.compute("gathering") { progress in
      let records = try RunRecords(of: folder, plan, progress)
      defer { records.close() }
      if !call.flag("partial") { try records.requireAll(plan, folder) }
      guard let format else { return try ResultDatabase.write(records, plan, to: call.text("output"), progress) }
      guard let path = call["output"].text else {
        try format.write(records, schema: schema, progress) { try output.write($0) }
        return try output.flush()
      }
      let file = try FileReplacement(of: path, mode: HostFile.resultMode)
      do {
        try format.write(records, schema: schema, progress) { bytes in
          let failure = HostFile.writeAll(bytes, to: file.descriptor)
          if failure != 0 { throw HostFileError.cannot(.write, path, code: failure) }
        }
      } catch {
        file.discard()
        throw error
      }
      try file.commit(isDurable: true)
    }
  }

  /// Adds the results of a run to a PostgreSQL database.
  private static func add(
    _ plan: RunPlan, _ folder: RunFolder, to address: String, _ call: CommandCall, _ interpreter: CommandInterpreter
  ) async throws {
    for name in ["output", "format"] where !call[name].isNull {
      throw CommandLineError.unfittingArgument(
        "'--\(name)' and '--into' exclude each other", advice: "leave out one of them")
    }
    let address = try interpreter.session.database(address)
    let isPartial = call.flag("partial")
    let (added, all) = try await call.compute("gathering") { progress in
      let records = try RunRecords(of: folder, plan, progress)
      defer { records.close() }
      if !isPartial { try records.requireAll(plan, folder) }
      return try ResultTable.add(records, plan, to: address, progress)
    }
    call.warn(
      Diagnostic(.note, code: "batch.added", "added \(added) of \(all) results; '\(address.name)' has them all"))
  }

  static func verify(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch verify", "Check that a run is complete, and run a sample of it again",
      output: .init(
        .record([
          .init("items", .integer),
          .init("damagedLines", .integer, "Number of torn or damaged lines in logs, which are ignored"),
          .init("sampled", .integer, "Number of items that were run again"),
          .init("differing", .list(.record([.init("item", .integer), .init("id", .text)]))),
        ]))
    ).taking(
      [runFolder],
      options: [
        Parameter(
          "sample", .integer(minimum: 0, maximum: .max), "Number of items to run again and compare", defaultValue: 0)
      ]
    ).explained(examples: [.init("batch verify dssp --sample 100", "Run a hundred items again")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      let sample = call["sample"].integer ?? 0
      let verification = RunVerification(
        folder: folder, plan: plan, launch: await BatchSetup(interpreter: interpreter).launch(plan, folder))
      let (damagedLines, sampled, findings) = try await call.compute("verifying") {
        (progress) throws -> (Int, Int, [RunVerification.Finding]) in
        let records = try RunRecords(of: folder, plan, progress)
        defer { records.close() }
        try records.requireAll(plan, folder)
        let (sampled, findings) = try verification.check(sample: sample, records, progress)
        return (records.damagedLines, sampled, findings)
      }
      let differing: [Value] = findings.map { ["item": .integer($0.item), "id": .text($0.id)] }
      let result: Value = [
        "items": .integer(plan.itemCount), "damagedLines": .integer(damagedLines), "sampled": .integer(sampled),
        "differing": .list(differing),
      ]
      try await call.emit(result)
      if let first = findings.first {
        throw BatchError.resultsDiffer(
          "\(findings.count) of \(sampled) items gave a different result, such as '\(first.id)'",
          details: ["items": .list(findings.map { .integer($0.item) })])
      }
    }
  }

  static func list(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("folder", .text), .init("run", .text), .init("command", .text), .init("items", .integer),
    ]
    let declaration = CommandDescription(
      "batch list", "List your runs", output: .init(.table(fields))
    ).explained(examples: [.init("batch list", "Folders and commands")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folders = RunRegistry(state: interpreter.session.folders.state).folders
      let runs = folders.compactMap { folder in (try? RunPlan(reading: folder)).map { (folder, $0) } }
      try await call.emit(
        .table(
          Table(columns: [
            .init("folder", .texts(runs.map(\.0.path))), .init("run", .texts(runs.map(\.1.id))),
            .init("command", .texts(runs.map { ScriptQuoting.line($0.1.command) })),
            .init("items", .integers(runs.map(\.1.itemCount))),
          ])))
    }
  }
}

extension RunRecords {
  /// Refuses an incomplete run.
  ///
  /// - Throws: ``ErrorReport`` with the code `batch.items-missing`.
  func requireAll(_ plan: RunPlan, _ folder: RunFolder) throws(ErrorReport) {
    let missing = self.missing
    if missing.isEmpty { return }
    throw BatchError.itemsMissing(
      "\(missing.count) of \(plan.itemCount) items have no record",
      advice: "resume with 'workbench batch run \(folder.name)'")
  }
}

/// An item that ended in an error.
struct FailedItem: Sendable, Equatable {
  var item: Int
  var id: String
  var code: String
  var message: String
  var isRetryable: Bool

  /// Returns the failed items of a run, in order.
  static func all(of folder: RunFolder, code: String?, _ progress: any WorkProgress) throws -> [FailedItem] {
    let records = try RunRecords(of: folder, try RunPlan(reading: folder), progress)
    defer { records.close() }
    var errors: [FailedItem] = []
    try records.forEach(errorsOnly: true, progress) { document in
      let record = try ItemRecord.read(document)
      let error = record["error"]
      guard let item = record["item"].integer, code == nil || error["code"].text == code else { return }
      errors.append(
        FailedItem(
          item: item, id: record["id"].text ?? "", code: error["code"].text ?? "",
          message: error["message"].text ?? "", isRetryable: error["retryable"].bool ?? false))
    }
    return errors
  }
}
