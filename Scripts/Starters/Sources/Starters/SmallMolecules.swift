/// Caffeine with all hydrogens, from standard bond lengths and angles.
///
/// The ring system is drawn flat from regular polygons and regularised in its plane; hydrogens follow from internal
/// coordinates. Names are those of component CFF of the wwPDB dictionary.
///
/// - Source: mean bond lengths of F. H. Allen et al., J. Chem. Soc. Perkin Trans. 2 (1987) S1.
enum Caffeine {
  /// Heavy atoms with a rough place in the plane.
  private static let sketch: [(String, Double, Double)] = [
    ("N1", -1.21, 0.70), ("C2", -1.21, -0.70), ("N3", 0, -1.40), ("C4", 1.21, -0.70), ("C5", 1.21, 0.70),
    ("C6", 0, 1.40),
    ("N7", 2.55, 1.13), ("C8", 3.38, 0), ("N9", 2.55, -1.13), ("O11", -2.25, -1.30), ("O13", 0, 2.62),
    ("C10", -2.48, 1.43), ("C12", 0, -2.87), ("C14", 3.05, 2.50),
  ]

  private static let bonds: [(String, String, Double, Int)] = [
    ("N1", "C2", 1.40, 1), ("C2", "N3", 1.38, 1), ("N3", "C4", 1.375, 1), ("C4", "C5", 1.365, 2),
    ("C5", "C6", 1.425, 1),
    ("C6", "N1", 1.405, 1), ("C5", "N7", 1.385, 1), ("N7", "C8", 1.345, 1), ("C8", "N9", 1.335, 2),
    ("N9", "C4", 1.36, 1),
    ("C2", "O11", 1.22, 2), ("C6", "O13", 1.225, 2), ("N1", "C10", 1.465, 1), ("N3", "C12", 1.465, 1),
    ("N7", "C14", 1.465, 1),
  ]

  private static let angles: [(String, String, String, Double)] = [
    ("C6", "N1", "C2", 126.5), ("N1", "C2", "N3", 117), ("C2", "N3", "C4", 119.5), ("N3", "C4", "C5", 122),
    ("C4", "C5", "C6", 122.5), ("C5", "C6", "N1", 112.5), ("C4", "C5", "N7", 105.5), ("C5", "N7", "C8", 105.5),
    ("N7", "C8", "N9", 113.5), ("C8", "N9", "C4", 103.5), ("N9", "C4", "C5", 112), ("O11", "C2", "N1", 121.5),
    ("O11", "C2", "N3", 121.5), ("O13", "C6", "N1", 121.5), ("O13", "C6", "C5", 126), ("C10", "N1", "C2", 116.5),
    ("C10", "N1", "C6", 117), ("C12", "N3", "C2", 120), ("C12", "N3", "C4", 120.5), ("C14", "N7", "C5", 127.5),
    ("C14", "N7", "C8", 127), ("N3", "C4", "N9", 126), ("C6", "C5", "N7", 132),
  ]

  static func structure() -> Structure {
    var structure = Structure()
    structure.residues = [Residue(name: "CFF", chain: "A", number: 1, isHetero: true)]
    for (name, x, y) in sketch { structure.add(name, String(name.prefix(1)), 0, Vector(x, y, 0)) }
    func index(_ name: String) -> Int {
      guard let index = structure.atom(name, in: 0) else { preconditionFailure("caffeine has no atom \(name)") }
      return index
    }
    for (a, b, length, order) in bonds {
      structure.bonds.append(Bond(first: index(a), second: index(b), length: length, order: order))
    }
    for (a, b, c, degrees) in angles {
      structure.angles.append(IdealAngle(first: index(a), center: index(b), second: index(c), degrees: degrees))
    }
    structure = structure.regularized()
    addHydrogens(to: &structure)
    structure.center()
    structure.round()
    return structure
  }

  private static func addHydrogens(to structure: inout Structure) {
    func place(_ name: String) -> (Int, Vector) {
      guard let index = structure.atom(name, in: 0) else { preconditionFailure("caffeine has no atom \(name)") }
      return (index, structure.atoms[index].position)
    }
    let (c8, middle) = place("C8")
    let (n7, n9) = (place("N7").1, place("N9").1)
    let outwards = ((middle - n7).normalized + (middle - n9).normalized).normalized
    let h8 = structure.add("H8", "H", 0, middle + 1.08 * outwards)
    structure.bonds.append(Bond(first: c8, second: h8, length: 1.08))
    for (carbon, nitrogen, ring) in [("C10", "N1", "C2"), ("C12", "N3", "C4"), ("C14", "N7", "C8")] {
      let (index, end) = place(carbon)
      let (from, before) = (place(nitrogen).1, place(ring).1)
      var group: [Int] = [place(nitrogen).0]
      for number in 0..<3 {
        let point = extended(before, from, end, length: 1.09, angle: 109.5, torsion: Double(number) * 120)
        let hydrogen = structure.add("H\(carbon.dropFirst())\(number + 1)", "H", 0, point)
        structure.bonds.append(Bond(first: index, second: hydrogen, length: 1.09))
        for other in group {
          structure.angles.append(IdealAngle(first: other, center: index, second: hydrogen, degrees: 109.5))
        }
        group.append(hydrogen)
      }
    }
  }

