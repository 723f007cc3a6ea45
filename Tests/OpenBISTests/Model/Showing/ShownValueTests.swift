import Testing

@testable import OpenBIS

@Suite struct ShownValueTests {
  @Test func `case 36: HTML becomes text with its table, and escape sequences are sanitized`() {
    let value = ShownValue("<html><table><tr><td>a\u{1B}[31m</td><td>b</td></tr></table></html>")
    #expect(value.text == "a\u{FFFD}[31m  b")
    #expect(ShownValue("\u{1B}]0;owned\u{7}x").text == "\u{FFFD}]0;owned\u{FFFD}x")
  }

  @Test func `case 36: only the start of 10 MB is shown, and all of it on demand`() {
    let raw = String(repeating: "0123456789", count: 1_000_000)
    let short = ShownValue(raw)
    #expect(short.text.utf8.count == ShownValue.usualLimit)
    #expect(short.noted.hasSuffix("\n… (10.0 MB in all)"))
    #expect(ShownValue(raw, limit: nil).text.utf8.count == 10_000_000)
    #expect(ShownValue(raw, limit: nil).noted.utf8.count == 10_000_000)
  }

  @Test func `a value is truncated between characters`() {
    #expect(ShownValue("aéé", limit: 2).text == "a")
    #expect(ShownValue("aéé", limit: 3).text == "aé")
    #expect(ShownValue("🧪🧪", limit: 7).text == "🧪")
    #expect(ShownValue("", limit: 0) == ShownValue(""))
  }

  @Test func `an empty XML root is a dash`() {
    #expect(ShownValue("<root/>").text == "-")
    #expect(ShownValue(" <root></root>\n").text == "-")
    #expect(ShownValue("<root><a/></root>").text == "<root><a/></root>")
  }

  @Test func `the first line says whether there is more`() {
    #expect(ShownValue("one").firstLine == "one")
    #expect(ShownValue("one\ntwo").firstLine == "one …")
    #expect(!ShownValue("one").hasSeveralLines)
    #expect(ShownValue("").firstLine == "")
  }

  @Test func `sizes are readable`() {
    #expect(ShownValue.readableSize(999) == "999 bytes")
    #expect(ShownValue.readableSize(1000) == "1.0 KB")
    #expect(ShownValue.readableSize(10_444_000) == "10.4 MB")
    #expect(ShownValue.readableSize(5_000_000_000_000) == "5000.0 GB")
  }
}
