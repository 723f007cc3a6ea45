import Testing

@testable import PathCase

struct IdentifierTests {
  @Test func `ids that only look alike differ`() {
    let composed = Identifier("caf\u{E9}")
    let decomposed = Identifier("cafe\u{301}")
    #expect(composed != decomposed && composed.text == decomposed.text)
    #expect(Set([composed, decomposed, Identifier("CAF\u{E9}")]).count == 3)
    // Both have three bytes, and Swift's `==` for texts takes them for equal.
    #expect(Identifier("\u{212B}") != Identifier("A\u{30A}") && "\u{212B}" == "A\u{30A}")
    #expect(Identifier("") == Identifier("") && Identifier("") != "a")
    #expect([Identifier("b"), "a10", "a2", "B"].sorted() == ["B", "a10", "a2", "b"])
  }
}