  static func file() -> StarterFile {
    StarterFile(
      name: "caffeine",
      structure: structure(),
      header: PDBHeader(
        classification: "SMALL MOLECULE", title: "CAFFEINE, 1,3,7-TRIMETHYLXANTHINE",
        molecules: [PDBMolecule(name: "CAFFEINE", chains: ["A"])], keywords: "CAFFEINE, XANTHINE, ALKALOID",
        method: [
          "STANDARD BOND LENGTHS (F.H. ALLEN ET AL., J. CHEM. SOC. PERKIN TRANS. 2 (1987) S1)",
          "AND ANGLES OF THE XANTHINE RINGS, FLAT; METHYL GROUPS TETRAHEDRAL.",
          "BOND ORDERS OF A KEKULE FORMULA ARE GIVEN BY REPEATED CONECT PARTNERS.",
        ].joined(separator: " "),
        component: PDBComponent(code: "CFF", name: "CAFFEINE", formula: "C8 H10 N4 O2")),
      writesBonds: true)
  }
}

/// Buckminsterfullerene: a truncated icosahedron with the two bond lengths found by electron diffraction.
///
/// - Source: K. Hedberg et al., Science 254 (1991) 410: 1.401 Å between hexagons, 1.458 Å around pentagons.
enum Buckminsterfullerene {
  static let betweenHexagons = 1.401
  static let aroundPentagons = 1.458

  static func structure() -> Structure {
    var structure = Structure()
    structure.residues = [Residue(name: "UNL", chain: "A", number: 1, isHetero: true)]
    let edge = betweenHexagons + 2 * aroundPentagons
    let golden = (1 + 5.0.squareRoot()) / 2
    var corners: [Vector] = []
    for (a, b) in [(1.0, golden), (1, -golden), (-1, golden), (-1, -golden)] {
      corners += [Vector(0, a, b), Vector(a, b, 0), Vector(b, 0, a)].map { $0 * (edge / 2) }
    }
    // Every edge of the icosahedron carries two atoms, each a pentagon bond away from its end.
    for first in corners.indices {
      for second in corners.indices where (corners[first] - corners[second]).length < edge * 1.01 && first != second {
        let place = corners[first] + (corners[second] - corners[first]) * (aroundPentagons / edge)
        structure.add("C\(structure.atoms.count + 1)", "C", 0, place)
      }
    }
    for first in structure.atoms.indices {
      for second in structure.atoms.indices where second > first {
        let distance = (structure.atoms[first].position - structure.atoms[second].position).length
        guard distance < 1.6 else { continue }
        let isDouble = distance < (betweenHexagons + aroundPentagons) / 2
        structure.bonds.append(
          Bond(
            first: first, second: second, length: isDouble ? betweenHexagons : aroundPentagons, order: isDouble ? 2 : 1)
        )
      }
    }
    structure.addAngles { _, _, _, names in names == [1, 1] ? 108 : 120 }
    structure.round()
    return structure
  }

  static func file() -> StarterFile {
    StarterFile(
      name: "buckminsterfullerene",
      structure: structure(),
      header: PDBHeader(
        classification: "SMALL MOLECULE", title: "BUCKMINSTERFULLERENE, C60",
        molecules: [PDBMolecule(name: "BUCKMINSTERFULLERENE", chains: ["A"])], keywords: "FULLERENE, CARBON, C60",
        method: [
          "TRUNCATED ICOSAHEDRON WITH BONDS OF 1.401 A BETWEEN HEXAGONS AND 1.458 A AROUND",
          "PENTAGONS (K. HEDBERG ET AL., SCIENCE 254 (1991) 410).",
          "BOND ORDERS OF A KEKULE FORMULA ARE GIVEN BY REPEATED CONECT PARTNERS.",
        ].joined(separator: " "),
        component: PDBComponent(code: "UNL", name: "BUCKMINSTERFULLERENE", formula: "C60")),
      writesBonds: true)
  }
}

extension Structure {
  /// Adds an ideal angle at every centre from a function of the three atoms and the orders of the two bonds, sorted.
  mutating func addAngles(_ degrees: (Int, Int, Int, [Int]) -> Double) {
    var around = [[(atom: Int, order: Int)]](repeating: [], count: atoms.count)
    for bond in bonds {
      around[bond.first].append((bond.second, bond.order))
      around[bond.second].append((bond.first, bond.order))
    }
    for center in atoms.indices {
      for (position, first) in around[center].enumerated() {
        for second in around[center][(position + 1)...] {
          let ideal = degrees(first.atom, center, second.atom, [first.order, second.order].sorted())
          angles.append(IdealAngle(first: first.atom, center: center, second: second.atom, degrees: ideal))
        }
      }
    }
  }
}
