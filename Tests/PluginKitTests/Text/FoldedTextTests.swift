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
  func `case and marks are removed, and other characters are unchanged`(text: String, expected: String) {
    #expect(Array(folded(text).utf8) == Array(expected.utf8))
  }

  @Test func `folding is idempotent`() {
    for text in ["Zürich Ä", "İstanbul", "ΟΔΟΣ", "각"] { #expect(folded(folded(text)) == folded(text)) }
  }

  @Test func `a final sigma is folded like any sigma, unlike in WSABI and PathCase`() {
    #expect(folded("ΟΔΟΣ") == "οδοσ" && folded("οδος") == "οδοσ")
    #expect(FoldedText.typed("ΣΑΣ") == FoldedText.typed("σας"))
  }

  @Test func `special characters are spelled with letters and digits that can be typed`() {
    #expect(typed("α-Ketoglutarate") == "alpha-ketoglutarate" && typed("Ω-3 Γ") == "omega-3 gamma")
    #expect(typed("H₂O") == "h2o" && typed("NAD⁺") == "nad+" && typed("x¹²³⁴") == "x1234")
    #expect(typed("5′−3’–µM") == "5'-3'-mum")
    #expect(typed("plain TEXT") == "plain text")
  }

  @Test func `diacritics are ignored in typed text, where PathCase kept them`() {
    #expect(typed("Naïve Prénol") == "naive prenol")
    #expect(typed("άλφα") == "alphalambdaφalpha")
  }

  @Test func `folding stops at the limit of scalars`() {
    #expect(typed("ABCDEF", limit: 3) == "abc" && typed("ÄÖÜ", limit: 2) == "ao")
  }
}
