import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

/// The names and order of fields in results about networks, by which scripts read them.
struct NetworkInfoTests {
  /// The files of networks, by their names, with the fields that `info` shows.
  private static let kinds: [(name: String, content: String, fields: String)] = [
    (
      "m.sbml",
      """
      <sbml xmlns='http://www.sbml.org/sbml/level3/version1/core' level='3' version='1'><model id='m'/></sbml>
      """,
      """
      id name format species reactions compartments genes parameters groups objective isMaximized boundaryReactions \
      diagnostics
      """
    ),
    (
      "m.kgml", "<pathway name='path:ko00010' org='ko' number='00010'/>",
      """
      id name format version organism nodes pools processes edges species reactions compartments submaps counts \
      diagnostics
      """
    ),
    (
      "n.json",
      """
      {"name": "n", "pools": [{"id": "glc", "kind": "boundary"}, {"id": "pyr", "kind": "boundary"}],
       "processes": [{"id": "p", "reversible": true, "in": ["glc"], "out": ["pyr"]}]}
      """,
      "id name format pools processes boundaries observed levels species reactions diagnostics"
    ),
    (
      "tissues.xml",
      """
      <?xml version="1.0" encoding="UTF-8"?>
      <MAW xmlns="urn:pathcase:maw:1" type="tissues" version="1" snapshot="s"><Tissue id="t" name="Liver"/></MAW>
      """,
      "id name format records skipped diagnostics"
    ),
  ]

  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  private func names(_ value: Value) -> String { (value.record?.names ?? []).joined(separator: " ") }

  @Test func `info shows the same fields in the same order for each kind of network`() async throws {
    let plugin = try await plugin()
    let folder = try TemporaryFolder()
    for (name, content, fields) in Self.kinds {
      let path = try folder.write(Array(content.utf8), name).path
      #expect(names(try await plugin.run("info", ["network": .text(path)]).value) == fields, "\(name)")
    }
    let pathway = try await plugin.run("info", ["network": "w-urea"]).value
    let fields = """
      id name format organism snapshot processes pools metabolites compartments tissues species reactions links \
      neighbours activationConditions diagnostics
      """
    #expect(names(pathway) == fields)
    #expect(pathway["species"] == pathway["pools"] && pathway["reactions"] == pathway["processes"])
    #expect(pathway["format"] == "database" && pathway["diagnostics"] == 0)
  }

  @Test func `a layout has its size, nodes, edges and compartments, with lengths of two decimals`() async throws {
    let layout = try await plugin().run("layout", ["network": "w-urea"]).value
    #expect(names(layout) == "engine width height crossings isCoarse milliseconds nodes edges compartments")
    let node = try #require(layout["nodes"].list?.first)
    #expect(names(node) == "id clone kind label x y width height")
    let edge = try #require(layout["edges"].list?.first)
    #expect(names(edge) == "source target kind isReversible points")
    let frame = try #require(layout["compartments"].list?.first)
    #expect(names(frame) == "id x y width height")
    let numbers = (edge["points"].list ?? []).flatMap { $0.list ?? [] }.compactMap(\.number)
    #expect(numbers.count >= 4 && numbers.allSatisfy { abs(($0 * 100).rounded() / 100 - $0) < 1e-9 })
  }

  @Test func `written files are described by their name, format and size`() async throws {
    let plugin = try await plugin()
    let folder = try TemporaryFolder()
    let picture = Value.text(folder.url("a.svg").path)
    let drawn = try await plugin.run("draw", ["network": "w-urea", "output": picture]).value
    #expect(names(drawn) == "file format nodes bytes" && drawn["file"] == picture && drawn["format"] == "svg")
    let file = Value.text(folder.url("a.sbml").path)
    let written = try await plugin.run("export", ["network": "w-urea", "format": "sbml", "output": file]).value
    #expect(names(written) == "file format bytes diagnostics" && written["file"] == file)
  }
}
