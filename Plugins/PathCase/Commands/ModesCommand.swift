import PluginAPI

/// The command that finds elementary modes.
enum ModesCommand {
  private struct Mode: Model {
    var fluxes: NamedValues<Int>
    var isReversible: Bool

    static let typeName = "pathcase.mode"
    static let fields = Fields<Self> {
      Field("fluxes", \.fluxes, "the least whole fluxes in balance, backwards below 0")
      Field("isReversible", \.isReversible, "whether it runs both ways; it is told once")
    }

    init(_ mode: ElementaryMode, _ problem: ModeProblem) {
      fluxes = NamedValues(mode.fluxes.lazy.map { (problem.ids[$0.index].text, $0.amount) })
      isReversible = mode.isReversible
    }
  }

  private struct Modes: Model {
    var problem: ModeProblem
    var found: ElementaryModes

    static let typeName = PathCaseValueType.modes
    static let fields = Fields<Self> {
      Field("status", { _ in "complete" }, "complete: there are no others")
      Field("count", \.found.modes.count, "how many there are")
      Field("reactions", \.problem.ids.count, "how many reactions the network has")
      Field("compressed", \.found.compressedCount, "how many are left where those that run together are one")
      Field("modes", \.modes, "the modes, short ones first")
      Field("unused", \.unused, "the reactions that are in no mode: they never run in balance")
    }

    private var modes: [Mode] { found.modes.map { Mode($0, problem) } }
    private var unused: [String] { found.unused(of: problem).map { problem.ids[$0].text } }
  }

  private static let limit = Option(
    "limit", in: 1...10_000_000, "how many modes there may be, also on the way", default: 1_000_000)
  private static let seconds = Option("seconds", in: 1...86_400, "how long it may take", unit: "second", default: 60)
  private static let stop = Option("stop", list: String.self, "leave out this reaction").completedByProcesses()

  static let command = PathCaseCommand(
    CommandDescription("modes", "finds all elementary modes of a network", output: .model(Modes.self))
      .taking(PathCaseCommand.network, limit, seconds, ScenarioQuestion.closed, stop).explained(
        "An elementary mode is a smallest set of reactions that can run in balance: none can be left out. All are found, "
          + "with exact whole numbers, or none is told: networks of more than about 60 reactions that are not chains have "
          + "millions. Limits are modes, seconds and 1 GB. Of bounds only the directions count.",
        examples: [
          .init("modes glycolysis --closed", "of a pathway by itself"),
          .init("modes model.xml --stop ATPM --json", "for scripts"),
        ])
  ) { call, shelf in
    var problem = try problem(try shelf.network(call), isClosed: call[ScenarioQuestion.closed])
    for word in call[stop] {
      let reaction = try AskedReaction.index(word, in: problem.ids)
      problem.stopped.insert(reaction)
      problem.columns[reaction].entries = []
    }
    let (limit, seconds) = (call[limit], call[seconds])
    // The value of millions of modes is made on the thread of the search.
    let value = try await call.compute("finding elementary modes") { [problem] progress in
      let end = ContinuousClock.now + .seconds(seconds)
      var limits = ElementaryModes.Limits()
      (limits.rays, limits.seconds) = (limit, seconds)
      limits.isCancelled = { progress.isCancelled }
      limits.isLate = { ContinuousClock.now > end }
      return Modes(problem: problem, found: try ElementaryModes(problem, limits: limits)).value
    }
    try await call.emit(value)
  }

  private static func problem(_ network: OpenedNetwork, isClosed: Bool) throws -> ModeProblem {
    switch network {
    case .pathway, .file(_, .scenario): try ModeProblem(try network.scenarioNetwork(isClosed: isClosed))
    case .file: try ModeProblem(try network.model())
    }
  }
}
