/// One of the structures to be superposed, and what of it counts.
struct SuperpositionPart: Sendable {
  var structure: Structure
  /// Model index, 0-based.
  var model = 0
  /// What it is called in messages.
  var name: String
  /// The atoms that count; nil for all.
  var selection: AtomSelection?
  /// The author name of the only chain that counts; nil for all.
  var chain: String?

  /// The chains that count, by index, with their residues that can be paired.
  ///
  /// Of residues that share a place the first is taken.
  /// - Parameter isPolymer: whether only residues of polymers count; else all but water.
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
      if let last = residues.last.map({ structure.residues[$0] }), last.number == row.number,
        last.insertionCode == row.insertionCode
      {
        continue
      }
      residues.append(index)
    }
    return residues
  }

  /// An atom of a residue by name, if it counts.
  func atom(_ name: String, ofResidue residue: Int) -> Int? {
    guard let atom = structure.atom(name, ofResidue: residue), selection?[atom] ?? true else { return nil }
    return atom
  }
}
