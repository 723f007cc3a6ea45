import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Tests of corner cases of the PDB format, each in a few lines written for it.
struct PDBReaderTests {
  private func codes(_ structure: Structure) -> [String] { structure.diagnostics.map(\.code) }

  @Test func `hybrid-36 serial and residue numbers continue after the decimal ones`() throws {
    let lines = [("A0000", "A000"), ("ZZZZZ", "ZZZZ"), ("a0000", "a000"), ("zzzzz", "zzzz")].map { serial, number in
      "ATOM  \(serial)  CA  ALA A\(number)       1.000   2.000   3.000  1.00 10.00           C"
    }
    let structure = try Fixture.pdb(lines)
    #expect(structure.atoms.serial == [100_000, 43_770_015, 43_770_016, 87_440_031])
    #expect(structure.residues.map(\.number) == [10_000, 1_223_055, 1_223_056, 2_436_111])
  }

  @Test func `atoms with asterisks as serial numbers are read without one`() throws {
    let structure = try Fixture.pdb(["ATOM  *****  CA  ALA A   1       1.000   2.000   3.000  1.00 10.00           C"])
    #expect(structure.atoms.serial == [AtomTable.missingSerial])
    #expect(codes(structure) == ["serial-unreadable"])
  }

  @Test func `a six-digit serial number that shifts the columns is read correctly`() throws {
    let structure = try Fixture.pdb(["ATOM  123456  CA  ALA A   7       1.500   2.500   3.500  1.00 10.00           C"])
    #expect(structure.atoms.serial == [123_456])
    #expect(structure.address(ofResidue: 0) == ResidueAddress(chain: "A", number: 7, name: "ALA"))
    #expect(structure.atoms.position(0) == SIMD3(1.5, 2.5, 3.5))
  }

  @Test func `coordinates without blanks between them are split by column`() throws {
    let structure = try Fixture.pdb(["ATOM      1  CA  ALA A   1    -100.123-200.456-300.789  1.00 10.00           C"])
    #expect(structure.atoms.position(0) == SIMD3(-100.123, -200.456, -300.789))
  }

