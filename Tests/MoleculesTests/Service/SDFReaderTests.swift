import TestSupport
import Testing

@testable import Molecules

struct SDFReaderTests {
  private func read(_ text: String) throws -> Structure {
    try StructureFile.read(bytes: Array(text.utf8), name: "fixture.sdf")
  }

  private func error(_ text: String) -> StructureReadingError? {
    do throws(StructureReadingError) {
      _ = try StructureFile.read(bytes: Array(text.utf8), name: "fixture.sdf")
      return nil
    } catch {
      return error
    }
  }

  /// A record of hydrogen cyanide with a charge, written for this test.
  private static let record = """
    HCN
      test              3D

      3  2  0  0  0  0  0  0  0  0999 V2000
        0.0000    0.0000    0.0000 H   0  0
        1.0600    0.0000    0.0000 C   0  3
        2.2200    0.0000    0.0000 N   0  0
      1  2  1  0
      2  3  3  0
    M  CHG  1   3  -1
    M  END
    > <ENERGY> (1)
    -93.4
    second line

    > <EMPTY>

    $$$$

    """

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: [
      ("sdf/aspirin.sdf", 1, 21, 21), ("sdf/adrenalin.sdf", 1, 26, 26), ("sdf/aspirin_charged.sdf", 1, 21, 21),
      ("sdf/TYR.v3000.sdf", 1, 24, 24), ("starter/Buckminsterfullerene.sdf", 1, 60, 90),
      ("starter/Heme.sdf", 2, 43, 50),
    ])
  func `real files have the expected atoms and bonds`(name: String, models: Int, atoms: Int, bonds: Int) throws {
    let structure = try Truth.structure(name)
    #expect(structure.models.count == models)
    #expect(structure.models[0].atoms.count == atoms)
    let found = BondPerception.bonds(of: structure)
    #expect(found.count == bonds)
    #expect(found.allSatisfy { $0.origin == .conect && $0.order != .unknown })
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `several records are models, each with its own bonds`() throws {
    let structure = try Truth.structure("sdf/kinases.sdf")
    #expect(structure.models.count == 6)
    #expect(structure.models.map(\.atoms.count) == [47, 59, 72, 68, 32, 50])
    let bonds = structure.models.indices.map { BondPerception.bonds(of: structure, model: $0).count }
    #expect(bonds == [50, 62, 77, 72, 34, 52])
    #expect(structure.metadata.compounds.count == 6)
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: [("sdf/bad-atom-line.sdf", 5, 21), ("sdf/count-line-not-numbers.sdf", 4, 4)])
  func `real broken files are refused with line and column`(name: String, line: Int, column: Int) throws {
    let bytes = try Truth.bytes(name)
    var place: [Int] = []
    do throws(StructureReadingError) {
      _ = try StructureFile.read(bytes: bytes, name: name)
    } catch {
      if case .malformed(let line, let column, _) = error { place = [line, column] }
    }
    #expect(place == [line, column])
  }

  @Test func `a record is read with elements, orders, charges and data items`() throws {
    let structure = try read(Self.record)
    #expect(structure.atoms.element.map(\.symbol) == ["H", "C", "N"])
    #expect(structure.atoms.x == [0, 1.06, 2.22])
    // The property line replaces the charges of the atom lines.
    #expect(structure.atoms.charge == [0, 0, -1])
    #expect(structure.statedBonds.map(\.order) == [1, 3])
    #expect(structure.metadata.title == "HCN")
    let details = structure.metadata.compounds.first?.details
    #expect(details == [.init(token: "ENERGY", value: "-93.4\nsecond line"), .init(token: "EMPTY", value: "")])
    #expect(structure.diagnostics == [])
  }

  @Test func `no bonds are guessed if the file states them`() throws {
    let salt = Self.record.replacing("  3  2  0", with: "  3  1  0").replacing("  2  3  3  0\n", with: "")
    #expect(BondPerception.bonds(of: try read(salt)).count == 1)
  }

  @Test func `charges of atom lines are used if no property line states any`() throws {
    let text = Self.record.replacing("M  CHG  1   3  -1\n", with: "")
    #expect(try read(text).atoms.charge == [0, 1, 0])
  }

  @Test func `V3000 tables can have free fields, continued lines and options`() throws {
    let text = """
      x


        0  0  0     0  0            999 V3000
      M  V30 BEGIN CTAB
      M  V30 COUNTS 3 2 0 0 0
      M  V30 BEGIN ATOM
      M  V30 10 N 0 0 0 0 CHG=1
      M  V30 20 C 1.5 0 0 0 -
      M  V30 CHG=-1
      M  V30 30 H 0 1 0 0 MASS=2
      M  V30 END ATOM
      M  V30 BEGIN BOND
      M  V30 1 2 10 20
      M  V30 2 1 10 30
      M  V30 3 1 10 99
      M  V30 END BOND
      M  V30 END CTAB
      M  END
      $$$$
      """
    let structure = try read(text)
    #expect(structure.atoms.element.map(\.symbol) == ["N", "C", "D"])
    #expect(structure.atoms.charge == [1, -1, 0])
    #expect(structure.statedBonds.map(\.order) == [2, 1])
    #expect(structure.diagnostics.map(\.line) == [16])
  }

  @Test func `a broken line is reported with line and column, and the rest is read`() throws {
    let text = Self.record.replacing("    1.0600    0.0000", with: "    1.x600    0.0000")
    let structure = try read(text)
    #expect(structure.atoms.count == 2)
    #expect(structure.statedBonds.isEmpty)
    #expect(structure.diagnostics.map(\.code) == ["sdf-atom-unreadable"])
    #expect(structure.diagnostics.first?.place == .text(line: 6, column: 1))
    #expect(structure.diagnostics.first?.message.hasPrefix("'1.x600' in columns 1-10") == true)
  }

  @Test func `a record without counts loses only that record`() throws {
    let structure = try read("bad\n\n\n xx yy  0  0  0  0  0  0  0  0999 V2000\n$$$$\n" + Self.record)
    #expect(structure.models.map(\.number) == [2])
    #expect(structure.diagnostics.map(\.line) == [4])
    #expect(error("bad\n\n\n xx  2  0  0  0  0  0  0  0  0999 V2000\n$$$$\n") != nil)
  }

  @Test func `a flat drawing is reported`() throws {
    let structure = try read(Self.record.replacing("3D\n", with: "2D\n"))
    #expect(structure.diagnostics.map(\.code) == ["sdf-flat"])
    #expect(structure.diagnostics.map(\.place) == [.text(line: 2, column: 21)])
  }

  @Test func `a compound number is the first word of its item`() throws {
    let items = "> <PUBCHEM_COMPOUND_CID>\n768\nHEM 143\n  43 50  0  0  0  0            999 V2000\n\n"
    let structure = try read(Self.record.replacing("> <EMPTY>", with: items + "> <EMPTY>"))
    #expect(structure.metadata.entryID == "CID768")
  }
}
