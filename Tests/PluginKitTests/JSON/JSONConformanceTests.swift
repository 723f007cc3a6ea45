import JSONDocuments
import PluginJSON
import PluginText
import TestSupport
import Testing

struct JSONConformanceTests {
  @Test(arguments: JSONCases.all) func `documents are parsed as RFC 8259 specifies`(one: JSONCases.Case) {
    #expect(JSONTrace().read(one.document, ends: []) == one.trace)
  }

  @Test func `every document gives the same events however it is chunked`() {
    var differences: [String] = []
    for one in JSONCases.all {
      let count = one.document.count
      for first in 0...count {
        // Two pieces, and three with one byte in the middle.
        let found = [[first], [first, min(first + 1, count)]].map { JSONTrace().read(one.document, ends: $0) }
        for trace in found where trace != one.trace { differences.append("\(one) cut at \(first): \(trace)") }
      }
      let bytewise = JSONTrace().read(one.document, ends: Array(0..<count))
      if bytewise != one.trace { differences.append("\(one) byte by byte: \(bytewise)") }
    }
    #expect(differences == [])
  }

  @Test func `random documents are read as Python reads them`() throws {
    var documents = RandomJSON(SplitMix64(seed: 8259))
    let all = (0..<6000).map { _ in documents.next() }
    let other = try #require(PythonJSON.read(all))
    #expect(other.count == all.count)
    let accepted = other.count { $0 != "E" }
    #expect(accepted > 2000 && accepted < 5000)
    var differences: [String] = []
    for (document, form) in zip(all, other) {
      for piece in [Int.max, 3] where PlainForm.read(document, piece: min(piece, max(1, document.count))) != form {
        differences.append(String(decoding: document, as: UTF8.self))
      }
    }
    #expect(differences == [])
  }

  @Test func `mutated documents give the same events however they are chunked`() {
    var documents = RandomJSON(SplitMix64(seed: 3629))
    var random = SplitMix64(seed: 1)
    var differences: [String] = []
    for _ in 0..<4000 {
      let document = documents.next()
      let whole = JSONTrace().read(document, ends: [])
      let ends = (0..<4).map { _ in Int.random(in: 0...document.count, using: &random) }.sorted()
      if JSONTrace().read(document, ends: ends) != whole { differences.append("\(ends) \(document)") }
    }
    #expect(differences == [])
  }
}
