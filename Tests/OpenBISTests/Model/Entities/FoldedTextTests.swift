import Testing

@testable import OpenBIS

@Suite struct FoldedTextTests {
  private func folded(_ text: String) -> String { String(decoding: FoldedText.bytes(text), as: UTF8.self) }

  @Test(arguments: [
    ("Zürich", "zurich"), ("ZU\u{308}RICH", "zurich"), ("ÉCOLE", "ecole"), ("Ångström", "angstrom"),
    ("ΟΔΟΣ", "οδοσ"), ("οδος", "οδοσ"), ("ёлка", "елка"), ("Straße", "straße"), ("a\u{0}B", "a\u{0}b"),
    ("日本", "日本"), ("👩🏽‍🔬", "👩🏽‍🔬"), ("", ""), ("שָׁלוֹם", "שלום"),
  ])
  func `case and marks are gone and all else stays`(text: String, expected: String) {
    #expect(Array(folded(text).utf8) == Array(expected.utf8))
  }

  @Test func `folding a folded text changes nothing`() {
    for text in ["Zürich Ä", "İstanbul", "ΟΔΟΣ", "각"] { #expect(folded(folded(text)) == folded(text)) }
  }
}
