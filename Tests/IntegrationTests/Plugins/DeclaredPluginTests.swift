import Foundation
import TestSupport
import Testing

/// Outputs, parameters, parts and errors that a plugin in a library of its own declares once.
struct DeclaredPluginTests {
  private static let library = Result { try PluginFixture.swift("Declared", contract: .built) }
  private let home: PluginHome

  init() throws {
    home = try PluginHome(withPlugin: false)
    try home.folder.write(try Self.library.get(), "plugins/libDeclared.so")
  }

  private func csv(_ words: String...) throws -> [String] {
    try home.run(["declared"] + words, "--csv").output.split(whereSeparator: \.isNewline).map(String.init)
  }

  @Test func `fields with a heading become columns of a table`() throws {
    #expect(try csv("list") == ["symbol,atomicWeight,phase", "H,1.008,gas", "Hg,200.592,liquid"])
    let text = try home.run("declared", "list").output
    #expect(text.contains("Weight") && text.contains("dalton") && text.contains("200.59\u{20}"))
  }

  @Test func `a model is a record in JSON, and a page with headings and units in text`() throws {
    let json = try home.run("declared", "show", "H", "--json")
    #expect(
      json.output
        == #"[{"symbol":"H","atomicWeight":1.008,"phase":"gas","isotopes":[{"nucleons":1,"abundance":99.985},"#
        + #"{"nucleons":3,"abundance":null}]}]"# + "\n")
    let text = try home.run("declared", "show", "H").output
    #expect(text.contains("Weight    1.01 dalton"))
    #expect(text.contains("100.0") && text.contains("Abundance"))
  }

  @Test func `typed options are validated, have defaults and appear in help`() throws {
    #expect(try csv("list", "--phase", "liquid").dropFirst() == ["Hg,200.592,liquid"])
    #expect(try home.run("declared", "list", "--limit", "1", "--json").rows.count == 1)
    #expect(try home.run("declared", "list", "--phase", "plasma", "--json").status == 2)
    #expect(try home.run("declared", "list", "--limit", "0", "--json").status == 2)
    #expect(try home.run("declared", "list", "--since", "2026-11-20").errors.contains("since 1795132800"))
    let date = try home.run("declared", "list", "--since", "yesterday")
    #expect(date.status == 2)
    #expect(date.errors.contains("'yesterday' is not a date such as 2026-11-20 or 2026-11-20T06:30"))
    let help = try home.run("help", "declared", "list").output
    #expect(help.contains("--phase WORD") && help.contains("solid, liquid, gas") && help.contains("--since DATE"))
  }

  @Test func `an error has the kind and catalog entry declared with its code`() throws {
    let outcome = try home.run("declared", "show", "Xx", "--json")
    #expect(outcome.status == 3)
    #expect(outcome.errorCode == "declared.unknown-element")
    #expect(try home.run("help", "errors").output.contains("no element has this symbol"))
  }

  @Test func `an output's schema has its field names and descriptions`() throws {
    let schema = try home.run("help", "schema", "declared", "show").output
    #expect(schema.contains("\"atomicWeight\"") && schema.contains("Phase at room temperature"))
  }

  @Test(arguments: [
    ("wait", ["loaded H"], []), ("wait 2 wait", ["loaded H", "loaded Hg"], ["never", "canceled"]),
    ("wait f wait", ["loaded H", "failed with declared.unknown-element", "there is no element 'Xx'"], []),
    ("wait s wait", ["loaded H", "canceled"], ["never"]), ("wait c wait", ["sum 201.6"], []),
    ("wait a wait type:Hg enter wait", ["loaded H", "loaded Hg"], []),
  ])
  func `a screen receives results of its newest work, failures and answers`(
    keys: String, shown: [String], hidden: [String]
  ) throws {
    let outcome = try home.run("run", "declared", "--headless", "60x12", "--keys", keys)
    #expect(outcome.status == 0)
    for text in shown { #expect(outcome.output.contains(text)) }
    for text in hidden { #expect(!outcome.output.contains(text)) }
  }
}
