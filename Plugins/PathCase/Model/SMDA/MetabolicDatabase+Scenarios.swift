extension MetabolicDatabase {
  /// A pathway as scenario analysis sees it.
  ///
  /// Common molecules are left out. A pool is a boundary if it is told to be one, if processes outside of the pathway use
  /// it, or if the pathway only makes or only uses it: it need not be in balance then.
  ///
  /// - Parameter pathway: Its index.
  func scenarioNetwork(ofPathway pathway: Int) -> ScenarioNetwork {
    let members = members(ofPathway: pathway)
    let inside = Set(members.processes)
    var network = ScenarioNetwork(name: pathways[pathway].name)
    var places: [Int: Int] = [:]
    for pool in members.pools where !metabolites[links.poolMetabolites[pool]].isCommon {
      places[pool] = network.pools.count
      let isShared = links.processesOfPools[pool].contains { !inside.contains($0) }
      network.pools.append(ScenarioPool(id: pools[pool].id, isBoundary: pools[pool].isBoundary || isShared))
    }
    for process in members.processes { add(process, places, to: &network) }
    addActivations(of: pathways[pathway], places, to: &network)
    network.closeEnds()
    return network
  }

  private func add(_ number: Int, _ places: [Int: Int], to network: inout ScenarioNetwork) {
    let process = processes[number]
    var result = ScenarioProcess(id: process.id, isReversible: process.isReversible)
    for (participant, pool) in zip(process.participants, links.participantPools[number]) {
      guard let place = places[pool] else { continue }
      result.add(participant.role, place, participant.trigger, network.rules)
    }
    network.processes.append(result)
  }

  private func addActivations(
    of pathway: MetabolicPathway, _ places: [Int: Int], to network: inout ScenarioNetwork
  ) {
    var numbers: [Identifier: Int] = [:]
    for (number, process) in network.processes.enumerated() { numbers[process.id] = number }
    for condition in pathway.activations {
      guard let number = numbers[condition.process], let pool = index.pools[condition.pool], let place = places[pool]
      else { continue }
      network.processes[number].add(condition.role, place, condition.trigger, network.rules)
    }
  }
}

extension ScenarioProcess {
  /// Adds the part of a pool; what is there already gets the trigger that is told last.
  fileprivate mutating func add(
    _ role: Participant.Role, _ pool: Int, _ trigger: MetaboliteLevel?, _ rules: ScenarioRules
  ) {
    func put(_ list: inout [Condition], _ usual: MetaboliteLevel) {
      list.removeAll { $0.pool == pool }
      list.append(Condition(pool: pool, trigger: trigger ?? usual))
    }
    switch role {
    case .substrate, .cofactorIn: put(&inputs, rules.inputTrigger)
    case .product, .cofactorOut: if !outputs.contains(pool) { outputs.append(pool) }
    case .activator: put(&activators, rules.activatorTrigger)
    case .inhibitor: put(&inhibitors, rules.inhibitorTrigger)
    case .catalyst: break
    }
  }
}

extension ScenarioNetwork {
  /// Makes boundaries of the pools that no process can make, or none can use.
  mutating func closeEnds() {
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
    for pool in pools.indices where !made.contains(pool) || !used.contains(pool) { pools[pool].isBoundary = true }
  }
}
