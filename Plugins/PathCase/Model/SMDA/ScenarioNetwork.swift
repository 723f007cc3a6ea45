/// A network for scenario analysis: processes run depending on the levels of their pools.
///
/// Indices count from 0. Common molecules have been left out, or are boundaries.
///
/// - Source: A. Cakmak et al., J. Bioinform. Comput. Biol. 10, 1240003 (2012), for the structure; the rules are our own
///   exact ones (Documentation/PathCase).
struct ScenarioNetwork: Sendable, Hashable {
  var name = ""
  var pools: [ScenarioPool] = []
  var processes: [ScenarioProcess] = []
  var rules = ScenarioRules()
}

/// A pool of a scenario network.
struct ScenarioPool: Sendable, Hashable {
  var id: Identifier
  /// A Boolean value indicating whether the network ends here, so that the pool need not be in balance.
  var isBoundary = false
  /// The observed levels; nil if there is no observation.
  var observed: LevelSet?
}

/// A process of a scenario network.
struct ScenarioProcess: Sendable, Hashable {
  /// A pool and the level from which it acts.
  struct Condition: Sendable, Hashable {
    /// The pool, by index.
    var pool: Int
    var trigger: MetaboliteLevel
    /// A Boolean value indicating whether the trigger is the default of the rules, because none was given.
    var isUsual = false
  }

  var id: Identifier
  var isReversible = false
  /// The pools consumed when it runs forward, each once; the trigger applies to that direction.
  var inputs: [Condition] = []
  /// The pools produced when it runs forward, by index, each once.
  var outputs: [Int] = []
  var inhibitors: [Condition] = []
  var activators: [Condition] = []
  /// The amounts of pools that a forward flux of 1 produces (above 0) and consumes (below 0), by index; nil if each is
  /// 1.
  ///
  /// Amounts matter only in the realizable mode and for elementary modes.
  var amounts: [Int: Double]?

  /// A Boolean value indicating whether it neither consumes nor produces a pool.
  var movesNothing: Bool { inputs.isEmpty && outputs.isEmpty }

  /// The states that its reversibility permits.
  var directions: ProcessStates { isReversible ? .every : [.idle, .forward] }

  /// The net change of each pool by a forward flux of 1, by index; pools without a net change are left out.
  var changes: [Int: Double] {
    if let amounts { return amounts.filter { $0.value != 0 } }
    var changes: [Int: Double] = [:]
    for input in inputs { changes[input.pool, default: 0] -= 1 }
    for output in outputs { changes[output, default: 0] += 1 }
    return changes.filter { $0.value != 0 }
  }

  /// Stores amounts, unless they are all 1.
  mutating func take(amounts: [Int: Double]) {
    self.amounts = nil
    let given = amounts.filter { $0.value != 0 }
    if given != changes { self.amounts = given }
  }
}

extension ScenarioNetwork {
  /// Turns pools that no process can produce, or none can consume, into boundaries: they could never be in balance.
  ///
  /// - Parameter withSingles: True to include pools that only one process moves, even if it is reversible.
  mutating func closeEnds(withSingles: Bool = false) {
    var uses = Array(repeating: 0, count: pools.count)
    for process in processes { for pool in Set(process.inputs.map(\.pool) + process.outputs) { uses[pool] += 1 } }
    var (made, used) = (Set<Int>(), Set<Int>())
    for process in processes {
      let inputs = process.inputs.map(\.pool)
      used.formUnion(inputs)
      made.formUnion(process.outputs)
      if process.isReversible {
        made.formUnion(inputs)
        used.formUnion(process.outputs)
      }
    }
    for pool in pools.indices where !made.contains(pool) || !used.contains(pool) || withSingles && uses[pool] < 2 {
      pools[pool].isBoundary = true
    }
  }
}

// MARK: - Models

extension ReactionModel {
  /// The model as a network for scenario analysis.
  ///
  /// Common molecules are left out, as are exchanges with the environment, whose species become boundaries. Reactions
  /// that can only run backward are reversed.
  var scenarioNetwork: ScenarioNetwork {
    var network = ScenarioNetwork(name: name.isEmpty ? id.text : name)
    let (uses, common) = (speciesUses, commonSpecies)
    let exchanges = Set(reactions.indices.filter { isExchange(reactions[$0]) })
    let outside = Set(exchanges.flatMap { reactions[$0].stoichiometry.map(\.species) })
    var places: [Int: Int] = [:]
    for index in species.indices where uses[index] > 0 && !common.contains(index) {
      places[index] = network.pools.count
      network.pools.append(
        ScenarioPool(id: species[index].id, isBoundary: species[index].isBoundary || outside.contains(index)))
    }
    for (index, reaction) in reactions.enumerated() where !exchanges.contains(index) {
      if let process = process(reaction, places, network.rules) { network.processes.append(process) }
    }
    network.closeEnds()
    return network
  }

