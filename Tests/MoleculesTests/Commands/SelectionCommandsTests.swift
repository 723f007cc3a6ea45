import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of selections in commands, and of the commands that measure and superpose.
struct SelectionCommandsTests {
  private func peptide() async throws -> (TestPlugin, Value) {
    let plugin = try await LibraryFixture.plugin()
    return (plugin, .text(try LibraryFixture.file("PEPTIDE", named: "peptide.pdb", in: plugin)))
  }

  @Test func `tables list the selected part`() async throws {
    let (plugin, path) = try await peptide()
    func table(_ name: String, _ selection: Value) async throws -> Table? {
      try await plugin.run(name, ["molecule": path, "select": selection]).value.table
    }
    let atoms = try #require(try await table("atoms", "resn ALA"))
    #expect((0..<atoms.rowCount).map { atoms.row($0)["atom"] } == [5, 6])
    let bonds = try #require(try await table("bonds", "resn GLY"))
    #expect(bonds.rowCount == 3)
    let chains = try #require(try await table("chains", "name CA"))
    #expect(chains.row(0)["atoms"] == 2 && chains.row(0)["residues"] == 2)
    #expect(try await table("chains", "none")?.rowCount == 0)
    #expect(try await table("sequence", "resn ALA")?.row(0)["letters"] == "A")
    #expect(try await table("sequence", "all")?.row(0)["origin"] == "coordinates")
  }

  @Test func `named sets are passed as options`() async throws {
    let (plugin, path) = try await peptide()
    let sets: Value = ["end=resi 2", "trace = end and name CA"]
    let value = try await plugin.run("atoms", ["molecule": path, "select": "trace", "set": sets]).value
    #expect(value.table?.row(0)["atom"] == 6)
  }

  @Test func `an empty selection is reported, and a malformed one refused with its column`() async throws {
    let (plugin, path) = try await peptide()
    let empty = try await plugin.run("atoms", ["molecule": path, "select": "chain a"])
    #expect(empty.value.table?.rowCount == 0)
    #expect(empty.diagnostics.map(\.code) == ["molecules.empty-selection"])
    let short = try await plugin.run("atoms", ["molecule": path, "select": "(A/2) or A/1-2"])
    #expect(short.diagnostics.first?.advice == "a path ends with an atom; for a residue write 'A/2/'")
    #expect(try await plugin.run("atoms", ["molecule": path, "select": "A/2/"]).diagnostics.isEmpty)
    let report = await plugin.report("atoms", ["molecule": path, "select": "chain A and resmi 5"])
    #expect(report?.code == "molecules.unreadable-selection" && report?.kind == .usage)
    #expect(report?.message == "unknown word 'resmi' at column 13 of the selection")
    #expect(report?.advice == "did you mean 'resi'?")
    #expect(report?.details["column"] == 13)
    let set = await plugin.report("atoms", ["molecule": path, "select": "all", "set": ["x3=(all"]])
    #expect(set?.message.hasPrefix("in the named set 'x3'") == true)
  }

  @Test func `a selection by pLDDT of a structure that is not predicted gives a warning`() async throws {
    let (plugin, path) = try await peptide()
    func codes(_ name: String, _ arguments: Record) async throws -> [String] {
      try await plugin.run(name, arguments).diagnostics.map(\.code)
    }
    let doubt = ["molecules.not-predicted"]
    #expect(try await codes("select", ["molecule": path, "selection": "name CA and not plddt < 0"]) == doubt)
    #expect(try await codes("atoms", ["molecule": path, "select": "plddt >= 0"]) == doubt)
    #expect(try await codes("atoms", ["molecule": path, "select": "sure", "set": ["sure=plddt >= 0"]]) == doubt)
    #expect(try await codes("measure phi-psi", ["molecule": path, "select": "plddt >= 0"]) == doubt)
    // B factors are what they are, and a set that is not used does not matter.
    #expect(try await codes("atoms", ["molecule": path, "select": "b >= 0"]) == [])
    #expect(try await codes("atoms", ["molecule": path, "select": "all", "set": ["sure=plddt >= 0"]]) == [])
  }

  @Test func `select counts the atoms of a selection`() async throws {
    let (plugin, path) = try await peptide()
    let value = try await plugin.run("select", ["molecule": path, "selection": "name CA"]).value
    #expect(value["atoms"] == 2 && value["residues"] == 2 && value["waters"] == 0)
    #expect(value["chains"] == ["A"] && value["elements"] == ["C": 2])
    #expect(value["residueLabels"] == ["A/GLY1", "A/ALA2"])
    #expect(abs((value["center"].list?.first?.number ?? 0) - 2.68) < 1e-12)
    #expect(try plugin.text(value).contains("2 atoms of 2 residues"))
    let none = try await plugin.run("select", ["molecule": path, "selection": "none"]).value
    #expect(none["center"].isNull && none["atoms"] == 0)
    #expect(try plugin.text(none, for: TextRequest(width: 1)).contains("0 atoms"))
  }

