import PluginAPI

/// Two residues in contact.
struct ResidueContact: Equatable, Sendable {
  /// Residue indices of the structure, ascending.
  var first: Int
  var second: Int
  /// The closest pair of atoms.
  var firstAtom: Int
  var secondAtom: Int
  /// Their distance in Å.
  var distance: Double
  /// The number of pairs of atoms within the limit.
  var atomPairs: Int

  /// Returns the contacts of a model: residues with atoms other than hydrogens within a distance, by ascending
  /// residues.
  ///
  /// Bonded residues do not count; water counts only on request.
  /// - Parameters:
  ///   - structure: The structure.
  ///   - bonds: The bonds of the model.
  ///   - model: Model index, 0-based.
  ///   - limit: The distance in Å, above 0.
  ///   - includesWater: Whether contacts with water count.
  ///   - isBetweenChains: Whether only contacts of different chains count.
  /// - Complexity: linear in the atoms for limits of a few Å.
  static func all(
    of structure: Structure, bonds: [Bond], model: Int = 0, within limit: Double, includesWater: Bool = false,
    isBetweenChains: Bool = false
  ) -> [ResidueContact] {
    let elements = structure.atoms.element
    let chosen = ContactAtoms(structure, model: model, reach: Float(limit)) { residue, atom in
      !elements[atom].isHydrogen && (includesWater || structure.residues[residue].kind != .water)
    }
    var joined: Set<SIMD2<Int32>> = []
    for bond in bonds {
      let pair = SIMD2(structure.atoms.residue[Int(bond.first)], structure.atoms.residue[Int(bond.second)])
      if pair.x != pair.y { joined.insert(SIMD2(min(pair.x, pair.y), max(pair.x, pair.y))) }
    }
    var rows: [SIMD2<Int32>: ResidueContact] = [:]
    for (place, atom) in chosen.atoms.enumerated() {
      chosen.forEachAtom(near: chosen.points[place], within: Float(limit)) { other, square in
        let (a, b) = (Int(atom), Int(chosen.atoms[other]))
        let (first, second) = (structure.atoms.residue[a], structure.atoms.residue[b])
        guard first < second else { return }
        let key = SIMD2(first, second)
        let isOtherChain = structure.residues[Int(first)].chain != structure.residues[Int(second)].chain
        guard isOtherChain || !isBetweenChains, !joined.contains(key) else { return }
        let distance = Double(square).squareRoot()
        var row =
          rows[key]
          ?? ResidueContact(
            first: Int(first), second: Int(second), firstAtom: a, secondAtom: b, distance: .infinity, atomPairs: 0)
        row.atomPairs += 1
        if distance < row.distance { (row.firstAtom, row.secondAtom, row.distance) = (a, b, distance) }
        rows[key] = row
      }
    }
    return rows.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}

extension ResidueContact: StructureItem {
  static let typeName = "molecules.contact"
  static let fields = Fields<StructureRow<ResidueContact>> {
    Field(
      "first", { $0.label(ofAtom: $0.item.firstAtom) }, "atom of the first residue, as A/CYS3/SG", heading: "Atom")
    Field("second", { $0.label(ofAtom: $0.item.secondAtom) }, "atom of the second residue", heading: "Atom")
    Field(
      "distance", \.item.distance, .length, "their distance in angstrom, the shortest of the two residues",
      heading: "Distance", unit: "angstrom")
    Field("atomPairs", \.item.atomPairs, "pairs of atoms within the limit", heading: "Pairs")
  }
}
