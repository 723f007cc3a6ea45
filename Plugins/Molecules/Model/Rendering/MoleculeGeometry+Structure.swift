extension MoleculeGeometry {
  /// Creates the geometry of the drawn atoms of one model; identifiers are atom indices of the structure.
  ///
  /// Residues are drawn in their most occupied conformers, so that no part is drawn twice.
  ///
  /// - Parameters:
  ///   - structure: the structure.
  ///   - model: the model, 0-based; one that does not exist gives no atoms.
  ///   - selection: the atoms that are drawn; nil for all.
  ///   - bonds: bonds by atom indices of the structure; bonds to atoms that are not drawn are dropped.
  /// - Complexity: O(atoms + bonds).
  init(_ structure: Structure, model: Int = 0, selection: AtomSelection? = nil, bonds: [Bond] = []) {
    self.init(positions: [])
    guard structure.models.indices.contains(model) else { return }
    let part = structure.models[model]
    reserveCapacity(part.atoms.count)
    let codes = (0..<structure.names.count).map { ResidueCode.code(ofResidue: structure.names[NameID($0)]) }
    var places = [Int32](repeating: -1, count: part.atoms.count)
    let conformers = Conformers(structure, model: model, within: selection)
    for residue in part.residues {
      let row = structure.residues[residue]
      let kind = ResidueCode.code(of: row, in: structure, byName: codes[Int(row.name)])
      let chain = UInt16(clamping: Int(row.chain) - part.chains.lowerBound)
      for atom in row.atoms where conformers.contains(atom) && selection?[atom] ?? true {
        places[atom - part.atoms.lowerBound] = Int32(positions.count)
        positions.append(SIMD3<Float>(structure.atoms.position(atom)))
        elements.append(ElementStyle.code(ofAtom: atom, in: row, structure))
        residueCodes.append(kind)
        chains.append(chain)
        identifiers.append(Int32(truncatingIfNeeded: atom))
      }
    }
    self.bonds.reserveCapacity(bonds.count)
    bondOrders.reserveCapacity(bonds.count)
    for bond in bonds where part.atoms.contains(Int(bond.first)) && part.atoms.contains(Int(bond.second)) {
      let first = places[Int(bond.first) - part.atoms.lowerBound]
      let second = places[Int(bond.second) - part.atoms.lowerBound]
      guard first >= 0, second >= 0 else { continue }
      self.bonds.append(SIMD2(first, second))
      bondOrders.append(bond.order)
    }
  }

  private mutating func reserveCapacity(_ count: Int) {
    positions.reserveCapacity(count)
    elements.reserveCapacity(count)
    residueCodes.reserveCapacity(count)
    chains.reserveCapacity(count)
    identifiers.reserveCapacity(count)
  }
}

/// The residue codes of the original application.
enum ResidueCode {
  static let unknown: UInt8 = 0
  static let water: UInt8 = 29

  /// Returns the code of a residue name; modified residues have that of their parent if known, inosine that of
  /// guanosine.
  static func code(ofResidue name: String) -> UInt8 {
    guard let entry = ResidueCatalog.entry(name) else { return unknown }
    switch entry.family {
    case .water: return water
    case .aminoAcid: return aminoAcids[entry.letter] ?? unknown
    case .deoxyribonucleotide: return entry.letter == "U" ? 8 : deoxyribonucleotides[entry.letter] ?? unknown
    case .ribonucleotide: return ribonucleotides[entry.letter] ?? unknown
    }
  }

  static let deoxyribonucleotides: [Character: UInt8] = ["A": 1, "C": 2, "G": 3, "T": 4, "I": 3]
  static let ribonucleotides: [Character: UInt8] = ["A": 5, "C": 6, "G": 7, "U": 8, "T": 8, "I": 7]
  private static let aminoAcids: [Character: UInt8] = [
    "G": 9, "A": 10, "V": 11, "L": 12, "I": 13, "S": 14, "C": 15, "T": 16, "M": 17, "P": 18, "F": 19, "Y": 20, "W": 21,
    "H": 22, "K": 23, "R": 24, "D": 25, "E": 26, "N": 27, "Q": 28,
  ]
}
