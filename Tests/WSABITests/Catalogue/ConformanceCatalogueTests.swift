import Foundation
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The conformance catalog is whole, and its page lists it by name.
@Suite struct ConformanceCatalogueTests {
  @Test func `every situation of the catalogue is played by the client`() {
    let plays = Set(ClientPlays.all.map(\.name))
    for row in ConformanceCatalogue.all {
      #expect(!row.plays.isEmpty, "\(row.name)")
      for name in row.plays { #expect(plays.contains(name), "\(row.name): \(name)") }
    }
  }

  @Test func `every answer that the catalogue names is in the table of the client`() {
    let names = Set(Situation.all.map(\.name))
    for row in ConformanceCatalogue.all {
      for name in row.situations { #expect(names.contains(name), "\(row.name): \(name)") }
    }
    #expect(Set(ConformanceCatalogue.all.map(\.name)).count == ConformanceCatalogue.all.count)
  }

  @Test func `every test that the catalogue names is there`() throws {
    let names = try FaultTableTests.names()
    for row in ConformanceCatalogue.all {
      for test in row.tests { #expect(names.contains(test), "\(row.name): \(test)") }
    }
  }

  @Test func `the page lists every situation, every fault and what shows it`() throws {
    let path = Checkout.root.path + "/Documentation/WSABI/Conformance.md"
    if ProcessInfo.processInfo.environment["RECORD_SNAPSHOTS"] == "1" {
      try Self.page.write(toFile: path, atomically: true, encoding: .utf8)
    }
    let found = try? String(contentsOfFile: path, encoding: .utf8)
    #expect(found == Self.page, "record it anew with RECORD_SNAPSHOTS=1")
  }

  /// The page, as it has to be.
  private static var page: String {
    let dialects =
      "\(ProtocolNamespace.allCases.count) namespaces × \(DocumentStyle.allCases.count) ways of writing XML"
    let (plays, answers, count) = (ClientPlays.all.count, Situation.all.count, SituationTests.dialects.count)
    var lines = [
      "# Conformance", "",
      "What the client is held against, by name. The page is written by `ConformanceCatalogueTests`, which fails where it and",
      "the tables of the tests differ.", "",
      "## Situations that are played", "",
      "The product's client plays each with a simulated sensor in \(dialects)",
      "(\(plays) situations, \(plays * count) plays). A step says who asks what, and what must come of it, which is `success`",
      "where nothing stands; between them stands how things must be: who has the lock (`holder`), whose sessions there are",
      "(`registered`), how the `sensor` is and what it is `set` to, how many captures it made (`ledger`) and sent (`downloads`),",
      "what reached it (`asked`), what came (`told`, `data`). `M` is a whole link that captures for an item and keeps what comes;",
      "`X` has an id that nobody has, `?` one that is none. Behind a bar stands what Java's service does otherwise.",
      "",
    ]
    lines += ClientPlays.all.map { "- \($0.name): `\($0.steps.joined(separator: "; "))`" }
    lines += [
      "", "## Answers that are read", "",
      "Each is asked and answered in \(dialects) (\(answers) answers, \(answers * count) questions),",
      "and read as it was written. Behind a name stands what NIST's own tests call it.", "",
    ]
    let called = Dictionary(
      grouping: ConformanceCatalogue.all.flatMap { row in row.situations.map { ($0, row.name) } }, by: \.0)
    for operation in SensorOperation.allCases {
      let situations = Situation.all.filter { $0.operation == operation }
      if situations.isEmpty { continue }
      lines += ["**\(operation.words)**", ""]
      for situation in situations {
        let names = (called[situation.name] ?? []).map(\.1).filter { $0 != situation.name }
        lines.append(
          "- \(situation.name): `\(situation.result.status)`"
            + (names.isEmpty ? "" : " (\(names.joined(separator: ", ")))"))
      }
      lines.append("")
    }
    lines += ["Shown by further tests:", ""]
    for row in ConformanceCatalogue.all where !row.tests.isEmpty {
      lines.append("- \(row.name): \(row.tests.joined(separator: "; "))")
    }
    lines += [
      "", "## Faults", "", "Every test named makes the fault and looks at what comes of it.", "",
      "| # | fault | what must come of it | tests |", "|---|---|---|---|",
    ]
    for row in FaultTable.all {
      lines.append("| \(row.number) | \(row.name) | \(row.expected) | \(row.tests.joined(separator: "; ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
