import Foundation
import TestSupport
import Testing

@testable import WSABI

/// The table of faults is complete: a missing number, or a test that no longer exists, is found.
@Suite struct FaultTableTests {
  private static let tests = Checkout.root.path + "/Tests/WSABITests"

  /// Returns the names of all tests of this target.
  static func names() throws -> Set<String> {
    var names: Set<String> = []
    let files = try FileManager.default.subpathsOfDirectory(atPath: tests).filter { $0.hasSuffix("Tests.swift") }
    for file in files {
      let text = try String(contentsOfFile: tests + "/" + file, encoding: .utf8)
      for rest in text.components(separatedBy: "func `").dropFirst() {
        names.insert(String(rest.prefix { $0 != "`" }))
      }
    }
    return names
  }

  @Test func `every fault has a unique number and name, an expected result and tests`() {
    #expect(FaultTable.all.map(\.number) == Array(1...52))
    #expect(Set(FaultTable.all.map(\.name)).count == 52)
    #expect(FaultTable.all.allSatisfy { !$0.expected.isEmpty && !$0.tests.isEmpty })
  }

  @Test func `every test that the fault table names exists`() throws {
    let names = try Self.names()
    #expect(names.count > 300)
    for row in FaultTable.all {
      for test in row.tests { #expect(names.contains(test), "\(row.number) \(row.name): \(test)") }
    }
  }

  /// Tests that begin with a number show the fault with that number.
  @Test func `every numbered test is in the fault table`() throws {
    for name in try Self.names() {
      let bare = name.hasPrefix("case ") ? String(name.dropFirst(5)) : name
      guard let colon = bare.firstIndex(of: ":"), bare.first?.isNumber == true else { continue }
      for word in bare[..<colon].components(separatedBy: " and ") {
        guard let number = Int(word) else { continue }
        let row = FaultTable.all.first { $0.number == number }
        #expect(row?.tests.contains(name) == true, "\(number): \(name)")
      }
    }
  }

  @Test func `every fault that the catalog test covers has a case with its number`() {
    let catalogue = "each fault of a service has the listed outcome"
    let numbers = Set(FaultCases.all.map(\.number))
    for row in FaultTable.all where row.tests.contains(catalogue) {
      #expect(numbers.contains(row.number), "\(row.number) \(row.name)")
    }
  }
}
