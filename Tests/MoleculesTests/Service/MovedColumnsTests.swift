import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Tests of atom lines whose numbers are too wide for their columns and shift the fields after them.
struct MovedColumnsTests {
  private static func wide(_ serial: Int, _ number: Int, x: Double, code: String = " ") -> String {
    String(format: "ATOM  %5d   OW SOL  %5d", serial, number) + code
      + String(format: "   %8.3f  58.650-112.800  0.50 12.25           O", x)
  }

  @Test func `a five-digit residue number that shifts the columns is read correctly`() throws {
    let lines = [
      Fixture.atom(1, "OW", "SOL", 9999, 1, 2, 3), Self.wide(2, 10_000, x: 14.195),
      Self.wide(3, 10_001, x: -114.195, code: "B"), Self.wide(4, 99_999, x: 4.1),
    ]
    let structure = try Fixture.pdb(lines)
    #expect(structure.residues.map(\.number) == [9999, 10_000, 10_001, 99_999])
    #expect(structure.residues.map(\.insertionCode) == [0, 0, 66, 0])
    #expect(structure.atoms.x == [1, 14.195, -114.195, 4.1] && structure.atoms.z.last == -112.8)
    #expect(structure.atoms.occupancy.last == 0.5 && structure.atoms.bFactor.last == 12.25)
    #expect(structure.atoms.element.last == .oxygen && structure.atoms.serial == [1, 2, 3, 4])
    #expect(structure.diagnostics.map(\.code) == ["residue-number-too-wide"])
    #expect(structure.diagnostics[0].line == 2 && structure.diagnostics[0].column == 23)
  }

  @Test func `a wide serial number and a wide residue number shift the columns twice`() throws {
    let line = Self.wide(2, 10_000, x: 14.195).replacing("ATOM      2  ", with: "ATOM  123456  ")
    let structure = try Fixture.pdb([line])
    #expect(structure.atoms.serial == [123_456] && structure.residues.map(\.number) == [10_000])
    #expect(structure.atoms.x == [14.195])
  }

  @Test func `five digits before aligned coordinates are a number and an insertion code`() throws {
    let line = "ATOM  5      OH2 TIP3 10000    -50.081 -29.767  34.409  1.00  0.00      TIP3"
    let structure = try Fixture.pdb([line])
    #expect(structure.atoms.x == [-50.081])
    #expect(structure.diagnostics.contains { $0.code == "insertion-code-digit" })
  }

  @Test(.enabled(if: SharedData.folder != nil, "the shared data are absent"))
  func `a solvated membrane is read whole, with one diagnostic`() throws {
    let folder = try #require(SharedData.folder).appendingPathComponent("found/molecules/pbc.pdb.gz")
    let bytes = try Data(contentsOf: folder)
    let structure = try StructureFile.read(bytes: Array(bytes), name: "pbc.pdb.gz")
    #expect(structure.atoms.count == 51_983)
    #expect(structure.diagnostics.filter { $0.code == "residue-number-too-wide" }.count == 1)
    #expect(!structure.diagnostics.contains { $0.severity == .error })
  }
}
