import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Compares searches for motifs in real entries with those by gemmi 0.7.5.
@Suite(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
struct MotifTruthTests {
  private static let serineTriad = ["s=resn SER and name OG", "h=resn HIS and name ND1+NE2"]

  private func structure(_ file: String) throws -> Structure {
    let url = try #require(SharedData.molecules).appendingPathComponent(file)
    return try StructureFile.read(bytes: Array(Data(contentsOf: url)), name: file)
  }

  /// The distances are from a script with gemmi that compares all atoms of the sites.
  @Test(
    arguments: [
      ("pdb/1a4w.pdb.gz", "resn ASP and name OD1+OD2", [["H/SER195", "H/HIS57", "H/ASP102"]], [[2.630, 2.789]]),
      ("cif/1a4w.cif.gz", "resn ASP and name OD1+OD2", [["H/SER195", "H/HIS57", "H/ASP102"]], [[2.630, 2.789]]),
      (
        "starter/Acetylcholinesterase_1EVE.pdb.gz", "resn GLU and name OE1+OE2",
        [["A/SER200", "A/HIS440", "A/GLU327"]], [[2.759, 2.822]]
      ),
      (
        "cif/1ake.cif.gz", "resn ASP+GLU and name OD1+OD2+OE1+OE2",
        [["A/SER129", "A/HIS126", "A/GLU151"], ["B/SER129", "B/HIS126", "B/GLU151"]],
        [[2.706, 3.047], [2.564, 3.136]]
      ),
    ] as [(String, String, [[String]], [[Double]])])
  func `triads of serine hydrolases match gemmi's residues and distances`(
    file: String, acid: String, residues: [[String]], distances: [[Double]]
  ) throws {
    let structure = try structure(file)
    let motif = try Motif(
      sites: Self.serineTriad + ["a=" + acid], distances: ["s-h=2.8±0.6", "h-a=2.8±0.6"], tolerance: 1,
      sets: SelectionSets())
    var search = MotifSearch(motif, in: structure, model: 0)
    let matches = search.matches()
    let labels = matches.map { match in
      match.residues.map { "\(structure.chainName(ofResidue: $0))/\(structure.label(ofResidue: $0))" }
    }
    #expect(labels == residues)
    for (match, expected) in zip(matches, distances) {
      #expect(abs(match.distances[1][0] - expected[0]) < 0.0006 && abs(match.distances[2][1] - expected[1]) < 0.0006)
    }
  }

  @Test func `the triad of thrombin's PDB file is found in its mmCIF file`() throws {
    let selection = try Selection("chain H and resi 57+102+195 and sidechain")
    let motif = try Motif(example: structure("pdb/1a4w.pdb.gz"), selection, tolerance: 0.5)
    var search = MotifSearch(motif, in: try structure("cif/1a4w.cif.gz"), model: 0)
    let matches = search.matches()
    #expect(matches.count == 1)
    #expect((matches.first?.rmsd ?? 1) < 0.001)
  }
}
