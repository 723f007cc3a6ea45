@testable import PathCase

/// The rules of scenarios as written, tested on every state and every labeling; for small networks.
struct BruteScenarios {
  let network: ScenarioNetwork
  var isStrict = false

  /// Returns every scenario with its labelings, in the order of the scenarios' texts.
  func all() -> [(scenario: Scenario, labellings: [[MetaboliteLevel]])] {
    var found: [(scenario: Scenario, labellings: [[MetaboliteLevel]])] = []
    for states in products(network.processes.map(choices)) {
      let labellings = products(network.pools.map(levels)).filter { holds(states, $0) }
      if !labellings.isEmpty { found.append((Scenario(states: states), labellings)) }
    }
    return found
  }

  private func choices(_ process: ScenarioProcess) -> [ProcessState] {
    if process.inputs.isEmpty && process.outputs.isEmpty { return [.idle] }
    return process.isReversible ? [.forward, .backward, .idle] : [.forward, .idle]
  }

  private func levels(_ pool: ScenarioPool) -> [MetaboliteLevel] {
    let known = MetaboliteLevel.allCases.prefix(network.rules.levels)
    return known.filter { pool.observed?.contains(LevelSet([$0])) ?? true }
  }

  private func products<Element>(_ lists: [[Element]]) -> [[Element]] {
    lists.reduce([[]]) { products, list in products.flatMap { product in list.map { product + [$0] } } }
  }

  private func holds(_ states: [ProcessState], _ levels: [MetaboliteLevel]) -> Bool {
    for (process, state) in zip(network.processes, states) {
      if state != .idle {
        guard isPossible(process, state, levels) else { return false }
        // R7.
        guard outputs(process, state).allSatisfy({ levels[$0] >= .available }) else { return false }
      } else if isStrict, !(process.inputs.isEmpty && process.outputs.isEmpty) {
        // R10.
        if isPossible(process, .forward, levels) { return false }
        if process.isReversible, isPossible(process, .backward, levels) { return false }
      }
    }
    return network.pools.indices.allSatisfy { isBalanced($0, states, levels) }
  }

  /// Checks R1 to R4.
  private func isPossible(_ process: ScenarioProcess, _ state: ProcessState, _ levels: [MetaboliteLevel]) -> Bool {
    let hasInputs =
      state == .forward
      ? process.inputs.allSatisfy { levels[$0.pool] >= $0.trigger }
      : process.outputs.allSatisfy { levels[$0] >= network.rules.inputTrigger }
    let isBlocked =
      network.rules.levels == 4
      && outputs(process, state).contains { levels[$0] == .severelyAccumulated }
    return hasInputs && !isBlocked && process.inhibitors.allSatisfy { levels[$0.pool] < $0.trigger }
      && process.activators.allSatisfy { levels[$0.pool] >= $0.trigger }
  }

  /// Checks R6 and R8.
  private func isBalanced(_ pool: Int, _ states: [ProcessState], _ levels: [MetaboliteLevel]) -> Bool {
    guard !network.pools[pool].isBoundary else { return true }
    var isProduced = false
    var isConsumed = false
    for (process, state) in zip(network.processes, states) where state != .idle {
      let makes = outputs(process, state).contains(pool)
      let takes = inputs(process, state).contains(pool)
      if makes && !takes { isProduced = true }
      if takes && !makes { isConsumed = true }
    }
    return isProduced == isConsumed && (isProduced || levels[pool] != .accumulated)
  }

  private func inputs(_ process: ScenarioProcess, _ state: ProcessState) -> [Int] {
    state == .forward ? process.inputs.map(\.pool) : process.outputs
  }

  private func outputs(_ process: ScenarioProcess, _ state: ProcessState) -> [Int] {
    state == .forward ? process.outputs : process.inputs.map(\.pool)
  }
}

extension ScenarioNetwork {
  /// Returns a small random network with everything that the rules mention.
  static func random(using source: inout some RandomNumberGenerator) -> ScenarioNetwork {
    var network = ScenarioNetwork()
    network.rules.levels = Bool.random(using: &source) ? 3 : 4
    let levels = MetaboliteLevel.allCases.prefix(network.rules.levels)
    for index in 0..<Int.random(in: 2...4, using: &source) {
      var pool = ScenarioPool(id: Identifier("p\(index)"), isBoundary: .random(using: &source))
      if Int.random(in: 0..<3, using: &source) == 0 {
        pool.observed = LevelSet(levels.filter { _ in Bool.random(using: &source) })
      }
      network.pools.append(pool)
    }
    let pools = network.pools.indices
    func some(_ share: Int) -> [Int] { pools.filter { _ in Int.random(in: 0..<share, using: &source) == 0 } }
    func conditions(_ share: Int) -> [ScenarioProcess.Condition] {
      some(share).map { .init(pool: $0, trigger: levels.randomElement(using: &source) ?? .available) }
    }
    for index in 0..<Int.random(in: 1...5, using: &source) {
      network.processes.append(
        ScenarioProcess(
          id: Identifier("r\(index)"), isReversible: .random(using: &source), inputs: conditions(3), outputs: some(3),
          inhibitors: conditions(8), activators: conditions(10)))
    }
    return network
  }
}
