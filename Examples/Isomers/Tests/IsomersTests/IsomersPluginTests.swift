import PluginAPI
import PluginTesting
import Testing

@testable import Isomers

struct IsomersPluginTests {
  /// The plugin, with responses in place of the other plugins.
  private func isomers() async throws -> TestPlugin {
    let isomers = try await TestPlugin(IsomersPlugin())
    isomers.context.answer("molecules.info") { arguments in
      guard arguments["molecule"] == "caffeine" else {
        throw ErrorReport(code: "molecules.unknown", kind: .notFound, "there is no such molecule")
      }
      return ["elements": ["C": 8, "H": 10, "N": 4, "O": 2]]
    }
    isomers.context.answer("pathcase.metabolites") { _ in
      .table(
        Table(columns: [
          .init("id", .texts(["m-x", "m-caf", "m-the", "m-r"])),
          .init("name", .texts(["X", "Caffeine, charged", "Theobromine", "Residue"])),
          .init("formula", .texts(["C2O", "C8H11N4O2", "C7H8N4O2", "C8N4O2R"])),
        ]))
    }
    return isomers
  }

  @Test func `the plugin keeps the rules of the contract`() async {
    #expect(await PluginConformance.check(IsomersPlugin()) == [])
  }

  @Test func `metabolites with the same heavy atoms are found, whatever their hydrogen`() async throws {
    let table = try await isomers().run(line: "find caffeine").value.table
    #expect(table?["id"]?.values == .texts(["m-caf"]))
  }

  @Test func `with a distance the nearest come first`() async throws {
    let table = try await isomers().run("find", ["molecule": "caffeine", "distance": 11]).value.table
    #expect(table?["id"]?.values == .texts(["m-caf", "m-the", "m-x"]))
    #expect(table?["distance"]?.values[2] == 11)
  }

  @Test func `errors of the other plugins are passed on, and results without the fields are an error`() async throws {
    let isomers = try await isomers()
    #expect(await isomers.report("find", ["molecule": "tea"])?.code == "molecules.unknown")
    isomers.context.answer("pathcase.metabolites") { _ in .list([]) }
    #expect(await isomers.report("find", ["molecule": "caffeine"])?.code == "isomers.unexpected-result")
  }

  @Test func `a formula is read as numbers of atoms without hydrogen`() {
    #expect(Composition(formula: "C6H11O9P") == Composition(["C": 6, "O": 9, "P": 1]))
    #expect(Composition(formula: "NaCl") == Composition(["Na": 1, "Cl": 1]))
    for text in ["", "C6R", "6C", "c6", "C-2"] { #expect(Composition(formula: text) == nil) }
  }
}
