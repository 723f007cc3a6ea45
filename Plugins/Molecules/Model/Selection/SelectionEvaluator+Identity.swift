/// Evaluates segments, conformers, sequences, and corresponding atoms.
extension SelectionEvaluator {
  /// Returns the atoms of segments, named by `_atom_site.label_asym_id`; without names, all atoms are in segment ''.
  func segments(where isWanted: (String) -> Bool) -> AtomSelection {
    let runs = structure.labelRuns
    let starts = [0] + runs.map { Int($0.firstResidue) }
    let names = [""] + runs.map(\.label)
    var result = nothing
    for (place, name) in names.enumerated() where isWanted(name) {
      let end = place + 1 < starts.count ? starts[place + 1] : structure.residues.count
      for residue in (starts[place]..<end).clamped(to: residues) { result.insert(structure.residues[residue].atoms) }
    }
    return result
  }

  /// Returns the atoms of an alternate location, with those that have none in residues that have it.
  func conformer(_ letter: UInt8) -> AtomSelection {
    var result = nothing
    let letters = structure.atoms.altloc
    for residue in residues {
      let range = structure.residues[residue].atoms
      guard range.contains(where: { letters[$0] == letter }) else { continue }
      for atom in range where letters[atom] == letter || letters[atom] == 0 { result.insert(atom) }
    }
    return result
  }

  /// Returns the first or last atom of a set in each model.
  func outermost(_ end: SelectionEnd, of set: AtomSelection) -> AtomSelection {
    var result = nothing
    for model in models {
      let range = structure.models[model].atoms
      let atom = end == .first ? range.first { set[$0] } : range.last { set[$0] }
      if let atom { result.insert(atom) }
    }
    return result
  }

  /// Returns the residues of proteins whose letters form one of the sequences, in the order of the chain.
  ///
  /// - Complexity: linear in residues × sequences, for sequences of a few letters.
  func matching(_ sequences: [[UInt8]]) -> AtomSelection {
    let letters = structure.names.texts.map { name -> UInt8 in
      guard let entry = ResidueCatalog.entry(name), entry.family == .aminoAcid else { return 0 }
      return entry.letter.asciiValue ?? 0
    }
    var result = nothing
    for chain in models.flatMap({ structure.models[$0].chains }) {
      let members = structure.chains[chain].residueRuns.joined().filter { structure.residues[$0].kind == .polymer }
      let text = members.map { letters[Int(structure.residues[$0].name)] }
      for sequence in sequences where sequence.count <= text.count {
        var done = 0
        for start in 0...text.count - sequence.count where text[start...].starts(with: sequence) {
          let end = start + sequence.count
          for residue in members[max(start, done)..<end] { result.insert(structure.residues[residue].atoms) }
          done = end
        }
      }
    }
    return result
  }

  private struct Identity: Hashable {
    var chain: String
    var number: Int32
    var code: UInt8
    var residue: NameID
    var atom: NameID
  }

  /// Returns the atoms of a set whose identity is shared by some atom of another.
  func matching(_ set: AtomSelection, _ fields: SelectionIdentity, _ other: AtomSelection) -> AtomSelection {
    func identity(_ atom: Int) -> Identity {
      let row = structure.residues[Int(structure.atoms.residue[atom])]
      let isFull = fields == .full
      return Identity(
        chain: isFull ? structure.chains[Int(row.chain)].name : "", number: row.number, code: row.insertionCode,
        residue: isFull ? row.name : 0, atom: structure.atoms.name[atom])
    }
    var wanted: Set<Identity> = []
    other.forEach { wanted.insert(identity($0)) }
    return atomsWhere { set[$0] && wanted.contains(identity($0)) }
  }
}
