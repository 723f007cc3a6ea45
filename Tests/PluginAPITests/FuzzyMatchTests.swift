import PluginAPI
import Testing

struct FuzzyMatchTests {
  /// Returns the texts that match, best first.
  private func ranked(_ pattern: String, _ texts: String...) -> [String] {
    texts.compactMap { text in FuzzyMatch(pattern, in: text).map { (text, $0.score) } }
      .sorted { $0.1 > $1.1 }.map(\.0)
  }

  @Test func `all characters must occur in order, in any case`() {
    #expect(FuzzyMatch("bst", in: "Ball and STick")?.positions.count == 3)
    #expect(FuzzyMatch("tsb", in: "ball and stick") == nil)
    #expect(FuzzyMatch("balll", in: "ball") == nil)
    #expect(FuzzyMatch("a", in: "") == nil)
  }

  @Test func `an empty pattern or spaces match everything with score 0`() {
    #expect(FuzzyMatch("", in: "x") == FuzzyMatch("  ", in: "y"))
    #expect(FuzzyMatch("", in: "")?.score == 0)
  }

  @Test func `positions belong to the matched characters`() {
    #expect(FuzzyMatch("sf", in: "space filling")?.positions == [0, 6])
    #expect(FuzzyMatch("s f", in: "space filling")?.positions == [0, 6])
    #expect(FuzzyMatch("ÉT", in: "un été")?.positions == [3, 4])
  }

  @Test func `word starts and unbroken runs rank before gaps, and short texts before long ones`() {
    #expect(ranked("mode", "my old demo exit", "mode", "some model") == ["mode", "some model", "my old demo exit"])
    #expect(ranked("gl", "glide", "go left", "single") == ["glide", "single", "go left"])
    #expect(ranked("oM", "helloMode", "room").first == "helloMode")
    #expect(ranked("list", "list of everything that was ever imported", "list").first == "list")
  }

  @Test(arguments: [
    ("distance", "measure distance", FuzzyMatch.Kind.word), ("surface area", "molecules surface-area", .word),
    ("meas", "molecules measure angle", .wordPrefix), ("rea", "measure area", .substring),
    ("ms", "measure surface", .initials), ("measurf", "measure surface", .initials),
    ("rmsd", "wsabi store: rooms of deleted", .scattered), ("2x", "pdb 2x", .word), ("mode", "helloMode", .word),
  ]) func `a match has the strongest possible kind`(pattern: String, text: String, kind: FuzzyMatch.Kind) {
    #expect(FuzzyMatch(pattern, in: text)?.kind == kind)
  }

  @Test func `whole words rank before prefixes, substrings, initials and scattered letters`() {
    let best = ["x an area", "x areas", "x measured areal", "a red edge at", "xa xr xe xa"]
    #expect(ranked("area", best[3], best[4], best[2], best[0], best[1]) == best)
    let long = String(repeating: "and so on ", count: 40)
    #expect(ranked("area", "arrear area reared", long + "area").last == long + "area")
    #expect(ranked("area", "a-r-e-a", long + "area").first == long + "area")
  }

  @Test func `all words must match, in any order`() {
    #expect(FuzzyMatch("distance meas", in: "measure distance")?.kind == .wordPrefix)
    #expect(FuzzyMatch("distance meas", in: "measure distance")?.positions.count == 12)
    #expect(FuzzyMatch("distance angle", in: "measure distance") == nil)
  }

  @Test func `a long text of equal letters is matched quickly`() {
    let text = String(repeating: "a", count: 2000)
    #expect(FuzzyMatch("aaab", in: text) == nil)
    #expect(FuzzyMatch("aaaa", in: text)?.positions == [0, 1, 2, 3])
  }
}
