import PluginAPI

/// Two cysteines joined by their sulfurs.
struct Disulfide: Equatable, Sendable {
  /// The sulfurs, as atom indices of the structure, ascending.
  var first: Int
  var second: Int
  /// Their distance in Å.
  var distance: Double
  /// True if the file states the bond, false if it was found by distance.
  var isStated: Bool

  /// Returns the disulfides of a model, each once, by ascending first sulfur.
  ///
  /// If there are several alternate locations, the bond of the conformers is taken, else that of the most occupied
  /// sulfurs.
  ///
  /// - Parameters:
  ///   - structure: the structure.
  ///   - bonds: the bonds of the model.
  ///   - model: the model, 0-based, which exists.
  static func all(of structure: Structure, bonds: [Bond], model: Int) -> [Disulfide] {
    let isOfCysteine = structure.names.texts.map { ["CYS", "CYX", "DCY", "CYM", "CME", "CSS"].contains($0) }
    func isCysteine(_ atom: Int32) -> Bool {
      let residue = structure.residues[Int(structure.atoms.residue[Int(atom)])]
      return structure.atoms.element[Int(atom)] == .sulfur && isOfCysteine[Int(residue.name)]
    }
    let links = Set(structure.connections.filter { $0.kind == .disulfide || $0.kind == .covalent }.flatMap(addresses))
    let bridges = bonds.filter {
      structure.atoms.residue[Int($0.first)] != structure.atoms.residue[Int($0.second)] && isCysteine($0.first)
        && isCysteine($0.second)
    }
    return mostOccupied(bridges, structure, Conformers(structure, model: model)).map { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      let square = BondPerception.squaredDistance(structure.atoms, first, second)
      let isStated =
        bond.origin == .conect
        || [first, second].allSatisfy { links.contains(address(structure, Int(structure.atoms.residue[$0]))) }
      return Disulfide(first: first, second: second, distance: square.squareRoot(), isStated: isStated)
    }
  }

  /// Returns for each pair of residues the bond between atoms of the conformers, else the most occupied one.
  private static func mostOccupied(_ bonds: [Bond], _ structure: Structure, _ conformers: Conformers) -> [Bond] {
    func rank(_ bond: Bond) -> (Int, Float) {
      let ends = [Int(bond.first), Int(bond.second)]
      return (ends.count(where: conformers.contains), ends.reduce(0) { $0 + structure.atoms.occupancy[$1] })
    }
    let pairs = Dictionary(grouping: bonds) { bond in
      SIMD2(structure.atoms.residue[Int(bond.first)], structure.atoms.residue[Int(bond.second)])
    }
    let best = pairs.values.compactMap { pair in
      pair.dropFirst().reduce(pair.first) { best, bond in best.map { rank(bond) > rank($0) ? bond : $0 } }
    }
    return best.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

  private static func addresses(_ connection: Connection) -> [ResidueAddress] {
    [connection.first, connection.second].map { end in
      var address = end.residue
      address.name = ""
      return address
    }
  }

  private static func address(_ structure: Structure, _ residue: Int) -> ResidueAddress {
    var address = structure.address(ofResidue: residue)
    address.name = ""
    return address
  }
}

extension Disulfide: StructureItem {
  static let typeName = "molecules.disulfide"
  static let fields = Fields<StructureRow<Disulfide>> {
    Field("first", { $0.label(ofAtom: $0.item.first) }, "sulfur, as A/CYS3/SG", heading: "Sulfur")
    Field("second", { $0.label(ofAtom: $0.item.second) }, "sulfur it is bonded to", heading: "Sulfur")
    Field(
      "distance", \.item.distance, .length, "their distance in angstrom", heading: "Distance", unit: "angstrom")
    Field("stated", \.item.isStated, "whether the file states the bond", heading: "Stated")
  }
}
