import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// The commands secondary-structure and assemblies.
struct ChemistryCommandsTests {
  private static func path(_ name: String) throws -> Value {
    .text(try #require(SharedData.molecules).appendingPathComponent(name).path)
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `secondary structure comes by chain, as letters and as lines`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let value = try await plugin.run("secondary-structure", ["molecule": try Self.path("pdb/1crn.pdb")]).value
    #expect(value["chains"] == ["A": "-EE-SSHHHHHHHHHHHTTT--HHHHHHHHS-EE-SSS---GGG--"])
    let text = try plugin.text(value)
    #expect(text.hasPrefix("Chain A  46 residues, helix 48 %, strand 9 %"))
    #expect(text.contains("     1  -EE-SSHHHH HHHHHHHTTT"))
  }

  @Test func `a molecule without backbone has no chains with letters`() async throws {
    let plugin = try await LibraryFixture.plugin(starters: true)
    let value = try await plugin.run("secondary-structure", ["molecule": "caffeine"]).value
    #expect(value["chains"].record?.fields.isEmpty == true)
    #expect(try plugin.text(value) == "no residue has a full backbone")
  }

  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `assemblies are listed with what their copies add up to`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let table = try #require(
      try await plugin.run("assemblies", ["molecule": try Self.path("cif/1m4x.cif.gz")]).value.table)
    #expect(table.rowCount == 7)
    #expect(table.row(0)["name"] == "1")
    #expect(table.row(0)["operators"] == 1680)
    #expect(table.row(0)["chains"] == 5040)
    #expect(table.row(0)["atoms"] == 16_284_240)
  }
}
