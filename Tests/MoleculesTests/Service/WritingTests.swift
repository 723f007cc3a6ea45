import PluginAPI
import TestSupport
import Testing

@testable import Molecules

struct WritingTests {
  private static func molecule(_ structure: Structure) -> Molecule {
    Molecule(
      id: nil, format: "PDB", file: "x.pdb", structure: structure,
      bonds: structure.models.indices.map { BondPerception.bonds(of: structure, model: $0) })
  }

  private static func read(_ bytes: [UInt8]) throws -> Structure {
    try StructureFile.read(bytes: bytes, name: "written")
  }

  /// Returns the differences between a structure and the one read back from its written form.
  private static func differences(_ before: Structure, _ after: Structure, decimals: Double) -> [String] {
    let (first, second) = (StructureCounts(before), StructureCounts(after))
    var found: [String] = []
    for (what, a, b) in [
      ("models", first.models, second.models), ("chains", first.chains, second.chains),
      ("residues", first.residues, second.residues), ("atoms", first.atoms, second.atoms),
      ("all atoms", first.atomsInAllModels, second.atomsInAllModels),
      ("altlocs", first.atomsWithAltloc, second.atomsWithAltloc),
      ("insertion codes", first.residuesWithInsertionCode, second.residuesWithInsertionCode),
      ("hetero atoms", first.heteroAtoms, second.heteroAtoms), ("waters", first.waters, second.waters),
      ("tensors", first.anisotropicAtoms, second.anisotropicAtoms), ("helices", first.helices, second.helices),
      ("strands", first.strands, second.strands),
    ] where a != b { found.append("\(what) \(a) became \(b)") }
    let sums = [
      first.coordinateSum.x - second.coordinateSum.x, first.coordinateSum.y - second.coordinateSum.y,
      first.coordinateSum.z - second.coordinateSum.z, first.occupancySum - second.occupancySum,
      first.bFactorSum - second.bFactorSum,
    ]
    if sums.contains(where: { abs($0) > decimals }) { found.append("sums differ by \(sums)") }
    if first.elements != second.elements { found.append("elements") }
    if !names(before).elementsEqual(names(after)) { found.append("names") }
    return found
  }

  private static func names(_ structure: Structure) -> [String] {
    structure.models.first?.atoms.map { atom in
      let residue = Int(structure.atoms.residue[atom])
      let address = structure.address(ofResidue: residue)
      return "\(address.chain)/\(address.name)\(address.numberText)/\(structure.atomName(atom))"
    } ?? []
  }

  private static func pairs(_ structure: Structure) -> Set<[Int32]> {
    Set(BondPerception.bonds(of: structure).map { [$0.first, $0.second] })
  }

  /// The expected difference of a file that mmCIF cannot represent: two residues differ in their segment alone.
  private static let segments = "quirks/a_structure.pdb: residues 2 became 1"

