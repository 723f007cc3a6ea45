/// The residues of a polymer in order, as torsions go along them.
///
/// Of residues that share a place the first is taken, of alternate locations the first letter of each residue.
struct PolymerUnits {
  /// One residue of the polymer.
  struct Unit {
    /// Residue index, 0-based.
    var residue: Int
    /// Whether the next unit is bonded to it.
    var isLinked = false
  }

  /// C and N, or O3' and P, of neighbours that are bonded lie at most so far apart, in Å.
  ///
  /// - Source: Kabsch and Sander 1983, the length beyond which DSSP sees a chain break.
  private static let longestLink = 2.5

  let structure: Structure
  let units: [Unit]

  /// The polymer of a chain.
  init(_ structure: Structure, chain: Int) {
    self.structure = structure
    var units: [Unit] = []
    for index in structure.chains[chain].residueRuns.joined() {
      let row = structure.residues[index]
      guard row.kind == .polymer else { continue }
      if let last = units.last.map({ structure.residues[$0.residue] }), last.number == row.number,
        last.insertionCode == row.insertionCode
      {
        continue
      }
      units.append(Unit(residue: index))
    }
    for place in units.indices.dropLast() {
      units[place].isLinked = Self.areLinked(structure, units[place].residue, units[place + 1].residue)
    }
    self.units = units
  }

  private static func areLinked(_ structure: Structure, _ first: Int, _ second: Int) -> Bool {
    for (end, start) in [("C", "N"), ("O3'", "P")] {
      guard let a = structure.atom(end, ofResidue: first), let b = structure.atom(start, ofResidue: second) else {
        continue
      }
      return MeasuredQuantity.length(structure.atoms.position(a) - structure.atoms.position(b)) <= longestLink
    }
    return false
  }

  /// An atom of a unit; of the unit before for `-NAME`, of the one behind for `+NAME`, if it is bonded.
  func atom(_ name: String, at place: Int) -> Int? {
    switch name.first {
    case "-":
      guard place > 0, units[place - 1].isLinked else { return nil }
      return structure.atom(String(name.dropFirst()), ofResidue: units[place - 1].residue)
    case "+":
      guard units[place].isLinked else { return nil }
      return structure.atom(String(name.dropFirst()), ofResidue: units[place + 1].residue)
    default: return structure.atom(name, ofResidue: units[place].residue)
    }
  }
}

extension Structure {
  /// The atom of a name in a residue: of no alternate location or of the first that occurs; `'` finds `*` of old files.
  func atom(_ name: String, ofResidue residue: Int) -> Int? {
    let row = residues[residue]
    if let id = names.id(of: name), let atom = atom(id, row) { return atom }
    guard name.hasSuffix("'"), let old = names.id(of: name.dropLast() + "*") else { return nil }
    return atom(old, row)
  }

  private func atom(_ name: NameID, _ row: Residue) -> Int? {
    let letter = row.atoms.first { atoms.altloc[$0] != 0 }.map { atoms.altloc[$0] } ?? 0
    return row.atoms.first { atoms.name[$0] == name && (atoms.altloc[$0] == 0 || atoms.altloc[$0] == letter) }
      ?? row.atoms.first { atoms.name[$0] == name }
  }
}
