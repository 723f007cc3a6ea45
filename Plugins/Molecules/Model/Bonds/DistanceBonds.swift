/// Finds bonds by distance among atoms for which there is no other evidence.
struct DistanceBonds {
  private let structure: Structure
  private let model: StructureModel
  private let unexplained: [Int32]
  /// The tolerance added to the sum of covalent radii, in Å.
  ///
  /// - Source: tolerance of Open Babel's and Jmol's bond perception.
  private static let tolerance = 0.45
  /// Atoms closer than this, in Å, are copies of one another.
  private static let closest = 0.4
  /// The edge of a grid cell in Å; pairs farther apart than this are not considered.
  private static let cellEdge = 3.0
  /// The most atoms in a plausible cell; the atoms of fuller cells overlap and are left unbonded.
  static let mostAtomsInCell = 400

  init(_ structure: Structure, _ model: StructureModel, unexplained: [Int32]) {
    self.structure = structure
    self.model = model
    self.unexplained = unexplained
  }

  /// Returns true if two atoms are bonded by their distance: 0.4 Å < d < sum of covalent radii + 0.45 Å, not two
  /// hydrogens nor two metals.
  static func isBond(_ atoms: AtomTable, _ first: Int, _ second: Int) -> Bool {
    let a = atoms.element[first]
    let b = atoms.element[second]
    guard !(a.isHydrogen && b.isHydrogen), !(a.isMetal && b.isMetal),
      BondPerception.areCompatible(atoms.altloc[first], atoms.altloc[second])
    else { return false }
    let limit = radii[Int(a.rawValue)] + radii[Int(b.rawValue)] + tolerance
    let distance = BondPerception.squaredDistance(atoms, first, second)
    return distance > closest * closest && distance < limit * limit
  }

  /// Returns a distance in Å that exceeds every bond between an atom of one of these elements and another of them.
  static func reach(_ elements: Set<Element>) -> Double {
    2 * (elements.map { radii[Int($0.rawValue)] }.max() ?? 0) + tolerance
  }

  private static let radii: [Double] = (0...255).map { Element(rawValue: UInt8($0)).covalentRadius }

  /// Adds bonds among the atoms of residues that CONECT does not account for.
  ///
  /// A metal is bonded to other residues only if it has no bonds yet, but always within its residue (heme, clusters).
  func add(to collector: inout BondCollector) {
    guard !unexplained.isEmpty else { return }
    let degrees = collector.degrees(model.atoms)
    let atoms = candidates(degrees)
    guard atoms.count > 1 else { return }
    let grid = AtomGrid(structure.atoms, atoms, edge: Self.cellEdge)
    var found: [(first: Int, second: Int)] = []
    for (place, atom) in atoms.enumerated() {
      let isTaken = isBondedMetal(Int(atom), degrees)
      grid.forEachLaterNeighbor(of: place, most: Self.mostAtomsInCell) { other in
        let second = Int(atoms[other])
        let isWithinResidue = structure.atoms.residue[Int(atom)] == structure.atoms.residue[second]
        if !isWithinResidue, isTaken || isBondedMetal(second, degrees) { return }
        guard Self.isBond(structure.atoms, Int(atom), second) else { return }
        found.append((Int(atom), second))
      }
    }
    var valences = Valences(structure.atoms, model.atoms, degrees)
    for pair in valences.allowed(found) { collector.add(pair.first, pair.second, .unknown, .distance) }
  }

  private func isBondedMetal(_ atom: Int, _ degrees: [UInt8]) -> Bool {
    structure.atoms.element[atom].isMetal && degrees[atom - model.atoms.lowerBound] > 0
  }

  /// Returns the unexplained atoms of residues that have an atom without a bond.
  private func candidates(_ degrees: [UInt8]) -> [Int32] {
    var result: [Int32] = []
    var start = 0
    while start < unexplained.count {
      let residue = structure.atoms.residue[Int(unexplained[start])]
      var end = start
      var isOpen = false
      while end < unexplained.count, structure.atoms.residue[Int(unexplained[end])] == residue {
        if degrees[Int(unexplained[end]) - model.atoms.lowerBound] == 0 { isOpen = true }
        end += 1
      }
      if isOpen { result.append(contentsOf: unexplained[start..<end]) }
      start = end
    }
    return result
  }
}