  /// The expected differences of bonds between atoms that share their name in one residue; if two residues become one,
  /// bonds are found within it.
  private static let unnamed = [
    "quirks/CONECT2TER.pdb: bonds 2 lost, 0 new", "quirks/SINGLECONECT.pdb: bonds 1 lost, 0 new",
    "quirks/a_structure.pdb: bonds 0 lost, 3 new", "quirks/conect_parsing.pdb: bonds 8 lost, 0 new",
  ]

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `real files are restored from mmCIF with counts, sums, names and bonds`() throws {
    var differences: [String] = []
    var files = 0
    for (name, truth) in try Truth.load() where truth["models"] != nil && (truth["atoms_total"] as? Int ?? 0) < 20_000 {
      files += 1
      let before = try Truth.structure(name)
      let after = try Self.read(MMCIFWriter.bytes(of: Self.molecule(before)))
      var found = Self.differences(before, after, decimals: 1e-9)
      if after.metadata.title != before.metadata.title.replacingLineEnds() { found.append("title") }
      if after.metadata.cell != before.metadata.cell { found.append("cell") }
      let (known, read) = (Self.pairs(before), Self.pairs(after))
      if known != read {
        found.append("bonds \(known.subtracting(read).count) lost, \(read.subtracting(known).count) new")
      }
      let operators = before.assemblies.map(\.operatorCount)
      if operators != after.assemblies.map(\.operatorCount) { found.append("assemblies") }
      differences += found.map { "\(name): \($0)" }
    }
    #expect(files > 70)
    #expect(differences.sorted() == (Self.unnamed + [Self.segments]).sorted())
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `real files are restored from PDB with counts, sums and names, or refused`() throws {
    var differences: [String] = []
    var refused: [String] = []
    for (name, truth) in try Truth.load() where truth["models"] != nil && (truth["atoms_total"] as? Int ?? 0) < 20_000 {
      let before = try Truth.structure(name)
      let molecule = Self.molecule(before)
      let written = Result { () throws(StructureWritingError) in try PDBWriter.bytes(of: molecule) }
      switch written {
      case .success(let bytes):
        let after = try Self.read(bytes)
        let tolerance = 0.006 * Double(before.atoms.count)
        differences += Self.differences(before, after, decimals: tolerance).map { "\(name): \($0)" }
      case .failure(let error): refused.append("\(name): \(error)")
      }
    }
    #expect(differences.isEmpty)
    #expect(
      refused == [
        "cif/7fgz-extended_CCD_code.cif.gz: residue name '7ZTVU' has more than the three characters of the PDB format: "
          + "write it with --format mmcif"
      ])
  }

  @Test func `numbers are written as hybrid-36`() {
    let numbers = [0, -999, 9999, 10_000, 1_223_055, 1_223_056, 2_436_111]
    let texts = numbers.map { Hybrid36.text($0, width: 4) }
    #expect(texts == ["0", "-999", "9999", "A000", "ZZZZ", "a000", "zzzz"])
    #expect(Hybrid36.text(2_436_112, width: 4) == nil && Hybrid36.text(-1000, width: 4) == nil)
    #expect(Hybrid36.text(100_000, width: 5) == "A0000" && Hybrid36.text(87_440_031, width: 5) == "zzzzz")
  }

