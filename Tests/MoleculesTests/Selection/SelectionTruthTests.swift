import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Compares selections in real entries with counts by other programs.
@Suite(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
struct SelectionTruthTests {
  private func structure(_ file: String) throws -> Structure {
    let url = try #require(SharedData.molecules).appendingPathComponent(file)
    return try StructureFile.read(bytes: Array(Data(contentsOf: url)), name: file)
  }

  /// The counts are from gemmi 0.7.5, those by distance from NumPy on biotite 1.6.0's coordinates.
  @Test func `counts of atoms in 4HHB match other programs'`() throws {
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

  /// The counts are from PyMOL 3.2.0a; its donors and acceptors of proteins differ.
  @Test(
    arguments: [
      (
        "pdb/4hhb.pdb.gz",
        [
          ("inorganic", 2), ("guide", 574), ("first chain A", 1), ("chain A in name CA", 141),
          ("chain A like chain B", 829),
          ("name CA like chain B", 574), ("chain A in chain A or chain B", 2392), ("neighbor resi 10", 8),
          ("bound_to resi 10", 32), ("bound_to resi 10 and name C", 12), ("bound_to organic", 176),
          ("organic extend 1", 176), ("resi 10 and name CA extend 3", 44),
          ("byres neighbor resi 10", 60), ("pepseq A", 360), ("pepseq AG", 36), ("ps. K", 396), ("ss L+''", 1451),
          ("/m//A/10/CA", 1), ("/m//A/10", 7), ("/m//A", 1168), ("/m///10/CA", 4), ("segi ''", 4779),
        ]
      ),
      (
        "pdb/1ubq.pdb",
        [
          ("bymolecule resi 10", 602), ("bymolecule solvent", 58),
          ("neighbor name CA", 222), ("ss L+''", 254), ("ss S+''", 528), ("pepseq LV", 15), ("guide", 76),
        ]
      ),
      (
        "pdb/1bna.pdb",
        [
          ("bymol first polymer", 243), ("guide", 24), ("acceptors and polymer", 176), ("donors and solvent", 80),
          ("inorganic", 0),
        ]
      ),
      (
        "cif/4hhb.cif.gz",
        [("segi A", 1069), ("segi E", 43), ("segi A+B", 2192), ("/m/A//10/CA", 1), ("chain A", 1168)]
      ),
      ("cif/1ake.cif.gz", [("segi A", 1661), ("segi E", 241), ("guide", 428)]),
    ] as [(String, [(String, Int)])])
  func `selections match PyMOL's counts of atoms`(file: String, counts: [(String, Int)]) throws {
    let structure = try structure(file)
    for (text, expected) in counts {
      #expect(try Selection(text).atoms(of: structure, model: 0).count == expected, "\(text)")
    }
  }

  /// The counts are from biotite 1.6.0's cell list.
  @Test func `the atoms near water in 3NIG match biotite's count`() throws {
    let structure = try structure("pdb/3nig.pdb.gz")
    #expect(try Selection("within 5 of resn HOH").atoms(of: structure, model: 0).count == 10870)
  }

  @Test func `the insertion codes of thrombin's light chain are ordered as in the chain`() throws {
    let structure = try structure("pdb/1a4w.pdb.gz")
    let atoms = try Selection("chain L and resi 14A-14K and name CA").atoms(of: structure, model: 0)
    #expect(atoms.count == 11)
    #expect(try Selection("L/14*/CA").atoms(of: structure, model: 0).count == 12)
  }

  @Test func `helices are those stated in the file, or DSSP's if none are stated`() throws {
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
