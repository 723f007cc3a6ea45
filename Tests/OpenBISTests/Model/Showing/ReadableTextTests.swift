import Testing

@testable import OpenBIS

@Suite struct ReadableTextTests {
  @Test func `there are 200 hostile texts, all different`() {
    #expect(Set(HostileTexts.all.map { Array($0.utf8) }).count >= 200)
  }

  @Test func `no hostile text keeps what could do harm`() {
    for text in HostileTexts.all {
      #expect(Harm.found(in: ReadableText.line(text)).isEmpty, "\(text.debugDescription)")
      #expect(Harm.found(in: ReadableText.block(text), allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
      #expect(
        Harm.found(in: ShownValue(text, limit: nil).text, allowing: ["\n", "\t"]).isEmpty, "\(text.debugDescription)")
    }
  }

  @Test func `an escape becomes a mark that can be seen, and the rest stays`() {
    #expect(ReadableText.block("a\u{1B}[31mb") == "a\u{FFFD}[31mb")
    #expect(ReadableText.block("x\u{9B}2J\u{7F}") == "x\u{FFFD}2J\u{FFFD}")
  }

  @Test func `every kind of line end becomes a line feed`() {
    #expect(ReadableText.block("1\r\n2\r3\n4\u{85}5\u{2028}6") == "1\n2\n3\n4\n5\n6")
    #expect(ReadableText.line("1\r\n2\t3") == "1 2 3")
  }

  @Test func `texts of people stay as they are`() {
    for text in ["Grüße aus Zürich", "שלום עולם", "👨‍👩‍👧‍👦 familie", "क्षि", "日本語", "e\u{301}", "a\tb\nc"] {
      #expect(ReadableText.block(text).utf8.elementsEqual(text.utf8))
    }
  }

  @Test func `a letter keeps thirty marks`() {
    let text = ReadableText.block("e" + String(repeating: "\u{301}", count: 5000) + "f\u{301}")
    #expect(text.unicodeScalars.count == 1 + 30 + 2)
  }

  @Test func `a line of megabytes is cut without walking through it`() {
    let line = ReadableText.line(String(repeating: "é", count: 5_000_000), limit: 20)
    #expect(line == String(repeating: "é", count: 20) + "…")
    #expect(ReadableText.line("12345678901234567890", limit: 20) == "12345678901234567890")
    #expect(ReadableText.line("123456789012345678901", limit: 20) == "12345678901234567890…")
  }
}
