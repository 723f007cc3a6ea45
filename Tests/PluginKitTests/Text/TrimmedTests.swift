import PluginText
import Testing

@Suite struct TrimmedTests {
  @Test(arguments: [
    (" a b ", "a b"), ("\t\r\n\u{B}\u{C} a\r\n", "a"), ("a", "a"), ("", ""), (" \t", ""), ("é ", "é"), ("\r\n", ""),
  ])
  func `ASCII white space is removed from both ends`(text: String, expected: String) {
    #expect(Array(text.trimmed().utf8) == Array(expected.utf8))
    #expect(Array("x\(text)x".dropFirst().dropLast().trimmed().utf8) == Array(expected.utf8))
  }

  @Test func `other spaces and control characters are unchanged, where forms and SBML removed them`() {
    #expect("\u{A0}a\u{3000}".trimmed() == "\u{A0}a\u{3000}" && "\u{1}a".trimmed() == "\u{1}a")
  }

  @Test func `trimming the end leaves the start unchanged`() {
    #expect("  a b \n".trimmedAtEnd() == "  a b" && " ".trimmedAtEnd() == "" && "".trimmedAtEnd() == "")
  }
}
