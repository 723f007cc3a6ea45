import PluginAPI
import Testing

struct TextWidthTests {
  @Test(.timeLimit(.minutes(5))) func `a word of a megabyte is wrapped in one pass`() {
    let lines = TextWidth.wrapped(String(repeating: "0123456789", count: 1 << 17), to: 64)
    #expect(lines.count == 20_480 && lines.allSatisfy { $0.utf8.count == 64 })
  }

  @Test(arguments: [
    ("", 0), ("abc", 3), ("a\tb\u{7F}", 2), ("é", 1), ("e\u{301}", 1), ("\u{301}", 0), ("漢字", 4), ("ｱ", 1), ("Ａ", 2),
    ("한글", 4), ("😀", 2), ("👩‍🔬", 2), ("👍🏽", 2), ("🇩🇪", 2), ("❤\u{FE0F}", 2), ("❤", 1), ("Å²", 2), ("─│", 2),
    ("\u{200B}", 0), ("a\u{200D}", 1), ("\u{85}", 0),
  ])
  func `characters have the widths that terminals use`(text: String, columns: Int) {
    #expect(TextWidth.columns(text) == columns)
  }

  @Test func `a long word is wrapped by columns, even with wide characters`() {
    let lines = TextWidth.wrapped(String(repeating: "a", count: 1_000_000), to: 20)
    #expect(lines.count == 50_000 && lines.allSatisfy { $0.count == 20 })
    #expect(TextWidth.wrapped("ab日本語c", to: 3) == ["ab", "日", "本", "語c"])
    #expect(TextWidth.wrapped("日本", to: 1) == ["日本"])
  }

  @Test func `truncation never splits a character`() {
    #expect(TextWidth.truncated("漢字漢字", to: 8) == "漢字漢字")
    #expect(TextWidth.truncated("漢字漢字", to: 7) == "漢字漢…")
    #expect(TextWidth.truncated("漢字漢字", to: 6) == "漢字…")
    #expect(TextWidth.truncated("漢字", to: 1) == "…")
    #expect(TextWidth.truncated("漢字", to: 0) == "")
    #expect(TextWidth.truncated("abc", to: -1) == "")
    #expect(TextWidth.prefix("e\u{301}e\u{301}x", columns: 2) == "e\u{301}e\u{301}")
    #expect(TextWidth.prefix("👩‍🔬👩‍🔬", columns: 3) == "👩‍🔬")
  }

  @Test func `padding gives exactly the width`() {
    for text in ["", "ab", "漢字", "漢字漢", "👍🏽x"] {
      for width in 0...7 {
        #expect(TextWidth.columns(TextWidth.padded(text, to: width)) == width)
        #expect(TextWidth.columns(TextWidth.padded(text, to: width, right: true)) == width)
      }
    }
    #expect(TextWidth.padded("7", to: 3, right: true) == "  7")
  }

  @Test func `lines are wrapped at spaces, and long words inside`() {
    #expect(TextWidth.wrapped("to be or not", to: 5) == ["to be", "or", "not"])
    #expect(TextWidth.wrapped("abcdefgh ij", to: 3) == ["abc", "def", "gh", "ij"])
    #expect(TextWidth.wrapped("漢字漢", to: 3) == ["漢", "字", "漢"])
    #expect(TextWidth.wrapped("a\n\nb", to: 3) == ["a", "", "b"])
    #expect(TextWidth.wrapped("", to: 3) == [""])
    #expect(TextWidth.wrapped("abc", to: 0) == [])
    // A character wider than the line: it ends all the same.
    #expect(TextWidth.wrapped("漢", to: 1).count == 1)
  }
}
