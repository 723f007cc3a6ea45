import PluginAPI

/// The commands that analyze combinations of active processes.
enum ScenarioCommand {
  static let all: [PathCaseCommand] = [command, rules]

  private static let command = PathCaseCommand(
    CommandDescription(
      "smda", "counts and lists the scenarios of a network that fit what was observed",
      output: .init(ScenarioValue.schema, typeName: PathCaseValueType.scenarios), effects: [.reads]
    ).taking(
      [
        Parameter(
          "network", PathCaseCommand.document,
          "the id of a pathway, ids of several with commas between them, or a file", isRequired: true
        ).completedByPathways()
      ],
      options: ScenarioQuestion.sources + [
        Parameter(
          "mode", .choice(ScenarioMode.allCases.map(\.rawValue)), "which scenarios count",
          defaultValue: .text(ScenarioMode.necessary.rawValue)),
        Parameter("page", .integer(minimum: 1, maximum: Int.max), "which page of scenarios", defaultValue: 1),
        Parameter(
          "page-size", .integer(minimum: 0, maximum: 10_000), "how many scenarios a page has", defaultValue: 20),
        Parameter(
          "sample", .integer(minimum: 1, maximum: 10_000), "so many scenarios drawn at random instead of a page"),
        Parameter("seed", .integer(minimum: 0, maximum: Int.max), "what the draws begin with", defaultValue: 1),
        Parameter("marginals", .flag, "also in how many scenarios each process runs, and the levels of each pool"),
      ] + ScenarioQuestion.filters
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
    let mode = ScenarioMode(rawValue: call.text("mode")) ?? .necessary
    let page = ScenarioValue.Wish(
      number: call["page"].integer ?? 1, length: call["page-size"].integer ?? 20, sample: call["sample"].integer,
      seed: UInt64(call["seed"].integer ?? 1), withShares: call.flag("marginals"))
    let study = ScenarioStudy(
      network: network, mode: mode, restriction: restriction, isSimplest: call.flag("simplest"))
    let value = try await call.compute("counting scenarios") { progress in
      try ScenarioValue.value(try study.scenarios { progress.isCancelled }, page)
    }
    if let note = beyond(value, page) { call.warn(note) }
    try await call.emit(value.typed(PathCaseValueType.scenarios))
  }

  /// Returns a note for a page beyond the last scenario.
  private static func beyond(_ value: Value, _ page: ScenarioValue.Wish) -> Diagnostic? {
    guard page.sample == nil, page.length > 0, page.first > .zero, value["looked"].integer == 0 else { return nil }
    return Diagnostic(
      .note, code: "pathcase.no-such-page", "there is no such page of scenarios: \(value["count"].text ?? "0") fit",
      advice: "'--page 1' shows the first ones")
  }

  private static let rules = PathCaseCommand(
    CommandDescription(
      "rules", "tells the rules of scenario analysis, as a file to change", output: .init(ScenarioValue.rulesSchema),
      effects: [.reads]
    ).taking(options: [
      Parameter("rules", .inputFile(extensions: ["json"]), "a file of rules, told with what it leaves as it is")
    ]).explained(
      "With --json it gives a file for 'smda --rules': rules that are on or off, levels, and the levels from which on "
        + "pools act. What a file leaves out stays as it is here. The mode 'strict' is a rule of its own, R10.",
      examples: [.init("rules", "those of default"), .init("rules --json", "a file to begin one's own with")])
  ) { call, _ in
    var rules = ScenarioRules()
    if !call.text("rules").isEmpty { rules = try ScenarioRulesReader.read(try NetworkFile.bytes(call.text("rules"))) }
    try await call.emit(ScenarioValue.value(rules))
  }
}
