extension ReactionModel {
  /// The number of reactions from which a species counts as common, in a model without recognized carrier molecules.
  static let commonFrom = 15

  /// The species that pictures may leave out and scenario analysis does leave out, by index: carrier molecules.
  ///
  /// If no species is recognized as a carrier, these are the species with very many reactions. If all species are
  /// carriers, there are none. The number of uses is otherwise not a sign: pyruvate and glutamate are used more often
  /// than most carriers.
  var commonSpecies: Set<Int> {
    let carriers = Set(species.indices.filter { CarrierMolecules.contains(species[$0]) })
    if carriers.isEmpty {
      let uses = speciesUses
      return Set(species.indices.filter { uses[$0] >= Self.commonFrom })
    }
    let isAll = reactions.allSatisfy { $0.stoichiometry.allSatisfy { carriers.contains($0.species) } }
    return isAll ? [] : carriers
  }

  /// The number of reactions in which each species takes part.
  var speciesUses: [Int] {
    var uses = [Int](repeating: 0, count: species.count)
    for reaction in reactions { for part in reaction.stoichiometry { uses[part.species] += 1 } }
    return uses
  }
}
