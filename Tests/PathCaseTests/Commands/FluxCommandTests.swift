import FoundationEssentials
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

struct FluxCommandTests {
  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  /// Returns a model in COBRA JSON: `in` produces a, `on` converts a to b, `out` consumes b, `dead` produces c, which
  /// nothing consumes.
  private static func model(lowerOfOn: Int = 0, lowerOfDead: Int = 0) -> String {
    func reaction(_ id: String, _ parts: String, _ lower: Int) -> String {
      """
      {"id": "\(id)", "name": "step \(id)", "metabolites": {\(parts)}, "lower_bound": \(lower), "upper_bound": 9,
       "gene_reaction_rule": "", "objective_coefficient": \(id == "out" ? 1 : 0)}
      """
    }
    let reactions = [
      reaction("in", #""a_c": 1"#, 0), reaction("on", #""a_c": -1, "b_c": 1"#, lowerOfOn),
      reaction("out", #""b_c": -1"#, 0),
      reaction("dead", #""a_c": -1, "c_c": 1"#, lowerOfDead),
    ]
    let metabolites = ["a_c", "b_c", "c_c"].map { #"{"id": "\#($0)", "name": "", "compartment": "c"}"# }
    return """
      {"id": "m", "compartments": {"c": ""}, "genes": [], "metabolites": [\(metabolites.joined(separator: ", "))],
       "reactions": [\(reactions.joined(separator: ", "))]}
      """
  }

  @Test func `blocked reactions are listed in their own table`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.model().utf8), "m.json").path
    let plugin = try await plugin()
    let table = try #require(try await plugin.run("blocked", ["network": .text(path)]).value.table)
    #expect(table.rowCount == 1)
    #expect(table.row(0)["reaction"] == "dead" && table.row(0)["name"] == "step dead")
    let all = try await plugin.run("blocked", ["network": .text(path), "tolerance": 1]).value.table
    #expect(all?.rowCount == 1)
    let ranges = try #require(try await plugin.run("fva", ["network": .text(path)]).value.table)
    #expect(ranges.columns.map(\.name) == ["reaction", "minimum", "maximum"])
  }

  /// A model in COBRA JSON: `step` needs one of two genes, and `left` and `right`, each with a gene, do the same.
  private static let branches: String = {
    func reaction(_ id: String, _ parts: String, _ rule: String) -> String {
      """
      {"id": "\(id)", "name": "", "metabolites": {\(parts)}, "lower_bound": 0, "upper_bound": 9,
       "gene_reaction_rule": "\(rule)", "objective_coefficient": \(id == "out" ? 1 : 0)}
      """
    }
    let reactions = [
      reaction("in", #""a_c": 1"#, ""), reaction("step", #""a_c": -1, "b_c": 1"#, "g1 or g2"),
      reaction("left", #""b_c": -1, "c_c": 1"#, "g3"), reaction("right", #""b_c": -1, "c_c": 1"#, "g4"),
      reaction("out", #""c_c": -1"#, ""),
    ]
    let metabolites = ["a_c", "b_c", "c_c"].map { #"{"id": "\#($0)", "name": "", "compartment": "c"}"# }
    let genes = ["g1", "g2", "g3", "g4"].map { #"{"id": "\#($0)", "name": ""}"# }
    return """
      {"id": "m", "compartments": {"c": ""}, "genes": [\(genes.joined(separator: ", "))],
       "metabolites": [\(metabolites.joined(separator: ", "))], "reactions": [\(reactions.joined(separator: ", "))]}
      """
  }()

  @Test func `pairs have the objectives of the pair and of each deletion alone`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.branches.utf8), "m.json").path
    let plugin = try await plugin()
    let pairs = try #require(
      try await plugin.run("deletions", ["network": .text(path), "pairs": true]).value.table)
    #expect(pairs.rowCount == 10)
    #expect(pairs.row(0)["id"] == "in" && pairs.row(0)["second"] == "step" && pairs.row(0)["objective"]?.number == 0)
    let row = pairs.row(7)
    #expect(row["id"] == "left" && row["second"] == "right" && row["status"] == "optimal")
    #expect(["objective", "firstObjective", "secondObjective"].map { row[$0]?.number } == [0, 9, 9])
    let lethal = try #require(
      try await plugin.run("deletions", ["network": .text(path), "synthetic-lethal": true]).value.table)
    #expect(lethal.rowCount == 1 && lethal.row(0) == row)
    let genes = try #require(
      try await plugin.run("deletions", ["network": .text(path), "genes": true, "synthetic-lethal": true]).value.table)
    #expect((0..<genes.rowCount).map { genes.row($0)["id"] } == ["g1", "g3"])
    #expect((0..<genes.rowCount).map { genes.row($0)["second"] } == ["g2", "g4"])
    #expect(genes.columns[0].title == "Gene")
    // Single deletions have no second one.
    let single = try #require(try await plugin.run("deletions", ["network": .text(path)]).value.table)
    #expect(single.rowCount == 5)
    #expect(single.row(0)["objective"]?.number == 0 && single.row(0)["second"]?.isNull == true)
    let none = try await plugin.run(
      "deletions", ["network": .text(path), "synthetic-lethal": true, "part": "1/10"]
    ).value.table
    #expect(none?.rowCount == 0)
  }

