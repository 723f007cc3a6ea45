/// A (6,6) armchair carbon nanotube of ten cells, its ends closed with hydrogen.
///
/// Graphene with bonds of 1.421 Å is rolled along (6,6); the radius is a little larger than that of the rolled sheet,
/// so that the bonds around the tube keep their length as straight lines.
///
/// - Source: R. Saito, G. Dresselhaus and M. S. Dresselhaus, Physical Properties of Carbon Nanotubes (1998), chapter 3.
enum Nanotube {
  static let index = 6
  static let cells = 10
  static let bond = 1.421
  static let hydrogenBond = 1.08

  /// Angles of the atoms of one ring: pairs a bond apart, alternating between two levels half a cell from each other.
  private static func ring(level: Int, radius: Double) -> [Vector] {
    let step = 2 * .pi / Double(index)
    let half = arcSine(bond / 2 / radius)
    let middle = level.isMultiple(of: 2) ? 0.0 : step / 2
    let z = Double(level) * bond * 3.0.squareRoot() / 2
    return (0..<index).flatMap { place -> [Vector] in
      [-half, half].map { offset in
        let turn = (Double(place) * step + middle + offset) * 180 / .pi
        return Vector(radius * cosine(ofDegrees: turn), radius * sine(ofDegrees: turn), z)
      }
    }
  }

  /// The radius at which the bonds between levels have their length too.
  ///
  /// Around the tube a bond covers 2 asin(b / 2r); the gap to the next pair, π/n less half of each pair's bond, is
  /// crossed by a bond that climbs b √3 / 2 and so must cover b / 2 sideways.
  private static var radius: Double {
    var low = 1.0
    var high = 10.0
    for _ in 0..<200 {
      let radius = (low + high) / 2
      let pair = 2 * arcSine(bond / 2 / radius)
      let sideways = 2 * arcSine(bond / 4 / radius)
      if pair + sideways > .pi / Double(index) { low = radius } else { high = radius }
    }
    return (low + high) / 2
  }

  static func structure() -> Structure {
    var structure = Structure()
    structure.residues = [Residue(name: "UNL", chain: "A", number: 1, isHetero: true)]
    let radius = radius
    let levels = 2 * cells
    let rings = (0..<levels).map { ring(level: $0, radius: radius) }
    for ring in rings {
      for place in ring { structure.add("C\(structure.atoms.count + 1)", "C", 0, place) }
    }
    connect(&structure, upTo: 1.6)
    closeEnds(&structure)
    structure.addAngles { _, _, _, _ in 120 }
    // The axis lies along x, so that the tube lies across a screen.
    for atom in structure.atoms.indices {
      let place = structure.atoms[atom].position
      structure.atoms[atom].position = Vector(place.z, place.x, place.y)
    }
    structure.center()
    structure.round()
    return structure
  }

  private static func connect(_ structure: inout Structure, upTo limit: Double) {
    for first in structure.atoms.indices {
      for second in structure.atoms.indices where second > first {
        let distance = (structure.atoms[first].position - structure.atoms[second].position).length
        if distance < limit { structure.bonds.append(Bond(first: first, second: second, length: bond)) }
      }
    }
  }

  /// Adds a hydrogen to every carbon with two neighbours, away from them.
  private static func closeEnds(_ structure: inout Structure) {
    let neighbors = structure.neighbors
    let carbons = structure.atoms
    for carbon in carbons.indices where neighbors[carbon].count == 2 {
      let place = carbons[carbon].position
      let outwards = neighbors[carbon].reduce(Vector.zero) { $0 + (place - carbons[$1].position).normalized }
      let number = structure.atoms.count - carbons.count + 1
      let hydrogen = structure.add("H\(number)", "H", 0, place + hydrogenBond * outwards.normalized)
      structure.bonds.append(Bond(first: carbon, second: hydrogen, length: hydrogenBond))
    }
  }

  static func file() -> StarterFile {
    let structure = structure()
    let carbons = structure.atoms.count { $0.element == "C" }
    let formula = "C\(carbons) H\(structure.atoms.count - carbons)"
    return StarterFile(
      name: "nanotube",
      structure: structure,
      header: PDBHeader(
        classification: "SMALL MOLECULE", title: "CARBON NANOTUBE (6,6), ENDS CLOSED WITH HYDROGEN",
        molecules: [PDBMolecule(name: "CARBON NANOTUBE (6,6)", chains: ["A"])], keywords: "NANOTUBE, CARBON, ARMCHAIR",
        method: [
          "GRAPHENE WITH BONDS OF 1.421 A ROLLED ALONG (6,6), TEN CELLS (R. SAITO ET AL.,",
          "PHYSICAL PROPERTIES OF CARBON NANOTUBES (1998)); C-H 1.08 A.",
          "ALL BONDS ARE GIVEN AS CONECT RECORDS WITHOUT BOND ORDERS.",
        ].joined(separator: " "),
        component: PDBComponent(code: "UNL", name: "CARBON NANOTUBE (6,6)", formula: formula)),
      writesBonds: true)
  }
}
