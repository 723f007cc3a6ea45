/// One of the structures to be superposed, and its relevant part.
struct SuperpositionPart: Sendable {
  let structure: Structure
  /// Model index, 0-based.
  let model: Int
  /// The name in messages.
  let name: String
  /// The selected atoms; nil for all.
  let selection: AtomSelection?
  /// The author name of the only chain to use; nil for all.
  let chain: String?
  private let conformers: Conformers

  /// Creates a part of an existing model.
  init(
    structure: Structure, model: Int = 0, name: String, selection: AtomSelection? = nil, chain: String? = nil
  ) {
    self.structure = structure
    self.model = model
    self.name = name
    self.selection = selection
    self.chain = chain
    conformers = Conformers(structure, model: model, within: selection)
  }

  /// Returns the chains to use, by index, with their residues that can be paired.
  ///
  /// Only the most occupied residue of a position is used.
  /// - Parameter isPolymer: true to use only residues of polymers; else all but water.
  func chains(isPolymer: Bool) throws(SuperpositionError) -> [(chain: Int, residues: [Int])] {
    var result: [(chain: Int, residues: [Int])] = []
    var known: [String] = []
    for index in structure.models[model].chains {
      let residues = residues(of: index, isPolymer: isPolymer)
      if residues.isEmpty { continue }
      let name = structure.chains[index].name
      known.append(name)
      if let chain, !chain.utf8.elementsEqual(name.utf8) { continue }
      result.append((index, residues))
    }
    if let chain, result.isEmpty, !known.isEmpty { throw .unknownChain(chain, name: name, known: known) }
    if result.isEmpty { throw .nothingToPair(name: name) }
    return result
  }

  private func residues(of chain: Int, isPolymer: Bool) -> [Int] {
    var residues: [Int] = []
    for index in structure.chains[chain].residueRuns.joined() {
      let row = structure.residues[index]
      guard isPolymer ? row.kind == .polymer : row.kind != .water else { continue }
      if let selection, !selection.intersects(row.atoms) { continue }
      if conformers.isAlternative(index) { continue }
      residues.append(index)
    }
    return residues
  }

  /// Returns an atom of a residue's conformer by name, if it is selected.
  func atom(_ name: String, ofResidue residue: Int) -> Int? {
    guard let atom = conformers.atom(name, ofResidue: residue), selection?[atom] ?? true else { return nil }
    return atom
  }
}
