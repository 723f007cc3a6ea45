import TestSupport
import Testing

@testable import Molecules

/// Tests of the data that other programs need in exported mmCIF in addition to the atoms.
struct MMCIFExportTests {
  /// A helix, a sheet, links, a cis peptide, a modified residue, an assembly, and transformations of the coordinates.
  private static let lines = [
    "HEADER    TEST                                    28-MAR-07   9XYZ",
    "REMARK 350 BIOMOLECULE: 1",
    "REMARK 350 AUTHOR DETERMINED BIOLOGICAL UNIT: DIMERIC",
    "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A",
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000",
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000",
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000",
    "REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000       10.00000",
    "REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000        0.00000",
    "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000",
    "SEQRES   1 A    6  GLY ALA CYS MSE SER CYS",
    "MODRES 9XYZ MSE A    4  MET  SELENOMETHIONINE",
    "HELIX    1  H1 ALA A    2  CYS A    3  1                                   2",
    "SHEET    1   A 2 MSE A   4  MSE A   4  0",
    "SHEET    2   A 2 CYS A   6A CYS A   6A-1",
    "SSBOND   1 CYS A    3    CYS A    6A                         1555   2665  2.05",
    "LINK        ZN    ZN A 101                 SG  CYS A   3     1555   1555  2.30",
    "CISPEP   1 ALA A    2    CYS A    3          0        -1.25",
    "CRYST1   34.770   39.170   48.310  90.00  91.00  90.00 P 1 21 1      4",
    "ORIGX1      0.500000  0.000000  0.000000        1.00000",
    "ORIGX2      0.000000  0.500000  0.000000        0.00000",
    "ORIGX3      0.000000  0.000000  0.500000        0.00000",
    "MTRIX1   1  1.000000  0.000000  0.000000        0.00000    1",
    "MTRIX2   1  0.000000  1.000000  0.000000        0.00000    1",
    "MTRIX3   1  0.000000  0.000000  1.000000        0.00000    1",
    "MTRIX1   2 -1.000000  0.000000  0.000000        5.00000",
    "MTRIX2   2  0.000000 -1.000000  0.000000        0.00000",
    "MTRIX3   2  0.000000  0.000000  1.000000        0.00000",
    Fixture.atom(1, "CA", "ALA", 2, 0, 0, 0, element: " C"), Fixture.atom(2, "CA", "CYS", 3, 3.8, 0, 0, element: " C"),
    Fixture.atom(3, "SG", "CYS", 3, 5, 1, 0, element: " S"), Fixture.atom(4, "CA", "MSE", 4, 7, 0, 0, element: " C"),
    Fixture.atom(5, "CA", "CYS", 6, 9, 3, 0, code: "A", element: " C"),
    Fixture.atom(6, "SG", "CYS", 6, 9, 4, 0, code: "A", element: " S"),
    "HETATM    7 ZN    ZN A 101       6.000   3.000   0.000  1.00 10.00          ZN",
    "HETATM    8  O   HOH A 201       1.000   8.000   0.000  1.00 10.00           O",
    "HETATM    9  O   HOH A 202       2.000   8.000   0.000  1.00 10.00           O",
  ]

  private static func molecule(_ structure: Structure) -> Molecule {
    Molecule(
      id: nil, format: "PDB", file: "x.pdb", structure: structure,
      bonds: structure.models.indices.map { BondPerception.bonds(of: structure, model: $0) })
  }

  private static func text(_ structure: Structure) -> String {
    String(decoding: MMCIFWriter.bytes(of: molecule(structure)), as: UTF8.self)
  }

