import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import Reagents

struct ReagentsTests {
  /// A plugin for which 'molecules' counts the atoms of water.
  private func plugin() async throws -> TestPlugin {
    let plugin = try await TestPlugin(ReagentsPlugin())
    plugin.context.answer("molecules.info") { $0["molecule"] == "water" ? ["elements": ["H": 2, "O": 1]] : [:] }
    return plugin
  }

  @Test func `the plugin keeps the rules of the contract`() async {
    #expect(await PluginConformance.check(ReagentsPlugin(), runsExamples: true) == [])
  }

  @Test func `reagents are added, listed and shown with the decimals of the setting`() async throws {
    let plugin = try await plugin()
    let water = try await plugin.run(line: "add water 36.03").value
    #expect(try plugin.text(water) == "water: 36.03 g")
    try plugin.context.set("decimals", to: 0)
    #expect(try plugin.text(water) == "water: 36 g")
    #expect(try await plugin.run(line: "list --least 40").value.table?.rowCount == 0)
  }

  @Test func `a file of reagents is added, and one without any is an error`() async throws {
    let plugin = try await plugin()
    let path = plugin.context.folders.data + "/shelf.reagents"
    try "water 18\nno mass\nwater 1e10\n".write(toFile: path, atomically: true, encoding: .utf8)
    #expect(try await plugin.run("read", ["file": .text(path)]).value.table?.rowCount == 1)
    #expect(await plugin.report("read", ["file": .text(path + "x")])?.code == "reagents.unusable-file")
  }

  @Test @MainActor func `amounts are computed from the atoms that another plugin counts`() async throws {
    let plugin = try await plugin()
    _ = try await plugin.run(line: "add water 36.03")
    let moles = try await plugin.run(line: "moles").value.table?["moles"]?.values[0].number ?? 0
    #expect(abs(moles - 2) < 1e-6)
    let screen = try plugin.screen("reagents")
    await screen.settle()
    #expect(screen.text.contains("▌ water") && screen.text.contains("2.0000 mol"))
    _ = try await plugin.run(line: "add unknownium 1")
    #expect(await plugin.report("moles")?.code == "reagents.no-mass")
  }
}
