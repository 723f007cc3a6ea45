import PluginAPI

/// The commands that analyze combinations of active processes.
enum ScenarioCommand {
  static let all: [PathCaseCommand] = [command, rules]

  private static let mode = Option("mode", "which scenarios count", default: ScenarioMode.necessary)
  private static let page = Option("page", in: 1...Int.max, "which page of scenarios", default: 1)
  private static let pageSize = Option("page-size", in: 0...10_000, "how many scenarios a page has", default: 20)
  private static let sample = Option(
    "sample", Int.self, kind: .integer(minimum: 1, maximum: 10_000),
    "so many scenarios drawn at random instead of a page")
  private static let seed = Option("seed", in: 0...Int.max, "what the draws begin with", default: 1)
  private static let marginals = Option(
    flag: "marginals", "also in how many scenarios each process runs, and the levels of each pool")
  private static let simplest = Option(
    flag: "simplest", "only scenarios with as few active processes as possible")

  private static let command = PathCaseCommand(
    CommandDescription(
      "smda", "counts and lists the scenarios of a network that fit what was observed",
      output: .model(ScenarioReport.self)
    ).taking(
      ScenarioQuestion.network, ScenarioQuestion.closed, ScenarioQuestion.observations, ScenarioQuestion.rules,
      ScenarioQuestion.labels, mode, page, pageSize, sample, seed, marginals, ScenarioQuestion.active,
      ScenarioQuestion.forward, ScenarioQuestion.backward, ScenarioQuestion.idle, ScenarioQuestion.pathwayOn,
      ScenarioQuestion.pathwayOff, ScenarioQuestion.atMost, simplest
    ).explained(
      "A scenario says which processes run, in which direction: '+', '-' or '0'. All that fit the observations at steady "
        + "state are counted exactly, without being listed. If none fits, smallest sets of observations that cannot be "
        + "together are told, with the chain of rules. Mode 'strict': whatever can run does. Mode 'realizable': amounts "
        + "are in balance, not only signs; up to 20000 scenarios are looked at to count them.",
      examples: [
        .init("smda glycolysis", "of a pathway"),
        .init("smda glycolysis,gluconeogenesis --page-size 5", "of two together"),
        .init("smda network.json --observations measured.csv --json", "for scripts"),
        .init("smda network.json --mode realizable --marginals", "what fluxes in balance can do"),
      ])
  ) { call, shelf in
    let network = try ScenarioQuestion.observed(call, shelf)
    let restriction = try ScenarioQuestion.restriction(call, network, shelf)
    let selection = ScenarioReport.Selection(
      number: call[page], length: call[pageSize], sample: call[sample], seed: UInt64(call[seed]),
      withShares: call[marginals])
    let study = ScenarioStudy(
      network: network, mode: call[mode], restriction: restriction, isSimplest: call[simplest])
    let (value, note) = try await call.compute("counting scenarios") { progress in
      let report = try ScenarioReport(try study.scenarios { progress.isCancelled }, selection)
      return (report.value, report.beyond)
    }
    if let note { call.warn(note) }
    try await call.emit(value)
  }

  private static let file = Option(
    "rules", String.self, kind: .inputFile(extensions: ["json"]), "a file of rules, told with what it leaves as it is")

  private static let rules = PathCaseCommand(
    CommandDescription(
      "rules", "tells the rules of scenario analysis, as a file to change", output: .model(ScenarioRules.self)
    ).taking(file).explained(
      "With --json it gives a file for 'smda --rules': rules that are on or off, levels, and the levels from which on "
        + "pools act. What a file leaves out stays as it is here. The mode 'strict' is a rule of its own, R10.",
      examples: [.init("rules", "those of default"), .init("rules --json", "a file to begin one's own with")])
  ) { call, _ in
    let rules = try call.filled(file).map { try ScenarioRulesReader.read(try NetworkFile.bytes($0)) }
    try await call.emit(rules ?? ScenarioRules())
  }
}
