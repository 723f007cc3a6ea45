import PluginAPI

/// The command that finds elementary modes.
enum ModesCommand {
  static let command = PathCaseCommand(
    CommandDescription(
      "modes", "finds all elementary modes of a network",
      output: .init(
        .record([
          .init("status", .text, "complete: there are no others"), .init("count", .integer, "how many there are"),
          .init("reactions", .integer, "how many reactions the network has"),
          .init("compressed", .integer, "how many are left where those that run together are one"),
          .init(
            "modes",
            .list(
              .record([
                .init("fluxes", .map(.integer), "the least whole fluxes in balance, backwards below 0"),
                .init("isReversible", .bool, "whether it runs both ways; it is told once"),
              ])), "the modes, short ones first"),
          .init("unused", .list(.text), "the reactions that are in no mode: they never run in balance"),
        ]), typeName: PathCaseValueType.modes), effects: [.reads]
    ).taking(
      [PathCaseCommand.network],
      options: [
        Parameter(
          "limit", .integer(minimum: 1, maximum: 10_000_000), "how many modes there may be, also on the way",
          defaultValue: 1_000_000),
        Parameter(
          "seconds", .integer(minimum: 1, maximum: 86_400), "how long it may take", unit: "second", defaultValue: 60),
        ScenarioQuestion.closed,
        Parameter("stop", .text, "leave out this reaction", isRepeatable: true).completedByProcesses(),
      ]
    ).explained(
      "An elementary mode is a smallest set of reactions that can run in balance: none can be left out. All are found, "
        + "with exact whole numbers, or none is told: networks of more than about 60 reactions that are not chains have "
        + "millions. Limits are modes, seconds and 1 GB. Of bounds only the directions count.",
      examples: [
        .init("modes glycolysis --closed", "of a pathway by itself"),
        .init("modes model.xml --stop ATPM --json", "for scripts"),
      ])
  ) { call, shelf in
    let network = try shelf.network(call.text("network"), call.context)
    for warning in network.warnings { call.warn(warning) }
    var problem = try problem(network, isClosed: call.flag("closed"))
    for word in call.texts("stop") {
      let reaction = try AskedReaction.index(word, in: problem.ids)
      problem.stopped.insert(reaction)
      problem.columns[reaction].entries = []
    }
    let (limit, seconds) = (call["limit"].integer ?? 1_000_000, call["seconds"].integer ?? 60)
    let value = try await call.compute("finding elementary modes") { [problem] progress in
      let end = ContinuousClock.now + .seconds(seconds)
      var limits = ElementaryModes.Limits()
      (limits.rays, limits.seconds) = (limit, seconds)
      limits.isCancelled = { progress.isCancelled }
      limits.isLate = { ContinuousClock.now > end }
      return Self.value(try ElementaryModes(problem, limits: limits), problem)
    }
    try await call.emit(value.typed(PathCaseValueType.modes))
  }

  private static func problem(_ network: OpenedNetwork, isClosed: Bool) throws -> ModeProblem {
    switch network {
    case .pathway, .file(_, .scenario): try ModeProblem(try network.scenarioNetwork(isClosed: isClosed))
    case .file: try ModeProblem(try network.model())
    }
  }

  private static func value(_ found: ElementaryModes, _ problem: ModeProblem) -> Value {
    [
      "status": "complete", "count": .integer(found.modes.count), "reactions": .integer(problem.ids.count),
      "compressed": .integer(found.compressedCount),
      "modes": .list(
        found.modes.map { mode in
          [
            "fluxes": .record(Record(mode.fluxes.map { .init(problem.ids[$0.index].text, .integer($0.amount)) })),
            "isReversible": .bool(mode.isReversible),
          ]
        }),
      "unused": .list(found.unused(of: problem).map { .text(problem.ids[$0].text) }),
    ]
  }
}
