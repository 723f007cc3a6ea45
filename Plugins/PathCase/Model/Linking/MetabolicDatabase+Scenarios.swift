extension MetabolicDatabase {
  /// Returns pathways as a network for scenario analysis.
  ///
  /// Common metabolites, and processes that move nothing else, are left out. A pool is a boundary if the database says
  /// so, or if a process outside the pathways moves it, since nothing is known of that process here. A pathway's
  /// activation conditions override the triggers of participants. A pool that a process both consumes and produces is
  /// only a condition. Catalysts are assumed to be present.
  /// - Parameters:
  ///   - pathways: The indices of the pathways.
  ///   - observed: The observed levels of pools; pools outside the network are skipped.
  ///   - isClosed: True if other pathways are ignored, so that their processes make no pool a boundary.
  func scenarioNetwork(
    ofPathways pathways: [Int], observed: [Identifier: LevelSet] = [:], rules: ScenarioRules = ScenarioRules(),
    isClosed: Bool = false
  ) -> ScenarioNetwork {
    var builder = ScenarioNetworkBuilder(database: self, pathways: pathways, rules: rules, isClosed: isClosed)
    return builder.build(observed)
  }
}

/// Builds a scenario network from pathways.
struct ScenarioNetworkBuilder {
  private let database: MetabolicDatabase
  private let pathways: [Int]
  private let isClosed: Bool
  private var network: ScenarioNetwork
  /// The indices of pools in the network, keyed by their index in the database.
  private var indices: [Int: Int] = [:]

  init(database: MetabolicDatabase, pathways: [Int], rules: ScenarioRules, isClosed: Bool = false) {
    self.database = database
    self.isClosed = isClosed
    self.pathways = pathways
    let names = pathways.map { database.pathways[$0].name }
    network = ScenarioNetwork(name: names.joined(separator: ", "), rules: rules)
  }

  mutating func build(_ observed: [Identifier: LevelSet]) -> ScenarioNetwork {
    let processes = Set(pathways.flatMap { database.links.processesOfPathways[$0] }).sorted()
    let conditions = Dictionary(
      grouping: pathways.flatMap { database.pathways[$0].activations }, by: \.process)
    for process in processes {
      if let made = make(process, conditions[database.processes[process].id] ?? []) { network.processes.append(made) }
    }
    let inside = Set(processes)
    for (pool, index) in indices {
      let isOpen =
        !isClosed && database.links.processesOfPools[pool].contains { !inside.contains($0) && moves($0, pool) }
      network.pools[index].isBoundary = database.pools[pool].isBoundary || isOpen
      network.pools[index].observed = observed[database.pools[pool].id]
    }
    return network
  }

  /// The role of a pool in a process; a pool may have several.
  private enum Part: Int {
    case taken, made, activates, inhibits

    /// Creates the part of a role; nil for catalysts, which are assumed to be present.
    init?(_ role: Participant.Role) {
      switch role {
      case .substrate, .cofactorIn: self = .taken
      case .product, .cofactorOut: self = .made
      case .activator: self = .activates
      case .inhibitor: self = .inhibits
      case .catalyst: return nil
      }
    }
  }

  private struct Condition: Hashable {
    var pool: Int
    var part: Part
  }

  /// Returns a process of the network; nil if it moves nothing that counts.
  private mutating func make(_ process: Int, _ conditions: [ActivationCondition]) -> ScenarioProcess? {
    let record = database.processes[process]
    let pools = Array(database.links.participantPools[process])
    let members = zip(record.participants, pools).filter { !isCommon($0.1) }
    let inputs = Set(members.filter { $0.0.role.isInput }.map(\.1))
    let outputs = Set(members.filter { $0.0.role.isOutput }.map(\.1))
    if inputs.symmetricDifference(outputs).isEmpty { return nil }
    var told = triggers(conditions)
    var made = ScenarioProcess(id: record.id, isReversible: record.isReversible)
    var amounts: [Int: Double] = [:]
    for (participant, pool) in members {
      let trigger = Part(participant.role).flatMap { told.removeValue(forKey: Condition(pool: pool, part: $0)) }
      let isLoop = inputs.contains(pool) && outputs.contains(pool)
      add(participant.role, pool, trigger ?? participant.trigger, isLoop: isLoop, to: &made)
      if participant.role.isInput { amounts[index(of: pool), default: 0] -= participant.stoichiometry }
      if participant.role.isOutput { amounts[index(of: pool), default: 0] += participant.stoichiometry }
    }
    made.take(amounts: amounts)
    // Conditions on pools without such a role: those that should be consumed must be present, like activators.
    for (condition, trigger) in told.sorted(by: {
      ($0.key.pool, $0.key.part.rawValue) < ($1.key.pool, $1.key.part.rawValue)
    })
    where !isCommon(condition.pool) && condition.part != .made {
      let role = condition.part == .inhibits ? Participant.Role.inhibitor : .activator
      add(role, condition.pool, trigger, isLoop: false, to: &made)
    }
    return made
  }

  /// Returns the triggers that pathways give for a process; the first one given counts.
  private func triggers(_ conditions: [ActivationCondition]) -> [Condition: MetaboliteLevel] {
    var triggers: [Condition: MetaboliteLevel] = [:]
    for condition in conditions {
      guard let pool = database.index.pools[condition.pool], let part = Part(condition.role) else { continue }
      let key = Condition(pool: pool, part: part)
      if triggers[key] == nil { triggers[key] = condition.trigger }
    }
    return triggers
  }

  /// Adds a pool to a process, once per side.
  private mutating func add(
    _ role: Participant.Role, _ pool: Int, _ trigger: MetaboliteLevel?, isLoop: Bool, to process: inout ScenarioProcess
  ) {
    if role == .catalyst { return }
    let index = index(of: pool)
    let rules = network.rules
    func condition(_ usual: MetaboliteLevel) -> ScenarioProcess.Condition {
      ScenarioProcess.Condition(pool: index, trigger: trigger ?? usual, isUsual: trigger == nil)
    }
    switch role {
    case .substrate, .cofactorIn:
      if isLoop {
        if !process.activators.contains(where: { $0.pool == index }) {
          process.activators.append(condition(rules.inputTrigger))
        }
      } else if !process.inputs.contains(where: { $0.pool == index }) {
        process.inputs.append(condition(rules.inputTrigger))
      }
    case .product, .cofactorOut:
      if !isLoop, !process.outputs.contains(index) { process.outputs.append(index) }
    case .activator: process.activators.append(condition(rules.activatorTrigger))
    case .inhibitor: process.inhibitors.append(condition(rules.inhibitorTrigger))
    case .catalyst: break
    }
  }

  private mutating func index(of pool: Int) -> Int {
    if let index = indices[pool] { return index }
    indices[pool] = network.pools.count
    network.pools.append(ScenarioPool(id: database.pools[pool].id))
    return network.pools.count - 1
  }

  private func isCommon(_ pool: Int) -> Bool { database.metabolites[database.links.poolMetabolites[pool]].isCommon }

  /// Returns whether a process consumes or produces a pool.
  private func moves(_ process: Int, _ pool: Int) -> Bool {
    zip(database.processes[process].participants, database.links.participantPools[process]).contains {
      $0.1 == pool && ($0.0.role.isInput || $0.0.role.isOutput)
    }
  }
}
