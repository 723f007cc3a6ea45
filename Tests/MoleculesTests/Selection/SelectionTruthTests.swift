import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Selections in real entries, counted by other programs.
@Suite(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
struct SelectionTruthTests {
  private func structure(_ file: String) throws -> Structure {
    let url = try #require(SharedData.molecules).appendingPathComponent(file)
    return try StructureFile.read(bytes: Array(Data(contentsOf: url)), name: file)
  }

  /// Counted by gemmi 0.7.5, those by distance by NumPy on biotite 1.6.0's coordinates.
  @Test func `4HHB has as many atoms of each kind as other programs count`() throws {
    let structure = try structure("pdb/4hhb.pdb.gz")
    let counts = [
      ("b > 30", 1214), ("element FE", 4), ("chain A and resi 1-10", 72), ("resn HEM", 172), ("water", 221),
      ("name C*", 2954), ("protein and name CA", 574), ("within 5 of resn HEM", 534),
      ("byres within 5 of resn HEM", 950),
    ]
    for (text, expected) in counts {
      #expect(try Selection(text).atoms(of: structure, model: 0).count == expected, "\(text)")
    }
  }

  /// Counted by biotite 1.6.0's cell list.
  @Test func `3NIG has as many atoms about its waters as biotite finds`() throws {
    let structure = try structure("pdb/3nig.pdb.gz")
    #expect(try Selection("within 5 of resn HOH").atoms(of: structure, model: 0).count == 10870)
  }

  @Test func `the codes of thrombin's light chain are taken in their order`() throws {
    let structure = try structure("pdb/1a4w.pdb.gz")
    let atoms = try Selection("chain L and resi 14A-14K and name CA").atoms(of: structure, model: 0)
    #expect(atoms.count == 11)
    #expect(try Selection("L/14*/CA").atoms(of: structure, model: 0).count == 12)
  }

  @Test func `helices are those of the file, or DSSP's where the file states none`() throws {
    var structure = try structure("pdb/1crn.pdb")
    let stated = try Selection("helix and name CA").atoms(of: structure, model: 0).count
    // HELIX 7-19 and 23-30 of the entry.
    #expect(stated == 21)
    structure.helices = []
    structure.sheets = []
    // H and G of mkdssp 4.2.2: HHHHHHHHHHH, HHHHHHHH, GGG.
    #expect(try Selection("helix and name CA").atoms(of: structure, model: 0).count == 22)
    #expect(try Selection("sheet and name CA").atoms(of: structure, model: 0).count == 4)
  }
}
