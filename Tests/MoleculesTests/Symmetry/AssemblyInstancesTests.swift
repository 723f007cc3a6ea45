import TestSupport
import Testing

@testable import Molecules

struct AssemblyInstancesTests {
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `every assembly has as many copies as its expressions state`() throws {
    var differences: [String] = []
    var files = 0
    for (name, truth) in try Truth.load() {
      guard let expected = truth["assemblies_expected"] as? [String: Int] else { continue }
      files += 1
      let structure = try Truth.structure(name)
      for assembly in structure.assemblies {
        let instances = AssemblyInstances(assembly, of: structure)
        if instances.instanceCount != expected[assembly.id] {
          differences.append("\(name) \(assembly.id): \(instances.instanceCount)")
        }
      }
    }
    #expect(differences == [])
    #expect(files > 40)
  }

  @Test(
    .enabled(if: SharedData.molecules != nil, "the shared data are absent"),
    arguments: ["cif/1m4x.cif.gz", "pdb/1m4x.pdb.gz"])
  func `the capsid of PBCV-1 has 16 million atoms in 5040 chains without copying any`(name: String) throws {
    let structure = try Truth.structure(name)
    let instances = try #require(AssemblyInstances(assemblyNamed: "1", of: structure))
    #expect(instances.atomCount == 9693 * 1680)
    #expect(instances.chainCount == 5040)
    #expect(instances.groups.reduce(0) { $0 + $1.atomCount } == 9693)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `the operators not given generate the rest of a capsid`() throws {
    #expect(AssemblyInstances.noncrystallographic(try Truth.structure("pdb/2btv.pdb.gz")).instanceCount == 30)
    #expect(AssemblyInstances.noncrystallographic(try Truth.structure("pdb/2buk.pdb.gz")).instanceCount == 60)
    // The two operators of 4HHB are given: its coordinates already contain the copies.
    #expect(AssemblyInstances.noncrystallographic(try Truth.structure("pdb/4hhb.pdb.gz")).instanceCount <= 2)
  }

  /// Author chain A has a polymer (label A) and a ligand (label B); the assembly uses the ligand twice.
  @Test func `an assembly by label names contains only the named parts`() throws {
    let rows = [
      "ATOM 1 C CA . GLY A 1 ? 0 0 0 1 1 1 A 1", "ATOM 2 C CA . GLY A 2 ? 3 0 0 1 1 2 A 1",
      "HETATM 3 C C1 . LIG B . ? 9 0 0 1 1 7 A 1",
    ]
    let operators = """
      loop_
      _pdbx_struct_assembly_gen.assembly_id
      _pdbx_struct_assembly_gen.oper_expression
      _pdbx_struct_assembly_gen.asym_id_list
      1 1,2 B
      1 1 A
      loop_
      _pdbx_struct_oper_list.id
      _pdbx_struct_oper_list.vector[1]
      1 0
      2 100

      """
    let structure = try Fixture.read(Fixture.cif(rows, after: operators))
    #expect(structure.labelRuns == [LabelRun(firstResidue: 0, label: "A"), LabelRun(firstResidue: 2, label: "B")])
    let instances = try #require(AssemblyInstances(assemblyNamed: "1", of: structure))
    #expect(instances.groups.map(\.residues) == [[2..<3], [0..<2]])
    #expect(instances.groups.map(\.atoms) == [[2..<3], [0..<2]])
    #expect(instances.groups.map(\.chains) == [["A"], ["A"]])
    #expect(instances.groups[0].transforms.map { $0.apply(.zero).x } == [0, 100])
    #expect((instances.instanceCount, instances.atomCount) == (3, 4))
    #expect(AssemblyInstances(assemblyNamed: "2", of: structure) == nil)
  }

  @Test func `a model as deposited is one copy of all its atoms`() throws {
    let structure = try Fixture.dipeptide()
    let instances = AssemblyInstances.asDeposited(structure)
    #expect(instances.groups.map(\.transforms) == [[.identity]])
    #expect((instances.atomCount, instances.chainCount) == (8, 1))
  }

  @Test func `unknown chains and missing operators make no copies`() throws {
    let structure = try Fixture.dipeptide()
    let part = AssemblyPart(chains: ["Q"], usesLabels: false, operators: [.identity])
    let none = AssemblyPart(chains: ["A"], usesLabels: false, operators: [])
    let instances = AssemblyInstances(Assembly(id: "1", details: "", parts: [part, none]), of: structure)
    #expect(instances.groups.isEmpty)
  }
}
