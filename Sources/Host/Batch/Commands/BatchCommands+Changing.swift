import Glibc
import PluginAPI

/// `batch retry|cancel|remove`.
extension BatchCommands {
  static func retry(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch retry", "Run failed or chosen items again", output: .init(stateSchema),
      effects: [.reads, .writes]
    ).taking(
      [runFolder],
      options: [
        Parameter("code", .text, "Error code of the items to run again; default all"),
        Parameter(
          "item", .integer(minimum: 1, maximum: .max), "Number of an item to run again, failed or not",
          isRepeatable: true),
        Parameter("missing", .flag, "Run only items without a record"), workers, executor,
      ] + jobOptions + [mostErrors, otherVersion]
    ).explained(
      "The old records stay in the logs but no longer count. With Slurm, the items are submitted, as by 'batch submit'.",
      examples: [
        .init("batch retry dssp", "All failed items"),
        .init("batch retry dssp --code batch.item-timed-out", "Items that timed out"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      let items = call["item"].list?.compactMap(\.integer) ?? []
      if let unknown = items.first(where: { $0 > plan.itemCount }) {
        throw BatchError.noItems("there is no item \(unknown); the last is \(plan.itemCount)")
      }
      var chosen: [Int] = []
      if !call.flag("missing") {
        chosen = items
        if chosen.isEmpty {
          chosen = try await call.compute("reading errors") { progress in
            try FailedItem.all(of: folder, code: call["code"].text, progress).map(\.item)
          }
        }
      }
      try await resume(plan, folder, retrying: chosen, waits: false, call, interpreter)
    }
  }

  static func cancel(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch cancel", "Stop the workers of a run after their current items",
      output: .init(.record([.init("run", .text)])), effects: [.reads, .writes]
    ).taking([runFolder]).explained(
      "Completed work is kept; Slurm jobs are canceled. 'batch run' resumes the run.",
      examples: [.init("batch cancel dssp", "Stop the run")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      try HostFile.write([], to: folder.cancel)
      if let engine = try await engine(of: folder, interpreter) {
        try await warning(call) { try await call.compute("canceling jobs") { _ in try engine.cancel(plan.id) } }
      }
      let result: Value = ["run": .text(plan.id)]
      try await call.emit(result)
    }
  }

  static func remove(_ interpreter: CommandInterpreter) -> HostCommand {
    let declaration = CommandDescription(
      "batch remove", "Delete a run with its results", output: .init(.record([.init("run", .text)])),
      effects: [.reads, .writes, .deletes]
    ).taking([runFolder]).explained(
      "The command asks for confirmation unless --yes is given. Files that are not part of the run are kept.",
      examples: [.init("batch remove dssp --yes", "Without confirmation")])
    return HostCommand(declaration) { [unowned interpreter] call in
      let folder = RunFolder(call.text("run"))
      let plan = try RunPlan(reading: folder)
      try await Question.confirm("Delete the run '\(folder.name)' with its results?", interpreter)
      let engine = try await engine(of: folder, interpreter)
      let isQueued = try await warning(call) {
        try await call.compute("asking for jobs") { _ in try engine?.tasks(of: plan.id).contains(where: \.isLive) }
      }
      let isWorkedOn = try await call.compute("looking for workers") { _ in
        try (1...plan.shardCount).contains { shard in
          // A removal that was killed leaves a run without shards, which no worker has.
          try access(folder.shard(shard), F_OK) == 0 && ShardClaims.isLocked(shard, of: folder)
        }
      }
      guard !isWorkedOn, isQueued != true else {
        throw BatchError.notAllowed(
          "workers run items of '\(folder.name)'", advice: "stop them with 'workbench batch cancel \(folder.name)'")
      }
      try await call.compute("deleting") { _ in
        // The plan is last: until then the run can be removed again.
        try folder.removeDrafts()
        for name in RunFolder.entries { try HostFile.remove(folder.path + "/" + name) }
        rmdir(folder.path)
      }
      let result: Value = ["run": .text(plan.id)]
      try await call.emit(result)
    }
  }
}
