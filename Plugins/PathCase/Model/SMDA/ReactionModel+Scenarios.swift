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
    return process.inputs.isEmpty && process.outputs.isEmpty ? nil : process
  }
}
