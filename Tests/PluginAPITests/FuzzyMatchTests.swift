import PluginAPI
import Testing

struct FuzzyMatchTests {
  /// The texts that match, best first.
  private func ranked(_ pattern: String, _ texts: String...) -> [String] {
    texts.compactMap { text in FuzzyMatch(pattern, in: text).map { (text, $0.score) } }
      .sorted { $0.1 > $1.1 }.map(\.0)
  }

  @Test func `all characters must be there, in order, in any case`() {
    #expect(FuzzyMatch("bst", in: "Ball and STick")?.positions.count == 3)
    #expect(FuzzyMatch("tsb", in: "ball and stick") == nil)
    #expect(FuzzyMatch("balll", in: "ball") == nil)
    #expect(FuzzyMatch("a", in: "") == nil)
  }

  @Test func `an empty pattern and one of spaces match everything with score 0`() {
    #expect(FuzzyMatch("", in: "x") == FuzzyMatch("  ", in: "y"))
    #expect(FuzzyMatch("", in: "")?.score == 0)
  }

  @Test func `positions are those of the matched characters`() {
    #expect(FuzzyMatch("sf", in: "space filling")?.positions == [0, 6])
    #expect(FuzzyMatch("s f", in: "space filling")?.positions == [0, 6])
    #expect(FuzzyMatch("ÉT", in: "un été")?.positions == [3, 4])
  }

  @Test func `word starts and unbroken runs go before gaps, and short texts before long ones`() {
    #expect(ranked("mode", "my old demo exit", "mode", "some model") == ["mode", "some model", "my old demo exit"])
    #expect(ranked("gl", "single", "go left").first == "go left")
    #expect(ranked("oM", "helloMode", "room").first == "helloMode")
    #expect(ranked("list", "list of everything that was ever imported", "list").first == "list")
  }

  @Test func `a long text of equal letters takes no time to speak of`() {
    let text = String(repeating: "a", count: 2000)
    #expect(FuzzyMatch("aaab", in: text) == nil)
    #expect(FuzzyMatch("aaaa", in: text)?.positions == [0, 1, 2, 3])
  }
}
