/// The residues of one chain as shown in a sequence strip: letters with the secondary structure of each.
struct SequenceRow: Equatable, Sendable {
  /// One residue of the polymer.
  struct Place: Equatable, Sendable {
    /// Index of the structure, 0-based.
    var residue: Int
    /// The one-letter code; `X` if there is none.
    var letter: Character
    /// The number with insertion code, as in `56A`.
    var number: String
    /// The secondary structure; nil for a residue without a full backbone, as in nucleic acids.
    var kind: SecondaryStructureKind?
  }

  /// Author name of the chain.
  var chain: String
  var places: [Place]

  /// Returns the chains of a model that have a polymer; of residues that share a position only the first.
  ///
  /// - Parameters:
  ///   - structure: The structure.
  ///   - model: Model index, 0-based; one that does not exist gives no rows.
  /// - Complexity: linear in the residues.
  static func all(of structure: Structure, model: Int) -> [SequenceRow] {
    guard structure.models.indices.contains(model) else { return [] }
    let secondary = SecondaryStructureAssignment.best(structure, model: model)
    return structure.models[model].chains.compactMap { chain in
      var places: [Place] = []
      for index in structure.chains[chain].residueRuns.joined() where structure.residues[index].kind == .polymer {
        let number = structure.address(ofResidue: index).numberText
        if places.last?.number == number { continue }
        let letter = ResidueCatalog.entry(structure.residueName(index))?.letter ?? "X"
        places.append(Place(residue: index, letter: letter, number: number, kind: secondary[index]))
      }
      return places.isEmpty ? nil : SequenceRow(chain: structure.chains[chain].name, places: places)
    }
  }
}
