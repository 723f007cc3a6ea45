/// Two cysteines joined by their sulfurs.
struct Disulfide: Equatable, Sendable {
  /// The sulfurs, as atom indices of the structure, ascending.
  var first: Int
  var second: Int
  /// Their distance in Å.
  var distance: Double
  /// Whether the file states the bond; else it was found by distance.
  var isStated: Bool

  /// The disulfides of a model, by ascending first sulfur.
  ///
  /// - Parameter bonds: The bonds of the model.
  static func all(of structure: Structure, bonds: [Bond]) -> [Disulfide] {
    let isOfCysteine = structure.names.texts.map { ["CYS", "CYX", "DCY", "CYM", "CME", "CSS"].contains($0) }
    func isCysteine(_ atom: Int32) -> Bool {
      let residue = structure.residues[Int(structure.atoms.residue[Int(atom)])]
      return structure.atoms.element[Int(atom)] == .sulfur && isOfCysteine[Int(residue.name)]
    }
    let links = Set(structure.connections.filter { $0.kind == .disulfide || $0.kind == .covalent }.flatMap(addresses))
    return bonds.filter {
      structure.atoms.residue[Int($0.first)] != structure.atoms.residue[Int($0.second)] && isCysteine($0.first)
        && isCysteine($0.second)
    }.map { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      let square = BondPerception.squaredDistance(structure.atoms, first, second)
      let isStated =
        bond.origin == .conect
        || [first, second].allSatisfy { links.contains(address(structure, Int(structure.atoms.residue[$0]))) }
      return Disulfide(first: first, second: second, distance: square.squareRoot(), isStated: isStated)
    }
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
