/// Tells polymer residues from ligands and waters.
enum ResidueKinds {
  /// Sets the kind of every residue of a structure.
  ///
  /// Water goes by name. A residue is part of a polymer when its name occurs in the stated sequence of its chain and it
  /// stands in the chain's first part, or when no sequence is stated and it is a known monomer or did not come as HETATM.
  /// What the file itself says of each residue (mmCIF) goes before all that but water's name.
  /// - Complexity: linear in the residues.
  static func assign(to structure: inout Structure, polymerResidues: [Bool]?) {
    var facts = NameFacts(structure.names)
    let sequenceNames = sequenceNamesByChain(structure)
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
      let isHetero = structure.atoms.isHetero[Int(row.firstAtom)]
      let isMonomer = facts.isMonomer(row.name)
      let isPolymer: Bool
      if !isHetero {
        isPolymer = true
      } else if let sequence = sequenceNames[structure.chains[Int(row.chain)].name] {
        let runs = structure.chains[Int(row.chain)].residueRuns
        isPolymer = sequence.contains(row.name) && (runs.first?.contains(residue) ?? false)
      } else {
        isPolymer = isMonomer && structure.sequences.isEmpty
      }
      structure.residues[residue].kind = isPolymer ? .polymer : .ligand
    }
  }

  private static func sequenceNamesByChain(_ structure: Structure) -> [String: Set<NameID>] {
    var table: [String: Set<NameID>] = [:]
    for sequence in structure.sequences {
      let names = Set(sequence.residueNames.compactMap { structure.names.id(of: $0) })
      for chain in sequence.chains { table[chain, default: []].formUnion(names) }
    }
    return table
  }

  /// What the catalogue says of the names of a table, looked up when first asked for.
  private struct NameFacts {
    private var facts: [UInt8]
    private let names: NameTable

    init(_ names: NameTable) {
      self.names = names
      facts = [UInt8](repeating: 255, count: names.count)
    }

    mutating func isWater(_ name: NameID) -> Bool { fact(name) & 1 != 0 }
    mutating func isMonomer(_ name: NameID) -> Bool { fact(name) & 2 != 0 }

    private mutating func fact(_ name: NameID) -> UInt8 {
      let known = facts[Int(name)]
      if known != 255 { return known }
      let family = ResidueCatalog.entry(names[name])?.family
      let fact: UInt8 = family == nil ? 0 : family == .water ? 1 : 2
      facts[Int(name)] = fact
      return fact
    }
  }
}
