import TestSupport
import Testing

@testable import Molecules

struct SecondaryStructureTests {
  /// The letters of the shared truth were computed by mkdssp 4.2.2.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the letters are those of mkdssp on every residue of every file`() throws {
    var files = 0
    var residues = 0
    var differences: [String] = []
    for (name, truth) in try Truth.load().sorted(by: { $0.key < $1.key }) {
      guard let expected = truth["mkdssp_4_2_2"] as? [String: String] else { continue }
      files += 1
      residues += expected.values.reduce(0) { $0 + $1.count }
      let structure = try Truth.structure(name)
      let letters = SecondaryStructureAssignment.dssp(structure).letters(of: structure)
      let found = Dictionary(letters.map { ($0.chain, $0.letters) }, uniquingKeysWith: +)
      for (chain, text) in expected where found[chain] != text {
        differences.append("\(name) \(chain)\n\(text)\n\(found[chain] ?? "")")
      }
      for chain in found.keys where expected[chain] == nil { differences.append("\(name) \(chain) is too much") }
    }
    #expect(differences == [])
    #expect(files == 41)
    #expect(residues == 23_695)
  }

  /// The file has only Cα atoms: nothing for DSSP, but it states a helix and a strand.
  @Test func `a trace of alpha carbons has what the file states`() throws {
    let helix = "HELIX    1   1 GLY A    2  GLY A    4  1                                   3"
    let sheet = "SHEET    1   A 1 GLY A   6  GLY A   7  0"
    let atoms = (1...8).map { Fixture.atom($0, "CA", "GLY", $0, Double($0) * 3.8, 0, 0) }
    let structure = try Fixture.pdb([helix, sheet] + atoms)
    #expect(SecondaryStructureAssignment.dssp(structure).kinds.allSatisfy { $0 == nil })
    let best = SecondaryStructureAssignment.best(structure)
    #expect(best.letters(of: structure).map(\.letters) == ["-HHH-EE-"])
    #expect(best[2]?.isHelix == true && best[5]?.isSheet == true && best[0] == .coil)
    #expect(best[8] == nil && best[-1] == nil)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `of the ribosome's proteins, which are traces, the best is what the file states`() throws {
    let structure = try Truth.structure("cif/1ffk.cif.gz")
    #expect(SecondaryStructureAssignment.dssp(structure).kinds.allSatisfy { $0 == nil })
    let best = SecondaryStructureAssignment.best(structure)
    #expect(
      best.kinds.count { $0?.isHelix ?? false }
        == SecondaryStructureAssignment.stated(structure).kinds.count { $0?.isHelix ?? false })
  }

  @Test func `water, ligands and residues that lack an atom have none`() throws {
    var structure = try Fixture.dipeptide()
    #expect(SecondaryStructureAssignment.dssp(structure).kinds == [.coil, .coil])
    structure.residues[1].kind = .ligand
    #expect(SecondaryStructureAssignment.dssp(structure).kinds == [.coil, nil])
    let broken = try Fixture.pdb([Fixture.atom(1, "N", "GLY", 1, 0, 0, 0), Fixture.atom(2, "CA", "GLY", 1, 1.5, 0, 0)])
    #expect(SecondaryStructureAssignment.dssp(broken).kinds == [nil])
  }

  @Test func `each kind has a letter of its own`() {
    #expect(String(SecondaryStructureKind.allCases.map(\.letter)) == "-HGIPEBTS")
  }

  @Test func `coordinates that are no places give no traps`() throws {
    var structure = try Fixture.dipeptide()
    structure.atoms.x[1] = .nan
    structure.atoms.y[5] = .infinity
    structure.atoms.z[2] = 1e300
    #expect(SecondaryStructureAssignment.dssp(structure).kinds.count == 2)
    #expect(SurfaceArea(structure)?.areas.count == 8)
    #expect(!BondPerception.bonds(of: structure).isEmpty)
  }

  @Test func `thousands of residues on one spot take no time and have no bonds`() throws {
    let atoms = (0..<5000).flatMap { residue in
      ["N", "CA", "C", "O"].map { Fixture.atom(1, $0, "GLY", residue, 0, 0, 0) }
    }
    let assignment = SecondaryStructureAssignment.dssp(try Fixture.pdb(atoms))
    #expect(assignment.kinds.count == 5000)
    #expect(assignment.hydrogenBonds.isEmpty)
  }
}
