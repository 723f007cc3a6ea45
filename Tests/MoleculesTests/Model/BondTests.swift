import TestSupport
import Testing

@testable import Molecules

struct BondTests {
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `no bond between nonmetal atoms is longer than 2,6 Å`() throws {
    var long: [String] = []
    for name in try Truth.load().keys.sorted() {
      guard let structure = try? Truth.structure(name) else { continue }
      let atoms = structure.atoms
      for bond in BondPerception.bonds(of: structure) {
        let ends = [Int(bond.first), Int(bond.second)]
        let square = BondPerception.squaredDistance(atoms, ends[0], ends[1])
        guard square > 2.6 * 2.6, !ends.contains(where: { atoms.element[$0].isMetal }) else { continue }
        long.append("\(name): \(ends.map(structure.label(ofAtom:))), \(square.squareRoot()) Å")
      }
    }
    #expect(long == [])
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: [
      ("starter/Caffeine.pdb", 24, 25), ("starter/TheoreticalBearing.pdb", 206, 278),
      ("starter/Nanotube.pdb", 288, 416),
      ("starter/TheoreticalXenonPump.pdb.gz", 6165, 8870), ("starter/DNA_1BNA.pdb", 566, 544),
    ])
  func `the starters have the expected number of bonds`(
    name: String, atoms: Int, bonds: Int
  ) throws {
    let structure = try Truth.structure(name)
    #expect(structure.atoms.count == atoms)
    #expect(BondPerception.bonds(of: structure).count == bonds)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `crambin has three disulfides and no bonds by distance`() throws {
    let bonds = BondPerception.bonds(of: try Truth.structure("pdb/1crn.pdb"))
    #expect(bonds.count { $0.origin == .disulfide } == 3)
    #expect(bonds.count { $0.origin == .polymer } == 45)
    #expect(bonds.count { $0.origin == .distance } == 0)
  }

  @Test func `two residues are joined by one peptide bond with orders from the templates`() throws {
    let structure = try Fixture.dipeptide()
    let bonds = BondPerception.bonds(of: structure)
    let named = bonds.map { bond in
      "\(structure.atomName(Int(bond.first)))\(bond.order == .double ? "=" : "-")\(structure.atomName(Int(bond.second)))"
    }
    #expect(named == ["N-CA", "CA-C", "C=O", "C-N", "N-CA", "CA-C", "C=O"])
    #expect(bonds.map(\.origin) == [.template, .template, .template, .polymer, .template, .template, .template])
  }

