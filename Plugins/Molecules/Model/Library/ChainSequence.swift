import PluginAPI

/// The sequence of one chain in letters.
struct ChainSequence: Model, Equatable {
  /// The source of a sequence.
  enum Origin: String, CaseIterable, ReadableField {
    /// The file states it (SEQRES, _entity_poly_seq).
    case stated
    /// The residues that have coordinates.
    case coordinates
  }

  /// Author name of the chain.
  var chain: String
  /// One letter per residue, `X` for a residue without a letter.
  var letters: String
  var origin: Origin

  static let typeName = MoleculeValueType.sequences
  static let fields = Fields<ChainSequence> {
    Field("chain", \.chain, "Author name of the chain", heading: "Chain")
    Field("length", \.count, "Number of residues", heading: "Length")
    Field(
      "origin", \.origin, "Source of the sequence: stated in the file, or the residues with coordinates",
      heading: "Source")
    Field("letters", \.letters, "One letter for each residue; X if it has none", heading: "Sequence")
  }

  /// The number of residues.
  var count: Int { letters.utf8.count }

  /// Returns the sequences of the polymers of the first model, by chain: stated ones, or else those of the coordinates.
  ///
  /// Stated chains without coordinates come last.
  static func all(of structure: Structure) -> [ChainSequence] {
    guard let model = structure.models.first else { return [] }
    var stated: [String: [String]] = [:]
    var order: [String] = []
    for sequence in structure.sequences {
      for chain in sequence.chains where stated[chain] == nil {
        stated[chain] = sequence.residueNames
        order.append(chain)
      }
    }
    var sequences: [ChainSequence] = []
    let conformers = Conformers(structure, model: 0)
    for index in model.chains {
      let chain = structure.chains[index]
      if let names = stated.removeValue(forKey: chain.name) {
        sequences.append(ChainSequence(chain: chain.name, letters: letters(names), origin: .stated))
      } else {
        let names = polymerNames(of: chain, structure, conformers)
        if !names.isEmpty {
          sequences.append(ChainSequence(chain: chain.name, letters: letters(names), origin: .coordinates))
        }
      }
    }
    for chain in order {
      guard let names = stated.removeValue(forKey: chain) else { continue }
      sequences.append(ChainSequence(chain: chain, letters: letters(names), origin: .stated))
    }
    return sequences
  }

  /// Returns the sequences of the selected polymer residues of the first model, by chain.
  static func selected(_ selection: AtomSelection, of structure: Structure) -> [ChainSequence] {
    guard let model = structure.models.first else { return [] }
    let conformers = Conformers(structure, model: 0, within: selection)
    return model.chains.compactMap { index in
      let names = polymerNames(of: structure.chains[index], structure, conformers, selection)
      if names.isEmpty { return nil }
      return ChainSequence(chain: structure.chains[index].name, letters: letters(names), origin: .coordinates)
    }
  }

  /// Returns the names of the polymer's residues in order, without alternative residues.
  private static func polymerNames(
    of chain: Chain, _ structure: Structure, _ conformers: Conformers, _ selection: AtomSelection? = nil
  ) -> [String] {
    chain.residueRuns.joined().filter { index in
      let residue = structure.residues[index]
      return residue.kind == .polymer && !conformers.isAlternative(index)
        && selection?.intersects(residue.atoms) ?? true
    }.map(structure.residueName)
  }

  private static func letters(_ names: [String]) -> String {
    String(names.map { ResidueCatalog.entry($0)?.letter ?? "X" })
  }
}

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

  /// Returns the chains of a model that have a polymer, without alternative residues.
  ///
  /// - Parameter model: Model index, 0-based; an invalid index gives no rows.
  /// - Complexity: linear in the residues.
  static func all(of structure: Structure, model: Int) -> [SequenceRow] {
    guard structure.models.indices.contains(model) else { return [] }
    let secondary = SecondaryStructureAssignment.best(structure, model: model)
    let conformers = Conformers(structure, model: model)
    return structure.models[model].chains.compactMap { chain in
      let residues = structure.chains[chain].residueRuns.joined().filter {
        structure.residues[$0].kind == .polymer && !conformers.isAlternative($0)
      }
      let places = residues.map { index in
        let letter = ResidueCatalog.entry(structure.residueName(index))?.letter ?? "X"
        let number = structure.address(ofResidue: index).numberText
        return Place(residue: index, letter: letter, number: number, kind: secondary[index])
      }
      return places.isEmpty ? nil : SequenceRow(chain: structure.chains[chain].name, places: places)
    }
  }
}
