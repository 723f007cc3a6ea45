import PluginAPI
import TestSupport
import Testing

@testable import Molecules

struct SecondaryStructureTests {
  /// The residues that differ, with the letter of mkdssp.
  ///
  /// mkdssp uses the last location of an atom: in 3O5R and 1K6P the first one is equally or more occupied, and counts
  /// here. In 1PFE each of two positions has two residues, which mkdssp takes as residues of the chain, without a bridge;
  /// here they share the letter of the most occupied one.
  private static let lettersOfOthers: Set<String> = [
    "cif/1pfe.cif.gz B/N2C3 -", "cif/1pfe.cif.gz B/N2C7 -", "cif/1pfe.cif.gz B/NCY3 -", "cif/1pfe.cif.gz B/NCY7 -",
    "cif/3o5r.cif.gz A/LYS28 T", "cif/3o5r.cif.gz A/PRO123 P", "cif/3o5r.cif.gz A/SER27 T",
    "pdb/1k6p.pdb.gz B/GLY49 E", "pdb/1k6p.pdb.gz B/GLY51 T", "pdb/1k6p.pdb.gz B/GLY52 E",
    "pdb/1k6p.pdb.gz B/ILE50 T", "pdb/3o5r.pdb.gz A/LYS28 T", "pdb/3o5r.pdb.gz A/PRO123 P",
    "pdb/3o5r.pdb.gz A/SER27 T",
  ]

