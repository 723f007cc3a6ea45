import PluginText
import Testing

@Suite struct ByteSearchTests {
  private func first(_ part: String, _ text: String) -> Int? {
    ByteSearch.firstIndex(of: Array(part.utf8), in: Array(text.utf8))
  }

  @Test func `the first index is found at the start, in the middle and at the end`() {
    #expect(first("a", "abcab") == 0 && first("ca", "abcab") == 2 && first("ab", "xxab") == 2)
    #expect(first("aab", "aaab") == 1 && first("abc", "ab") == nil && first("x", "") == nil)
    #expect(first("\u{0}", "a\u{0}b") == 1)
  }

  @Test func `every text contains the empty text, as in OpenBIS and PathCase`() {
    #expect(first("", "abc") == 0 && first("", "") == 0)
    #expect(ByteSearch.contains([] as [UInt8], in: [] as [UInt8]))
  }

  @Test func `indices are those of the searched slice, text or substring`() throws {
    let bytes: [UInt8] = [9, 1, 2, 1, 2]
    #expect(ByteSearch.firstIndex(of: [1, 2] as [UInt8], in: bytes[2...]) == 3)
    let text = "größer <tag> grün"[...]
    let index = try #require(ByteSearch.firstIndex(of: "<tag>".utf8, in: text.utf8))
    #expect(text[index...] == "<tag> grün")
    #expect(ByteSearch.contains("grün".utf8, in: text.dropFirst(3).utf8))
  }

  @Test func `random bytes are found at the index that a plain search finds`() {
    var random = SplitMix64(seed: 11)
    var wrong: [String] = []
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0...30, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
      let part = (0..<Int.random(in: 0...4, using: &random)).map { _ in UInt8.random(in: 0...2, using: &random) }
      let plain = (0...bytes.count).first { bytes[$0...].starts(with: part) }
      if ByteSearch.firstIndex(of: part, in: bytes) != plain { wrong.append("\(part) in \(bytes)") }
    }
    #expect(wrong == [])
  }

  @Test func `every occurrence of a text is replaced, from left to right`() {
    #expect(ByteSearch.replacing("secret", in: "a secret, secret", with: "…") == "a …, …")
    #expect(ByteSearch.replacing("aa", in: "aaaaa", with: "b") == "bba")
    #expect(
      ByteSearch.replacing("", in: "abc", with: "x") == "abc" && ByteSearch.replacing("x", in: "", with: "y") == "")
  }
}
