import TestSupport
import Testing

@testable import Molecules

/// Tests of contacts, hydrogen bonds, salt bridges and disulfides.
struct InteractionTests {
  private func hydrogenBonds(_ structure: Structure, water: Bool = false) -> [HydrogenBond] {
    var finder = HydrogenBondFinder(structure, bonds: BondPerception.bonds(of: structure))
    return finder.all(includesWater: water)
  }

  private func labels(_ structure: Structure, _ bonds: [HydrogenBond]) -> [String] {
    bonds.map { structure.label(ofAtom: $0.donor) + " " + structure.label(ofAtom: $0.acceptor) }
  }

  /// The numbers were counted by another program from the distances of all pairs of atoms.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the contacts of crambin match those from all distances`() throws {
    let structure = try Truth.structure("pdb/1crn.pdb")
    let contacts = ResidueContact.all(of: structure, bonds: BondPerception.bonds(of: structure), within: 4)
    #expect(contacts.count == 124)
    #expect(contacts.reduce(0) { $0 + $1.atomPairs } == 415)
    #expect(contacts.allSatisfy { $0.first < $0.second && $0.distance <= 4 })
  }

  @Test func `contacts can include water, or be limited to different chains`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C"), Fixture.atom(2, "H1", "LIG", 1, 1, 0, 0, element: " H"),
      Fixture.atom(3, "C1", "LIG", 2, 0, 3.5, 0, element: " C"),
      Fixture.atom(4, "C1", "LIG", 1, 3.5, 0, 0, chain: "B", element: " C"),
      Fixture.atom(5, "O", "HOH", 1, 0, 0, 3, chain: "W", element: " O"),
    ])
    func pairs(water: Bool = false, chains: Bool = false) -> [[Int]] {
      ResidueContact.all(of: structure, bonds: [], within: 4, includesWater: water, isBetweenChains: chains)
        .map { [$0.firstAtom, $0.secondAtom] }
    }
    #expect(pairs() == [[0, 2], [0, 3]])
    #expect(pairs(chains: true) == [[0, 3]])
    #expect(pairs(water: true) == [[0, 2], [0, 3], [0, 4]])
    #expect(
      ResidueContact.all(
        of: structure, bonds: [Bond(first: 0, second: 2, order: .single, origin: .link)], within: 4
      ).map(\.second) == [2])
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: [("pdb/1crn.pdb", 1), ("pdb/4hhb.pdb.gz", 34), ("pdb/1ubq.pdb", 3)])
  func `salt bridges match those from all distances`(name: String, count: Int) throws {
    #expect(SaltBridge.all(of: try Truth.structure(name)).count == count)
  }

  @Test func `a salt bridge joins the two nearest atoms, once per pair of residues`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "NZ", "LYS", 1, 0, 0, 0), Fixture.atom(2, "OD1", "ASP", 2, 3.4, 0, 0),
      Fixture.atom(3, "OD2", "ASP", 2, 2.8, 1, 0), Fixture.atom(4, "OE1", "GLU", 3, 0, 4.1, 0),
      Fixture.atom(5, "OG", "SER", 4, 0, 0, 2.8),
    ])
    let bridges = SaltBridge.all(of: structure)
    #expect(bridges.map { [$0.positive, $0.negative] } == [[0, 2]])
    #expect(abs((bridges.first?.distance ?? 0) - (2.8 * 2.8 + 1).squareRoot()) < 1e-6)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `crambin's disulfides are 3-40, 4-32 and 16-26, with and without its header`() throws {
    var structure = try Truth.structure("pdb/1crn.pdb")
    func found(_ structure: Structure) -> [String] {
      Disulfide.all(of: structure, bonds: BondPerception.bonds(of: structure), model: 0).map {
        "\(structure.address(ofResidue: Int(structure.atoms.residue[$0.first])).number)-"
          + "\(structure.address(ofResidue: Int(structure.atoms.residue[$0.second])).number) \($0.isStated)"
      }
    }
    #expect(found(structure) == ["3-40 true", "4-32 true", "16-26 true"])
    structure.connections = []
    structure.statedBonds = []
    #expect(found(structure) == ["3-40 false", "4-32 false", "16-26 false"])
  }

  @Test func `a disulfide with alternate locations is listed once, by the most occupied sulfurs`() throws {
    func sulfur(_ serial: Int, _ number: Int, _ x: Double, _ altloc: String, _ occupancy: Double) -> String {
      Fixture.atom(serial, "SG", "CYS", number, x, 0, 0, altloc: altloc, element: " S", occupancy: occupancy)
    }
    let both = try Fixture.pdb([
      sulfur(1, 1, 0, "A", 0.3), sulfur(2, 1, 0.2, "B", 0.7), sulfur(3, 9, 2.0, "A", 0.3), sulfur(4, 9, 2.3, "B", 0.7),
    ])
    // A of one and B of the other are the conformers, and are not bonded.
    let crossed = try Fixture.pdb([
      sulfur(1, 1, 0, "A", 0.6), sulfur(2, 1, 0.2, "B", 0.4), sulfur(3, 9, 2.0, "A", 0.1), sulfur(4, 9, 2.3, "B", 0.9),
    ])
    for (structure, expected) in [(both, [1, 3]), (crossed, [1, 3])] {
      let found = Disulfide.all(of: structure, bonds: BondPerception.bonds(of: structure), model: 0)
      #expect(found.map { [$0.first, $0.second] } == [expected])
      #expect(abs(found[0].distance - 2.1) < 1e-6)
    }
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `hydrogen bonds between backbones have energies below the limit`() throws {
    let structure = try Truth.structure("pdb/1crn.pdb")
    let bonds = hydrogenBonds(structure).filter { $0.evidence == .energy }
    let helix = labels(structure, bonds)
    // The first turns of the helix that begins at residue 7.
    #expect(helix.contains("A/SER11/N A/ILE7/O") && helix.contains("A/ARG10/N A/SER6/O"))
    #expect(bonds.allSatisfy { ($0.energy ?? 0) < -0.5 })
    #expect(bonds.count == SecondaryStructureAssignment.dssp(structure).hydrogenBonds.count)
  }

  /// N is 2.9 Å from O, once straight ahead and once from behind.
  @Test func `hydrogen bonds of side chains need a distance, and angles if hydrogens are missing`() throws {
    func pair(_ x: Double) throws -> Structure {
      try Fixture.pdb([
        Fixture.atom(1, "CE", "LYS", 1, x, 0, 0), Fixture.atom(2, "NZ", "LYS", 1, 0, 0, 0),
        Fixture.atom(3, "CG", "ASN", 2, 3.9, 0.7, 0), Fixture.atom(4, "OD1", "ASN", 2, 2.9, 0, 0),
      ])
    }
    let open = try pair(-1.47)
    #expect(labels(open, hydrogenBonds(open)) == ["A/LYS1/NZ A/ASN2/OD1"])
    #expect(hydrogenBonds(open).map(\.evidence) == [.geometry])
    #expect(hydrogenBonds(try pair(1.47)).isEmpty)
  }

  @Test func `the position of a hydrogen in the file decides on its bond`() throws {
    func pair(_ hydrogen: SIMD3<Double>) throws -> Structure {
      try Fixture.pdb([
        Fixture.atom(1, "CB", "SER", 1, -1.4, 0, 0), Fixture.atom(2, "OG", "SER", 1, 0, 0, 0),
        Fixture.atom(3, "HG", "SER", 1, hydrogen.x, hydrogen.y, hydrogen.z, element: " H"),
        Fixture.atom(4, "CG", "ASP", 2, 3.9, 0.7, 0), Fixture.atom(5, "OD1", "ASP", 2, 2.8, 0, 0),
      ])
    }
    let toward = try pair(SIMD3(0.96, 0, 0))
    #expect(labels(toward, hydrogenBonds(toward)) == ["A/SER1/OG A/ASP2/OD1"])
    #expect(hydrogenBonds(toward).map(\.evidence) == [.hydrogen])
    #expect(hydrogenBonds(try pair(SIMD3(0, 0.96, 0))).isEmpty)
  }

  @Test func `hydrogen bonds of water are found on request, once per pair`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "O", "HOH", 1, 0, 0, 0, chain: "W", element: " O"),
      Fixture.atom(2, "O", "HOH", 2, 2.8, 0, 0, chain: "W", element: " O"),
    ])
    #expect(hydrogenBonds(structure).isEmpty)
    #expect(hydrogenBonds(structure, water: true).count == 1)
  }
}
