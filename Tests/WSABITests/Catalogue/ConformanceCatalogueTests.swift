import Foundation
import TestSupport
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The conformance catalog is whole, and its page lists it by name.
@Suite struct ConformanceCatalogueTests {
  @Test func `every situation of the catalog is played by the client`() {
    let plays = Set(ClientPlays.all.map(\.name))
    for row in ConformanceCatalogue.all {
      #expect(!row.plays.isEmpty, "\(row.name)")
      for name in row.plays { #expect(plays.contains(name), "\(row.name): \(name)") }
    }
  }

  @Test func `every response that the catalog names is in the client's table`() {
    let names = Set(Situation.all.map(\.name))
    for row in ConformanceCatalogue.all {
      for name in row.situations { #expect(names.contains(name), "\(row.name): \(name)") }
    }
    #expect(Set(ConformanceCatalogue.all.map(\.name)).count == ConformanceCatalogue.all.count)
  }

  @Test func `every test that the catalog names exists`() throws {
    let names = try FaultTableTests.names()
    for row in ConformanceCatalogue.all {
      for test in row.tests { #expect(names.contains(test), "\(row.name): \(test)") }
    }
  }

  @Test func `the conformance page matches the catalog`() throws {
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
      "This page lists the requirements that the client is tested against. `ConformanceCatalogueTests` writes it, and",
      "fails if it differs from the tables of the tests.", "",
      "## Client situations", "",
      "The client plays each situation with a simulated sensor in \(dialects)",
      "(\(plays) situations, \(plays * count) plays). A step names the client, its request and the expected status, which is",
      "`success` if omitted. Between requests are expected states: the holder of the lock (`holder`), the open sessions",
      "(`registered`), the status (`sensor`) and configuration (`set`) of the sensor, its counts of captures (`ledger`)",
      "and downloads (`downloads`), the requests it received (`asked`), and what the client received (`told`, `data`).",
      "`M` is a full link that captures for an item and stores the data. `X` has an unknown session id, `?` a malformed",
      "one. After a bar follows the behavior of NIST's Java service, if it differs.",
      "",
    ]
    lines += ClientPlays.all.map { "- \($0.name): `\($0.steps.joined(separator: "; "))`" }
    lines += [
      "", "## Responses", "",
      "Each is requested in \(dialects) (\(answers) responses, \(answers * count) requests), and",
      "must be read as written. Names in parentheses are those of NIST's own tests.", "",
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
    lines += ["Covered by further tests:", ""]
    for row in ConformanceCatalogue.all where !row.tests.isEmpty {
      lines.append("- \(row.name): \(row.tests.joined(separator: "; "))")
    }
    lines += [
      "", "## Faults", "", "Each test causes its fault and checks the outcome.", "",
      "| # | fault | expected outcome | tests |", "|---|---|---|---|",
    ]
    for row in FaultTable.all {
      lines.append("| \(row.number) | \(row.name) | \(row.expected) | \(row.tests.joined(separator: "; ")) |")
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
