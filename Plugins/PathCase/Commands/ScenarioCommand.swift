import PluginAPI

/// The commands that analyze combinations of active processes.
enum ScenarioCommand {
  static let all: [PathCaseCommand] = [command, rules]

  private static let mode = Option("mode", "Scenarios to count", default: ScenarioMode.necessary)
  private static let page = Option("page", in: 1...Int.max, "Page of scenarios", default: 1)
  private static let pageSize = Option("page-size", in: 0...10_000, "Scenarios per page", default: 20)
  private static let sample = Option(
    "sample", Int.self, kind: .integer(minimum: 1, maximum: 10_000),
    "Number of scenarios to draw at random instead of a page")
  private static let seed = Option("seed", in: 0...Int.max, "Seed of the random draws", default: 1)
  private static let marginals = Option(
    flag: "marginals", "Also count the scenarios in which each process runs, and list the levels of each pool")
  private static let simplest = Option(
    flag: "simplest", "Keep only scenarios with as few active processes as possible")

  private static let command = PathCaseCommand(
    CommandDescription(
      "smda", "Count and list the scenarios that fit the observations",
      output: .model(ScenarioReport.self)
    ).taking(
      ScenarioQuery.network, ScenarioQuery.closed, ScenarioQuery.observations, ScenarioQuery.rules,
      ScenarioQuery.labels, mode, page, pageSize, sample, seed, marginals, ScenarioQuery.active,
      ScenarioQuery.forward, ScenarioQuery.backward, ScenarioQuery.idle, ScenarioQuery.pathwayOn,
      ScenarioQuery.pathwayOff, ScenarioQuery.atMost, simplest
    ).explained(
      "A scenario gives the state of each process: '+' for forward, '-' for backward and '0' for idle. The command "
        + "counts all scenarios that fit the observations at steady state exactly, without listing them. If none fits, "
        + "it shows minimal sets of contradictory observations, and the rules that prove each contradiction. In mode "
        + "'strict' every process that can run does run. In mode 'realizable' the amounts balance, not only the signs; "
        + "counting examines up to 20000 scenarios.",
      examples: [
        .init("smda glycolysis", "A pathway"),
        .init("smda glycolysis,gluconeogenesis --page-size 5", "Two pathways together"),
        .init("smda network.json --observations measured.csv --json", "As JSON, for scripts"),
        .init("smda network.json --mode realizable --marginals", "Only scenarios with balanced fluxes"),
      ])
  ) { call, shelf in
    let network = try await ScenarioQuery.observed(call, shelf)
    let restriction = try await ScenarioQuery.restriction(call, network, shelf)
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
    "rules", String.self, kind: .inputFile(extensions: ["json"]),
    "File of rules to show, completed by the default rules")

  private static let rules = PathCaseCommand(
    CommandDescription(
      "rules", "Show the rules of scenario analysis, as a file to edit", output: .model(ScenarioRules.self)
    ).taking(file).explained(
      "With --json the output is a file for 'smda --rules'. It turns rules on or off, lists the levels, and sets the "
        + "level at which a pool takes effect as an input, activator or inhibitor. Settings that a file leaves out keep "
        + "these defaults. The mode 'strict' is a separate rule, R10.",
      examples: [.init("rules", "The default rules"), .init("rules --json", "A file to start from")])
  ) { call, _ in
    let rules = try call.filled(file).map { try NetworkFile.data($0) { try ScenarioRulesReader.read($0) } }
    try await call.emit(rules ?? ScenarioRules())
  }
}

/// The query of `smda`: the network, its observations, and the restrictions on scenarios.
enum ScenarioQuery {
  // MARK: The data to analyze

  static let network = Argument(
    "network", String.self, kind: NetworkInputs.document,
    "Id of a pathway, ids of several separated by commas, or a file"
  ).completedByPathways()
  /// The option to ignore other pathways.
  static let closed = Option(
    flag: "closed", "Ignore other pathways: pools that they use are not boundaries")
  static let observations = Option(
    "observations", String.self, kind: .inputFile(extensions: ["json", "csv"]),
    "File with observations: levels or values of pools")
  static let rules = Option(
    "rules", String.self, kind: .inputFile(extensions: ["json"]),
    "File of rules; 'pathcase rules' shows the default rules")
  static let labels = Option(
    "labels", Int.self, kind: .integer(minimum: 3, maximum: 4),
    "Number of levels; 4 includes severely accumulated")

  // MARK: The restrictions on scenarios

  static let active = Option("active", list: String.self, "Process that runs, in either direction")
    .completedByProcesses()
  static let forward = Option("forward", list: String.self, "Process that runs forward")
    .completedByProcesses()
  static let backward = Option("backward", list: String.self, "Process that runs backward")
    .completedByProcesses()
  static let idle = Option("idle", list: String.self, "Process that is idle")
    .completedByProcesses()
  static let pathwayOn = Option(
    "pathway-on", list: String.self, "Pathway of which at least one process runs"
  ).completedByPathways()
  static let pathwayOff = Option(
    "pathway-off", list: String.self, "Pathway of which no process runs"
  ).completedByPathways()
  static let atMost = Option(
    "at-most", Int.self, kind: .integer(minimum: 0, maximum: Int.max),
    "Maximum number of active processes")

