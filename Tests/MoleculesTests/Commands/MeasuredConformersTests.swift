import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of conformers as reported by `measure`.
struct MeasuredConformersTests {
  private static let pair = [
    Fixture.atom(1, "CA", "ILE", 51, 0, 0, 0, altloc: "A", element: " C", occupancy: 0.41),
    Fixture.atom(2, "CA", "ILE", 51, 1, 0, 0, altloc: "B", element: " C", occupancy: 0.59),
    Fixture.atom(3, "CA", "ALA", 52, 4, 0, 0, element: " C"),
  ]

  private func library(_ lines: [String]) async throws -> (TestPlugin, Value) {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/conformers.pdb"
    try lines.joined(separator: "\n").write(toFile: path, atomically: true, encoding: .utf8)
    return (plugin, .text(path))
  }

  @Test func `a distance is measured in one conformer, which is named, never from a mean`() async throws {
    let (plugin, path) = try await library(Self.pair)
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
  @Test func `the points of a measurement belong to one conformer`() async throws {
    let (plugin, path) = try await library([
      Fixture.atom(1, "CZ", "ARG", 27, 0, 0, 0, element: " C", occupancy: 0.5),
      Fixture.atom(2, "CZ", "ARG", 27, 0, 5, 0, altloc: "B", element: " C", occupancy: 0.5),
      Fixture.atom(3, "NH1", "ARG", 27, 1, 0, 0, altloc: "A", element: " N", occupancy: 0.5),
      Fixture.atom(4, "NH1", "ARG", 27, 3, 5, 0, altloc: "B", element: " N", occupancy: 0.5),
      Fixture.atom(5, "CA", "SER", 28, 0, 0, 2, altloc: "A", element: " C", occupancy: 0.6),
      Fixture.atom(6, "CA", "SER", 28, 3, 5, 6, altloc: "B", element: " C", occupancy: 0.4),
    ])
    let cases: [(points: (String, String), distance: Double, labels: [String])] = [
      (("A/27/CZ", "A/27/NH1"), 1, ["A/ARG27/CZ", "A/ARG27/NH1@A"]),
      (("A/27/CZ", "A/27/NH1@B"), 3, ["A/ARG27/CZ@B", "A/ARG27/NH1@B"]),
      (("A/27/CZ@B", "A/27/CZ@A"), 5, ["A/ARG27/CZ@B", "A/ARG27/CZ"]),
      (("A/28/CA", "A/27/NH1@B"), 6, ["A/SER28/CA@B", "A/ARG27/NH1@B"]),
    ]
    for (points, distance, labels) in cases {
      let value = try await plugin.run(
        "measure distance", ["molecule": path, "first": .text(points.0), "second": .text(points.1)]
      ).value
      #expect(value["value"] == .number(distance), "\(points)")
      #expect(value["points"].list?.compactMap { $0["label"].text } == labels, "\(points)")
    }
  }

  /// The distance was computed by another program.
  @Test(.enabled(if: SharedData.molecules != nil, "the shared data are absent"))
  func `an atom with a letter in only one of two conformers is measured in that one`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try #require(SharedData.molecules).appendingPathComponent("quirks/disordered.pdb").path
    let value = try await plugin.run(
      "measure distance", ["molecule": .text(path), "first": "A/27/CZ", "second": "A/27/NH1"]
    ).value
    #expect(abs((value["value"].number ?? 0) - 1.330) < 0.001)
    #expect(value["points"].list?.map { $0["atoms"] } == [1, 1])
  }
}
