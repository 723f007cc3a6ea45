extension ReactionModel {
  /// From how many reactions on a species counts as common in a model that names no carrier molecule.
  static let commonFrom = 15

  /// The species that pictures may leave out and scenario analysis does leave out, by index: carrier molecules.
  ///
  /// Of a model that calls none of its species so that they are known for one, those that take part in very many
  /// reactions; of a model of nothing else, none. How often a species is used is no sign otherwise: pyruvate and
  /// glutamate are used more often than most carriers.
  var commonSpecies: Set<Int> {
    let carriers = Set(species.indices.filter { CarrierMolecules.contains(species[$0]) })
    if carriers.isEmpty {
      let uses = speciesUses
      return Set(species.indices.filter { uses[$0] >= Self.commonFrom })
    }
    let isAll = reactions.allSatisfy { $0.stoichiometry.allSatisfy { carriers.contains($0.species) } }
    return isAll ? [] : carriers
  }

  /// In how many reactions each species takes part.
  var speciesUses: [Int] {
    var uses = [Int](repeating: 0, count: species.count)
    for reaction in reactions { for part in reaction.stoichiometry { uses[part.species] += 1 } }
    return uses
  }
}
