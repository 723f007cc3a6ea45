extension Molecule {
  /// What is drawn of one model: all atoms but those of second and further alternate locations.
  ///
  /// - Parameter model: model index, 0-based; there is nothing to draw of one that there is not.
  /// - Complexity: linear in the model's atoms and bonds.
  func geometry(ofModel model: Int) -> MoleculeGeometry {
    guard structure.models.indices.contains(model) else { return MoleculeGeometry(positions: []) }
    let part = structure.models[model]
    let codes = structure.names.texts.map(OriginalResidueCode.code)
    var place = [Int32](repeating: -1, count: part.atoms.count)
    var geometry = MoleculeGeometry(positions: [])
    geometry.positions.reserveCapacity(part.atoms.count)
    let atoms = structure.atoms
    for index in part.residues {
      let residue = structure.residues[index]
      let shown = residue.atoms.lazy.map { atoms.altloc[$0] }.first { $0 != 0 } ?? 0
      let code = residue.kind == .water ? OriginalResidueCode.water : codes[Int(residue.name)]
      for atom in residue.atoms where atoms.altloc[atom] == 0 || atoms.altloc[atom] == shown {
        place[atom - part.atoms.lowerBound] = Int32(geometry.positions.count)
        geometry.positions.append(SIMD3<Float>(atoms.position(atom)))
        geometry.elements.append(UInt8(atoms.element[atom].atomicNumber))
        geometry.residueCodes.append(code)
        geometry.chains.append(UInt16(truncatingIfNeeded: Int(residue.chain) - part.chains.lowerBound))
      }
    }
    for bond in bonds(ofModel: model)
    where part.atoms.contains(Int(bond.first)) && part.atoms.contains(Int(bond.second)) {
      let first = place[Int(bond.first) - part.atoms.lowerBound]
      let second = place[Int(bond.second) - part.atoms.lowerBound]
      if first >= 0, second >= 0 { geometry.bonds.append(SIMD2(first, second)) }
    }
    return geometry
  }
}

/// The numbers the original application gave to kinds of residues.
///
/// - Source: Molecules 1.2, `SLSMolecule.h`.
enum OriginalResidueCode {
  static let water: UInt8 = 29

  /// The code of a residue name; 0 for one it did not know.
  static func code(_ name: String) -> UInt8 {
    guard let entry = ResidueCatalog.entry(name) else { return 0 }
    if entry.family == .water { return water }
    return codes[entry.template] ?? 0
  }

  private static let codes: [String: UInt8] = {
    let names = [
      "DA", "DC", "DG", "DT", "A", "C", "G", "U", "GLY", "ALA", "VAL", "LEU", "ILE", "SER", "CYS", "THR", "MET", "PRO",
      "PHE", "TYR", "TRP", "HIS", "LYS", "ARG", "ASP", "GLU", "ASN", "GLN",
    ]
    return Dictionary(uniqueKeysWithValues: names.enumerated().map { ($0.element, UInt8($0.offset + 1)) })
  }()
}
