extension ReactionModel {
  /// A model as scenario analysis sees it.
  ///
  /// Species that take part in very many reactions are left out, exchanges with the world outside too: their species are
  /// boundaries. Reactions that can only run backwards are turned round.
  var scenarioNetwork: ScenarioNetwork {
    var network = ScenarioNetwork(name: name.isEmpty ? id.text : name)
    let uses = speciesUses
    let exchanges = Set(reactions.indices.filter { isExchange(reactions[$0]) })
    let outside = Set(exchanges.flatMap { reactions[$0].stoichiometry.map(\.species) })
    var places: [Int: Int] = [:]
    for index in species.indices where uses[index] < Self.commonFrom && uses[index] > 0 {
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

  private func isExchange(_ reaction: ModelReaction) -> Bool {
    reaction.stoichiometry.allSatisfy { $0.amount > 0 } || reaction.stoichiometry.allSatisfy { $0.amount < 0 }
  }

  /// The reaction as a process; nil if it can have no flux, or if nothing of it is left.
  private func process(_ reaction: ModelReaction, _ places: [Int: Int], _ rules: ScenarioRules) -> ScenarioProcess? {
    if reaction.lowerBound >= 0, reaction.upperBound <= 0 { return nil }
    let isTurned = reaction.upperBound <= 0
    var process = ScenarioProcess(
      id: reaction.id, isReversible: reaction.lowerBound < 0 && reaction.upperBound > 0)
    for part in reaction.stoichiometry where part.amount != 0 {
      guard let pool = places[part.species] else { continue }
      if (part.amount < 0) != isTurned {
        process.inputs.append(.init(pool: pool, trigger: rules.inputTrigger, isUsual: true))
      } else {
        process.outputs.append(pool)
      }
    }
    return process.inputs.isEmpty && process.outputs.isEmpty ? nil : process
  }
}
