import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import Molecules

/// Tests of the options of `render` for copies, models and effects.
struct RenderCommandTests {
  private static let header = [
    "HEADER    TEST", "REMARK 350 BIOMOLECULE: 1", "REMARK 350 APPLY THE FOLLOWING TO CHAINS: A",
    "REMARK 350   BIOMT1   1  1.000000  0.000000  0.000000        0.00000",
    "REMARK 350   BIOMT2   1  0.000000  1.000000  0.000000        0.00000",
    "REMARK 350   BIOMT3   1  0.000000  0.000000  1.000000        0.00000",
    "REMARK 350   BIOMT1   2 -1.000000  0.000000  0.000000       20.00000",
    "REMARK 350   BIOMT2   2  0.000000 -1.000000  0.000000        0.00000",
    "REMARK 350   BIOMT3   2  0.000000  0.000000  1.000000        0.00000",
    "CRYST1   30.000   30.000   30.000  90.00  90.00  90.00 P 1 2 1       2",
  ]

  /// A file with two models of a small chain, an assembly of two copies, and a crystal.
  private static var text: String {
    var lines = header
    for model in 1...2 {
      lines.append("MODEL        \(model)")
      for index in 0..<8 {
        let (name, element) = index % 2 == 0 ? ("N", " N") : ("CA", " C")
        let x = Double(index) * 1.4
        lines.append(
          Fixture.atom(index + 1, name, "GLY", index / 2 + 1, x, Double(model * (index % 3)), 0, element: element))
      }
      lines.append("ENDMDL")
    }
    return lines.joined(separator: "\n") + "\nEND\n"
  }

  private func file(_ plugin: TestPlugin) throws -> String {
    let path = plugin.context.folders.state + "/copies.pdb"
    try Self.text.write(toFile: path, atomically: true, encoding: .utf8)
    return path
  }

  private func picture(_ plugin: TestPlugin, _ path: String, _ options: Record) async throws -> Picture {
    var arguments = options
    arguments["molecule"] = .text(path)
    arguments["mode"] = "spacefilling"
    let size = Size(width: 160, height: 120)
    return try #require(try await plugin.run("render", arguments, pictureSize: size).value.picture)
  }

  @Test func `copies, models and effects change the picture, and equal options give equal bytes`()
    async throws
  {
    let plugin = try await LibraryFixture.plugin()
    let path = try file(plugin)
    let options: [Record] = [
      [:], ["assembly": "1"], ["assembly": "unit-cell"], ["assembly": "neighbors"], ["model": "2"], ["model": "all"],
      ["occlusion": "off"], ["outline": "off"], ["fog": "off"], ["quality": "best"],
    ]
    var pictures: [Picture] = []
    for option in options { pictures.append(try await picture(plugin, path, option)) }
    #expect(Set(pictures).count == options.count)
    #expect(try await picture(plugin, path, [:]) == pictures[0])
    #expect(try await picture(plugin, path, ["quality": "best"]) == pictures[9])
  }

  @Test(arguments: ["residues", "atoms"])
  func `a note says that too many atoms are drawn for labels`(kind: String) async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/many.xyz"
    let atoms = (0...SceneLabel.mostAtoms).map { "C \(3 * $0) 0 0\n" }.joined()
    try "\(SceneLabel.mostAtoms + 1)\n\n\(atoms)".write(toFile: path, atomically: true, encoding: .utf8)
    let result = try await plugin.run(
      "render", ["molecule": .text(path), "mode": "spacefilling", "label": .text(kind)],
      pictureSize: Size(width: 160, height: 120))
    let notes = result.diagnostics.filter { $0.code == "molecules.too-many-labels" }
    #expect(notes.map(\.message) == ["no labels of \(kind): more than 100000 atoms are drawn"])
    #expect(notes.map(\.advice) == ["draw fewer atoms, or label chains"])
    #expect(!result.diagnostics.contains { $0.code == "molecules.not-all-shown" })
  }

  @Test func `a note says that atoms have no labels if only water is drawn`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/water.pdb"
    let lines = [
      Fixture.atom(1, "CA", "GLY", 1, 0, 0, 0, element: " C"),
      Fixture.atom(2, "O", "HOH", 2, 5, 0, 0, element: " O", record: "HETATM"),
    ]
    try (lines.joined(separator: "\n") + "\n").write(toFile: path, atomically: true, encoding: .utf8)
    func notes(_ selection: String) async throws -> [String] {
      let arguments: Record = [
        "molecule": .text(path), "mode": "spacefilling", "label": "atoms", "select": .text(selection),
      ]
      let result = try await plugin.run("render", arguments, pictureSize: Size(width: 160, height: 120))
      return result.diagnostics.filter { $0.code == "molecules.not-all-shown" }.map(\.message)
    }
    #expect(try await notes("water") == ["no atoms but those of water are drawn, so none are labeled"])
    #expect(try await notes("all") == [])
  }

  @Test func `confidence colors in a format without B factors give a warning`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = plugin.context.folders.state + "/methane.xyz"
    try "2\n\nC 0 0 0\nH 1.1 0 0\n".write(toFile: path, atomically: true, encoding: .utf8)
    func warnings(_ color: String) async throws -> [String] {
      let arguments: Record = ["molecule": .text(path), "color": .text(color)]
      let result = try await plugin.run("render", arguments, pictureSize: Size(width: 40, height: 30))
      return result.diagnostics.filter { $0.severity == .warning }.map(\.code)
    }
    #expect(try await warnings("plddt") == ["molecules.not-predicted"])
    #expect(try await warnings("b-factor") == [])
  }

  @Test func `an unknown assembly or model is refused with the known ones`() async throws {
    let plugin = try await LibraryFixture.plugin()
    let path = try file(plugin)
    let failure = await #expect(throws: ErrorReport.self) {
      try await picture(plugin, path, ["assembly": "7"])
    }
    #expect(failure?.code == MoleculeError.unknownAssembly.code)
    #expect(failure?.advice == "choose one of 'none', '1', 'unit-cell', 'neighbors'")
    await #expect(throws: MoleculeError.unknownModel(3, count: 2)) {
      try await picture(plugin, path, ["model": "3"])
    }
    for word in ["0", "two"] {
      let failure = await #expect(throws: ErrorReport.self) {
        try await picture(plugin, path, ["model": .text(word)])
      }
      #expect(failure?.code == "molecules.unknown-model" && failure?.kind == .usage)
      #expect(failure?.details == ["model": .text(word)])
    }
  }
}