  @Test func `only the selected part is drawn`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    func picture(_ selection: Value) async throws -> Picture? {
      let arguments: Record = ["molecule": "b-dna", "select": selection]
      return try await plugin.run("render", arguments, pictureSize: Size(width: 40, height: 40)).value.picture
    }
    let whole = try await picture(.null)
    #expect(try await picture("all") == whole)
    #expect(try await picture("backbone") != whole)
    let none = try #require(try await picture("none"))
    #expect(none.pixels.allSatisfy { $0 == 0 })
  }

  @Test func `a measurement has a value, a unit and its points`() async throws {
    let (plugin, path) = try await peptide()
    let distance = try await plugin.run(
      "measure distance", ["molecule": path, "first": "A/1/N", "second": "A/1/CA"]
    ).value
    #expect(distance["value"] == 1.46 && distance["unit"] == "angstrom")
    #expect(distance["points"].list?.first?["label"] == "A/GLY1/N")
    #expect(try plugin.text(distance).contains("1.460 Å"))
    let parts = try await plugin.run(
      "measure distance", ["molecule": path, "first": "resi 1", "second": "resi 2"]
    ).value
    #expect(parts["points"].list?.first?["atoms"] == 4 && parts["points"].list?.first?["label"].isNull == true)
    #expect(try plugin.text(parts).contains("center of 4 atoms: resi 1"))
    let nearest = try await plugin.run(
      "measure distance", ["molecule": path, "first": "resi 1", "second": "resi 2", "nearest": true]
    ).value
    #expect(nearest["points"].list?.compactMap { $0["label"].text } == ["A/GLY1/C", "A/ALA2/N"])
    let angle = try await plugin.run(
      "measure angle", ["molecule": path, "first": "1/N", "second": "1/CA", "third": "1/C"]
    ).value
    #expect(angle["unit"] == "degree" && (angle["value"].number ?? 0) > 100)
    let dihedral = try await plugin.run(
      "measure dihedral", ["molecule": path, "first": "1/N", "second": "1/CA", "third": "1/C", "fourth": "1/O"]
    ).value
    #expect(dihedral["value"] == .number(0))
  }

  @Test func `measurements that are not possible are errors`() async throws {
    let (plugin, path) = try await peptide()
    let empty = await plugin.report("measure distance", ["molecule": path, "first": "resi 9", "second": "all"])
    #expect(empty?.code == "molecules.empty-selection")
    let angle = await plugin.report(
      "measure angle", ["molecule": path, "first": "1/N", "second": "1/N", "third": "1/C"])
    #expect(angle?.code == "molecules.undefined-angle")
  }

  @Test func `torsions are listed as tables`() async throws {
    let (plugin, path) = try await peptide()
    let phiPsi = try #require(try await plugin.run("measure phi-psi", ["molecule": path]).value.table)
    #expect(phiPsi.rowCount == 1)
    #expect(phiPsi.row(0)["psi"]?.number != nil && phiPsi.row(0)["phi"]?.isNull == true)
    let torsions = try #require(try await plugin.run("measure torsions", ["molecule": path]).value.table)
    #expect((0..<torsions.rowCount).map { torsions.row($0)["torsion"]?.text } == ["psi", "omega"])
    #expect(torsions.row(0)["atoms"] == "N CA C N")
    let none = try await plugin.run("measure torsions", ["molecule": path, "select": "resi 2"]).value
    #expect(none.table?.rowCount == 0)
  }

  @Test func `a molecule is superposed on itself, with or without named chains`() async throws {
    let (plugin, path) = try await peptide()
    let value = try await plugin.run("superpose", ["molecule": path, "onto": path, "atoms": "all"]).value
    #expect((value["rmsd"].number ?? 1) < 1e-12 && value["atoms"] == 6 && value["identity"] == .number(1))
    #expect(value["pairs"].table?.row(1)["second"] == "ALA2")
    let text = try plugin.text(value)
    #expect(text.contains("RMSD 0.000 Å over 6 atoms") && text.contains("A/GLY1-ALA2 with A/GLY1-ALA2"))
    let named = try await plugin.run("superpose", ["molecule": path, "onto": path, "chain": "A,A"])
    #expect(named.value["atoms"] == 2 && named.diagnostics.map(\.code) == ["molecules.ambiguous-rotation"])
    let missing = await plugin.report("superpose", ["molecule": path, "onto": path, "chain": "B"])
    #expect(missing?.code == "molecules.not-superposable" && missing?.advice == "choose one of: A")
    #expect(await plugin.report("superpose", ["molecule": path])?.code == "molecules.missing-second")
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data is absent"))
  func `an ensemble is superposed model by model`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try #require(SharedData.molecules).appendingPathComponent("pdb/1l2y.pdb.gz").path
    let value = try await plugin.run("superpose", ["molecule": .text(path), "models": true]).value
    #expect(value["models"].table?.rowCount == 38 && value["rotation"].isNull)
    #expect(try plugin.text(value).contains("0.784 Å from the first"))
  }
}
