/// The residues of a polymer in order, for computing torsions.
///
/// Each position is represented by one residue in its most occupied conformer.
struct PolymerUnits {
  /// One residue of the polymer.
  struct Unit {
    /// Residue index, 0-based.
    var residue: Int
    /// A Boolean value indicating whether the next unit is bonded to it.
    var isLinked = false
  }

  /// The largest distance of bonded neighbors' C and N, or O3' and P, in Å.
  ///
  /// - Source: Kabsch and Sander 1983, the length beyond which DSSP sees a chain break.
  private static let longestLink = 2.5

  private let conformers: Conformers
  let units: [Unit]

  /// Creates the polymer of a chain, which belongs to the model of the conformers.
  init(_ structure: Structure, chain: Int, _ conformers: Conformers) {
    self.conformers = conformers
    var units: [Unit] = []
    for index in structure.chains[chain].residueRuns.joined() {
      guard structure.residues[index].kind == .polymer, !conformers.isAlternative(index) else { continue }
      units.append(Unit(residue: index))
    }
    for place in units.indices.dropLast() {
      units[place].isLinked = Self.areLinked(structure, conformers, units[place].residue, units[place + 1].residue)
    }
    self.units = units
  }

  private static func areLinked(
    _ structure: Structure, _ conformers: Conformers, _ first: Int, _ second: Int
  ) -> Bool {
    for (end, start) in [("C", "N"), ("O3'", "P")] {
      guard let a = conformers.atom(end, ofResidue: first), let b = conformers.atom(start, ofResidue: second) else {
        continue
      }
      return MeasuredQuantity.length(structure.atoms.position(a) - structure.atoms.position(b)) <= longestLink
    }
    return false
  }

  /// Returns an atom of a unit; of the preceding unit for `-NAME` and of the next one for `+NAME`, if bonded.
  func atom(_ name: String, at place: Int) -> Int? {
    switch name.first {
    case "-":
      guard place > 0, units[place - 1].isLinked else { return nil }
      return conformers.atom(String(name.dropFirst()), ofResidue: units[place - 1].residue)
    case "+":
      guard units[place].isLinked else { return nil }
      return conformers.atom(String(name.dropFirst()), ofResidue: units[place + 1].residue)
    default: return conformers.atom(name, ofResidue: units[place].residue)
    }
  }
}
