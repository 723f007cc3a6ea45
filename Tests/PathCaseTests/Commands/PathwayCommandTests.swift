import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

struct PathwayCommandTests {
  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  @Test func `the plugin conforms to the contract`() async {
    let resources = Checkout.root.path + "/Plugins/PathCase/Resources"
    let found = await PluginConformance.check(PathCasePlugin(), resources: resources)
    // '--output' belongs to the host for pictures, as in other plugins, and to commands that write other files.
    #expect(
      found.filter { $0.severity != .note && $0.severity != .debug }.map(\.message) == [
        "command 'draw' has option '--output', which is the host's own",
        "command 'export' has option '--output', which is the host's own",
      ])
  }

  @Test func `each bundled pathway is listed, described, laid out and drawn`() async throws {
    let plugin = try await plugin()
    let table = try #require(try await plugin.run(line: "list").value.table)
    #expect(table.rowCount >= 16)
    for row in 0..<table.rowCount {
      let id = try #require(table.row(row)["id"]?.text)
      let info = try await plugin.run("info", ["network": .text(id)]).value
      #expect(info["processes"] == table.row(row)["processes"], "\(id)")
      let layout = try await plugin.run("layout", ["network": .text(id)]).value
      #expect((layout["nodes"].list?.count ?? 0) > 1 && (layout["edges"].list?.count ?? 0) > 0, "\(id)")
      let drawing = try #require(try await plugin.run("show", ["network": .text(id)]).value.text, "\(id)")
      #expect(drawing.contains("┌") || drawing.contains("│"), "\(id)")
    }
  }

  @Test func `ids and names in arguments are completed by the command that lists them`() {
    let commands = PathCaseCommands.all.map(\.declaration)
    func completion(_ command: String, _ parameter: String) -> String? {
      let parameters = commands.first { $0.name == command }.map { $0.arguments + $0.options } ?? []
      return parameters.first { $0.name == parameter }?.completion.map { "\($0.command) \($0.column)" }
    }
    for command in ["info", "show", "draw", "layout", "export", "smda", "fba", "pfba", "fva", "deletions", "modes"] {
      #expect(completion(command, "network") == "list id", "\(command)")
    }
    #expect(completion("freeze", "pathway") == "list id" && completion("processes", "pathway") == "list id")
    #expect(completion("path", "in") == "list id" && completion("smda", "pathway-on") == "list id")
    for option in ["active", "forward", "backward", "idle"] { #expect(completion("smda", option) == "processes id") }
    #expect(completion("modes", "stop") == "processes id")
    #expect(completion("forget", "id") == "imports id")
    #expect(completion("fba", "maximize") == "processes id" && completion("fva", "minimize") == "processes id")
    #expect(completion("path", "from") == "metabolites name" && completion("path", "to") == "metabolites name")
    #expect(completion("neighbors", "name") == "metabolites name")
  }

  @Test func `a PNG scaled below its usual size is reported`() async throws {
    let folder = try TemporaryFolder()
    let plugin = try await plugin()
    func codes(_ options: [String: Value], _ name: String) async throws -> [String] {
      var arguments: Record = ["network": "w-cori", "output": .text(folder.url(name).path)]
      for (name, value) in options { arguments[name] = value }
      return try await plugin.run("draw", arguments).diagnostics.map(\.code)
    }
    #expect(try await codes([:], "a.png") == ["pathcase.picture-scaled"])
    // Width and height are at bytes 16 to 24 of a PNG.
    let sides = try Data(contentsOf: folder.url("a.png"))[16..<24]
    let (width, height) = (
      sides.prefix(4).reduce(0) { $0 << 8 + Int($1) }, sides.suffix(4).reduce(0) { $0 << 8 + Int($1) }
    )
    #expect(max(width, height) == 4000)
    #expect(try await codes(["width": 1000], "b.png") == [])
    #expect(try await codes([:], "c.svg") == [])
  }

  @Test func `a pathway is found by its id, its name or the start of its name`() async throws {
    let plugin = try await plugin()
    let table = try #require(try await plugin.run(line: "list --filter glycolysis").value.table)
    let (id, name) = (try #require(table.row(0)["id"]?.text), try #require(table.row(0)["name"]?.text))
    for word in [id, name, name.uppercased()] {
      #expect(try await plugin.run("info", ["network": .text(word)]).value["id"] == .text(id), "\(word)")
    }
    let error = await #expect(throws: (any Error).self) { try await plugin.run(line: "info glycolisis") }
    let report = try #require((error as? any ReportableError)?.report)
    #expect(report.code == "pathcase.unknown-pathway" && report.kind == .notFound)
  }

  @Test func `'processes' refuses names that are not pathways`() async throws {
    let plugin = try await plugin()
    let some = try #require(try await plugin.run(line: "processes --pathway glycolysis").value.table)
    let all = try #require(try await plugin.run(line: "processes").value.table)
    #expect(some.rowCount > 5 && some.rowCount < all.rowCount)
    let file = Checkout.root.path + "/Plugins/PathCase/Resources/database/processes.xml"
    for (word, code) in [(file, "pathcase.not-a-pathway"), ("glycolisis", "pathcase.unknown-pathway")] {
      #expect(await plugin.report("processes", ["pathway": .text(word)])?.code == code)
      #expect(await plugin.report("freeze", ["pathway": .text(word)])?.code == code)
    }
  }

  @Test func `'info' uses the contract's names and lists each link once`() async throws {
    let plugin = try await plugin()
    let info = try await plugin.run(line: "info glycolysis").value
    #expect(info["species"] == info["pools"] && info["reactions"] == info["processes"] && info["diagnostics"] == 0)
    let links = (info["links"].list ?? []).compactMap(\.text)
    #expect(links.count > 3 && Set(links).count == links.count)
    #expect(try await plugin.run(line: "info tca").value["id"] == "w-tca")
  }

  @Test func `metabolites are found by common names`() async throws {
    let plugin = try await plugin()
    let way = try #require(try await plugin.run(line: "path glucose lactate --in w-glycolysis").value.table)
    #expect(way.row(0)["name"]?.text == "D-Glucose" && way.row(way.rowCount - 1)["name"]?.text == "L-Lactate")
    let error = await #expect(throws: (any Error).self) { try await plugin.run(line: "neighbors glucos") }
    #expect((error as? any ReportableError)?.report.code == "pathcase.unknown-node")
    let advice = await plugin.report("neighbors", ["name": "qqqqqqqq", "in": "w-tca"])?.advice
    #expect(advice == "list them with 'workbench pathcase layout w-tca'")
  }

  @Test func `an export without a format and a file is an error`() async throws {
    let plugin = try await plugin()
    let error = await #expect(throws: (any Error).self) { try await plugin.run(line: "export w-tca") }
    #expect((error as? any ReportableError)?.report.code == "pathcase.no-format")
  }

  @Test func `a filter by a pathway outside the network and a page after the last are reported`() async throws {
    let plugin = try await plugin()
    let error = await #expect(throws: (any Error).self) {
      try await plugin.run(line: "smda glycolysis --pathway-on w-urea")
    }
    let report = try #require((error as? any ReportableError)?.report)
    #expect(report.code == "pathcase.nothing-of-pathway" && report.message.contains("w-urea"))
    let far = try await plugin.run(line: "smda glycolysis --page 99999")
    #expect(far.diagnostics.map(\.code) == ["pathcase.no-such-page"])
    #expect(try await plugin.run(line: "smda glycolysis --page 2").diagnostics.isEmpty)
  }

  @Test func `neighbors of a process are listed, and a path from a process to itself is found`() async throws {
    let plugin = try await plugin()
    let id = try #require(try await plugin.run(line: "list --filter glycolysis").value.table?.row(0)["id"]?.text)
    let processes = try #require(
      try await plugin.run("processes", ["pathway": .text(id)]).value.table)
    let first = try #require(processes.row(0)["id"]?.text)
    let next = try #require(
      try await plugin.run("neighbors", ["name": .text(first), "in": .text(id)]).value.table)
    #expect(next.rowCount >= 2)
    let missing = try await plugin.run("path", ["from": .text(first), "to": .text(first), "in": .text(id)])
    #expect(missing.value.table?.rowCount == 1)
  }

  @Test func `scenarios of a pathway are counted and listed`() async throws {
    let plugin = try await plugin()
    let id = try #require(try await plugin.run(line: "list --filter glycolysis").value.table?.row(0)["id"]?.text)
    let all = try await plugin.run("smda", ["network": .text(id), "page-size": 3]).value
    #expect(all["mode"] == "necessary" && all["scenarios"].list?.count == 3)
    #expect((all["count"].text?.count ?? 0) > 1 && all["conflicts"].list?.isEmpty == true)
    let process = try #require(all["scenarios"].list?.first?.record?.fields.first?.name)
    let some = try await plugin.run("smda", ["network": .text(id), "active": .list([.text(process)])]).value
    #expect(some["mustActive"].list?.contains(.text(process)) == true)
  }

  @Test func `fluxes of a model without an objective come with a warning`() async throws {
    let folder = try TemporaryFolder()
    let text = """
      {"id": "m", "compartments": {"c": ""}, "genes": [], "metabolites": [{"id": "a_c", "name": "a", "compartment": "c"}],
       "reactions": [{"id": "in", "name": "", "metabolites": {"a_c": 1}, "lower_bound": 0, "upper_bound": 9,
         "gene_reaction_rule": ""}, {"id": "out", "name": "", "metabolites": {"a_c": -1}, "lower_bound": 0,
         "upper_bound": 9, "gene_reaction_rule": ""}]}
      """
    let path = try folder.write(Array(text.utf8), "none.json").path
    let plugin = try await plugin()
    for (command, isTold) in [("fba", true), ("pfba", true), ("deletions", true), ("fva", false)] {
      let result = try await plugin.run(command, ["network": .text(path)])
      #expect(result.diagnostics.contains { $0.code == "pathcase.no-objective" } == isTold, "\(command)")
      let named = try await plugin.run(command, ["network": .text(path), "maximize": "out"])
      #expect(!named.diagnostics.contains { $0.code == "pathcase.no-objective" }, "\(command)")
    }
  }

  @Test(.enabled(if: SharedData.folder != nil)) func `models in files are described and analyzed`() async throws {
    let plugin = try await plugin()
    let shared = try #require(SharedData.folder).path
    let path = shared + "/pathcase/sbml/e_coli_core.xml"
    let info = try await plugin.run("info", ["network": .text(path)]).value
    #expect(info["species"] == 72 && info["reactions"] == 95 && info["genes"] == 137)
    let best = try await plugin.run("fba", ["network": .text(path)]).value
    #expect(abs((best["objective"].number ?? 0) - 0.8739215069684) < 1e-6 && best["status"] == "optimal")
    // The prefix of SBML ids is optional, and both ends cannot be requested at once.
    let other = try await plugin.run("fba", ["network": .text(path), "maximize": "ATPM"]).value
    #expect(other["status"] == "optimal" && (other["objective"].number ?? 0) > 100)
    // Processes of scenarios have the same names.
    let growing: Record = ["network": .text(path), "forward": .list(["BIOMASS_Ecoli_core_w_GAM"]), "page-size": 1]
    let growth = try await plugin.run("smda", growing).value
    #expect(growth["mustForward"].list?.contains("R_BIOMASS_Ecoli_core_w_GAM") == true)
    for (values, code) in [
      (["maximize": "ATPM", "minimize": "PFK"] as Record, "pathcase.two-objectives"),
      (["maximize": "ATPMX"], "pathcase.unknown-reaction"),
    ] {
      let error = await #expect(throws: (any Error).self) {
        try await plugin.run("fba", Record(values.fields + [Record.Field("network", .text(path))]))
      }
      #expect((error as? any ReportableError)?.report.code == code)
    }
    let ranges = try #require(try await plugin.run("fva", ["network": .text(path)]).value.table)
    #expect(ranges.rowCount == 95)
    let network = shared + "/pathcase/smda/e1_e_coli_core_free.json"
    let scenarios = try await plugin.run("smda", ["network": .text(network), "page-size": 1]).value
    #expect(scenarios["count"] == "4107427068928")
  }
}