  /// The letters of the shared truth were computed by mkdssp 4.2.2.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the letters of all files match mkdssp's, except at known alternate locations`() throws {
    var files = 0
    var residues = 0
    var differences: Set<String> = []
    for (name, truth) in try Truth.load().sorted(by: { $0.key < $1.key }) {
      guard let expected = truth["mkdssp_4_2_2"] as? [String: String] else { continue }
      files += 1
      residues += expected.values.reduce(0) { $0 + $1.count }
      let structure = try Truth.structure(name)
      let assignment = SecondaryStructureAssignment.dssp(structure)
      let found = Dictionary(grouping: assignment.residues.filter { assignment[$0] != nil }) {
        structure.chainName(ofResidue: $0)
      }
      for chain in Set(expected.keys).union(found.keys) {
        let (letters, residues) = (expected[chain] ?? "", found[chain] ?? [])
        if letters.count != residues.count { differences.insert("\(name) \(chain): \(residues.count) residues") }
        for (letter, residue) in zip(letters, residues) where assignment[residue]?.letter != letter {
          differences.insert("\(name) \(chain)/\(structure.label(ofResidue: residue)) \(letter)")
        }
      }
    }
    #expect(differences == Self.lettersOfOthers)
    #expect(files == 41)
    #expect(residues == 23_695)
  }

  /// Returns phi and psi in degrees by residue, where both are known.
  private func angles(_ items: [some ResidueItem], of structure: Structure) -> [Int: SIMD2<Double>] {
    let table = StructureRow.table(of: items, in: structure)
    let rows = items.enumerated().compactMap { index, item -> (Int, SIMD2<Double>)? in
      guard let phi = table.row(index)["phi"]?.number, let psi = table.row(index)["psi"]?.number else { return nil }
      return (item.residue, SIMD2(phi, psi))
    }
    return Dictionary(uniqueKeysWithValues: rows)
  }

  /// Returns phi and psi of the residues with secondary structure.
  private func reportedAngles(
    of structure: Structure, _ selection: AtomSelection? = nil
  ) throws -> [Int: SIMD2<Double>] {
    let conformers = Conformers(structure, model: 0, within: selection)
    return angles(
      try #require(ResidueState.all(.dssp(structure, conformers), of: structure, conformers)), of: structure)
  }

  /// The carbon of residue 2 is at two places; phi and psi of both were computed by another program.
  @Test func `secondary structure uses the most occupied conformer, or the selected one`() throws {
    let structure = try Fixture.pdb([
      Fixture.atom(1, "N", "GLY", 1, 0, 0, 0), Fixture.atom(2, "CA", "GLY", 1, 1.46, 0, 0),
      Fixture.atom(3, "C", "GLY", 1, 2, 1.4, 0), Fixture.atom(4, "O", "GLY", 1, 1.2, 2.3, 0),
      Fixture.atom(5, "N", "GLY", 2, 3.3, 1.6, 0), Fixture.atom(6, "CA", "GLY", 2, 3.9, 2.9, 0),
      Fixture.atom(7, "C", "GLY", 2, 5.1, 2.8, 0.9, altloc: "A", occupancy: 0.7),
      Fixture.atom(8, "C", "GLY", 2, 5.1, 2.8, -0.9, altloc: "B", occupancy: 0.3),
      Fixture.atom(9, "O", "GLY", 2, 6, 1.9, 0), Fixture.atom(10, "N", "GLY", 3, 5.9, 3.9, 0),
      Fixture.atom(11, "CA", "GLY", 3, 7.2, 4, 0), Fixture.atom(12, "C", "GLY", 3, 8, 5.3, 0.4),
      Fixture.atom(13, "O", "GLY", 3, 7.4, 6.2, -0.1),
    ])
    let minor = try Selection("altloc B").atoms(of: structure, model: 0)
    let most = try #require(try reportedAngles(of: structure)[1])
    let selected = try #require(try reportedAngles(of: structure, minor)[1])
    #expect(abs(most.x - 141.50) < 0.01 && abs(most.y - 147.78) < 0.01)
    #expect(abs(selected.x + 141.50) < 0.01 && abs(selected.y + 147.78) < 0.01)
    let report = try #require(SecondaryStructureReport(of: structure, model: 0, selection: minor))
    #expect(report.value["residues"].table?.row(0)["alternate"] == "B")
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: ["pdb/19hc.pdb.gz", "pdb/1k6p.pdb.gz", "pdb/3nig.pdb.gz", "pdb/3o5r.pdb.gz", "pdb/7az6.pdb.gz"])
  func `reported phi and psi equal the measured ones`(name: String) throws {
    let structure = try Truth.structure(name)
    let reported = try reportedAngles(of: structure)
    let measured = angles(BackboneAngles.all(of: structure, model: 0, selection: nil), of: structure)
    let both = Set(reported.keys).intersection(measured.keys)
    let differences = both.filter { residue in
      guard let one = reported[residue], let other = measured[residue] else { return true }
      return [one.x - other.x, one.y - other.y].contains { abs($0.remainder(dividingBy: 360)) > 0.02 }
    }
    #expect(differences.map { structure.address(ofResidue: $0) } == [])
    #expect(both.count > 100 && both.count == reported.count)
  }

  /// A serine and a proline are alternatives between two glycines; the proline is the most occupied.
  @Test func `one of several residues at a position continues the chain`() throws {
    func residue(_ name: String, _ number: Int, _ altloc: String, _ occupancy: Double) -> [String] {
      [("N", 0, 0), ("CA", 1.46, 0), ("C", 2, 1.4), ("O", 1.2, 2.3)].map { atom, x, y in
        Fixture.atom(
          number, atom, name, number, x + 3.3 * Double(number), y + 1.6 * Double(number), 0, altloc: altloc,
          occupancy: occupancy)
      }
    }
    let structure = try Fixture.pdb(
      residue("GLY", 1, " ", 1) + residue("SER", 2, "A", 0.4) + residue("PRO", 2, "B", 0.6) + residue("GLY", 3, " ", 1))
    #expect(SecondaryStructureAssignment.dssp(structure).kinds == [.coil, .coil, .coil, .coil])
    #expect(try reportedAngles(of: structure).keys.sorted() == [2])
    let report = try #require(SecondaryStructureReport(of: structure, model: 0, selection: nil))
    #expect(report.value["chains"] == ["A": "---"] && report.value["residues"].table?.rowCount == 3)
    #expect(SequenceRow.all(of: structure, model: 0).map { $0.places.map(\.letter) } == [["G", "P", "G"]])
    #expect(ChainSequence.all(of: structure).map(\.letters) == ["GPG"])
  }

  /// The file has only Cα atoms: nothing for DSSP, but it states a helix and a strand.
  @Test func `a trace of alpha carbons has the secondary structure stated in the file`() throws {
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
  func `the ribosome's proteins, which are traces, have the stated secondary structure`() throws {
    let structure = try Truth.structure("cif/1ffk.cif.gz")
    #expect(SecondaryStructureAssignment.dssp(structure).kinds.allSatisfy { $0 == nil })
    let best = SecondaryStructureAssignment.best(structure)
    #expect(
      best.kinds.count { $0?.isHelix ?? false }
        == SecondaryStructureAssignment.stated(structure).kinds.count { $0?.isHelix ?? false })
  }

  @Test func `water, ligands and incomplete residues have no secondary structure`() throws {
    var structure = try Fixture.dipeptide()
    #expect(SecondaryStructureAssignment.dssp(structure).kinds == [.coil, .coil])
    structure.residues[1].kind = .ligand
    #expect(SecondaryStructureAssignment.dssp(structure).kinds == [.coil, nil])
    let broken = try Fixture.pdb([Fixture.atom(1, "N", "GLY", 1, 0, 0, 0), Fixture.atom(2, "CA", "GLY", 1, 1.5, 0, 0)])
    #expect(SecondaryStructureAssignment.dssp(broken).kinds == [nil])
  }

  @Test func `each kind has its own letter`() {
    #expect(String(SecondaryStructureKind.allCases.map(\.letter)) == "-HGIPEBTS")
  }

  @Test func `faulty coordinates do not trap`() throws {
    var structure = try Fixture.dipeptide()
    structure.atoms.x[1] = .nan
    structure.atoms.y[5] = .infinity
    structure.atoms.z[2] = 1e300
    #expect(SecondaryStructureAssignment.dssp(structure).kinds.count == 2)
    #expect(SurfaceArea(structure)?.areas.count == 8)
    #expect(!BondPerception.bonds(of: structure).isEmpty)
  }

  @Test func `thousands of residues at one position are fast and have no hydrogen bonds`() throws {
    let atoms = (0..<5000).flatMap { residue in
      ["N", "CA", "C", "O"].map { Fixture.atom(1, $0, "GLY", residue, 0, 0, 0) }
    }
    let assignment = SecondaryStructureAssignment.dssp(try Fixture.pdb(atoms))
    #expect(assignment.kinds.count == 5000)
    #expect(assignment.hydrogenBonds.isEmpty)
  }
}
