import TestSupport
import Testing

@testable import Molecules

struct BondTests {
  /// Files of which biotite's dictionary counts fewer bonds than there are, or other ones, and why.
  private static let otherDictionary: Set<String> = [
    // Hydrogens under names that the dictionary does not have: at chain ends, before 2007, of simulation programs.
    "cif/1l2y.cif.gz", "pdb/1l2y.pdb.gz", "cif/1lcd.cif.gz", "pdb/1lcd.pdb.gz", "cif/3pdz.cif.gz", "pdb/1gya.pdb.gz",
    "pdb/1igy.pdb.gz", "quirks/1ubq_headerless.pdb", "quirks/AIP-build.pdb", "quirks/WIN_nmr.pdb.gz",
    "quirks/conect_error.pdb", "quirks/nucleic_old.pdb", "quirks/psfgen-output.pdb", "quirks/rosetta_model.cif",
    "quirks/rosetta_model.pdb.gz", "quirks/unordered_res.pdb", "quirks/elements.pdb",
    // Deuterium is not in the dictionary.
    "cif/5pti.cif.gz", "pdb/5pti.pdb", "quirks/5pti_old.pdb",
    // Atom names of before 2007 (O5*).
    "pdb/388d_v23.pdb", "quirks/104D_v23.pdb",
    // Residues that the dictionary does not have, or not of this name.
    "cif/7fgz-extended_CCD_code.cif.gz", "cif/1gbt.cif.gz", "quirks/xl_serial.pdb", "quirks/short-atom.pdb",
    "quirks/short-cryst1.pdb", "quirks/crystal-maker.pdb", "quirks/conect_parsing.pdb", "starter/Nanotube.pdb",
    "starter/TheoreticalXenonPump.pdb.gz",
    // Alternatives of another residue name at one position, and repeated names without a mark.
    "pdb/1k6p.pdb.gz", "quirks/disordered.pdb", "quirks/a_structure.pdb",
    // Beads, or atoms too far apart for a bond.
    "quirks/BaceCg.pdb", "quirks/atom-id-0.pdb",
  ]

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `bonds within residues are those of the chemical component dictionary`() throws {
    var equal = 0
    var differences: [String] = []
    for (name, truth) in try Truth.load() where !Self.otherDictionary.contains(name) {
      guard let expected = (truth["biotite"] as? [String: Any])?["bonds_intra_ccd"] as? Int else { continue }
      guard let structure = try? Truth.structure(name) else { continue }
      let found = Self.bondsWithinResiduesOfFirstAlternatives(structure)
      if found == expected { equal += 1 } else { differences.append("\(name): \(found), not \(expected)") }
    }
    #expect(differences == [])
    #expect(equal == 53)
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: [
      ("starter/Caffeine.pdb", 24, 25), ("starter/TheoreticalBearing.pdb", 206, 278),
      ("starter/Nanotube.pdb", 288, 416),
      ("starter/TheoreticalXenonPump.pdb.gz", 6165, 8870), ("starter/DNA_1BNA.pdb", 566, 544),
    ])
  func `the starters of the first application have the bonds that they should have had`(
    name: String, atoms: Int, bonds: Int
  ) throws {
    let structure = try Truth.structure(name)
    #expect(structure.atoms.count == atoms)
    #expect(BondPerception.bonds(of: structure).count == bonds)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `crambin has three disulfides and no bond by distance`() throws {
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

  @Test func `a residue without template is bonded by distance, its metal too`() throws {
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

  @Test func `CONECT bonds are kept once and a repeat is a double bond`() throws {
    let atoms = [
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "C2", "LIG", 1, 1.3, 0, 0, element: " C"),
    ]
    let structure = try Fixture.pdb(atoms + ["CONECT    1    2    2", "CONECT    2    1    1", "CONECT    2    0"])
    let bonds = BondPerception.bonds(of: structure)
    #expect(bonds == [Bond(first: 0, second: 1, order: .double, origin: .conect)])
  }

  @Test func `a stated link to another copy of the molecule is no bond`() throws {
    let atoms = [
      Fixture.atom(1, "SG", "CYS", 1, 0, 0, 0), Fixture.atom(2, "SG", "CYS", 5, 2.05, 0, 0),
    ]
    let start = "SSBOND   1 CYS A    1    CYS A    5                          1555   "
    let near = try Fixture.pdb([start + "1555  2.05"] + atoms)
    let far = try Fixture.pdb([start + "3655  2.05"] + atoms)
    #expect(BondPerception.bonds(of: near).map(\.origin) == [.disulfide])
    #expect(BondPerception.bonds(of: far).isEmpty)
  }

  @Test func `thousands of atoms on one spot take no time and get no bonds`() throws {
    let lines = (1...20_000).map { Fixture.atom($0, "C", "XYZ", 1, 1, 1, 1, element: " C") }
    #expect(BondPerception.bonds(of: try Fixture.pdb(lines)).isEmpty)
  }

  private static func bondsWithinResiduesOfFirstAlternatives(_ structure: Structure) -> Int {
    var chosen: [ResidueAddress: UInt8] = [:]
    func position(_ residue: Int) -> ResidueAddress {
      var address = structure.address(ofResidue: residue)
      address.name = ""
      return address
    }
    for residue in structure.models[0].residues {
      for atom in structure.residues[residue].atoms where structure.atoms.altloc[atom] != 0 {
        let key = position(residue)
        if chosen[key] == nil { chosen[key] = structure.atoms.altloc[atom] }
      }
    }
    func isKept(_ atom: Int32) -> Bool {
      let altloc = structure.atoms.altloc[Int(atom)]
      return altloc == 0 || altloc == chosen[position(Int(structure.atoms.residue[Int(atom)]))]
    }
    return BondPerception.bonds(of: structure).count {
      structure.atoms.residue[Int($0.first)] == structure.atoms.residue[Int($0.second)] && isKept($0.first)
        && isKept($0.second)
    }
  }
}
