import Testing

@testable import Molecules

/// Tests of title sections written by programs and in old entries.
struct HeaderTests {
  private static let atom = Fixture.atom(1, "CA", "ALA", 1, 1, 2, 3)

  @Test func `a title is read past column 80`() throws {
    let title = "MDANALYSIS FRAME 0: cobrotoxin 1V6P: chain A, alternative atom set A in water"
    let structure = try Fixture.pdb(["TITLE     " + title, Self.atom])
    #expect(structure.metadata.title == title)
  }

  private static let source = [
    "COMPND    MOL_ID: 1;", "COMPND   2 MOLECULE: HISTONE H3;", "COMPND   3 CHAIN: A;",
    "COMPND   4 OTHER_DETAILS: TWO COPIES;", "COMPND   5 MOL_ID: 2;", "COMPND   6 MOLECULE: HISTONE H4;",
    "COMPND   7 CHAIN: B;", "COMPND   8 MOL_ID: 3;", "COMPND   9 MOLECULE: DNA;", "COMPND  10 CHAIN: C;",
    "SOURCE    MOL_ID: 1;", "SOURCE   2 ORGANISM_SCIENTIFIC: XENOPUS LAEVIS;", "SOURCE   3 TISSUE: BLOOD;",
    "SOURCE   4 ORGAN: BLOOD;", "SOURCE   5 MOL_ID: 2;", "SOURCE   6 ORGANISM_SCIENTIFIC: XENOPUS LAEVIS;",
    "SOURCE   7 TISSUE: BLOOD;", "SOURCE   8 MOL_ID: 3;", "SOURCE   9 SYNTHETIC: YES;",
  ]

  @Test func `the source is listed once, without the values of COMPND`() throws {
    let structure = try Fixture.pdb(Self.source + [Self.atom])
    #expect(
      structure.metadata.compounds.map(\.sourceText) == ["XENOPUS LAEVIS; BLOOD", "XENOPUS LAEVIS; BLOOD", "SYNTHETIC"])
    let molecule = Molecule(id: nil, format: "PDB", file: "x.pdb", structure: structure, bonds: [[]])
    let entries = MetadataEntry.entries(of: molecule).filter { $0.group == .source }
    #expect(entries.map(\.label) == ["HISTONE H3; HISTONE H4", "DNA"])
    #expect(entries.map(\.text) == ["XENOPUS LAEVIS; BLOOD", "SYNTHETIC"])
  }

  @Test func `details of compounds and sources are restored from a written PDB file`() throws {
    let before = try Fixture.pdb(Self.source + [Self.atom])
    let molecule = Molecule(id: nil, format: "PDB", file: "x.pdb", structure: before, bonds: [[]])
    let after = try StructureFile.read(bytes: try PDBWriter.bytes(of: molecule), name: "written")
    #expect(after.metadata.compounds == before.metadata.compounds)
  }
}
