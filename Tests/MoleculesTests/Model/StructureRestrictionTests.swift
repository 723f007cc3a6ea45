import TestSupport
import Testing

@testable import Molecules

/// Tests of restricting structures to some of their atoms.
struct StructureRestrictionTests {
  private func restricted(_ structure: Structure, _ text: String) throws -> Structure {
    StructureRestriction(structure, to: try Selection(text).atoms(of: structure)).structure
  }

  @Test func `restricting to all atoms gives the same structure`() throws {
    let structure = try Fixture.dipeptide()
    #expect(try restricted(structure, "all") == structure)
  }

  @Test func `residues, chains and models without atoms are removed, and bonds follow their atoms`() throws {
    let structure = try Fixture.dipeptide()
    let part = StructureRestriction(structure, to: try Selection("resi 2 and not name O").atoms(of: structure))
    #expect(part.structure.atoms.count == 3 && part.structure.residues.count == 1)
    #expect(part.structure.atoms.residue == [0, 0, 0] && part.structure.residues[0].atoms == 0..<3)
    #expect(part.structure.models.map(\.atoms) == [0..<3] && part.structure.chains[0].residueRuns == [0..<1])
    let bonds = BondPerception.bonds(of: structure, model: 0)
    #expect(part.bonds(bonds).map { [$0.first, $0.second] } == [[0, 1], [1, 2]])
    #expect(try restricted(structure, "none").models.isEmpty)
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: ["cif/4hhb.cif.gz", "pdb/1gya.pdb.gz", "pdb/3nig.pdb.gz", "cif/1crn.cif"])
  func `real structures are unchanged by selecting all, and their parts are consistent`(name: String) throws {
    guard let structure = try? Truth.structure(name) else { return }
    #expect(try restricted(structure, "all") == structure)
    let part = try restricted(structure, "name CA+N+O or not polymer")
    #expect(part.atoms.count < structure.atoms.count && part.models.count == structure.models.count)
    var faults = 0
    for (index, residue) in part.residues.enumerated() {
      if residue.atoms.isEmpty || !residue.atoms.allSatisfy({ part.atoms.residue[$0] == Int32(index) }) { faults += 1 }
      if !part.chains[Int(residue.chain)].residueRuns.contains(where: { $0.contains(index) }) { faults += 1 }
    }
    for (model, next) in zip(part.models, part.models.dropFirst()) where model.atoms.upperBound != next.atoms.lowerBound
    {
      faults += 1
    }
    #expect(faults == 0 && part.models.last?.atoms.upperBound == part.atoms.count)
  }
}
