/// The representative conformers of the residues of a model: the most occupied alternate location of each position.
///
/// The alternate location of a position is the one whose atoms have the greatest mean occupancy, or the first letter of
/// equally occupied ones. Residues of different names at one position of a chain are alternatives and share the choice.
/// An atom without a letter belongs to each conformer that has no other atom of its name. Such atoms are a location of
/// their own, before the letters, if each name with letters has one.
struct Conformers: Sendable {
  /// The difference below which mean occupancies count as equal: files round them to two decimals.
  private static let tolerance = 1e-3

  /// An alternate location of a position.
  private struct Location {
    /// The ASCII code; 0 for the atoms without a letter.
    var letter: UInt8
    /// The mean occupancy of its atoms.
    var occupancy: Double
  }

  private let structure: Structure
  /// The residues of the model, as indices of the structure.
  let residues: Range<Int>
  private let firstAtom: Int
  /// The alternate locations by residue, as ASCII codes; 0 if the position has none.
  private var letters: [UInt8]
  /// The residues that represent the positions of others, by these.
  private var representatives: [Int: Int] = [:]
  /// A Boolean value for each atom of the model indicating whether it belongs to another conformer.
  private var isLeftOut: [Bool]
  /// The first residues of positions where the selection leaves one of several locations, ascending.
  private var selected: [(residue: Int, letter: UInt8)] = []

  /// Chooses the conformers of a model.
  ///
  /// - Parameters:
  ///   - model: the model, 0-based, which exists.
  ///   - selection: the atoms to choose among, so that a selection of alternate location B has conformer B. A position
  ///     outside has the location of the nearest position where the selection leaves only one, if it has that location.
  ///     Nil for all.
  ///   - preferred: the locations that are chosen where the selection leaves them, whatever their occupancy.
  /// - Complexity: linear in the atoms.
  init(
    _ structure: Structure, model: Int, within selection: AtomSelection? = nil, preferring preferred: Set<UInt8> = []
  ) {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    self.structure = structure
    residues = structure.models[model].residues
    firstAtom = structure.models[model].atoms.lowerBound
    letters = Array(repeating: 0, count: residues.count)
    isLeftOut = Array(repeating: false, count: structure.models[model].atoms.count)
    let preferred = preferred.sorted()
    var others: [Range<Int>] = []
    for position in Self.positions(of: structure, in: residues) {
      if let selection, selection.intersects(structure.atoms(ofResidues: position)) {
        choose(position, within: selection, preferring: preferred)
      } else {
        others.append(position)
      }
    }
    for position in others { choose(position, within: nil, preferring: nearestLetters(position) + preferred) }
  }

  /// Accesses the alternate location of a residue's conformer as an ASCII code, 0 if its position has none.
  subscript(residue: Int) -> UInt8 { letters[residue - residues.lowerBound] }

  /// The alternate locations that the selection alone decides.
  var selectedLetters: Set<UInt8> { Set(selected.map(\.letter)) }

  /// Returns true if an atom of the model belongs to the conformer of its residue.
  @inline(__always)
  func contains(_ atom: Int) -> Bool { !isLeftOut[atom - firstAtom] }

  /// Returns true if another residue represents the position of this one.
  func isAlternative(_ residue: Int) -> Bool { representatives[residue] != nil }

  /// Returns the residue that represents the position of a residue.
  func representative(of residue: Int) -> Int { representatives[residue] ?? residue }

  /// Returns the atoms of a selection that belong to the conformers.
  func restricting(_ selection: AtomSelection) -> AtomSelection {
    AtomSelection(atomCount: selection.atomCount, range: structure.atoms(ofResidues: residues)) {
      selection[$0] && contains($0)
    }
  }

  /// Returns the atom of a name in the conformer of a residue, or nil; `'` also matches the `*` of old files.
  func atom(_ name: String, ofResidue residue: Int) -> Int? {
    if let id = structure.names.id(of: name), let atom = atom(id, ofResidue: residue) { return atom }
    guard name.hasSuffix("'"), let old = structure.names.id(of: name.dropLast() + "*") else { return nil }
    return atom(old, ofResidue: residue)
  }

  /// Returns the atom of a name in the conformer of a residue, or nil.
  func atom(_ name: NameID, ofResidue residue: Int) -> Int? {
    structure.residues[residue].atoms.first { structure.atoms.name[$0] == name && contains($0) }
  }

  // MARK: Choosing

  /// Returns the positions that leave a choice: those with alternate locations or several residues.
  private static func positions(of structure: Structure, in residues: Range<Int>) -> [Range<Int>] {
    let letters = structure.atoms.altloc
    var positions: [Range<Int>] = []
    var start = residues.lowerBound
    while start < residues.upperBound {
      let first = structure.residues[start]
      var end = start + 1
      while end < residues.upperBound, structure.residues[end].sharesPosition(with: first) { end += 1 }
      if end > start + 1 || first.atoms.contains(where: { letters[$0] != 0 }) { positions.append(start..<end) }
      start = end
    }
    return positions
  }

