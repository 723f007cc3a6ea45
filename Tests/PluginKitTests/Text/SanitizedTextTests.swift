import PluginText
import Testing

@Suite struct SanitizedTextTests {
  /// Scalars that must never reach a screen, by their known harm; a separate list, so that none is forgotten.
  private static let harmful: [(name: String, ClosedRange<UInt32>)] = [
    ("C0 without tab and line feed", 0x00...0x08), ("C0 without tab and line feed", 0x0B...0x1F),
    ("DEL and C1", 0x7F...0x9F),
    ("Arabic letter mark", 0x061C...0x061C), ("left-to-right and right-to-left mark", 0x200E...0x200F),
    ("line and paragraph separator", 0x2028...0x2029), ("embeddings and overrides", 0x202A...0x202E),
    ("isolates", 0x2066...0x2069), ("deprecated format characters", 0x206A...0x206F),
    ("byte order mark", 0xFEFF...0xFEFF), ("interlinear annotation", 0xFFF9...0xFFFB),
    ("noncharacters", 0xFFFE...0xFFFF), ("tags", 0xE0000...0xE007F),
  ]

  private func isHarmful(_ value: UInt32) -> Bool { Self.harmful.contains { $0.1.contains(value) } }

  @Test func `every harmful scalar is removed or replaced in lines and blocks, and other scalars are unchanged`() throws
  {
    var wrong: [String] = []
    for value in UInt32(0)...0x10FFFF {
      guard let scalar = Unicode.Scalar(value), value != 0x09, value != 0x0A else { continue }
      let text = "a\(Character(scalar))b"
      let isKept = SanitizedText.block(text).unicodeScalars.contains(scalar)
      if isKept == isHarmful(value) { wrong.append(String(value, radix: 16)) }
      if SanitizedText.isSafe(scalar) == isHarmful(value) { wrong.append("isSafe " + String(value, radix: 16)) }
    }
    #expect(wrong.prefix(20) == [])
    #expect(!SanitizedText.isSafe("\t") && !SanitizedText.isSafe("\n"), "they break a line")
  }

  @Test func `invisible marks and tags that OpenBIS removed are removed`() {
    #expect(SanitizedText.line("a\u{200E}b\u{200F}c\u{61C}d\u{FEFF}e\u{E0041}f") == "abcdef")
  }

  @Test func `control characters that PathCase showed as escapes are replaced`() {
    #expect(SanitizedText.line("a\u{1B}[2J\u{9B}\u{202E}b") == "a\u{FFFD}[2J\u{FFFD}\u{FFFD}b")
  }

  @Test func `deprecated format characters, annotations, tags and noncharacters do not pass, as they did in WSABI`() {
    #expect(SanitizedText.line("a\u{206A}b\u{FFF9}c\u{E0001}d\u{FFFE}e") == "a\u{FFFD}b\u{FFFD}cd\u{FFFD}e")
  }

  @Test func `byte order marks, annotations and tags do not pass, as they did in pictures and reports of PathCase`() {
    #expect(SanitizedText.line("x\u{FEFF}y\u{FFFB}z\u{E007F}") == "xy\u{FFFD}z")
  }

  @Test func `surrogates in decoded text become a replacement character`() {
    let wide = String(decoding: [0x61, 0xD800, 0x62, 0xDC00] as [UInt16], as: UTF16.self)
    #expect(SanitizedText.line(wide) == "a\u{FFFD}b\u{FFFD}")
    let narrow = String(decoding: [0x61, 0xED, 0xA0, 0x80, 0x62] as [UInt8], as: UTF8.self)
    #expect(SanitizedText.line(narrow).unicodeScalars.allSatisfy { "ab\u{FFFD}".unicodeScalars.contains($0) })
  }

  @Test func `every line end becomes a line feed in a block and a space in a line`() {
    #expect(SanitizedText.block("1\r\n2\r3\n4\u{85}5\u{2028}6\u{2029}7") == "1\n2\n3\n4\n5\n6\n7")
    #expect(SanitizedText.line("1\r\n2\t3") == "1 2 3")
  }

  @Test func `a run of line ends and tabs becomes one space, where WSABI wrote several`() {
    #expect(SanitizedText.line("y\r\n\tz") == "y z")
    #expect(SanitizedText.line("\n y \n") == " y ")
  }

  @Test func `texts in any script are unchanged`() {
    for text in ["Grüße aus Zürich", "שלום עולם", "👨‍👩‍👧‍👦 familie", "क्षि", "日本語", "e\u{301}", "a\tb\nc"] {
      #expect(SanitizedText.block(text).utf8.elementsEqual(text.utf8))
    }
  }

  @Test func `a letter keeps at most thirty combining marks`() {
    let text = SanitizedText.block("e" + String(repeating: "\u{301}", count: 5000) + "f\u{301}")
    #expect(text.unicodeScalars.count == 1 + 30 + 2)
  }

  @Test func `a truncated line ends with an ellipsis, unlike in WSABI`() {
    #expect(SanitizedText.line("12345678901234567890", limit: 20) == "12345678901234567890")
    #expect(SanitizedText.line("123456789012345678901", limit: 20) == "12345678901234567890…")
    #expect(SanitizedText.line("123456"[...], limit: 3) == "123…")
  }

  @Test func `a line of megabytes is truncated without reading all of it`() {
    let line = SanitizedText.line(String(repeating: "é", count: 5_000_000), limit: 20)
    #expect(line == String(repeating: "é", count: 20) + "…")
    #expect(SanitizedText.line("short", limit: .max) == "short")
  }
}
