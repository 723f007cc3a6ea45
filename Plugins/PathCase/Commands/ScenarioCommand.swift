import PluginAPI

/// The command that analyses which processes may run together.
enum ScenarioCommand {
  static let command = PathCaseCommand(
    CommandDescription(
      "smda", "counts and lists the scenarios of a network that fit what was observed", output: .init(.any),
      effects: [.reads]
    ).taking(
      [PathCaseCommand.network],
      options: [
        Parameter(
          "observations", .inputFile(extensions: ["json", "csv"]), "what was measured: levels or values of pools"),
        Parameter("mode", .choice(["necessary", "strict"]), "which scenarios count", defaultValue: "necessary"),
        Parameter("page", .integer(minimum: 1, maximum: Int.max), "which page of scenarios", defaultValue: 1),
        Parameter(
          "page-size", .integer(minimum: 0, maximum: 10_000), "how many scenarios a page has", defaultValue: 20),
        Parameter("active", .text, "only scenarios in which this process is active", isRepeatable: true),
        Parameter("idle", .text, "only scenarios in which this process is idle", isRepeatable: true),
        Parameter(
          "at-most", .integer(minimum: 0, maximum: Int.max), "only scenarios with at most so many active processes"),
      ]
    ).explained(
      "A scenario says which processes run, in which direction: '+', '-' or '0'. All that fit the observations at steady "
        + "state are counted exactly, without being listed. If none fits, a smallest set of observations that cannot be "
        + "together is told, with the chain of rules. Mode 'strict': whatever can run does.",
      examples: [
        .init("smda glycolysis", "of a pathway"),
        .init("smda network.json --observations measured.csv --json", "for scripts"),
      ])
  ) { call, shelf in
    var network = try shelf.network(call.text("network"), call.context).scenarioNetwork()
    if !call.text("observations").isEmpty {
      let rows = try ObservationReader.read(try NetworkFile.bytes(call.text("observations")))
      network = try network.observing(rows, ranges: try shelf.database(call.context).ranges)
    }
    let restriction = try restriction(call, network)
    var limits = SearchLimits()
    limits.isCancelled = { Task.isCancelled }
    let mode = ScenarioAnalysis.Mode(rawValue: call.text("mode")) ?? .necessary
    let analysis = try ScenarioAnalysis(network, mode: mode, restriction: restriction, limits: limits)
    let page = (call["page"].integer ?? 1) - 1
    let size = call["page-size"].integer ?? 20
    let first = BigUnsigned(page) * BigUnsigned(size)
    try await call.emit(try ScenarioValue.value(analysis, analysis.page(from: first, count: size)))
  }

  private static func restriction(_ call: CommandCall, _ network: ScenarioNetwork) throws(PathwayError)
    -> ScenarioRestriction
  {
    var restriction = ScenarioRestriction()
    for (option, states) in [("active", ProcessStates.active), ("idle", .idle)] {
      for word in (call[option].list ?? []).compactMap(\.text) {
        let id = Identifier(word)
        guard let index = network.processes.firstIndex(where: { $0.id == id }) else {
          throw .unknownReaction(
            word, nearest: Suggestion.nearest(to: word, in: network.processes.map(\.id.text)))
        }
        restriction.states[index] = states
      }
    }
    restriction.maximumActive = call["at-most"].integer
    return restriction
  }
}