  @Test(arguments: [1, 2, 3, 7, 12]) func `the parts of a result have the rows of the whole result, in order`(
    _ count: Int
  ) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.branches.utf8), "m.json").path
    let plugin = try await plugin()
    for (command, options) in [("fva", [:]), ("deletions", [:]), ("deletions", ["pairs": true])] as [(String, Record)] {
      var arguments: Record = options
      arguments["network"] = .text(path)
      let whole = try #require(try await plugin.run(command, arguments).value.table)
      var rows: [Record] = []
      for number in 1...count {
        arguments["part"] = .text("\(number)/\(count)")
        let part = try #require(try await plugin.run(command, arguments).value.table)
        rows += (0..<part.rowCount).map(part.row)
      }
      #expect(rows == (0..<whole.rowCount).map(whole.row), "\(command)")
    }
  }

  @Test(arguments: ["0/3", "4/3", "3", "1/2/3", "1/1000001"], ["fva", "deletions"])
  func `a part that does not exist is an error that states the expected form`(_ text: String, _ command: String)
    async throws
  {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.branches.utf8), "m.json").path
    let report = try #require(await plugin().report(command, ["network": .text(path), "part": .text(text)]))
    #expect(report.code == "pathcase.bad-part" && report.exitStatus == 2)
    #expect(report.message == "'\(text)' is not a part")
    #expect(report.advice == "give K/N with K from 1 to N and N up to 1000000, such as 3/100")
  }

  @Test(arguments: ["fba", "pfba", "fva", "blocked", "deletions", "modes"])
  func `a reaction whose bounds cross is named in the error`(_ command: String) async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.model(lowerOfOn: 10).utf8), "m.json").path
    let report = try #require(await plugin().report(command, ["network": .text(path)]))
    #expect(report.code == "pathcase.no-optimum" && report.exitStatus == 5)
    #expect(report.message.contains("'on'") && report.message.contains("10") && report.message.contains("9"))
    #expect(report.details["reaction"] == "on")
  }

  @Test(
    arguments: [
      ("fba", [:]), ("pfba", [:]), ("fva", [:]), ("blocked", [:]), ("deletions", [:]), ("deletions", ["genes": true]),
      ("deletions", ["pairs": true]), ("deletions", ["synthetic-lethal": true]),
    ] as [(String, Record)])
  func `a model that is infeasible itself is an error`(_ command: String, _ options: Record) async throws {
    let folder = try TemporaryFolder()
    // The model must make c, which nothing consumes.
    let path = try folder.write(Array(Self.model(lowerOfDead: 1).utf8), "m.json").path
    var arguments = options
    arguments["network"] = .text(path)
    let report = try #require(await plugin().report(command, arguments))
    #expect(report.code == "pathcase.no-optimum" && report.exitStatus == 5)
    #expect(report.message == "there are no optimal fluxes: the problem is infeasible")
  }

  @Test func `an unknown reaction is an error that says how to find the right one`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.model().utf8), "m.json").path
    let plugin = try await plugin()
    for (command, options) in [("fba", ["maximize": "nope"]), ("modes", ["stop": .list(["nope"])])]
      as [(String, Record)]
    {
      var arguments = options
      arguments["network"] = .text(path)
      let report = try #require(await plugin.report(command, arguments))
      #expect(report.code == "pathcase.unknown-reaction" && report.message == "the model has no reaction 'nope'")
      #expect(report.advice == "list them with 'workbench pathcase layout \(path)'", "\(command)")
    }
    let near = try #require(await plugin.report("fba", ["network": .text(path), "maximize": "deat"]))
    #expect(near.advice == "did you mean 'dead'?")
  }

  @Test(arguments: ["fba", "pfba", "fva", "blocked", "deletions"])
  func `a pathway without flux bounds is named in an error with advice`(_ command: String) async throws {
    let report = try #require(await plugin().report(command, ["network": "glycolysis"]))
    #expect(report.code == "pathcase.no-fluxes" && report.message == "'w-glycolysis' has no flux bounds")
    #expect(report.advice == "give a model in SBML or COBRA JSON")
  }

  @Test func `a missing path is an error with advice`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.model().utf8), "m.json").path
    let plugin = try await plugin()
    let found = try await plugin.run("path", ["from": "a_c", "to": "b_c", "in": .text(path)]).value.table
    #expect(found?.rowCount == 3)
    let report = await plugin.report("path", ["from": "c_c", "to": "b_c", "in": .text(path)])
    #expect(report?.code == "pathcase.no-path" && report?.exitStatus == 3)
    #expect(report?.message == "no path leads from 'c_c' to 'b_c'" && report?.advice?.contains("--common") == true)
  }

  @Test func `a reaction with a boundary species is a boundary reaction`() async throws {
    let text = """
      <sbml xmlns="http://www.sbml.org/sbml/level2/version4" level="2" version="4"><model id="m">
      <listOfCompartments><compartment id="c"/></listOfCompartments>
      <listOfSpecies><species id="a" compartment="c"/><species id="b" compartment="c"/>
      <species id="a_b" compartment="c" boundaryCondition="true"/></listOfSpecies>
      <listOfReactions>
      <reaction id="in"><listOfReactants><speciesReference species="a_b"/></listOfReactants>
      <listOfProducts><speciesReference species="a"/></listOfProducts></reaction>
      <reaction id="on"><listOfReactants><speciesReference species="a"/></listOfReactants>
      <listOfProducts><speciesReference species="b"/></listOfProducts></reaction>
      <reaction id="out"><listOfReactants><speciesReference species="b"/></listOfReactants></reaction>
      </listOfReactions></model></sbml>
      """
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(text.utf8), "m.xml").path
    let info = try await plugin().run("info", ["network": .text(path)]).value
    #expect(info["boundaryReactions"] == 2)
  }

  @Test func `fluxes in a table are drawn as an overlay`() async throws {
    let folder = try TemporaryFolder()
    let path = try folder.write(Array(Self.model().utf8), "m.json").path
    let plugin = try await plugin()
    for (name, text) in [
      ("f.csv", "id,fluxes\r\nin,9\r\non,9\r\nout,9\r\n"), ("f.tsv", "in\t9\non\t9\nout\t9\n"),
      ("f.json", #"{"in": 9, "on": 9, "out": 9}"#),
    ] {
      let numbers = try folder.write(Array(text.utf8), name).path
      let drawn = try await plugin.run("draw", ["network": .text(path), "overlay": .text(numbers)])
      #expect(drawn.diagnostics.isEmpty, "\(name)")
      #expect(drawn.value.text?.contains("<svg") == true, "\(name)")
    }
    let wrong = try folder.write(Array("id,value\nin,many\n".utf8), "wrong.csv").path
    let report = await plugin.report("draw", ["network": .text(path), "overlay": .text(wrong)])
    #expect(report?.code == "pathcase.typ-001" && report?.details["file"] == .text(wrong))
    #expect(report?.message.hasPrefix("'\(wrong)': ") == true && report?.message.contains("'in' in line 2") == true)
  }

  @Test(arguments: ["fba", "pfba", "fva", "blocked", "deletions"])
  func `a pathway of the database has no flux bounds`(command: String) async throws {
    let plugin = try await plugin()
    let report = await plugin.report(command, ["network": "w-tca"])
    #expect(report?.code == "pathcase.no-fluxes" && report?.message == "'w-tca' has no flux bounds")
    #expect(report?.advice == "give a model in SBML or COBRA JSON")
  }

  @Test func `the advice about a missing overlay file does not suggest a pathway`() async throws {
    let plugin = try await plugin()
    let report = await plugin.report("draw", ["network": "w-tca", "overlay": "none/such.csv"])
    #expect(report?.code == "pathcase.no-file" && report?.message == "there is no file 'none/such.csv'")
    #expect(report?.advice == "check its name and folder")
  }
}