  @Test func `atoms of different alternate locations are not bonded`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "N", "SER", 1, 0, 0, 0), Fixture.atom(2, "CA", "SER", 1, 1.46, 0, 0, altloc: "A"),
      Fixture.atom(3, "CA", "SER", 1, 1.4, 0.3, 0, altloc: "B"),
      Fixture.atom(4, "CB", "SER", 1, 2, 1.4, 0, altloc: "A"),
      Fixture.atom(5, "CB", "SER", 1, 2, 1.5, 0.1, altloc: "B"),
    ])
    let pairs = BondPerception.bonds(of: structure).map { [$0.first, $0.second] }
    #expect(pairs == [[0, 1], [0, 2], [1, 3], [2, 4]])
  }

  @Test func `a residue without a template is bonded by distance, also to its metal`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "C1", "XYZ", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "O1", "XYZ", 1, 1.4, 0, 0, element: " O"),
      Fixture.atom(3, "ZN", "XYZ", 1, 3.3, 0, 0, element: "ZN"),
      Fixture.atom(4, "C9", "XYZ", 1, 9, 0, 0, element: " C"),
    ])
    let bonds = BondPerception.bonds(of: structure)
    #expect(bonds.map { [$0.first, $0.second] } == [[0, 1], [1, 2]])
    #expect(bonds.allSatisfy { $0.origin == .distance })
  }

  @Test func `a CONECT bond is listed once, and a repeated one is a double bond`() throws {
    let atoms = [
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "C2", "LIG", 1, 1.3, 0, 0, element: " C"),
    ]
    let structure = try Fixture.pdb(atoms + ["CONECT    1    2    2", "CONECT    2    1    1", "CONECT    2    0"])
    let bonds = BondPerception.bonds(of: structure)
    #expect(bonds == [Bond(first: 0, second: 1, order: .double, origin: .conect)])
  }

  @Test func `a stated link to another copy of the molecule is not a bond`() throws {
    let atoms = [
      Fixture.atom(1, "SG", "CYS", 1, 0, 0, 0), Fixture.atom(2, "SG", "CYS", 5, 2.05, 0, 0),
    ]
    let start = "SSBOND   1 CYS A    1    CYS A    5                          1555   "
    let near = try Fixture.pdb([start + "1555  2.05"] + atoms)
    let far = try Fixture.pdb([start + "3655  2.05"] + atoms)
    #expect(BondPerception.bonds(of: near).map(\.origin) == [.disulfide])
    #expect(BondPerception.bonds(of: far).isEmpty)
  }

  @Test func `nearby sulfurs of cysteines are bonded without a statement in the file`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "SG", "CYS", 1, 0, 0, 0), Fixture.atom(2, "SG", "CYS", 5, 2.05, 0, 0),
      Fixture.atom(3, "SG", "CYS", 9, 0, 3.2, 0), Fixture.atom(4, "SD", "MET", 12, 0, 5.2, 0),
    ])
    let bonds = BondPerception.bonds(of: structure)
    #expect(bonds == [Bond(first: 0, second: 1, order: .single, origin: .disulfide)])
  }

  @Test func `a CONECT bond that is too long is dropped, except to a metal`() throws {
    let atoms = [
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "C2", "LIG", 1, 2.8, 0, 0, element: " C"),
      Fixture.atom(3, "ZN", "LIG", 1, 0, 2.8, 0, element: "ZN"),
      Fixture.atom(4, "I1", "LIG", 1, 0, 0, 9, element: " I"),
      Fixture.atom(5, "I2", "LIG", 1, 0, 0, 11.7, element: " I"),
    ]
    let structure = try Fixture.pdb(atoms + ["CONECT    1    2    3", "CONECT    4    5"])
    let pairs = BondPerception.bonds(of: structure).map { [$0.first, $0.second] }
    #expect(pairs == [[0, 2], [3, 4]])
  }

  /// Two hydrogens of water-like geometry and a third atom: a hydrogen takes its nearest partner only.
  @Test func `an atom bonded by distance has no more bonds than its element allows`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "C1", "XYZ", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "H1", "XYZ", 1, 1.1, 0, 0, element: " H"),
      Fixture.atom(3, "C2", "XYZ", 1, 2.3, 0, 0, element: " C"),
      Fixture.atom(4, "F1", "XYZ", 1, -1.35, 0, 0, element: " F"),
    ])
    #expect(BondPerception.bonds(of: structure).map { [$0.first, $0.second] } == [[0, 1], [0, 3]])
  }

  @Test(arguments: [
    ("HOH", ["O", "H1", "H2"]), ("TIP3", ["OH2", "H1", "H2"]), ("SOL", ["OW", "HW1", "HW2"]),
    ("WAT", ["OW", "H1", "H2"]),
  ])
  func `the water of simulation programs is bonded like any water`(residue: String, names: [String]) throws {
    let places = [SIMD3(0, 0, 0), SIMD3(0.757, 0.586, 0), SIMD3(-0.757, 0.586, 0)]
    let rows = zip(names, places).enumerated().map { index, atom in
      let (name, place) = atom
      return "HETATM \(index + 1) \(name.prefix(1)) \(name) . \(residue) W . ? "
        + "\(place.x) \(place.y) \(place.z) 1 1 7 W 1"
    }
    let bonds = BondPerception.bonds(of: try Fixture.read(Fixture.cif(rows)))
    #expect(bonds.map { [$0.first, $0.second] } == [[0, 1], [0, 2]])
    #expect(bonds.allSatisfy { $0.origin == .template && $0.order == .single })
  }

  @Test(arguments: [("MW", SIMD3(0, 0.15, 0)), ("LP1", SIMD3(0, -0.4, 0.57))])
  func `water is bonded as one oxygen and two hydrogens, without virtual sites`(
    name: String, place: SIMD3<Double>
  ) throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "OW", "SOL", 4, 0, 0, 0, element: " O"),
      Fixture.atom(2, "HW1", "SOL", 4, 0.757, 0.586, 0, element: " H"),
      Fixture.atom(3, "HW2", "SOL", 4, -0.757, 0.586, 0, element: " H"),
      Fixture.atom(4, name, "SOL", 4, place.x, place.y, place.z),
    ])
    #expect(BondPerception.bonds(of: structure).map { [$0.first, $0.second] } == [[0, 1], [0, 2]])
  }

  @Test func `rings, phosphates and modified residues have bond orders`() throws {
    func orders(_ name: String) throws -> [String: BondOrder] {
      let bonds = try #require(ResidueTemplates.bonds(name))
      return Dictionary(bonds.map { ($0.first + "-" + $0.second, $0.order) }, uniquingKeysWith: { first, _ in first })
    }
    let ring = try orders("PHE")
    #expect(["CG-CD1", "CD2-CE2", "CE1-CZ"].allSatisfy { ring[$0] == .double })
    #expect(["CG-CD2", "CD1-CE1", "CE2-CZ"].allSatisfy { ring[$0] == .single })
    #expect(try orders("U")["C5-C6"] == .double)
    // Dihydrouridine is uridine except for that one bond.
    #expect(try orders("H2U")["C5-C6"] == .single)
    #expect(try orders("SEP")["P-O1P"] == .double)
    #expect(try orders("DAR") == orders("ARG"))
    #expect(try #require(ResidueTemplates.bonds("ATP")).count { !$0.second.hasPrefix("H") } == 33)
    #expect(ResidueTemplates.bonds("???") == nil)
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: ["ATP", "HEM"])
  func `a template has the bonds and orders of the dictionary file`(name: String) throws {
    let text = String(decoding: try Truth.bytes("ccd/\(name).cif"), as: UTF8.self)
    var expected: [String: String] = [:]
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ").map { $0.replacing("\"", with: "") }
      guard words.count >= 4, words[0] == name, ["SING", "DOUB"].contains(words[3].uppercased()) else { continue }
      let names = [words[1], words[2]].sorted()
      if names.contains(where: { $0.hasPrefix("H") }) { continue }
      expected[names.joined(separator: "-")] = words[3].uppercased()
    }
    var found: [String: String] = [:]
    for bond in try #require(ResidueTemplates.bonds(name)) where !bond.second.hasPrefix("H") {
      found[[bond.first, bond.second].sorted().joined(separator: "-")] = bond.order == .double ? "DOUB" : "SING"
    }
    #expect(Set(found.keys) == Set(expected.keys))
    #expect(found.values.count { $0 == "DOUB" } == expected.values.count { $0 == "DOUB" })
  }

  @Test func `thousands of atoms at one position are fast and get no bonds`() throws {
    let lines = (1...20_000).map { Fixture.atom($0, "C", "XYZ", 1, 1, 1, 1, element: " C") }
    #expect(BondPerception.bonds(of: try Fixture.pdb(lines)).isEmpty)
  }
}