  @Test func `large numbers are restored through hybrid-36`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3).replacing("A   1 ", with: "AA000 "),
      Fixture.atom(2, "CA", "ALA", 1, 4, 5, 6).replacing("A   1 ", with: "Azzzz "),
    ])
    #expect(structure.residues.map(\.number) == [10_000, 2_436_111])
    let again = try Self.read(try PDBWriter.bytes(of: Self.molecule(structure)))
    #expect(again.residues.map(\.number) == [10_000, 2_436_111])
  }

  @Test func `a structure that does not fit in PDB is refused with the reason`() throws {
    func message(_ rows: [String]) throws -> String {
      let structure = try Fixture.read(Fixture.cif(rows))
      do throws(StructureWritingError) {
        _ = try PDBWriter.bytes(of: Self.molecule(structure))
        return ""
      } catch {
        return error.description
      }
    }
    #expect(
      try message(["HETATM 1 C C1 . 7ZTVU A . ? 1 2 3 1.00 10.0 7 X 1"])
        == "residue name '7ZTVU' has more than the three characters of the PDB format: write it with --format mmcif")
    #expect(try message(["ATOM 1 C CA . ALA A 1 ? 10000 2 3 1.00 10.0 7 X 1"]).contains("coordinate 10000.0 Å"))
    #expect(try message(["ATOM 1 C CA . ALA A 1 ? 1 2 3 1.00 10.0 7 XYZ 1"]).contains("chain name 'XYZ'"))
    #expect(try message(["ATOM 1 C CA . ALA A 1 ? 1 2 3 1.00 10.0 3000000 X 1"]).contains("3000000"))
    #expect(try message(["ATOM 1 C CA . ALA A 1 ? 1 2 3 1.00 10.0 7 XY 1"]) == "")
  }

  @Test func `orders and charges of small molecules are restored`() throws {
    let text = """
      HCN


        3  2  0  0  0  0  0  0  0  0999 V2000
          0.0000    0.0000    0.0000 H   0  0
          1.0600    0.0000    0.0000 C   0  0
          2.2200    0.0000    0.0000 N   0  5
        1  2  1  0
        2  3  3  0
      M  END
      $$$$
      """
    let molecule = Self.molecule(try Fixture.read(text))
    for bytes in [MMCIFWriter.bytes(of: molecule), try PDBWriter.bytes(of: molecule)] {
      let again = try Self.read(bytes)
      #expect(again.atoms.charge == [0, 0, -1])
      #expect(BondPerception.bonds(of: again).map(\.order) == [.single, .triple])
    }
  }

  @Test func `PDB files state the bonds of ligands, but not of water and standard residues`() throws {
    let rows = [
      "ATOM 1 N N . GLY A 1 ? 0 20 0 1 1 1 A 1", "ATOM 2 C CA . GLY A 1 ? 1.46 20 0 1 1 1 A 1",
      "HETATM 3 C C1 . LIG B . ? 0 0 0 1 1 7 A 1", "HETATM 4 C C2 . LIG B . ? 1.3 0 0 1 1 7 A 1",
      "HETATM 5 CL CL1 . LIG B . ? -1.7 0 0 1 1 7 A 1", "HETATM 6 FE FE . HEM C . ? 0 9 0 1 1 8 A 1",
      "HETATM 7 N NA . HEM C . ? 2 9 0 1 1 8 A 1", "HETATM 8 O O . HOH D . ? 9 0 0 1 1 9 A 1",
      "HETATM 9 H H1 . HOH D . ? 9 0.95 0 1 1 9 A 1",
    ]
    let bonds =
      "loop_\n" + ["comp_id", "atom_id_1", "atom_id_2", "value_order"].map { "_chem_comp_bond.\($0)\n" }.joined()
      + "LIG C1 C2 doub\nLIG C1 CL1 sing\n"
    let before = try Fixture.read(Fixture.cif(rows, after: bonds))
    let bytes = try PDBWriter.bytes(of: Self.molecule(before))
    let bonded = Self.connections(bytes)
    #expect(bonded.map { Set($0) } == [[4, 5, 6], [4, 5], [4, 6], [7, 8], [7, 8]])
    #expect(bonded.map(\.count) == [4, 3, 2, 2, 2])
    let (known, read) = (BondPerception.bonds(of: before), BondPerception.bonds(of: try Self.read(bytes)))
    #expect(read.map { [$0.first, $0.second] } == known.map { [$0.first, $0.second] })
    #expect(read.map(\.order) == known.map(\.order))
  }

  /// Returns the serial numbers of each CONECT record.
  private static func connections(_ bytes: [UInt8]) -> [[Int]] {
    let records = String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("CONECT") }
    return records.map { $0.split(separator: " ").dropFirst().compactMap { Int($0) } }
  }

  @Test func `PDB files state the bonds of a free monomer, but not of one in a polymer`() throws {
    let rows = [
      "ATOM 1 N N . GLY A 1 ? 0 20 0 1 1 1 A 1", "ATOM 2 C CA . GLY A 1 ? 1.46 20 0 1 1 1 A 1",
      "HETATM 3 N N . GLY B . ? 0 0 0 1 1 7 A 1", "HETATM 4 C CA . GLY B . ? 1.46 0 0 1 1 7 A 1",
      "HETATM 5 N N9 . ADE C . ? 0 9 0 1 1 8 A 1", "HETATM 6 C C8 . ADE C . ? 1.37 9 0 1 1 8 A 1",
    ]
    let molecule = Self.molecule(try Fixture.read(Fixture.cif(rows)))
    #expect(molecule.bonds[0].map(\.origin) == [.template, .template, .template])
    #expect(Self.connections(try PDBWriter.bytes(of: molecule)) == [[4, 5], [5, 4], [6, 7], [7, 6]])
  }

  @Test func `XYZ files have every model, its elements and exact coordinates`() throws {
    let before = try Fixture.read("2\nwater, no\nO 0.1234567 -1e-5 0\nH 1 2 3.5\n1\n\nNa 1 1 1\n")
    let bytes = XYZWriter.bytes(of: Self.molecule(before))
    let after = try Self.read(bytes)
    #expect(after.atoms.x == before.atoms.x && after.atoms.y == before.atoms.y)
    #expect(after.atoms.element == before.atoms.element)
    #expect(after.models.count == 2)
    #expect(after.metadata.title == "water, no, model 1")
  }

  @Test func `quoted values are restored`() throws {
    let titles = [
      "plain", "two words", "it's", "a 'b' \"c\" d", "_tag", "data_x", "#1", "loop_", "?", ".", "a\n;b\nc", "'' \"\" x",
      "7 o'clock \"sharp\" now", "ä",
    ]
    for title in titles {
      var structure = try Fixture.dipeptide()
      structure.metadata.title = title
      let again = try Self.read(MMCIFWriter.bytes(of: Self.molecule(structure)))
      #expect(again.metadata.title == title.replacing("\n;", with: "\n ;").replacing("\n", with: " "))
    }
  }

  /// A character beyond ASCII would take two columns.
  @Test func `codes outside ASCII have one column in PDB`() throws {
    var lines = Array((Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3) + "\n" + Fixture.atom(2, "CB", "ALA", 2, 4, 5, 6)).utf8)
    let second = lines.count / 2 + 1
    (lines[16], lines[second + 26]) = (0xE9, 0xB5)
    let before = try Self.read(lines)
    #expect(before.atoms.altloc == [0xE9, 0] && before.residues.map(\.insertionCode) == [0, 0xB5])
    for bytes in [try PDBWriter.bytes(of: Self.molecule(before)), MMCIFWriter.bytes(of: Self.molecule(before))] {
      let after = try Self.read(bytes)
      #expect(after.atoms.x == [1, 4] && after.residues.map(\.number) == [1, 2])
      if bytes.starts(with: "ATOM".utf8) {
        #expect(after.atoms.altloc == [0xE9, 0] && after.residues.map(\.insertionCode) == [0, 0xB5])
      }
    }
  }

  /// On its own line `43 50` would begin the counts of an SDF table.
  @Test func `line ends in header texts do not start lines in PDB`() throws {
    var structure = try Fixture.dipeptide()
    structure.metadata.entryID = "1ABC\n\nx\n 43 50  0  0  0  0            999 V2000\nEND\nATOM"
    let bytes = try PDBWriter.bytes(of: Self.molecule(structure))
    let after = try Self.read(bytes)
    #expect(after.atoms.count == structure.atoms.count)
    #expect(String(decoding: bytes, as: UTF8.self).split(separator: "\n").filter { $0.hasPrefix("END") }.count == 1)
  }

  @Test(arguments: [
    "Properties=id:I:1:species:S:1:pos:R:3", "a \"quoted\" Lattice='1 2' one", "Properties=pos:R:3:x:S:4",
    "no keys = no harm",
  ])
  func `a title that looks like keys of extended XYZ is restored`(title: String) throws {
    var before = try Fixture.read("2\nwater\nO 0.5 1 0\nH 1 2 3.5\n")
    before.metadata.title = title
    let after = try Self.read(XYZWriter.bytes(of: Self.molecule(before)))
    #expect(after.atoms.element == before.atoms.element && after.atoms.x == before.atoms.x)
    #expect(after.metadata.title == title)
  }

  @Test func `a title that looks like the end of an SDF table is restored from XYZ`() throws {
    var before = try Fixture.read("1\nx\nO 0.5 1 0\n1\ny\nH 1 2 3.5\n")
    before.metadata.title = "M  END"
    let after = try Self.read(XYZWriter.bytes(of: Self.molecule(before)))
    #expect(after.models.count == 2 && after.atoms.count == 2)
  }
}
