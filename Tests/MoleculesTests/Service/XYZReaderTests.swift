import TestSupport
import Testing

@testable import Molecules

struct XYZReaderTests {
  private func read(_ text: String, name: String = "fixture") throws -> Structure {
    try StructureFile.read(bytes: Array(text.utf8), name: name)
  }

  private func error(_ text: String) -> StructureReadingError? {
    do throws(StructureReadingError) {
      _ = try StructureFile.read(bytes: Array(text.utf8), name: "fixture.xyz")
      return nil
    } catch {
      return error
    }
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: [
      ("xyz/methane.xyz", [5]), ("xyz/trajectory.xyz", [9, 9]), ("xyz/spaces.xyz", [64]),
      ("xyz/extended.xyz", [192, 62, 8]), ("starter/SampleMolecule.xyz", [47]),
    ])
  func `real files are read whole`(name: String, atoms: [Int]) throws {
    let structure = try Truth.structure(name)
    #expect(structure.models.map(\.atoms.count) == atoms)
    #expect(structure.diagnostics == [])
    #expect(!structure.atoms.element.contains(.unknown))
  }

  @Test func `an element can be a symbol, a number or a label`() throws {
    let structure = try read("6\n\nC 1 2 3\n8 0 0 0\nFe2+ 1 0 0\nH12 2 0 0\nOW 3 0 0\nqq 4 0 0\n")
    #expect(structure.atoms.element.map(\.symbol) == ["C", "O", "Fe", "H", "O", "X"])
    #expect(structure.atoms.x == [1, 0, 1, 2, 3, 4])
    #expect((0..<6).map(structure.atomName) == ["C1", "O1", "FE1", "H1", "O2", "X1"])
    #expect(structure.diagnostics.map(\.code) == ["xyz-element-guessed", "xyz-element-unknown"])
    #expect(structure.diagnostics.map(\.line) == [7, 8])
  }

  @Test func `the extended form defines columns, cell and keys`() throws {
    let text = """
      1
      Properties=id:I:1:pos:R:3:species:S:1 Lattice="2 0 0 0 3 0 0 0 4" energy=-1.5 title="a title"
      7 1 2 3 Na

      """
    let structure = try read(text)
    #expect(structure.atoms.x == [1] && structure.atoms.z == [3])
    #expect(structure.atoms.element.map(\.symbol) == ["Na"])
    #expect(structure.metadata.title == "a title")
    #expect(structure.metadata.cell == UnitCell(a: 2, b: 3, c: 4, alpha: 90, beta: 90, gamma: 90))
    #expect(structure.metadata.compounds.first?.details == [.init(token: "energy", value: "-1.5")])
  }

  @Test func `frames are models, and a truncated frame is reported`() throws {
    let structure = try read("1\nfirst\nH 0 0 0\n\n2\nsecond\nH 0 0 0\n1\nthird\nH 1 1 1\n")
    #expect(structure.models.map(\.atoms.count) == [1, 1, 1])
    #expect(structure.models.map(\.number) == [1, 2, 3])
    #expect(structure.metadata.title == "first")
    #expect(structure.diagnostics.map(\.code) == ["xyz-frame-short"])
    #expect(structure.diagnostics.map(\.line) == [5])
    #expect(try read("3\n\nH 0 0 0\nH 0 0 1\n").diagnostics.map(\.line) == [1])
  }

  @Test func `an unreadable atom is skipped and reported with line and column`() throws {
    let structure = try read("3\n\nH 0 0 0\nH 0 zero 1\nH 0\n")
    #expect(structure.atoms.count == 1)
    #expect(structure.diagnostics.map(\.line) == [4, 5])
    #expect(structure.diagnostics.map(\.column) == [5, 4])
    #expect(structure.diagnostics.first?.message == "'zero' is not a coordinate in Å; the atom was left out")
  }

  @Test func `a file without any atom is refused with the reason`() {
    #expect(
      error("two\n\nH 0 0 0\n")
        == .malformed(
          line: 1, column: 1,
          "'two' is not the number of atoms of frame 1; the rest of the file was ignored"))
    #expect(error("0\n\n") == .noCoordinates("no frame has an atom"))
  }

  @Test func `each frame of a trajectory has its own bonds`() throws {
    let structure = try read("2\n\nC 0 0 0\nC 1.5 0 0\n2\n\nC 0 0 0\nC 4 0 0\n")
    #expect(BondPerception.bonds(of: structure, model: 0).count == 1)
    #expect(BondPerception.bonds(of: structure, model: 1).isEmpty)
  }
}