  @Test(arguments: ["   *****", "     nan", "        ", "  1.2.3 "])
  func `an atom with a malformed coordinate is skipped and its line reported`(field: String) throws {
    let good = Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3)
    let bad = "ATOM      2  CB  ALA A   1    \(field)   2.000   3.000  1.00 10.00           C"
    let structure = try Fixture.pdb([good, bad])
    #expect(structure.atoms.count == 1)
    #expect(codes(structure) == ["coordinate-unreadable"])
    #expect(structure.diagnostics.map(\.line) == [2])
  }

  @Test func `exponents and a negative zero are numbers`() throws {
    let structure = try Fixture.pdb(["ATOM      1  CA  ALA A   1    1.0E+02   -0.000   3.000  1.00 10.00           C"])
    #expect(structure.atoms.x == [100])
    #expect(structure.atoms.y == [0])
  }

  @Test func `CRLF, lower case, NUL bytes and a missing last line end are accepted`() throws {
    let text =
      "atom      1  CA  ALA A   1       1.000   2.000   3.000  1.00 10.00           C\r\n"
      + "ATOM      2  CB  ALA A   1       1.000   2.000   4.500  1.00 10.00\0\0\0\0\0\0\0\0\0\0 C\0\0"
    let structure = try Fixture.read(text)
    #expect(structure.atoms.count == 2)
    #expect(structure.atoms.element == [.carbon, .carbon])
    #expect(structure.residues.count == 1)
  }

  @Test func `the defaults of occupancy and B factor are 1 and 20`() throws {
    let structure = try Fixture.pdb(["ATOM      1  CA  ALA A   1       1.000   2.000   3.000"])
    #expect(structure.atoms.occupancy == [1])
    #expect(structure.atoms.bFactor == [20])
    #expect(structure.atoms.element == [.carbon])
  }

  @Test func `a line that ends before its coordinates is skipped and reported`() throws {
    let structure = try Fixture.pdb([Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3), "ATOM      2  CB  ALA A   1       1.0"])
    #expect(structure.atoms.count == 1)
    #expect(structure.diagnostics.map(\.code) == ["atom-line-short"])
  }

  @Test(arguments: [
    ("CA  ", "Ca"), (" CA ", "C"), ("HH11", "H"), ("DD11", "D"), ("1HB ", "H"), (" X1 ", "X"), ("C210", "C"),
    ("FE  ", "Fe"), ("ZN  ", "Zn"), (" 2HB", "X"),
  ])
  func `a missing element is derived from the columns of the name`(name: String, symbol: String) throws {
    let structure = try Fixture.pdb(["ATOM      1 \(name) LIG A   1       1.000   2.000   3.000  1.00 10.00"])
    #expect(structure.atoms.element.map(\.symbol) == [symbol])
  }

  @Test(arguments: [
    ("CL", "CL", "Cl"), ("NA", "NA", "Na"), ("CLA", "CLA", "Cl"), ("SOD", "SOD", "Na"), ("POT", "POT", "K"),
    ("NA+", "NA+", "Na"), ("CA", "CA", "Ca"), ("MG2", "MG", "Mg"), ("CA", "CLA", "C"), ("NA", "HEM", "N"),
  ])
  func `ions without an element column have their residue's element, in any columns`(
    name: String, residue: String, symbol: String
  ) throws {
    // The same name in an amino acid before and after it keeps its own element.
    let structure = try Fixture.pdb([
      Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3), Fixture.atom(2, name, residue, 2, 4, 5, 6),
      Fixture.atom(3, "CA", "ALA", 3, 7, 8, 9),
    ])
    #expect(structure.atoms.element.map(\.symbol) == ["C", symbol, "C"])
    #expect(structure.residues[1].kind == .ligand)
    #expect(structure.residues[0].kind == .polymer)
  }

  @Test(.enabled(if: SharedData.found != nil, "the shared data are absent"))
  func `the ions of a box of GROMACS are chloride and sodium`() throws {
    let file = try #require(SharedData.found).appendingPathComponent("molecules/cobrotoxin.pdb.gz")
    let structure = try StructureFile.read(bytes: Array(Data(contentsOf: file)), name: "cobrotoxin.pdb.gz")
    let ions = structure.residues.filter { $0.atoms.count == 1 }.map {
      structure.atoms.element[Int($0.firstAtom)].symbol
    }
    #expect(ions.sorted() == Array(repeating: "Cl", count: 11) + Array(repeating: "Na", count: 8))
  }

  @Test func `lipids in ATOM records are not polymers, and unknown amino acids are`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "N", "XAA", 1, 0, 0, 0), Fixture.atom(2, "CA", "XAA", 1, 1.5, 0, 0),
      Fixture.atom(3, "C", "XAA", 1, 2, 1.4, 0), Fixture.atom(4, "N", "DMP", 2, 9, 0, 0),
      Fixture.atom(5, "CA", "DMP", 2, 10, 0, 0), Fixture.atom(6, "P", "DMP", 2, 11, 0, 0),
      Fixture.atom(7, "CA", "XAA", 3, 20, 0, 0), Fixture.atom(8, "C4'", "XNU", 4, 30, 0, 0),
      Fixture.atom(9, "P", "XNU", 4, 31, 0, 0),
    ])
    #expect(structure.residues.map(\.kind) == [.polymer, .ligand, .polymer, .polymer])
  }

  @Test func `the segment column is read and is restored from PDB and mmCIF`() throws {
    func line(_ serial: Int, _ residue: String, _ number: Int, _ segment: String, chain: String = "A") -> String {
      let atom = Fixture.atom(serial, "CA", residue, number, Double(serial), 2, 3, chain: chain)
      return atom.prefix(72) + segment.padding(toLength: 4, withPad: " ", startingAt: 0) + " C"
    }
    let lines = [
      line(1, "ALA", 1, "PROA"), line(2, "GLY", 2, "PROA"), line(3, "ALA", 1, "PROB", chain: "B"),
      line(4, "TIP", 3, "W1", chain: "W"), line(5, "TIP", 3, "W2", chain: "V"),
    ]
    let structure = try Fixture.pdb(lines)
    #expect(try Selection("segi PROA").atoms(of: structure).atoms == [0, 1])
    #expect(try Selection("segi W*").atoms(of: structure).atoms == [3, 4])
    #expect(try Selection("segi ''").atoms(of: structure).isEmpty)
    #expect(structure.chains.map(\.labels) == [["PROA"], ["PROB"], ["W1"], ["W2"]])
    let molecule = Molecule(id: nil, format: "PDB", file: "x.pdb", structure: structure, bonds: [[]])
    for bytes in [try PDBWriter.bytes(of: molecule), MMCIFWriter.bytes(of: molecule)] {
      let again = try StructureFile.read(bytes: bytes, name: "written")
      #expect(again.labelRuns == structure.labelRuns)
    }
    let some = try Fixture.pdb([line(1, "ALA", 1, "PROA"), line(2, "GLY", 2, "")])
    #expect(try Selection("segi ''").atoms(of: some).atoms == [1] && some.chains[0].labels == ["PROA"])
    let none = try Fixture.pdb([line(1, "ALA", 1, "")])
    #expect(none.labelRuns.isEmpty)
  }

  @Test func `an element is case-insensitive, and an unknown one is reported`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "XX", "LIG", 1, 1, 2, 3, element: "fe"), Fixture.atom(2, "CA", "LIG", 1, 1, 2, 5, element: "Qq"),
    ])
    #expect(structure.atoms.element.map(\.symbol) == ["Fe", "C"])
    #expect(codes(structure) == ["element-unreadable"])
  }

  @Test(arguments: [("2+", 2), ("+2", 2), ("1-", -1), ("3 ", 3), ("  ", 0)])
  func `a charge can have its sign on either side`(field: String, charge: Int8) throws {
    let structure = try Fixture.pdb([Fixture.atom(1, "ZN", "ZN", 1, 1, 2, 3, element: "ZN") + field])
    #expect(structure.atoms.charge == [charge])
  }

  @Test func `two-character chains fill columns 21 and 22`() throws {
    let lines = ["AA", "AB", " A"].map {
      "ATOM      1  CA  ALA\($0)   1       1.000   2.000   3.000  1.00 10.00           C"
    }
    let structure = try Fixture.pdb(lines)
    #expect(structure.chains.map(\.name) == ["AA", "AB", "A"])
  }

  @Test func `four-character residue names extend to column 21 if it has no chain`() throws {
    let structure = try Fixture.pdb(["ATOM      1  OH2 TIP3    1       1.000   2.000   3.000  1.00 10.00"])
    #expect(structure.residueName(0) == "TIP3")
    #expect(structure.residues[0].kind == .water)
    #expect(structure.chains.map(\.name) == [""])
  }

  @Test func `insertion codes before and after the plain number start new residues`() throws {
    let structure = try Fixture.pdb(
      ["B", "A", " ", "C"].enumerated().map { index, code in
        Fixture.atom(index, "CA", "ALA", 60, Double(index), 0, 0, code: code)
      })
    #expect(structure.residues.count == 4)
    #expect((0..<4).map { structure.address(ofResidue: $0).numberText } == ["60B", "60A", "60", "60C"])
  }

  @Test func `interleaved atoms of two residue names at one number are two residues`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "N", "SER", 22, 0, 0, 0, altloc: "A"), Fixture.atom(2, "N", "PRO", 22, 0, 0, 1, altloc: "B"),
      Fixture.atom(3, "CA", "SER", 22, 1, 0, 0, altloc: "A"), Fixture.atom(4, "CA", "PRO", 22, 1, 0, 1, altloc: "B"),
    ])
    #expect(structure.residues.map { Array($0.atoms) } == [[0, 1], [2, 3]])
    #expect(structure.atoms.serial == [1, 3, 2, 4])
  }

  @Test func `waters whose numbers restart are different waters`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "O", "HOH", 1, 0, 0, 0), Fixture.atom(2, "O", "HOH", 2, 4, 0, 0),
      Fixture.atom(3, "O", "HOH", 1, 8, 0, 0),
    ])
    #expect(structure.residues.count == 3)
  }

  @Test func `a chain in several parts is one chain`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0), Fixture.atom(2, "CA", "ALA", 1, 9, 0, 0, chain: "B"),
      Fixture.atom(3, "O", "HOH", 90, 5, 0, 0, record: "HETATM"),
    ])
    #expect(structure.chains.map(\.name) == ["A", "B"])
    #expect(structure.chains[0].residueRuns == [0..<1, 2..<3])
    #expect(structure.residues.map(\.kind) == [.polymer, .polymer, .water])
  }

  @Test func `models can lack ENDMDL, repeat numbers and differ in atoms`() throws {
    let first = Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0)
    let structure = try Fixture.pdb([
      "MODEL        5", first, Fixture.atom(2, "CB", "ALA", 1, 1, 0, 0), "MODEL 5", first, "ENDMDL", "ENDMDL", "MODEL",
      first,
    ])
    #expect(structure.models.map(\.number) == [5, 5, 3])
    #expect(structure.models.map(\.atoms.count) == [2, 1, 1])
    #expect(
      codes(structure) == [
        "model-not-ended", "model-number-repeated", "endmdl-without-model", "model-number-missing",
      ])
  }

  @Test func `content after END is reported and not read`() throws {
    let atom = Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0)
    let structure = try Fixture.pdb(["END", atom, "END", "# score table", atom])
    #expect(structure.atoms.count == 1)
    #expect(codes(structure) == ["end-before-atoms", "content-after-end"])
  }

  @Test func `header texts are joined across lines`() throws {
    let structure = try Fixture.pdb([
      "HEADER    TEST PROTEIN                            28-MAR-07   9XYZ              ",
      "TITLE     A TITLE OF                                                            ",
      "TITLE    2 TWO LINES                                                            ",
      "COMPND    MOL_ID: 1;", "COMPND   2 MOLECULE: SOME ENZYME: PART;", "COMPND   3 CHAIN: A, B;",
      "COMPND   4 EC: 3.1.1.7;",
      "SOURCE    MOL_ID: 1;", "SOURCE   2 ORGANISM_SCIENTIFIC: HOMO SAPIENS;",
      "AUTHOR    A.SMITH,B.JONES", "REMARK   2 RESOLUTION.    1.54 ANGSTROMS.",
      "CRYST1   34.770   39.170   48.310  90.00  91.00  90.00 P 1 21 1      4",
      Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0),
    ])
    let metadata = structure.metadata
    #expect(metadata.title == "A TITLE OF TWO LINES")
    #expect(metadata.entryID == "9XYZ")
    #expect(metadata.depositionDate == "2007-03-28")
    #expect(metadata.authors == ["A.SMITH", "B.JONES"])
    #expect(metadata.resolution == 1.54)
    #expect(metadata.cell == UnitCell(a: 34.77, b: 39.17, c: 48.31, alpha: 90, beta: 91, gamma: 90))
    #expect(metadata.spaceGroup == "P 1 21 1")
    #expect(
      metadata.compounds == [
        Compound(
          id: "1", name: "SOME ENZYME: PART", chains: ["A", "B"], organism: "HOMO SAPIENS",
          details: [Compound.Detail(token: "EC", value: "3.1.1.7")])
      ])
  }

  @Test func `operators of REMARK 350 apply to the chains before them, also above 999`() throws {
    let structure = try Fixture.pdb([
      "REMARK 350 BIOMOLECULE: 1", "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A, B,",
      "REMARK 350                    AND CHAINS: C",
      "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000",
      "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000",
      "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000",
      "REMARK 350   BIOMT1  1000 -1.000000  0.000000  0.000000       12.50000",
      "REMARK 350   BIOMT2  1000  0.000000 -1.000000  0.000000        0.00000",
      "REMARK 350   BIOMT3  1000  0.000000  0.000000  1.000000        0.00000",
      Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0),
    ])
    let part = try #require(structure.assemblies.first?.parts.first)
    #expect(part.chains == ["A", "B", "C"])
    #expect(part.operators.count == 2)
    #expect(part.operators[1].apply(SIMD3(1, 2, 3)) == SIMD3(11.5, -2, 3))
  }

  @Test func `CONECT fields are split by column, and unknown numbers are reported`() throws {
    let lines = [12273, 2462, 12280].map { Fixture.atom($0, "C\($0 % 10)", "LIG", 1, Double($0 % 100), 0, 0) }
    let structure = try Fixture.pdb(lines + ["CONECT12273 246212280", "CONECT122739999912x81"])
    #expect(structure.statedBonds.map { [$0.first, $0.second] } == [[0, 1], [0, 2]])
    #expect(codes(structure).contains("conect-unresolved"))
    #expect(codes(structure).contains("conect-unreadable"))
  }

  @Test func `atoms after ENDMDL start a model, even in the residue before`() throws {
    let atom = Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3)
    let structure = try Fixture.pdb(["MODEL        1", atom, "ENDMDL", atom, atom])
    #expect(structure.models.map(\.atoms) == [0..<1, 1..<3])
    #expect(structure.residues.map(\.atoms) == [0..<1, 1..<3])
  }

  @Test func `many atoms of interleaved residues are grouped by residue`() throws {
    let lines = (0..<2000).map { number in
      Fixture.atom(
        number, "C\(number / 2 % 100)", number % 2 == 0 ? "SER" : "PRO", 1 + number / 200, Double(number), 0, 0)
    }
    let structure = try Fixture.pdb(lines)
    #expect(structure.residues.count == 20)
    #expect(structure.residues.allSatisfy { $0.atoms.count == 100 })
    let isGathered = structure.residues.indices.allSatisfy { residue in
      structure.residues[residue].atoms.allSatisfy { Int(structure.atoms.residue[$0]) == residue }
    }
    #expect(isGathered)
    let expected: [Double] = (0..<2000).map { Double($0) }
    #expect(structure.atoms.x.sorted() == expected)
  }

  @Test func `the element column distinguishes atoms with the same name`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3, element: " C"), Fixture.atom(2, "CA", "XXX", 2, 4, 5, 6, element: "CA"),
      Fixture.atom(3, "CA", "ALA", 3, 7, 8, 9, element: " C") + "2+",
    ])
    #expect(structure.atoms.element.map(\.symbol) == ["C", "Ca", "C"])
    #expect(structure.atoms.charge == [0, 0, 2])
  }

  @Test func `interleaved sequences of chains are joined, with short lines and blanks`() throws {
    let structure = try Fixture.pdb([
      "SEQRES   1 A    5  ALA GLY   C  DG",
      "SEQRES   1 B    2  MSE     TRP                                     VAL",
      "SEQRES   2 A    5  AL", "SEQRES   1 A    5      GLY", "SEQRES   1      1  HOH",
      Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0),
    ])
    #expect(structure.sequences.map(\.id) == ["A", "B", ""])
    #expect(
      structure.sequences.map(\.residueNames) == [
        ["ALA", "GLY", "C", "DG", "AL", "GLY"], ["MSE", "TRP", "VAL"], ["HOH"],
      ])
  }
}
