extension MetabolicDatabase {
  /// Returns a pathway as a model: pools are its species, processes its reactions.
  ///
  /// Fluxes are limited only in direction. Activators, inhibitors and catalysts become modifiers. The reactions of the
  /// pathway form one group, its transports another.
  /// - Parameter pathway: The index of the pathway.
  func model(ofPathway pathway: Int) -> ReactionModel {
    let record = pathways[pathway]
    let members = members(ofPathway: pathway)
    var model = ReactionModel(id: record.id, name: record.name)
    model.compartments = members.compartments.map { place in
      let tissue = links.compartmentTissues[place].map { tissues[$0].name + ", " } ?? ""
      return ModelCompartment(id: compartments[place].id, name: tissue + compartments[place].name, size: 1)
    }
    var rooms: [Int: Int] = [:]
    for (index, place) in members.compartments.enumerated() { rooms[place] = index }
    var species: [Int: Int] = [:]
    for (index, pool) in members.pools.enumerated() {
      species[pool] = index
      let metabolite = metabolites[links.poolMetabolites[pool]]
      model.species.append(
        ModelSpecies(
          id: pools[pool].id, name: metabolite.name, compartment: rooms[links.poolCompartments[pool]],
          isBoundary: pools[pool].isBoundary, formula: metabolite.formula, charge: metabolite.charge,
          metadata: ModelMetadata(references: Self.addresses(metabolite))))
    }
    for process in links.processesOfPathways[pathway] { model.reactions.append(reaction(process, species)) }
    for kind in MetabolicProcess.Kind.allCases {
      let ids = links.processesOfPathways[pathway].filter { processes[$0].kind == kind }.map { processes[$0].id }
      if ids.isEmpty { continue }
      model.groups.append(
        ModelGroup(
          id: Identifier("group_\(kind.rawValue)"),
          name: kind == .transport ? "\(record.name): transports" : record.name, kind: "partonomy", members: ids))
    }
    return model
  }

  private func reaction(_ process: Int, _ species: [Int: Int]) -> ModelReaction {
    let record = processes[process]
    var reaction = ModelReaction(id: record.id, name: record.name, isReversible: record.isReversible)
    reaction.lowerBound = record.isReversible ? -.infinity : 0
    var amounts: [Int: Double] = [:]
    var order: [Int] = []
    for (participant, pool) in zip(record.participants, links.participantPools[process]) {
      guard let index = species[pool] else { continue }
      if participant.role.isInput || participant.role.isOutput {
        if amounts[index] == nil { order.append(index) }
        amounts[index, default: 0] += participant.stoichiometry * (participant.role.isInput ? -1 : 1)
      } else {
        let modifier = ReactionModifier(species: index, Self.kind(of: participant.role))
        if !reaction.modifiers.contains(modifier) { reaction.modifiers.append(modifier) }
      }
    }
    reaction.stoichiometry = order.map { SpeciesAmount(species: $0, amount: amounts[$0] ?? 0) }
    if let enzyme = record.enzyme { reaction.references = ["https://identifiers.org/ec-code/" + enzyme] }
    return reaction
  }

  private static func kind(of role: Participant.Role) -> ReactionModifier.Kind {
    switch role {
    case .activator: .activator
    case .inhibitor: .inhibitor
    case .catalyst: .catalyst
    case .substrate, .product, .cofactorIn, .cofactorOut: .unknown
    }
  }

  /// Returns the addresses of a metabolite in other databases, in the order of the databases' names.
  private static func addresses(_ metabolite: Metabolite) -> [String] {
    metabolite.references.sorted { Identifier($0.key) < Identifier($1.key) }.map { name, entry in
      switch name {
      case "kegg": "https://identifiers.org/kegg.compound/" + entry
      case "chebi": "https://identifiers.org/chebi/" + (entry.hasPrefix("CHEBI:") ? entry : "CHEBI:" + entry)
      default: "https://identifiers.org/\(name)/\(entry)"
      }
    }
  }
}
