import PluginAPI
import TestSupport
import Testing

@testable import Molecules

/// Tests of cases that break parsers, one by one, with files written for them.
struct CornerCaseTests {
  private static let plain = Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3)

  @Test func `tabs in an atom line are expanded to multiples of eight columns`() throws {
    let line = "ATOM\t  1  CA  ALA A   1\t1.000   2.000   3.0000"
    let structure = try Fixture.read("REMARK 1 tabs\n" + line + "\n")
    #expect(structure.atoms.count == 1)
    #expect(structure.atoms.x == [1] && structure.atoms.z == [3])
    #expect(structure.diagnostics.map(\.code).contains("tabs-expanded"))
  }

  @Test(arguments: [
    ("CAX3", "C"), ("NH1A", "N"), ("OP1A", "O"), ("CL1A", "Cl"), ("FE1A", "Fe"), ("1HB ", "H"), ("HH11", "H"),
    ("D123", "D"),
  ])
  func `an atom name of four characters begins with its element`(name: String, symbol: String) throws {
    let line = Self.plain.replacing(" CA  ALA", with: name + " LIG")
    #expect(try Fixture.read(line + "\n").atoms.element.map(\.symbol) == [symbol])
  }

  @Test func `the name of calcium begins in column 13, and that of an alpha carbon in 14`() throws {
    let calcium = Self.plain.replacing(" CA  ALA", with: "CA    CA")
    #expect(try Fixture.pdb([Self.plain, calcium]).atoms.element.map(\.symbol) == ["C", "Ca"])
  }

  @Test func `residue numbers that wrap around start new residues`() throws {
    let lines = (0..<3).flatMap { round in
      [9999, 0].map { Fixture.atom(1, "O", "HOH", $0, Double(round), 2, 3, record: "HETATM") }
    }
    let structure = try Fixture.pdb(lines)
    #expect(structure.residues.map(\.number) == [9999, 0, 9999, 0, 9999, 0])
  }

  @Test func `a number that overflows into the insertion code is reported`() throws {
    let structure = try Fixture.pdb([Self.plain.replacing("A   1 ", with: "A10000")])
    #expect(structure.residues.map(\.number) == [1000])
    #expect(structure.diagnostics.map(\.code) == ["insertion-code-digit"])
  }

  @Test func `alternate locations can begin at B, be digits and be in blocks`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "CA", "SER", 1, 0, 0, 0), Fixture.atom(2, "CB", "SER", 1, 1.5, 0, 0, altloc: "B"),
      Fixture.atom(3, "OG", "SER", 1, 2.5, 1, 0, altloc: "B"),
      Fixture.atom(4, "CB", "SER", 1, 1.5, 0.2, 0, altloc: "2"),
      Fixture.atom(5, "OG", "SER", 1, 2.5, -1, 0, altloc: "2"),
    ])
    #expect(structure.residues.count == 1)
    #expect(structure.atoms.altloc == [0, 66, 66, 50, 50])
    let pairs = BondPerception.bonds(of: structure).map { [$0.first, $0.second] }
    #expect(pairs == [[0, 1], [0, 3], [1, 2], [3, 4]])
  }

  @Test func `coordinates below -100 are read without blanks between them`() throws {
    let line = Self.plain.replacing("   1.000   2.000   3.000", with: "-100.123-200.456-300.789")
    let structure = try Fixture.pdb([line])
    #expect([structure.atoms.x[0], structure.atoms.y[0], structure.atoms.z[0]] == [-100.123, -200.456, -300.789])
  }

  @Test func `occupancies can be blank, negative or not a number`() throws {
    let lines = ["      ", " -1.00", "   nan"].map { Self.plain.replacing("  1.00 10.00", with: $0 + " 10.00") }
    let structure = try Fixture.pdb(lines)
    #expect(structure.atoms.occupancy == [0, -1, 0])
    #expect(structure.diagnostics.map(\.line) == [3])
  }

  @Test func `CONECT can name a TER, missing atoms, one direction only and zeros`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "C1", "LIG", 1, 0, 0, 0), Fixture.atom(2, "C2", "LIG", 1, 1.5, 0, 0),
      "TER       3      LIG A   1",
      Fixture.atom(4, "O1", "LIG", 2, 9, 0, 0), "CONECT    1    2    0    0    0", "CONECT    4    3",
      "CONECT    2    1              900  901",
    ])
    #expect(structure.statedBonds == [StatedBond(first: 0, second: 1, order: 1)])
    #expect(structure.diagnostics.map(\.code).contains("conect-unresolved"))
  }

  @Test func `a chain named by an underscore is read`() throws {
    let text = Fixture.cif([
      "ATOM 1 C CA . ALA _ 1 ? 1 2 3 1.00 10.0 7 _ 1", "ATOM 2 C CB . ALA _ 1 ? 2 2 3 1.00 10.0 7 _ 1",
    ])
    let structure = try Fixture.read(text)
    #expect(structure.chains.map(\.name) == ["_"])
    #expect(structure.atoms.count == 2)
  }

  @Test func `keywords and tags are case-insensitive`() throws {
    let text = Fixture.cif(["ATOM 1 C CA . ALA A 1 ? 1 2 3 1.00 10.0 7 X 1"])
      .replacing("loop_", with: "LOOP_").replacing("_atom_site", with: "_ATOM_Site").replacing("data_", with: "Data_")
    #expect(try Fixture.read(text).atoms.count == 1)
  }

  @Test func `long residue names and entry identifiers are not truncated`() throws {
    let text = Fixture.cif(
      ["HETATM 1 C C1 . 7ZTVU A . ? 1 2 3 1.00 10.0 7 X 1"], before: "_entry.id pdb_00001abc\n")
    let structure = try Fixture.read(text)
    #expect(structure.residueName(0) == "7ZTVU")
    #expect(structure.metadata.entryID == "pdb_00001abc")
  }

  @Test func `author names fall back to label names, and label names to author names`() throws {
    let items = [
      "id", "type_symbol", "auth_atom_id", "auth_comp_id", "auth_asym_id", "auth_seq_id", "Cartn_x", "Cartn_y",
    ]
    let text =
      "data_x\nloop_\n" + (items + ["Cartn_z"]).map { "_atom_site." + $0 + "\n" }.joined() + "1 C CA GLY Q 9 1 2 3\n"
    let structure = try Fixture.read(text)
    #expect(structure.address(ofResidue: 0) == ResidueAddress(chain: "Q", number: 9, name: "GLY"))
    #expect(structure.atomName(0) == "CA")
    let label = try Fixture.read(text.replacing("auth_", with: "label_"))
    #expect(label.address(ofResidue: 0) == ResidueAddress(chain: "Q", number: 9, name: "GLY"))
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: ["1mom_min.cif", "eol-test.cif", "misc.cif", "smallmol_1011031.cif"])
  func `a file without coordinates gives one error with its own code`(name: String) throws {
    let bytes = try Truth.bytes("quirks/" + name)
    do {
      _ = try MoleculeReading.molecule(bytes, path: name, bonds: .firstModel, QuietProgress())
      Issue.record("it was read")
    } catch let error as ErrorReport {
      #expect(error.code == "molecules.no-coordinates")
      #expect(error.message.hasPrefix("'\(name)' has no atom coordinates: "))
    }
  }
}