  /// Returns the rows of a category as dictionaries from item to value.
  private static func rows(_ category: String, in text: String) -> [[String: String]] {
    let bytes = Array(text.utf8)
    return bytes.withUnsafeBufferPointer { buffer in
      var tokens = CIFTokenizer(buffer)
      var (items, values): ([String], [String]) = ([], [])
      var isRead = false
      func word(_ token: CIFToken) -> String {
        String(decoding: buffer[token.start..<token.start + token.count], as: UTF8.self)
      }
      while true {
        let token = tokens.next()
        if token.kind == .end { break }
        if token.kind == .tag {
          isRead = word(token).hasPrefix(category + ".")
          if isRead { items.append(String(word(token).dropFirst(category.utf8.count + 1))) }
        } else if token.kind.isValue, isRead {
          values.append(word(token))
        }
      }
      guard !items.isEmpty else { return [] }
      return stride(from: 0, to: values.count, by: items.count).map { start in
        Dictionary(uniqueKeysWithValues: zip(items, values[start..<start + items.count]))
      }
    }
  }

  @Test func `helices, strands and links identify residues by label and author`() throws {
    let text = Self.text(try Fixture.pdb(Self.lines))
    let helix = try #require(Self.rows("_struct_conf", in: text).first)
    #expect(
      helix["beg_label_asym_id"] == "A" && helix["beg_label_comp_id"] == "ALA" && helix["beg_label_seq_id"] == "2")
    #expect(helix["end_label_comp_id"] == "CYS" && helix["end_label_seq_id"] == "3" && helix["end_auth_seq_id"] == "3")
    let strand = try #require(Self.rows("_struct_sheet_range", in: text).last)
    #expect(strand["beg_label_seq_id"] == "6" && strand["pdbx_beg_PDB_ins_code"] == "A")
    let links = Self.rows("_struct_conn", in: text)
    #expect(links.map { $0["ptnr2_label_comp_id"] } == ["CYS", "CYS"])
    #expect(links.map { $0["ptnr2_label_seq_id"] } == ["6", "3"])
    #expect(links.map { $0["ptnr2_symmetry"] } == ["2_665", "1_555"])
    #expect(links[1]["ptnr1_label_asym_id"] == "B" && links[1]["ptnr1_label_seq_id"] == ".")
    #expect(links[1]["pdbx_dist_value"] == "2.236" && links[0]["pdbx_dist_value"] == "?")
  }

  @Test func `each part of a chain has a label and an entity`() throws {
    let text = Self.text(try Fixture.pdb(Self.lines))
    let atoms = Self.rows("_atom_site", in: text)
    #expect(atoms.map { $0["label_asym_id"] } == ["A", "A", "A", "A", "A", "A", "B", "C", "C"])
    #expect(atoms.map { $0["label_seq_id"] } == ["2", "3", "3", "4", "6", "6", ".", ".", "."])
    #expect(Self.rows("_struct_asym", in: text).map { $0["id"] } == ["A", "B", "C"])
    #expect(Self.rows("_entity", in: text).map { $0["type"] } == ["polymer", "non-polymer", "water"])
    let scheme = Self.rows("_pdbx_poly_seq_scheme", in: text)
    #expect(scheme.map { $0["mon_id"] } == ["GLY", "ALA", "CYS", "MSE", "SER", "CYS"])
    #expect(scheme.map { $0["pdb_seq_num"] } == ["1", "2", "3", "4", "5", "6"])
    #expect(scheme.map { $0["auth_seq_num"] } == ["?", "2", "3", "4", "?", "6"])
  }

  @Test func `assemblies list operators with a type and the labels of their chains`() throws {
    let text = Self.text(try Fixture.pdb(Self.lines))
    let types = Self.rows("_pdbx_struct_oper_list", in: text).map { $0["type"] }
    #expect(types == ["identity operation", "point symmetry operation"])
    let generator = try #require(Self.rows("_pdbx_struct_assembly_gen", in: text).first)
    #expect(generator["asym_id_list"] == "A,B,C" && generator["oper_expression"] == "(1-2)")
    let assembly = try #require(Self.rows("_pdbx_struct_assembly", in: text).first)
    #expect(assembly["details"] == "author_defined_assembly" && assembly["oligomeric_details"] == "dimeric")
    // gemmi skips assemblies without these items.
    #expect(assembly["method_details"] == "?" && assembly["oligomeric_count"] == "2")
  }

  @Test func `statements of a PDB file are restored from both formats`() throws {
    let before = try Fixture.pdb(Self.lines)
    #expect(before.cisPeptides.map(\.omega) == [-1.25] && before.modifiedResidues.map(\.parent) == ["MET"])
    #expect(before.ncsOperators.map(\.isGiven) == [true, false] && before.pendingNCSTransforms.count == 1)
    #expect(before.metadata.depositedFrame?.translation.x == 1)
    for bytes in [MMCIFWriter.bytes(of: Self.molecule(before)), try PDBWriter.bytes(of: Self.molecule(before))] {
      let after = try StructureFile.read(bytes: bytes, name: "written")
      #expect(after.helices == before.helices && after.sheets == before.sheets)
      #expect(after.connections == before.connections)
      #expect(after.cisPeptides.map(\.first) == before.cisPeptides.map(\.first))
      #expect(after.cisPeptides.map(\.omega) == before.cisPeptides.map(\.omega))
      #expect(after.modifiedResidues == before.modifiedResidues)
      #expect(after.ncsOperators == before.ncsOperators)
      #expect(after.metadata.depositedFrame == before.metadata.depositedFrame)
      #expect(after.sequences.map(\.residueNames) == before.sequences.map(\.residueNames))
      #expect(after.assemblies.map(\.summary) == ["dimeric, author_defined_assembly"])
      #expect(after.assemblies.map { $0.parts.map(\.operators) } == before.assemblies.map { $0.parts.map(\.operators) })
    }
  }

  @Test func `labels of an mmCIF file are preserved`() throws {
    let first = Self.text(try Fixture.pdb(Self.lines))
    let second = Self.text(try Fixture.read(first))
    for category in [
      "_struct_asym", "_entity", "_entity_poly_seq", "_pdbx_poly_seq_scheme", "_struct_conn", "_struct_conf",
    ] {
      #expect(Self.rows(category, in: first) == Self.rows(category, in: second), "\(category)")
    }
    let atoms = [first, second].map { Self.rows("_atom_site", in: $0).map { $0["label_asym_id"] } }
    #expect(atoms[0] == atoms[1])
  }

  @Test func `a chain without a name is unnamed in mmCIF, and its parts have labels`() throws {
    let before = try Fixture.pdb([Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3, chain: " ")])
    let text = Self.text(before)
    #expect(Self.rows("_atom_site", in: text).map { $0["label_asym_id"] } == ["A"])
    #expect(try Fixture.read(text).chains.map(\.name) == [""])
  }

  @Test func `sequence positions are assigned by runs of residue numbers`() {
    func position(_ number: Int32, _ name: String, _ code: UInt8 = 0) -> CIFPosition {
      CIFPosition(number: number, insertionCode: code, names: [name])
    }
    let stated = ["MET", "ALA", "GLY", "GLY", "SER", "ALA", "GLY", "LYS"]
    let cases: [([CIFPosition], [Int])] = [
      // A gap in the numbers; the second run fits two positions.
      ([position(2, "ALA"), position(6, "ALA"), position(7, "GLY")], [1, 5, 6]),
      // A jump in the numbers without a gap in the sequence.
      ([position(10, "GLY"), position(11, "SER"), position(50, "ALA"), position(51, "GLY")], [3, 4, 5, 6]),
      ([position(1, "MET"), position(2, "ALA"), position(2, "GLY", 65), position(3, "GLY")], [0, 1, 2, 3]),
    ]
    for (positions, places) in cases {
      let sequence = CIFSequence(stated: stated, positions: positions)
      #expect(sequence.indices == places && sequence.names == stated)
    }
    let other = CIFSequence(
      stated: ["ALA", "CYS", "TRP", "LYS"], positions: [position(1, "ALA"), position(2, "MSE"), position(3, "TRP")])
    #expect(other.indices.count == 3 && other.indices == other.indices.sorted())
    #expect(other.indices.map { other.names[$0] } == ["ALA", "MSE", "TRP"])
  }

  @Test func `residues that only later models have are in sequence order`() throws {
    let atoms = [1, 2, 4].map { Fixture.atom($0, "CA", "ALA", $0, Double($0), 0, 0) }
    let more = [1, 2, 3, 4].map { Fixture.atom($0, "CA", $0 == 3 ? "GLY" : "ALA", $0, Double($0), 0, 0) }
    let structure = try Fixture.pdb(["MODEL        1"] + atoms + ["ENDMDL", "MODEL        2"] + more + ["ENDMDL"])
    let text = Self.text(structure)
    let numbers = Self.rows("_atom_site", in: text).map { $0["label_seq_id"] }
    #expect(numbers == ["1", "2", "4", "1", "2", "3", "4"])
    #expect(Self.rows("_entity_poly_seq", in: text).map { $0["mon_id"] } == ["ALA", "ALA", "GLY", "ALA"])
  }

  @Test func `PyMOL receives a list of all bonds if bonds of residue types are written`() throws {
    let ligand = [
      "HETATM    3  C1  LIG A 101      20.000   0.000   0.000  1.00 10.00           C",
      "HETATM    4  C2  LIG A 101      21.300   0.000   0.000  1.00 10.00           C", "CONECT    3    4    4",
    ]
    let peptide = [
      Fixture.atom(1, "CA", "ALA", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "CB", "ALA", 1, 1.5, 0, 0, element: " C"),
    ]
    let text = Self.text(try Fixture.pdb(peptide + ligand))
    let rows = Self.rows("_chem_comp_bond", in: text)
    #expect(rows.map { $0["comp_id"] } == ["LIG"] && rows.map { $0["value_order"] } == ["doub"])
    #expect(Self.pymolBonds(in: text) == ["1 2 1", "3 4 2"])
    let plain = Self.text(try Fixture.pdb(peptide))
    #expect(Self.rows("_chem_comp_bond", in: plain).isEmpty && Self.pymolBonds(in: plain).isEmpty)
  }

  /// Returns a residue of atoms on a line, 1.5 Å apart, each bonded to the next by CONECT; serial numbers have one digit.
  private static func stated(_ names: [String], residue: Int, serial: Int, y: Double) -> [String] {
    names.enumerated().map { index, name in
      Fixture.atom(
        serial + index, name, "LIG", residue, Double(index) * 1.5, y, 0, element: " C", record: "HETATM")
    } + names.indices.dropFirst().map { "CONECT    \(serial + $0 - 1)    \(serial + $0)" }
  }

  @Test func `residues of a type can lack atoms, and their stated bonds are not links`() throws {
    let before = try Fixture.pdb(
      Self.stated(["C1", "C2"], residue: 1, serial: 1, y: 0) + Self.stated(["C2", "C3"], residue: 2, serial: 3, y: 9))
    let text = Self.text(before)
    let rows = Self.rows("_chem_comp_bond", in: text)
    #expect(rows.map { [$0["atom_id_1"], $0["atom_id_2"]] } == [["C1", "C2"], ["C2", "C3"]])
    #expect(Self.rows("_struct_conn", in: text).isEmpty)
    let after = try Fixture.read(text)
    #expect(BondPerception.bonds(of: after).map { [$0.first, $0.second] } == [[0, 1], [2, 3]])
  }

  @Test func `stated bonds that differ within a residue type are listed for PyMOL, not as links`() throws {
    // C1 and C3 of the second residue are 2.3 Å apart, and not bonded.
    let second = Self.stated(["C1", "C2", "C3"], residue: 2, serial: 3, y: 9)
      .map { $0.replacing("   3.000   9.000", with: "   1.500  10.800") }
    let text = Self.text(
      try Fixture.pdb(Self.stated(["C1", "C3"], residue: 1, serial: 1, y: 0) + second))
    #expect(Self.rows("_chem_comp_bond", in: text).isEmpty && Self.rows("_struct_conn", in: text).isEmpty)
    #expect(Self.pymolBonds(in: text) == ["1 2 1", "3 4 1", "4 5 1"])
  }

  @Test(arguments: [1, 3])
  func `a residue without stated bonds does not change the orders of its type`(stated serial: Int) throws {
    func residue(_ number: Int, serial: Int, x: Double) -> [String] {
      [
        Fixture.atom(serial, "C1", "LIG", number, x, 0, 0, element: " C", record: "HETATM"),
        Fixture.atom(serial + 1, "C2", "LIG", number, x + 1.3, 0, 0, element: " C", record: "HETATM"),
      ]
    }
    let text = Self.text(
      try Fixture.pdb(
        residue(1, serial: 1, x: 0) + residue(2, serial: 3, x: 18)
          + ["CONECT    \(serial)    \(serial + 1)    \(serial + 1)"]))
    #expect(Self.rows("_chem_comp_bond", in: text).map { $0["value_order"] } == ["doub"])
    #expect(BondPerception.bonds(of: try Fixture.read(text)).map(\.order) == [.double, .double])
  }

  @Test func `bonds of molecules that share a residue name are not mixed`() throws {
    let text = """
      first


        2  1  0  0  0  0  0  0  0  0999 V2000
          0.0000    0.0000    0.0000 O   0  0
          1.2000    0.0000    0.0000 C   0  0
        1  2  2  0
      M  END
      $$$$
      second


        3  2  0  0  0  0  0  0  0  0999 V2000
          0.0000    0.0000    0.0000 O   0  0
          1.2000    0.0000    0.0000 C   0  0
          0.0000    1.2000    0.0000 C   0  0
        1  2  1  0
        1  3  1  0
      M  END
      $$$$
      """
    let exported = Self.text(try Fixture.read(text))
    #expect(Self.rows("_chem_comp_bond", in: exported).isEmpty && Self.rows("_struct_conn", in: exported).isEmpty)
    #expect(Self.pymolBonds(in: exported) == ["1 2 2"])
  }

  private static func pymolBonds(in text: String) -> [String] {
    rows("_pymol_bond", in: text).map { row in
      ["atom_site_id_1", "atom_site_id_2", "order"].map { row[$0] ?? "" }.joined(separator: " ")
    }
  }

  @Test func `PyMOL receives links to metals as bonds of order 0`() throws {
    let text = Self.text(try Fixture.pdb(Self.lines))
    #expect(Self.pymolBonds(in: text) == ["3 7 0"])
  }

  @Test func `PyMOL receives the bonds of a metal within its residue`() throws {
    let places = [(2.1, 0.0, 0.0), (-2.1, 0, 0), (0, 2.1, 0), (0, -2.1, 0), (0, 0, 2.1), (0, 0, -2.1)]
    let ammines = places.enumerated().map { index, place in
      Fixture.atom(
        index + 2, "N\(index + 1)", "IRI", 1, place.0, place.1, place.2, element: " N", record: "HETATM")
    }
    let metal = Fixture.atom(1, "IR", "IRI", 1, 0, 0, 0, element: "IR", record: "HETATM")
    let text = Self.text(try Fixture.pdb([metal] + ammines))
    #expect(Self.pymolBonds(in: text) == (2...7).map { "1 \($0) 1" })
  }

  @Test func `ligands in one segment of a PDB file are separate entities`() throws {
    let ions = [("SOD", "NA"), ("CLA", "CL")].enumerated().map { index, ion in
      let line = Fixture.atom(index + 1, ion.0, ion.0, index + 1, Double(index) * 5, 0, 0, record: "HETATM")
      return String(line.prefix(72)) + "IONS" + ion.1
    }
    let text = Self.text(try Fixture.pdb(ions))
    #expect(Set(Self.rows("_struct_asym", in: text).map { $0["entity_id"] }).count == 2)
  }

  @Test func `links of old files without symmetry operators are within the unit`() throws {
    let lines = Self.lines.map { line in
      line.hasPrefix("LINK") || line.hasPrefix("SSBOND") ? String(line.prefix(58)) : line
    }
    let structure = try Fixture.pdb(lines)
    #expect(structure.connections.map(\.first.symmetry) == ["1_555", "1_555"])
    #expect(structure.connections.map(\.isWithinUnit) == [true, true])
    #expect(Self.rows("_struct_conn", in: Self.text(structure)).map { $0["ptnr2_symmetry"] } == ["1_555", "1_555"])
  }
}
