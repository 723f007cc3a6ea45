import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of the commands secondary-structure and assemblies.
struct ChemistryCommandsTests {
  private static func path(_ name: String) throws -> Value {
    .text(try #require(SharedData.molecules).appendingPathComponent(name).path)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `secondary structure is listed by chain, as letters and as lines`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let value = try await plugin.run("secondary-structure", ["molecule": try Self.path("pdb/1crn.pdb")]).value
    #expect(value["chains"] == ["A": "-EE-SSHHHHHHHHHHHTTT--HHHHHHHHS-EE-SSS---GGG--"])
    let text = try plugin.text(value)
    #expect(text.hasPrefix("Chain A  46 residues, helix 48 %, strand 9 %"))
    #expect(text.contains("     1  -EE-SSHHHH HHHHHHHTTT"))
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `secondary structure is restricted to a model and to a selection`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let file = try Self.path("pdb/1l2y.pdb.gz")
    let all = try await plugin.run("secondary-structure", ["molecule": file]).value["chains"]["A"].text ?? ""
    let part = try await plugin.run("secondary-structure", ["molecule": file, "select": "resi 2-8 and name CA"]).value
    #expect(all.count == 20 && part["chains"]["A"].text == String(all.dropFirst().prefix(7)))
    var models: Set<String> = []
    for model in [2, 9, 20, 38] {
      let value = try await plugin.run("secondary-structure", ["molecule": file, "model": .integer(model)]).value
      models.insert(value["chains"]["A"].text ?? "")
    }
    #expect(models.count > 1 && models.allSatisfy { $0.count == 20 })
    let missing = await plugin.report("secondary-structure", ["molecule": file, "model": 39])
    #expect(missing?.code == "molecules.unknown-model")
  }

  /// mkdssp 4.2.2 gives for the first two residues of crambin: 75 Å² and psi 147.7°, 21 Å², -107.8° and 144.3°.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `secondary structure has a row per residue`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let file = try Self.path("pdb/1crn.pdb")
    let value = try await plugin.run("secondary-structure", ["molecule": file]).value
    let table = try #require(value["residues"].table)
    #expect(
      table.columns.map(\.name)
        == ["chain", "number", "insertionCode", "name", "state", "accessibility", "phi", "psi", "alternate"])
    #expect(table.rowCount == 46)
    #expect(
      table.row(0)
        == [
          "chain": "A", "number": 1, "insertionCode": "", "name": "THR", "state": "-", "accessibility": 75,
          "phi": nil, "psi": 147.66, "alternate": "",
        ])
    #expect(table.row(1)["phi"] == -107.83 && table.row(1)["psi"] == 144.35 && table.row(1)["accessibility"] == 21)
    let part = try await plugin.run("secondary-structure", ["molecule": file, "select": "resi 2"]).value
    #expect(part["residues"].table.map { $0.row(0) } == table.row(1) && part["residues"].table?.rowCount == 1)
  }

  @Test func `a molecule without a backbone has no secondary structure`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let value = try await plugin.run("secondary-structure", ["molecule": "caffeine"]).value
    #expect(value["chains"].record?.fields.isEmpty == true)
    #expect(try plugin.text(value) == "No residue has a full backbone")
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `assemblies are listed with the totals of their copies`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let table = try #require(
      try await plugin.run("assemblies", ["molecule": try Self.path("cif/1m4x.cif.gz")]).value.table)
    #expect(table.rowCount == 7)
    #expect(table.row(0)["name"] == "1")
    #expect(table.row(0)["operators"] == 1680)
    #expect(table.row(0)["chains"] == 5040)
    #expect(table.row(0)["atoms"] == 16_284_240)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `symmetry operators are listed, and a molecule without a crystal has none`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let table = try #require(
      try await plugin.run("symmetry", ["molecule": try Self.path("starter/Insulin_1TRZ.pdb")]).value.table)
    // 1TRZ crystallized in H 3.
    #expect(table.rowCount == 9)
    #expect(table.row(1)["operator"] == "-y,x-y,z")
    #expect(table.row(1)["stated"] == true)
    #expect(try await plugin.run("symmetry", ["molecule": "caffeine"]).value.table?.rowCount == 0)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `each command about contacts returns a table that matches its declaration`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    for name in InteractionCommands.all.map(\.declaration.name) {
      let table = try #require(
        try await plugin.run(name, ["molecule": try Self.path("starter/Insulin_1TRZ.pdb")]).value.table, "\(name)")
      #expect(table.rowCount > 0, "\(name)")
    }
    let bridges = try #require(
      try await plugin.run("disulfides", ["molecule": try Self.path("starter/Insulin_1TRZ.pdb")]).value.table)
    // Two chains A and B of each of two insulins: 6-11, 7-7 and 20-19.
    #expect(bridges.rowCount == 6)
    #expect(bridges.row(0)["first"] == "A/CYS6/SG")
    #expect(bridges.row(0)["second"] == "A/CYS11/SG")
    #expect(bridges.row(0)["stated"] == true)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `options change the results of commands about contacts`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    func rows(_ name: String, _ options: Record) async throws -> Int {
      var arguments: Record = ["molecule": try Self.path("starter/Insulin_1TRZ.pdb")]
      for field in options.fields { arguments[field.name] = field.value }
      return try await plugin.run(name, arguments).value.table?.rowCount ?? -1
    }
    let near = try await rows("contacts", ["within": 3])
    let far = try await rows("contacts", [:])
    #expect(near > 0 && near < far)
    let between = try await rows("contacts", ["between-chains": true])
    #expect(between > 0 && between < far)
    let wet = try await rows("hydrogen-bonds", ["water": true])
    let dry = try await rows("hydrogen-bonds", [:])
    #expect(dry > 0 && dry < wet)
    let chain = try await rows("contacts", ["select": "chain A"])
    #expect(chain > 0 && chain < far)
    #expect(try await rows("surface-area", ["select": "chain A and resi 1-5"]) == 5)
    let report = await plugin.report(
      "surface-area", ["molecule": try Self.path("starter/Insulin_1TRZ.pdb"), "model": 7])
    #expect(report?.code == "molecules.unknown-model")
  }
}
