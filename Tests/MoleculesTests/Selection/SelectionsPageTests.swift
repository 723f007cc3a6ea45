import Foundation
import TestSupport
import Testing

@testable import Molecules

/// Tests that the page on selections agrees with the program.
struct SelectionsPageTests {
  private func page() throws -> String {
    try String(contentsOf: Checkout.root.appendingPathComponent("Documentation/Selections.md"), encoding: .utf8)
  }

  @Test func `every example on the page can be parsed`() throws {
    var isExample = false
    var wrong: [String] = []
    var count = 0
    for line in try page().split(separator: "\n", omittingEmptySubsequences: false) {
      if line.hasPrefix("```") {
        isExample = line == "```selection"
      } else if isExample, !line.isEmpty {
        count += 1
        let text = line.components(separatedBy: "   #")[0]
        let sets = try SelectionSets(["site=byres within 4 of ligand"])
        if (try? Selection(text, sets: sets)) == nil { wrong.append(String(line)) }
      }
    }
    #expect(wrong == [])
    #expect(count > 30)
  }

  @Test func `every word of the language is documented on the page`() throws {
    let page = try page()
    let missing = SelectionWord.spellings.filter { !page.contains("`\($0)`") }
    #expect(missing == [])
  }
}