  /// Returns whether a reaction represents the environment: one species appears from nowhere, or disappears.
  ///
  /// A reaction that consumes several species and produces none, as growth does in many models, is an ordinary process.
  private func isExchange(_ reaction: ModelReaction) -> Bool {
    reaction.stoichiometry.count { $0.amount != 0 } <= 1
  }

  /// Returns the reaction as a process; nil if it can have no flux, or if nothing of it is left.
  private func process(_ reaction: ModelReaction, _ places: [Int: Int], _ rules: ScenarioRules) -> ScenarioProcess? {
    if reaction.lowerBound >= 0, reaction.upperBound <= 0 { return nil }
    let isTurned = reaction.upperBound <= 0
    var process = ScenarioProcess(
      id: reaction.id, isReversible: reaction.lowerBound < 0 && reaction.upperBound > 0)
    var amounts: [Int: Double] = [:]
    for part in reaction.stoichiometry where part.amount != 0 {
      guard let pool = places[part.species] else { continue }
      amounts[pool, default: 0] += isTurned ? -part.amount : part.amount
      if (part.amount < 0) != isTurned {
        process.inputs.append(.init(pool: pool, trigger: rules.inputTrigger, isUsual: true))
      } else {
        process.outputs.append(pool)
      }
    }
    process.take(amounts: amounts)
    return process.movesNothing ? nil : process
  }
}

// MARK: - Pathways

extension MetabolicDatabase {
  /// Returns pathways as a network for scenario analysis.
  ///
  /// Common metabolites, and processes that move nothing else, are left out. A pool is a boundary if the database says
  /// so, or if a process outside the pathways moves it, since that process is unknown here. A pathway's
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
private struct ScenarioNetworkBuilder {
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

  /// Returns a process of the network; nil if it consumes and produces the same pools.
  private mutating func make(_ process: Int, _ conditions: [ActivationCondition]) -> ScenarioProcess? {
    let record = database.processes[process]
    let members = database.participants(ofProcess: process).filter { !isCommon($0.1) }
    let inputs = Set(members.filter { $0.0.role.isInput }.map(\.1))
    let outputs = Set(members.filter { $0.0.role.isOutput }.map(\.1))
    if inputs.symmetricDifference(outputs).isEmpty { return nil }
    var triggers = triggers(conditions)
    var made = ScenarioProcess(id: record.id, isReversible: record.isReversible)
    var amounts: [Int: Double] = [:]
    for (participant, pool) in members {
      let trigger = Part(participant.role).flatMap { triggers.removeValue(forKey: Condition(pool: pool, part: $0)) }
      let isLoop = inputs.contains(pool) && outputs.contains(pool)
      add(participant.role, pool, trigger ?? participant.trigger, isLoop: isLoop, to: &made)
      if participant.role.isInput { amounts[index(of: pool), default: 0] -= participant.stoichiometry }
      if participant.role.isOutput { amounts[index(of: pool), default: 0] += participant.stoichiometry }
    }
    made.take(amounts: amounts)
    // Conditions on pools without such a role: those that should be consumed must be present, like activators.
    for (condition, trigger) in triggers.sorted(by: {
      ($0.key.pool, $0.key.part.rawValue) < ($1.key.pool, $1.key.part.rawValue)
    })
    where !isCommon(condition.pool) && condition.part != .made {
      let role = condition.part == .inhibits ? Participant.Role.inhibitor : .activator
      add(role, condition.pool, trigger, isLoop: false, to: &made)
    }
    return made
  }

  /// Returns the triggers that pathways give for a process; the first one of a pool is used.
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

  private func isCommon(_ pool: Int) -> Bool { database.metabolite(ofPool: pool).isCommon }

  /// Returns whether a process consumes or produces a pool.
  private func moves(_ process: Int, _ pool: Int) -> Bool {
    database.participants(ofProcess: process).contains { $0.1 == pool && $0.0.isMoved }
  }
}