  /// Returns the network for a word: a pathway or a file, or several pathways separated by commas.
  ///
  /// - Throws: The errors of reading, ``PathwayError``.
  static func network(
    _ word: String, isClosed: Bool, _ context: any PluginContext, _ shelf: PathwayShelf
  ) async throws -> ScenarioNetwork {
    let words = word.split(separator: ",").map(String.init)
    guard words.count > 1, !word.contains("/") else {
      return try await shelf.network(word, context).scenarioNetwork(isClosed: isClosed)
    }
    var pathways: [Int] = []
    for word in words {
      guard case .pathway(let pathway, _) = try await shelf.network(word, context) else {
        throw PathwayError.notAPathway(word)
      }
      if !pathways.contains(pathway) { pathways.append(pathway) }
    }
    var network = try await shelf.database(context).scenarioNetwork(ofPathways: pathways, isClosed: isClosed)
    network.closeEnds(withSingles: isClosed)
    return network
  }

  /// Returns the network with the rules and observations of a call.
  ///
  /// - Throws: The errors of the network; ``ScenarioFileError``, ``ObservationError``.
  static func observed(_ call: CommandCall, _ shelf: PathwayShelf) async throws -> ScenarioNetwork {
    var observed = try await network(call[network], isClosed: call[closed], call.context, shelf)
    var rules = observed.rules
    if let file = call.filled(Self.rules) {
      rules = try NetworkFile.data(file) { try ScenarioRulesReader.read($0, onto: rules) }
    }
    if let labels = call[labels] { rules.levels = labels }
    if rules != observed.rules { observed = observed.applying(rules) }
    guard let file = call.filled(observations) else { return observed }
    let rows = try NetworkFile.data(file, ObservationReader.read)
    let ranges = try await shelf.database(call.context).ranges
    return try NetworkFile.naming(file) { try observed.observing(rows, ranges: ranges) }
  }

  /// Returns the restrictions on the scenarios.
  ///
  /// - Throws: ``PathwayError``.
  static func restriction(
    _ call: CommandCall, _ network: ScenarioNetwork, _ shelf: PathwayShelf
  ) async throws -> ScenarioRestriction {
    var restriction = ScenarioRestriction()
    var numbers: [Identifier: Int] = [:]
    for (index, process) in network.processes.enumerated() { numbers[process.id] = index }
    let filters = [
      (call[active], ProcessStates.active), (call[forward], .forward), (call[backward], .backward),
      (call[idle], .idle),
    ]
    for (words, states) in filters {
      for word in words {
        guard let index = Identifier.meant(by: word).lazy.compactMap({ numbers[$0] }).first else {
          throw PathwayError.unknownProcess(
            "the network has no process '\(word)'",
            advice: ReactionLookup.advice(for: word, in: network.processes.map(\.id))
              ?? "list all processes with '--page-size 1 --json'"
          ).short
        }
        restriction = restriction.and(ScenarioRestriction(states: [index: states]))
      }
    }
    for (words, isOn) in [(call[pathwayOn], true), (call[pathwayOff], false)] {
      for word in words {
        guard case .pathway(let pathway, let database) = try await shelf.network(word, call.context) else {
          throw PathwayError.notAPathway(word)
        }
        let members = database.links.processesOfPathways[pathway].compactMap { numbers[database.processes[$0].id] }
        if members.isEmpty {
          throw PathwayError.nothingOfPathway(
            "the network has no process of the pathway '\(database.pathways[pathway].id)'",
            advice: "give both pathways, separated by a comma"
          ).short
        }
        if isOn {
          restriction.anyActive.append(members)
          restriction.groupNames[members] = database.pathways[pathway].id.text
        } else {
          let idle = Dictionary(members.map { ($0, ProcessStates.idle) }, uniquingKeysWith: { first, _ in first })
          restriction = restriction.and(ScenarioRestriction(states: idle))
        }
      }
    }
    restriction.maximumActive = call[atMost]
    return restriction
  }
}

/// A query for scenarios, with everything that its result depends on.
struct ScenarioStudy: Sendable {
  var network: ScenarioNetwork
  var mode = ScenarioMode.necessary
  var restriction = ScenarioRestriction()
  /// A Boolean value indicating whether only scenarios with as few active processes as possible count.
  var isSimplest = false

  /// Computes the scenarios.
  ///
  /// - Throws: ``ScenarioError``, ``FluxError``, `CancellationError`.
  func scenarios(isCancelled: @escaping @Sendable () -> Bool) throws -> ScenarioSet {
    var limits = SearchLimits()
    limits.isCancelled = isCancelled
    var analysis = try ScenarioAnalysis(network, mode: mode.analysis, restriction: restriction, limits: limits)
    if isSimplest, let fewest = analysis.fewestActive {
      analysis = try analysis.restricted(ScenarioRestriction(maximumActive: fewest))
    }
    let fluxes = mode == .realizable ? try feasibility(isCancelled) : nil
    return try ScenarioSet(analysis, mode: mode, feasibility: fluxes)
  }

  /// Returns a check by elementary modes if there are few, which is a hundred times as fast; otherwise by linear
  /// programs.
  private func feasibility(_ isCancelled: @escaping @Sendable () -> Bool) throws -> any FluxFeasibility {
    var limits = ElementaryModes.Limits()
    limits.rays = Self.mostModes
    limits.isCancelled = isCancelled
    do {
      return ModeCover(
        try ElementaryModes(try ModeProblem(network), limits: limits), processes: network.processes.count)
    } catch is ModeError {
      return try ScenarioFluxes(network)
    }
  }

  /// The maximum number of modes; beyond it a linear program is as fast.
  private static let mostModes = 1_000
}
