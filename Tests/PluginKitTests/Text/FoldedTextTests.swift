import PluginText
import Testing

@Suite struct FoldedTextTests {
  private func folded(_ text: String) -> String { String(decoding: FoldedText.bytes(text), as: UTF8.self) }

  private func typed(_ text: String, limit: Int = .max) -> String {
    String(decoding: FoldedText.typed(text, limit: limit), as: UTF8.self)
  }

  @Test(arguments: [
    ("Zürich", "zurich"), ("ZU\u{308}RICH", "zurich"), ("ÉCOLE", "ecole"), ("Ångström", "angstrom"),
    ("ёлка", "елка"), ("Straße", "straße"), ("a\u{0}B", "a\u{0}b"),
    ("日本", "日本"), ("👩🏽‍🔬", "👩🏽‍🔬"), ("", ""), ("שָׁלוֹם", "שלום"),
  ])
  func `case and marks are gone and all else stays`(text: String, expected: String) {
    #expect(Array(folded(text).utf8) == Array(expected.utf8))
  }

  @Test func `folding a folded text changes nothing`() {
    for text in ["Zürich Ä", "İstanbul", "ΟΔΟΣ", "각"] { #expect(folded(folded(text)) == folded(text)) }
  }

  @Test func `the sigma at the end of a word is the one within, which WSABI and PathCase told apart`() {
    #expect(folded("ΟΔΟΣ") == "οδοσ" && folded("οδος") == "οδοσ")
    #expect(FoldedText.typed("ΣΑΣ") == FoldedText.typed("σας"))
  }

  @Test func `signs are spelled as they are typed`() {
    #expect(typed("α-Ketoglutarate") == "alpha-ketoglutarate" && typed("Ω-3 Γ") == "omega-3 gamma")
    #expect(typed("H₂O") == "h2o" && typed("NAD⁺") == "nad+" && typed("x¹²³⁴") == "x1234")
    #expect(typed("5′−3’–µM") == "5'-3'-mum")
    #expect(typed("plain TEXT") == "plain text")
  }

  @Test func `diacritics do not count in typed text, where PathCase kept them`() {
    #expect(typed("Naïve Prénol") == "naive prenol")
    #expect(typed("άλφα") == "alphalambdaφalpha")
  }

  @Test func `no more scalars than asked for are folded`() {
    #expect(typed("ABCDEF", limit: 3) == "abc" && typed("ÄÖÜ", limit: 2) == "ao")
  }
}
