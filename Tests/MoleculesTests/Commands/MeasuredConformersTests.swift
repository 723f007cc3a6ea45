import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import Molecules

/// Tests of conformers as reported by `measure`.
struct MeasuredConformersTests {
  private func pair() async throws -> (TestPlugin, Value) {
    let plugin = try await LibraryFixture.plugin()
    let lines = [
      Fixture.atom(1, "CA", "ILE", 51, 0, 0, 0, altloc: "A", element: " C", occupancy: 0.41),
      Fixture.atom(2, "CA", "ILE", 51, 1, 0, 0, altloc: "B", element: " C", occupancy: 0.59),
      Fixture.atom(3, "CA", "ALA", 52, 4, 0, 0, element: " C"),
    ]
    let path = plugin.context.folders.state + "/conformers.pdb"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return (plugin, .text(path))
  }

  @Test func `a distance is of one conformer, which is named, never of a mean`() async throws {
    let (plugin, path) = try await pair()
    func measured(_ first: String) async throws -> Value {
      try await plugin.run("measure distance", ["molecule": path, "first": .text(first), "second": "A/52/CA"]).value
    }
    let value = try await measured("A/51/CA")
    #expect(value["value"] == .number(3))
    #expect(value["points"].list?.map { $0["label"].text } == ["A/ILE51/CA@B", "A/ALA52/CA"])
    #expect(value["points"].list?.map { $0["conformers"] } == [["B"], []])
    #expect(try plugin.text(value).contains("A/ILE51/CA@B, conformer B"))
    for text in ["A/51/CA@A", "A/51/CA and altloc A", "A/ILE51/CA@A"] {
      let minor = try await measured(text)
      #expect(minor["value"] == .number(4) && minor["points"].list?.first?["conformers"] == ["A"], "\(text)")
    }
    let missing = await plugin.report(
      "measure distance", ["molecule": path, "first": "A/51/CA@C", "second": "A/52/CA"])
    #expect(missing?.code == "molecules.empty-selection")
  }
}
