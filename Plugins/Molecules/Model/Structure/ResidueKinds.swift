/// Distinguishes polymer residues from ligands and waters.
enum ResidueKinds {
  /// Sets the kind of every residue of a structure.
  ///
  /// Waters and monatomic ions are recognized by name. A residue belongs to a polymer if the stated sequence of its
  /// chain has its name and it is in the chain's first part; without a sequence, if it is a known monomer. An ATOM
  /// residue also belongs to one if it has backbone atoms, as simulation programs write lipids as ATOM. Statements of
  /// the file about each residue (mmCIF) take precedence over all that except water's name.
  /// - Complexity: Linear in the atoms.
  static func assign(to structure: inout Structure, polymerResidues: [Bool]?) {
    var facts = NameFacts(structure.names)
    var sequenceNames = SequenceNames(structure)
    for residue in structure.residues.indices {
      let row = structure.residues[residue]
      if facts.isWater(row.name) {
        structure.residues[residue].kind = .water
        continue
      }
      if let stated = polymerResidues {
        structure.residues[residue].kind = stated[residue] ? .polymer : .ligand
        continue
      }
      if facts.isIon(row.name), structure.isOfOneAtom(row) {
        structure.residues[residue].kind = .ligand
        continue
      }
      let isHetero = structure.atoms.isHetero[Int(row.firstAtom)]
      let isMonomer = facts.isMonomer(row.name)
      let isPolymer: Bool
      if !isHetero {
        isPolymer =
          isMonomer || hasBackbone(row, structure)
          || sequenceNames.names(ofChain: structure.chains[Int(row.chain)].name)?.contains(row.name) ?? false
      } else if let sequence = sequenceNames.names(ofChain: structure.chains[Int(row.chain)].name) {
        let runs = structure.chains[Int(row.chain)].residueRuns
        isPolymer = sequence.contains(row.name) && (runs.first?.contains(residue) ?? false)
      } else {
        isPolymer = isMonomer && structure.sequences.isEmpty
      }
      structure.residues[residue].kind = isPolymer ? .polymer : .ligand
    }
  }

  /// Returns true if a residue has atoms of a backbone: CA and C, C4', or a lone CA or P.
  ///
  /// Some lipids have an atom CA too.
  private static func hasBackbone(_ row: Residue, _ structure: Structure) -> Bool {
    let names = Set(row.atoms.map { structure.atomName($0) })
    if row.atoms.count == 1 { return names == ["CA"] || names == ["P"] }
    return names.isSuperset(of: ["CA", "C"]) || !names.isDisjoint(with: ["C4'", "C4*"])
  }

  /// The residue names in the stated sequences of chains, looked up on demand: few chains have a residue that needs the
  /// sequence.
  private struct SequenceNames {
    private let sequences: [PolymerSequence]
    private let names: NameTable
    /// The indices of a chain's sequences.
    private lazy var places = placesByChain()
    private var known: [String: Set<NameID>] = [:]

    init(_ structure: Structure) {
      sequences = structure.sequences
      names = structure.names
    }

    /// Returns the names in the sequence of a chain; nil if none is stated.
    mutating func names(ofChain chain: String) -> Set<NameID>? {
      if let found = known[chain] { return found }
      guard let stated = places[chain] else { return nil }
      var found: Set<NameID> = []
      for place in stated {
        for name in sequences[place].residueNames {
          if let id = names.id(of: name) { found.insert(id) }
        }
      }
      known[chain] = found
      return found
    }

    private func placesByChain() -> [String: [Int]] {
      var places: [String: [Int]] = [:]
      for (place, sequence) in sequences.enumerated() {
        for chain in sequence.chains { places[chain, default: []].append(place) }
      }
      return places
    }
  }

  /// The catalog's facts about the names of a table, looked up on demand.
  private struct NameFacts {
    private var facts: [UInt8]
    private let names: NameTable

    init(_ names: NameTable) {
      self.names = names
      facts = [UInt8](repeating: 255, count: names.count)
    }

    mutating func isWater(_ name: NameID) -> Bool { fact(name) & 1 != 0 }
    mutating func isMonomer(_ name: NameID) -> Bool { fact(name) & 2 != 0 }
    mutating func isIon(_ name: NameID) -> Bool { fact(name) & 4 != 0 }

    private mutating func fact(_ name: NameID) -> UInt8 {
      let known = facts[Int(name)]
      if known != 255 { return known }
      let fact: UInt8 =
        switch ResidueCatalog.entry(names[name])?.family {
        case .water: 1
        case .aminoAcid, .ribonucleotide, .deoxyribonucleotide: 2
        case nil: MonatomicIon.element(ofResidue: names[name]) == nil ? 0 : 4
        }
      facts[Int(name)] = fact
      return fact
    }
  }
}
