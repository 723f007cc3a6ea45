/// The representative conformers of the residues of a model: the most occupied alternate location of each position.
///
/// The alternate location of a position is the one whose atoms have the greatest mean occupancy, or the first letter of
/// equally occupied ones. Residues of different names at one position of a chain are alternatives and share the choice.
/// Atoms without an alternate location belong to every conformer.
struct Conformers: Sendable {
  /// The difference below which mean occupancies count as equal: files round them to two decimals.
  private static let tolerance = 1e-3

  private let structure: Structure
  private let residues: Range<Int>
  /// The alternate locations by residue, as ASCII codes; 0 if the position has none.
  private var letters: [UInt8]
  private var isPassedOver: [Bool]

  /// Chooses the conformers of a model.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based, which exists.
  ///   - selection: the atoms to choose among, so that a selection of alternate location B has conformer B. Where
  ///     it has no alternate location of a position, all atoms count. Nil for all.
  /// - Complexity: linear in the atoms.
  init(_ structure: Structure, model: Int, within selection: AtomSelection? = nil) {
    self.structure = structure
    residues = structure.models[model].residues
    letters = Array(repeating: 0, count: residues.count)
    isPassedOver = Array(repeating: false, count: residues.count)
    var start = residues.lowerBound
    while start < residues.upperBound {
      let first = structure.residues[start]
      var end = start + 1
      while end < residues.upperBound, structure.residues[end].sharesPosition(with: first) { end += 1 }
      choose(start..<end, selection)
      start = end
    }
  }

  /// Accesses the alternate location of a residue's conformer as an ASCII code, 0 if its position has none.
  subscript(residue: Int) -> UInt8 { letters[residue - residues.lowerBound] }

  /// Returns true if an atom of the model belongs to the conformer of its residue.
  @inline(__always)
  func contains(_ atom: Int) -> Bool {
    let letter = structure.atoms.altloc[atom]
    return letter == 0 || letter == self[Int(structure.atoms.residue[atom])]
  }

  /// Returns true if another residue represents the position of this one.
  func isAlternative(_ residue: Int) -> Bool { isPassedOver[residue - residues.lowerBound] }

  /// Returns the atoms of a selection that belong to the conformers.
  func restricting(_ selection: AtomSelection) -> AtomSelection {
    AtomSelection(atomCount: selection.atomCount, range: structure.atoms(ofResidues: residues)) {
      selection[$0] && contains($0)
    }
  }

  /// Returns the atom of a name in the conformer of a residue, or nil; `'` also matches the `*` of old files.
  func atom(_ name: String, ofResidue residue: Int) -> Int? {
    if let id = structure.names.id(of: name), let atom = atom(id, residue) { return atom }
    guard name.hasSuffix("'"), let old = structure.names.id(of: name.dropLast() + "*") else { return nil }
    return atom(old, residue)
  }

  private func atom(_ name: NameID, _ residue: Int) -> Int? {
    structure.residues[residue].atoms.first { structure.atoms.name[$0] == name && contains($0) }
  }

  // MARK: Choosing

  private mutating func choose(_ position: Range<Int>, _ selection: AtomSelection?) {
    let atoms = structure.atoms(ofResidues: position)
    let letter = mostOccupied(atoms, within: selection) ?? mostOccupied(atoms, within: nil) ?? 0
    for residue in position { letters[residue - residues.lowerBound] = letter }
    guard position.count > 1 else { return }
    let representative =
      position.first { structure.residues[$0].atoms.contains(where: contains) } ?? position.lowerBound
    for residue in position where residue != representative { isPassedOver[residue - residues.lowerBound] = true }
  }

  private func mostOccupied(_ atoms: Range<Int>, within selection: AtomSelection?) -> UInt8? {
    let table = structure.atoms
    guard atoms.contains(where: { table.altloc[$0] != 0 }) else { return nil }
    var occupancies: [UInt8: (sum: Double, count: Double)] = [:]
    for atom in atoms where table.altloc[atom] != 0 && selection?[atom] ?? true {
      let known = occupancies[table.altloc[atom]] ?? (0, 0)
      occupancies[table.altloc[atom]] = (known.sum + Double(table.occupancy[atom]), known.count + 1)
    }
    var best: (letter: UInt8, mean: Double)?
    for (letter, occupancy) in occupancies.sorted(by: { $0.key < $1.key }) {
      let mean = occupancy.sum / occupancy.count
      if let known = best, !(mean > known.mean + Self.tolerance) { continue }
      best = (letter, mean)
    }
    return best?.letter
  }
}

extension Residue {
  /// Returns true if another residue of the structure has the same position in the chain's sequence.
  func sharesPosition(with other: Residue) -> Bool {
    number == other.number && insertionCode == other.insertionCode && chain == other.chain
  }
}

extension Structure {
  /// Returns the alternate locations of the atoms of a selection, each once, in ascending order.
  func alternateLocations(of selection: AtomSelection) -> [String] {
    var letters: Set<UInt8> = []
    selection.forEach { letters.insert(atoms.altloc[$0]) }
    return letters.subtracting([0]).sorted().map { String(UnicodeScalar($0)) }
  }
}
