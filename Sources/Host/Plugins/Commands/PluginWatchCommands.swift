import PluginAPI

/// The commands `plugin …` that find faulty and slow plugins.
@MainActor enum PluginWatchCommands {
  static func commands(_ interpreter: CommandInterpreter) -> [HostCommand] {
    [bisect(interpreter), profile(interpreter), DoctorCommand.plugins(interpreter.session)]
  }

  private static let limitOption = Parameter(
    "limit", .integer(minimum: 1, maximum: 86_400), "Time limit of each run", unit: "second", defaultValue: 60)

  private static func bisect(_ interpreter: CommandInterpreter) -> HostCommand {
    let schema = ValueSchema.record([
      .init("command", .text, "Command line"), .init("failure", .text, "Failure of the command line"),
      .init("plugins", .list(.text), "Plugins that make it fail, several if they fail only together"),
      .init("runs", .integer, "Number of runs"),
    ])
    let declaration = CommandDescription(
      "plugin bisect", "Find the plugin that makes a command line fail", output: .init(schema)
    ).taking(
      [
        Parameter(
          "command", .text, "Command line, after '--' if it has options", isRequired: true, isRepeatable: true)
      ], options: [limitOption]
    ).explained(
      "The command line runs in child processes, each time with half of the remaining plugins. Plugins it names stay "
        + "enabled. Stores are empty and changes to them are discarded. Files named on the command line, servers and "
        + "devices are real.",
      examples: [
        .init("bisect run molecules", "Find out why a screen does not open"),
        .init("bisect -- molecules render b-dna --size 64x64", "A command line with options"),
      ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let arguments = call.texts("command")
      let (ids, trials) = await MainActor.run {
        let ready = interpreter.session.plugins.catalog.plugins.filter { $0.state == .ready }
        let limit = call["limit"].integer ?? 60
        return (ready.compactMap(\.id), PluginTrials(interpreter, limitInSeconds: limit, allowsNetwork: true))
      }
      let all = await Set(interpreter.session.plugins.catalog.plugins.compactMap(\.id))
      let line = arguments.joined(separator: " ")
      let (failure, culprits, runs) = try await call.compute("bisecting '\(line)'") { progress in
        var runs = 0
        func end(_ enabled: Set<String>) throws -> PluginTrials.End {
          try progress.checkCancellation()
          runs += 1
          progress.report(Progress("run \(runs), with \(enabled.count) plugins"))
          return try trials.run(PluginTrialChild.word, trials.options + arguments, without: all.subtracting(enabled))
            .end
        }
        let failure = try end(Set(ids))
        guard failure != .exited(0) else {
          throw ErrorReport(
            code: "host.bisect-no-failure", kind: .failure, "'\(line)' does not fail with the enabled plugins",
            advice: "check the command line; stores are empty in these runs")
        }
        let kept = Set(arguments).intersection(ids)
        if try end(kept) == failure { return (failure, kept.sorted(), runs) }
        let bisection = PluginBisection { try end($0) == failure }
        return (failure, try bisection.culprits(among: ids.filter { !kept.contains($0) }, with: kept), runs)
      }
      try await call.emit([
        "command": .text(line), "failure": .text("\(failure)"), "plugins": .list(culprits.map(Value.text)),
        "runs": .integer(runs),
      ])
      if culprits.isEmpty {
        call.warn(
          Diagnostic(.note, code: "host.bisect-no-plugin", "'\(line)' fails without any plugin too"))
      }
    }
  }

  private static func profile(_ interpreter: CommandInterpreter) -> HostCommand {
    let fields: [ValueSchema.Field] = [
      .init("plugin", .text, "Plugin id"),
      .init("phase", .choice(["load", "activate", "command", "screen"]), "Kind of the part"),
      .init("name", .text, "Command or screen"),
      .init("milliseconds", .optional(.number), "Duration", heading: nil, unit: nil, decimals: 2),
      .init(
        "mebibytes", .optional(.number), "Peak memory of the process, and of the plugin's program, until then",
        heading: nil, unit: nil, decimals: 2),
      .init("problem", .optional(.text), "Reason why it failed"),
    ]
    let declaration = CommandDescription(
      "plugin profile", "Measure the time and memory of plugins", output: .init(.table(fields))
    ).taking([Parameter("id", .text, "Plugin id; all plugins if omitted")], options: [limitOption])
      .explained(
        "Each command and screen runs in a child process of its own, after its plugin was activated, with empty stores "
          + "and without the network. Commands that need arguments, change data or use the network are not run.",
        examples: [
          .init("profile molecules", "Loading, activation, commands and screens of a plugin"),
          .init("profile --csv", "All plugins, as a table"),
        ])
    return HostCommand(declaration) { [unowned interpreter] call in
      let id = call["id"].text
      let (plugins, trials) = try await MainActor.run {
        let plugins = interpreter.session.plugins
        if let id, let error = try plugins.cataloged(id).error { throw error }
        let limit = call["limit"].integer ?? 60
        return (
          plugins.contributions.filter { id == nil || $0.plugin.id == id },
          PluginTrials(interpreter, limitInSeconds: limit, allowsNetwork: false)
        )
      }
      let rows = try await call.compute("measuring plugins") { progress in
        try plugins.flatMap { try measure($0, trials, progress) }
      }
      let columns = fields.map { field in
        let values = rows.map { $0[field.name] ?? .null }
        let numbers = field.decimals.map { Table.Values.numbers(values.map { $0.number ?? .nan }, decimals: $0) }
        return Table.Column(field.name, numbers ?? .values(values))
      }
      try await call.emit(.table(Table(columns: columns)))
    }
  }

  private nonisolated static func measure(
    _ contributions: StoredContributions, _ trials: PluginTrials, _ progress: any WorkProgress
  ) throws -> [Record] {
    let id = contributions.plugin.id
    var measured = try PluginMeasurement.start(of: id, trials)
    // A plugin that cannot be activated has no commands.
    let parts = measured.allSatisfy { $0.problem == nil } ? PluginMeasurement.parts(of: contributions) : []
    for (number, part) in parts.enumerated() {
      try progress.checkCancellation()
      progress.report(Progress("\(id) \(part.name)", fraction: Double(number) / Double(parts.count)))
      measured.append(try PluginMeasurement(part, of: id, trials))
    }
    return measured.map { measurement in
      [
        "plugin": .text(id), "phase": .text(measurement.part.phase.rawValue), "name": .text(measurement.part.name),
        "milliseconds": .optional(measurement.milliseconds), "mebibytes": .optional(measurement.mebibytes),
        "problem": .optional(measurement.problem),
      ]
    }
  }
}
