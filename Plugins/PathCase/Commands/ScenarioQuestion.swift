import PluginAPI

/// The query of `smda`: the network, its observations, and the restrictions on scenarios.
enum ScenarioQuestion {
  // MARK: The data to analyze

  static let network = Argument(
    "network", String.self, kind: PathCaseCommand.document,
    "the id of a pathway, ids of several with commas between them, or a file"
  ).completedByPathways()
  /// The option to ignore other pathways.
  static let closed = Option(
    flag: "closed", "pathways by themselves: what other pathways move is no boundary for that")
  static let observations = Option(
    "observations", String.self, kind: .inputFile(extensions: ["json", "csv"]),
    "what was measured: levels or values of pools")
  static let rules = Option(
    "rules", String.self, kind: .inputFile(extensions: ["json"]),
    "which rules hold; 'pathcase rules' gives those of default")
  static let labels = Option(
    "labels", Int.self, kind: .integer(minimum: 3, maximum: 4),
    "how many levels there are; 4 with severely accumulated")

  // MARK: The restrictions on scenarios

  static let active = Option("active", list: String.self, "only scenarios in which this process runs, either way")
    .completedByProcesses()
  static let forward = Option("forward", list: String.self, "only scenarios in which this process runs forwards")
    .completedByProcesses()
  static let backward = Option("backward", list: String.self, "only scenarios in which this process runs backwards")
    .completedByProcesses()
  static let idle = Option("idle", list: String.self, "only scenarios in which this process is idle")
    .completedByProcesses()
  static let pathwayOn = Option(
    "pathway-on", list: String.self, "only scenarios in which some process of this pathway runs"
  ).completedByPathways()
  static let pathwayOff = Option(
    "pathway-off", list: String.self, "only scenarios in which no process of this pathway runs"
  ).completedByPathways()
  static let atMost = Option(
    "at-most", Int.self, kind: .integer(minimum: 0, maximum: Int.max),
    "only scenarios with at most so many active processes")

  /// Returns the network for a word: a pathway or a file, or several pathways separated by commas.
  ///
  /// - Throws: The errors of reading, ``PathwayError``.
  static func network(
    _ word: String, isClosed: Bool, _ context: any PluginContext, _ shelf: PathwayShelf
  ) throws -> ScenarioNetwork {
    let words = word.split(separator: ",").map(String.init)
    guard words.count > 1, !word.contains("/") else {
      return try shelf.network(word, context).scenarioNetwork(isClosed: isClosed)
    }
    var pathways: [Int] = []
    for word in words {
      guard case .pathway(let pathway, _) = try shelf.network(word, context) else {
        throw PathwayError.notAPathway(word)
      }
      if !pathways.contains(pathway) { pathways.append(pathway) }
    }
    var network = try shelf.database(context).scenarioNetwork(ofPathways: pathways, isClosed: isClosed)
    network.closeEnds(withSingles: isClosed)
    return network
  }

  /// Returns the network with the rules and observations of a call.
  ///
  /// - Throws: The errors of the network; ``ScenarioFileError``, ``ObservationError``.
  static func observed(_ call: CommandCall, _ shelf: PathwayShelf) throws -> ScenarioNetwork {
    var observed = try network(call[network], isClosed: call[closed], call.context, shelf)
    var rules = observed.rules
    if let file = call.filled(Self.rules) {
      rules = try ScenarioRulesReader.read(try NetworkFile.bytes(file), onto: rules)
    }
    if let labels = call[labels] { rules.levels = labels }
    if rules != observed.rules { observed = observed.applying(rules) }
    guard let file = call.filled(observations) else { return observed }
    let rows = try ObservationReader.read(try NetworkFile.bytes(file))
    return try observed.observing(rows, ranges: try shelf.database(call.context).ranges)
  }

  /// Returns the restrictions on the scenarios.
  ///
  /// - Throws: ``PathwayError``.
  static func restriction(
    _ call: CommandCall, _ network: ScenarioNetwork, _ shelf: PathwayShelf
  ) throws -> ScenarioRestriction {
    var restriction = ScenarioRestriction()
    var numbers: [Identifier: Int] = [:]
    for (index, process) in network.processes.enumerated() { numbers[process.id] = index }
    let asked = [
      (call[active], ProcessStates.active), (call[forward], .forward), (call[backward], .backward),
      (call[idle], .idle),
    ]
    for (words, states) in asked {
      for word in words {
        guard let index = numbers[Identifier(word)] ?? numbers[Identifier("R_" + word)] else {
          let nearest = AskedReaction.nearest(to: word, in: network.processes.map(\.id))
          throw PathwayError.unknownProcess(
            "the network has no process '\(word)'",
            advice: nearest.map { "did you mean '\($0)'?" } ?? "'--page-size 1 --json' shows all"
          ).short
        }
        restriction = restriction.and(ScenarioRestriction(states: [index: states]))
      }
    }
    for (words, isOn) in [(call[pathwayOn], true), (call[pathwayOff], false)] {
      for word in words {
        guard case .pathway(let pathway, let database) = try shelf.network(word, call.context) else {
          throw PathwayError.notAPathway(word)
        }
        let members = database.links.processesOfPathways[pathway].compactMap { numbers[database.processes[$0].id] }
        if members.isEmpty {
          throw PathwayError.nothingOfPathway(
            "the network has no process of the pathway '\(database.pathways[pathway].id)'",
            advice: "name both, with a comma between them"
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
