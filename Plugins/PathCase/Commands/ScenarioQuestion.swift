import PluginAPI

/// The query of `smda`: the network, its observations, and the restrictions on scenarios.
enum ScenarioQuestion {
  /// The options that restrict the scenarios.
  static let filters = [
    Parameter("active", .text, "only scenarios in which this process runs, either way", isRepeatable: true)
      .completedByProcesses(),
    Parameter("forward", .text, "only scenarios in which this process runs forwards", isRepeatable: true)
      .completedByProcesses(),
    Parameter("backward", .text, "only scenarios in which this process runs backwards", isRepeatable: true)
      .completedByProcesses(),
    Parameter("idle", .text, "only scenarios in which this process is idle", isRepeatable: true).completedByProcesses(),
    Parameter(
      "pathway-on", .text, "only scenarios in which some process of this pathway runs", isRepeatable: true
    ).completedByPathways(),
    Parameter(
      "pathway-off", .text, "only scenarios in which no process of this pathway runs", isRepeatable: true
    ).completedByPathways(),
    Parameter(
      "at-most", .integer(minimum: 0, maximum: Int.max), "only scenarios with at most so many active processes"),
    Parameter("simplest", .flag, "only scenarios with as few active processes as possible"),
  ]

  /// The option to ignore other pathways.
  static let closed = Parameter(
    "closed", .flag, "pathways by themselves: what other pathways move is no boundary for that")

  /// The options that select the data to analyze.
  static let sources = [
    closed,
    Parameter(
      "observations", .inputFile(extensions: ["json", "csv"]), "what was measured: levels or values of pools"),
    Parameter("rules", .inputFile(extensions: ["json"]), "which rules hold; 'pathcase rules' gives those of default"),
    Parameter("labels", .integer(minimum: 3, maximum: 4), "how many levels there are; 4 with severely accumulated"),
  ]

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
    var network = try network(call.text("network"), isClosed: call.flag("closed"), call.context, shelf)
    var rules = network.rules
    if !call.text("rules").isEmpty {
      rules = try ScenarioRulesReader.read(try NetworkFile.bytes(call.text("rules")), onto: rules)
    }
    if let labels = call["labels"].integer { rules.levels = labels }
    if rules != network.rules { network = network.applying(rules) }
    guard !call.text("observations").isEmpty else { return network }
    let rows = try ObservationReader.read(try NetworkFile.bytes(call.text("observations")))
    return try network.observing(rows, ranges: try shelf.database(call.context).ranges)
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
    let kinds: [(String, ProcessStates)] = [
      ("active", .active), ("forward", .forward), ("backward", .backward), ("idle", .idle),
    ]
    for (option, states) in kinds {
      for word in call.texts(option) {
        guard let index = numbers[Identifier(word)] ?? numbers[Identifier("R_" + word)] else {
          throw PathwayError.unknownProcess(
            word, nearest: AskedReaction.nearest(to: word, in: network.processes.map(\.id)))
        }
        restriction = restriction.and(ScenarioRestriction(states: [index: states]))
      }
    }
    for (option, isOn) in [("pathway-on", true), ("pathway-off", false)] {
      for word in call.texts(option) {
        guard case .pathway(let pathway, let database) = try shelf.network(word, call.context) else {
          throw PathwayError.notAPathway(word)
        }
        let members = database.links.processesOfPathways[pathway].compactMap { numbers[database.processes[$0].id] }
        if members.isEmpty { throw PathwayError.nothingOfPathway(database.pathways[pathway].id.text) }
        if isOn {
          restriction.anyActive.append(members)
          restriction.groupNames[members] = database.pathways[pathway].id.text
        } else {
          let idle = Dictionary(members.map { ($0, ProcessStates.idle) }, uniquingKeysWith: { first, _ in first })
          restriction = restriction.and(ScenarioRestriction(states: idle))
        }
      }
    }
    restriction.maximumActive = call["at-most"].integer
    return restriction
  }
}