  /// Chooses the conformer of a position.
  ///
  /// - Parameters:
  ///   - selection: a selection with atoms of the position; nil to choose among all locations.
  ///   - preferred: the locations that are chosen if they are left, an earlier one before a later one.
  private mutating func choose(
    _ position: Range<Int>, within selection: AtomSelection?, preferring preferred: [UInt8]
  ) {
    let alternatives = alternatives(position)
    let all = locations(alternatives)
    let left = selection.map { agreeing(all, alternatives, with: $0) } ?? all
    let letter = preferred.first { letter in left.contains { $0.letter == letter } } ?? Self.mostOccupied(left)
    if selection != nil, all.count > 1, left.count == 1 { selected.append((position.lowerBound, letter)) }
    let atoms = structure.atoms(ofResidues: position)
    for atom in atoms { isLeftOut[atom - firstAtom] = true }
    for atom in structure.conformer(letter, of: atoms) { isLeftOut[atom - firstAtom] = false }
    for residue in position { letters[residue - residues.lowerBound] = letter }
    guard position.count > 1 else { return }
    let representative =
      position.first { structure.residues[$0].atoms.contains(where: contains) } ?? position.lowerBound
    for residue in position where residue != representative { representatives[residue] = representative }
  }

  /// Returns the locations that the selection alone decides at the nearest position on each side, the nearer first.
  private func nearestLetters(_ position: Range<Int>) -> [UInt8] {
    let next = selected.partitioningIndex { $0.residue > position.lowerBound }
    let sides = [next - 1, next].filter { selected.indices.contains($0) }.map { selected[$0] }
    return sides.sorted { abs($0.residue - position.lowerBound) < abs($1.residue - position.lowerBound) }.map(\.letter)
  }

  /// Returns the atoms of a position whose names have alternate locations.
  private func alternatives(_ position: Range<Int>) -> [Int] {
    let atoms = structure.atoms(ofResidues: position)
    let names = Set(atoms.filter { structure.atoms.altloc[$0] != 0 }.map(structure.nameInResidue))
    return atoms.filter { names.contains(structure.nameInResidue($0)) }
  }

  /// Returns the alternate locations of a position by ascending letter.
  private func locations(_ alternatives: [Int]) -> [Location] {
    var occupancies: [UInt8: (sum: Double, count: Int)] = [:]
    for atom in alternatives {
      let known = occupancies[structure.atoms.altloc[atom]] ?? (0, 0)
      occupancies[structure.atoms.altloc[atom]] = (known.sum + Double(structure.atoms.occupancy[atom]), known.count + 1)
    }
    let names = Set(alternatives.map(structure.nameInResidue))
    if let unmarked = occupancies[0], unmarked.count < names.count { occupancies[0] = nil }
    return occupancies.sorted { $0.key < $1.key }
      .map { Location(letter: $0.key, occupancy: $0.value.sum / Double($0.value.count)) }
  }

  /// Returns the locations of a position that a selection leaves: those with selected alternatives of which it excludes
  /// the fewest atoms.
  ///
  /// It excludes an atom if it has another of the same name. A selection without alternatives leaves all locations.
  private func agreeing(_ all: [Location], _ alternatives: [Int], with selection: AtomSelection) -> [Location] {
    let names = Set(alternatives.filter { selection[$0] }.map(structure.nameInResidue))
    guard !names.isEmpty else { return all }
    var left: [Location] = []
    var fewest = Int.max
    for location in all {
      let conformer = structure.conformer(location.letter, of: alternatives)
      guard conformer.contains(where: { selection[$0] }) else { continue }
      let excluded = conformer.count { !selection[$0] && names.contains(structure.nameInResidue($0)) }
      if excluded < fewest { (left, fewest) = ([], excluded) }
      if excluded == fewest { left.append(location) }
    }
    return left
  }

  private static func mostOccupied(_ locations: [Location]) -> UInt8 {
    var best = locations.first
    for location in locations.dropFirst() {
      if let known = best, location.occupancy > known.occupancy + tolerance { best = location }
    }
    return best?.letter ?? 0
  }
}

extension Residue {
  /// Returns true if another residue of the structure has the same position in the chain's sequence.
  func sharesPosition(with other: Residue) -> Bool {
    number == other.number && insertionCode == other.insertionCode && chain == other.chain
  }
}

extension Structure {
  /// Returns the atoms of a conformer: those of an alternate location, and those without a letter whose name it lacks.
  ///
  /// - Parameters:
  ///   - letter: the alternate location as an ASCII code; 0 for the atoms without a letter.
  ///   - atoms: the atoms to choose among, with all atoms of one name in a residue or none.
  func conformer(_ letter: UInt8, of atoms: some Collection<Int>) -> [Int] {
    let own = Set(atoms.filter { self.atoms.altloc[$0] == letter }.map(nameInResidue))
    return atoms.filter {
      self.atoms.altloc[$0] == letter || self.atoms.altloc[$0] == 0 && !own.contains(nameInResidue($0))
    }
  }

  /// Returns a key of an atom that it shares with the atoms of the same name in its residue.
  fileprivate func nameInResidue(_ atom: Int) -> SIMD2<UInt32> {
    SIMD2(UInt32(truncatingIfNeeded: atoms.residue[atom]), atoms.name[atom])
  }

  /// Returns the alternate locations of the atoms of a selection, each once, in ascending order.
  func alternateLocations(of selection: AtomSelection) -> [String] {
    var letters: Set<UInt8> = []
    selection.forEach { letters.insert(atoms.altloc[$0]) }
    return letters.subtracting([0]).sorted().map { String(UnicodeScalar($0)) }
  }
}
