import Testing

@testable import Host

struct BytePatternTests {
  @Test(arguments: [
    ("b", "abc", 1), ("abc", "abc", 0), ("c", "abc", 2), ("abcd", "abc", nil), ("", "abc", 0), ("", "", 0),
    ("a", "", nil), ("aab", "aaab", 1), ("å", "a\u{30A}å", 3), ("x", "abc", nil),
  ])
  func `a pattern is found byte by byte`(pattern: String, text: String, start: Int?) {
    let range = BytePattern(pattern).firstRange(in: text)
    #expect(range?.lowerBound == start)
    #expect(range == nil || range?.count == pattern.utf8.count)
  }

  @Test func `ranges found in a slice are indices of the whole`() {
    let bytes = Array("a-b-c".utf8)
    #expect(BytePattern("-").firstRange(in: bytes[2...]) == 3..<4)
    #expect(BytePattern("-").firstRange(in: bytes[4...]) == nil)
  }

  @Test func `all occurrences are replaced, but none within replacements`() {
    #expect(BytePattern("aa").replaced(by: "aaa", in: "aaaaa") == "aaaaaaa")
    #expect(BytePattern("").replaced(by: "x", in: "abc") == "abc")
    #expect(BytePattern("/home/me").replaced(by: "$FOLDER", in: "see /home/me/x") == "see $FOLDER/x")
  }
}
