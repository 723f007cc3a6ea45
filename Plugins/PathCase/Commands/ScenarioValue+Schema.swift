import PluginAPI

extension ScenarioValue {
  /// The schema of an analysis, for scripts.
  static let schema = ValueSchema.record([
    .init("network", .text, "what the network is called"),
    .init("mode", .choice(ScenarioMode.allCases.map(\.rawValue)), "the mode that was asked for"),
    .init(
      "countedMode", .choice(ScenarioMode.allCases.map(\.rawValue)),
      "which scenarios the count, the shares and what must be are about: necessary ones where too many are to be looked at"
    ),
    .init("count", .text, "how many there are, in decimal digits: it may be of any size"),
    .init("pools", .integer, "how many pools the network has"),
    .init("processes", .integer, "how many processes the network has"),
    .init("labels", .text, "the letters of the levels, such as UAC"),
    .init(
      "observed",
      .list(.record([.init("pool", .text, "its id"), .init("label", .text, "its levels, apart by '|'")])),
      "what was observed"),
    .init("mustActive", .list(.text), "the processes that run in all"),
    .init("mustForward", .list(.text), "those that run forwards in all"),
    .init("mustBackward", .list(.text), "those that run backwards in all"),
    .init("neverActive", .list(.text), "the processes that run in none; all where there is no scenario"),
    .init("page", .optional(.integer), "the number of the page, from 1; null for scenarios drawn at random"),
    .init("pageSize", .integer, "how many scenarios a page has at most"),
    .init("looked", .integer, "how many scenarios were looked at for this page"),
    .init("scenarioNumbers", .list(.text), "the number of each scenario of the page, from 1, in decimal digits"),
    .init("scenarios", .list(.map(.choice(["+", "-", "0"]))), "for each the state of every process"),
    .init("notes", .list(.text), "what should be known about the answer"),
    .init(
      "missingRegulation", .list(.text),
      "in strict mode without scenarios: the processes that something unlisted must keep from running"),
    .init("conflicts", .list(conflictSchema), "why there is no scenario; none where there are some"),
    .init("marginals", .optional(.list(shareSchema)), "with --marginals: in how many scenarios each process runs"),
    .init("poolLevels", .optional(.map(.text)), "with --marginals: the levels of each pool, apart by '|'"),
  ])

  private static let conflictSchema = ValueSchema.record([
    .init("summary", .text, "what cannot be together, in a sentence"),
    .init("observations", .list(.text), "the pools whose observations take part"),
    .init("processes", .list(.text), "the processes of which something was asked that takes part"),
    .init("groups", .list(.text), "the pathways that were to run and take part"),
    .init("limitsActive", .bool, "whether the largest number of active processes takes part"),
    .init("isMinimal", .bool, "whether it is known that nothing of it can be spared"),
    .init("chain", .list(.text), "how the rules lead there, line by line"),
  ])

  private static let shareSchema = ValueSchema.record([
    .init("process", .text, "its id"),
    .init("forward", .text, "in how many scenarios it runs forwards, in decimal digits"),
    .init("backward", .text, "in how many it runs backwards"),
    .init("idle", .text, "in how many it is idle"),
    .init("activeShare", .number, "in which part it runs, 0 to 1"),
  ])

  /// The schema of a rule set.
  static let rulesSchema = ValueSchema.record([
    .init("labels", .list(.text), "the letters of the levels, lowest first"),
    .init("rules", .map(.bool), "which rules hold"),
    .init(
      "triggers",
      .record([
        .init("input", .text, "from which level on inputs act"),
        .init("activator", .text, "from which level on activators act"),
        .init("inhibitor", .text, "from which level on inhibitors act"),
      ]), "where a network says nothing else"),
    .init("statements", .map(.text), "what each rule says"),
  ])
}
