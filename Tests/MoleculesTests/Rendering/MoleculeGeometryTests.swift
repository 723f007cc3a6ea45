import Testing

@testable import Molecules

struct MoleculeGeometryTests {
  /// A file with two models, the first with two alternate locations of one atom; written for these tests.
  private static let text = """
    MODEL        1
    ATOM      1  N   ALA A   1       0.000   0.000   0.000  1.00  0.00           N
    ATOM      2  CA  ALA A   1       1.458   0.000   0.000  1.00  0.00           C
    HETATM    3  OG BSER B   2       9.000   0.000   0.000  0.50  0.00           O
    HETATM    4  OG ASER B   2       9.000   1.000   0.000  0.50  0.00           O
    HETATM    5  O   HOH B   3       9.000   9.000   0.000  1.00  0.00           O
    ENDMDL
    MODEL        2
    ATOM      1  CA  GLY A   1       3.000   0.000   0.000  1.00  0.00           C
    ENDMDL
    END
    """

  private func structure() throws -> Structure {
    try StructureFile.read(bytes: Array(Self.text.utf8), name: "text")
  }

  @Test func `one model is drawn, and the first letter of equally occupied alternate locations`() throws {
    let geometry = MoleculeGeometry(try structure())
    #expect(geometry.identifiers == [0, 1, 3, 4])
    #expect(geometry.elements == [7, 6, 8, 8])
    #expect(geometry.residueCodes == [10, 10, 14, 29])
    #expect(geometry.chains == [0, 0, 1, 1])
  }

  @Test func `atoms of a later model have the indices of the structure`() throws {
    let structure = try structure()
    let geometry = MoleculeGeometry(structure, model: 1)
    #expect(geometry.identifiers == [5])
    #expect(geometry.chains == [0])
    #expect(MoleculeGeometry(structure, model: 2).positions.isEmpty)
    let scene = SceneBuilder(mode: .spacefilling).scene(of: geometry)
    #expect(scene.spheres.map(\.atom) == [5])
  }

  @Test func `bonds follow their atoms, and bonds to undrawn atoms are left out`() throws {
    let structure = try structure()
    let bonds = [(0, 1), (1, 2), (1, 3), (1, 4), (1, 5)].map {
      Bond(first: Int32($0.0), second: Int32($0.1), order: .single, origin: .conect)
    }
    let geometry = MoleculeGeometry(structure, bonds: bonds)
    #expect(geometry.bonds == [SIMD2(0, 1), SIMD2(1, 2), SIMD2(1, 3)])
    let sticks = SceneBuilder(mode: .cylinders).scene(of: geometry).cylinders
    #expect(sticks.map(\.endAtom) == [1, 3, 4])
  }

  @Test(arguments: [RenderMode.sticks, .cartoon])
  func `a residue of many atoms with one name is fast`(mode: RenderMode) throws {
    let line = Fixture.atom(1, "C1", "LIG", 1, 1, 1, 1, element: " C", record: "HETATM") + "\n"
    let structure = try Fixture.read(String(repeating: line, count: 200_000))
    let geometry = MoleculeGeometry(structure, model: 0, mode: mode)
    #expect(structure.residues.count == 1 && geometry.roles.count == 200_000)
    #expect(geometry.roles.allSatisfy { $0 == .ion })
  }

  @Test func `residue codes match the original program's`() {
    let codes = ["DA", "DT", "A", "U", "GLY", "GLN", "MSE", "HSD", "HOH", "ATP"].map(ResidueCode.code(ofResidue:))
    #expect(codes == [1, 4, 5, 8, 9, 28, 17, 22, 29, 0])
  }
}
