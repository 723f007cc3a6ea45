import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

struct ModesCommandTests {
  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  @Test(.enabled(if: !ScenarioTruth.names.isEmpty, "the shared data is missing"))
  func `modes of a file are printed with their status first`() async throws {
    let folder = try #require(ScenarioTruth.folder)
    let path = folder.appendingPathComponent("t05_glycolysis_free.json").path
    let value = try await plugin().run("modes", ["network": .text(path)]).value
    #expect(value.record?.fields.first == .init("status", "complete") && value["count"] == 7)
    let modes = try #require(value["modes"].table)
    #expect(modes.columns.map(\.name) == ["mode", "reactions", "fluxes", "isReversible"] && modes.rowCount == 7)
    #expect(modes.row(0) == ["mode": 1, "reactions": 2, "fluxes": ["HK": 1, "G6Pase": 1], "isReversible": false])
    let text = ModesRenderer().render(value, for: TextRequest(width: 60)).plainText
    #expect(text.hasPrefix("complete: 7 elementary modes\n├─ 1: + HK + G6Pase\n"))
    #expect(text.contains("├─ 4: - LDH + PDH\n"))
    let fewer = try await plugin().run("modes", ["network": .text(path), "stop": .list(["PDH"])]).value
    #expect(fewer["count"] == 5 && fewer["unused"] == .list(["PDH"]))
  }

  @Test func `each bundled pathway has a complete set of elementary modes`() async throws {
    let plugin = try await plugin()
    let table = try #require(try await plugin.run(line: "list").value.table)
    for row in 0..<table.rowCount {
      let id = try #require(table.row(row)["id"]?.text)
      let value = try await plugin.run("modes", ["network": .text(id)]).value
      #expect(value["status"] == "complete" && (value["count"].integer ?? 0) > 0, "\(id)")
    }
  }

  @Test func `a closed pathway has longer modes than an open one`() async throws {
    let plugin = try await plugin()
    let id = try #require(try await plugin.run(line: "list --filter glycolysis").value.table?.row(0)["id"]?.text)
    func longest(_ more: Record) async throws -> Int {
      var arguments = more
      arguments["network"] = .text(id)
      let modes = try await plugin.run("modes", arguments).value["modes"].table
      return (0..<(modes?.rowCount ?? 0)).compactMap { modes?.row($0)["reactions"]?.integer }.max() ?? 0
    }
    let (open, closed) = (try await longest([:]), try await longest(["closed": true]))
    #expect(closed > open && closed >= 8)
    let scenarios = try await plugin.run("smda", ["network": .text(id), "closed": true, "page-size": 0]).value
    let count = try #require(BigUnsigned(scenarios["count"].text ?? ""))
    #expect(!count.isZero && count < 34_992)
  }

  @Test func `a million modes are allowed unless a limit is given`() throws {
    let modes = try #require(PathCasePlugin().contributions.commands.first { $0.name == "modes" })
    let limit = try #require(modes.options.first { $0.name == "limit" })
    #expect(limit.defaultValue == 1_000_000 && ElementaryModes.Limits().rays == 1_000_000)
  }

  @Test(.enabled(if: SharedData.folder != nil)) func `more modes than the limit are refused`() async throws {
    let path = try #require(SharedData.folder).path + "/pathcase/sbml/e_coli_core.xml"
    let plugin = try await plugin()
    let error = await #expect(throws: (any Error).self) {
      try await plugin.run("modes", ["network": .text(path), "limit": 200])
    }
    let report = try #require((error as? any ReportableError)?.report)
    #expect(report.code == "pathcase.modes-limit" && report.message.contains("more than 200"))
  }

  @Test(.enabled(if: SharedData.folder != nil, "the shared data is missing"))
  func `e_coli_core without ten of its exchanges has as many modes as efmtool finds`() async throws {
    let path = try #require(SharedData.folder).path + "/pathcase/sbml/e_coli_core.xml"
    let stopped = [
      "acald_e", "akg_e", "fru_e", "fum_e", "gln__L_e", "glu__L_e", "lac__D_e", "mal__L_e", "o2_e", "pyr_e",
    ]
    let value = try await plugin().run(
      "modes", ["network": .text(path), "stop": .list(stopped.map { .text("EX_" + $0) })]
    ).value
    #expect(value["status"] == "complete" && value["count"] == 4771)
  }
}
