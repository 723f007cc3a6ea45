import PluginAPI
import Testing

struct SuggestionTests {
  @Test(arguments: [
    ("lsit", "list"), ("LIST", "list"), ("lst", "list"), ("listt", "list"), ("importt", "import"), ("imprt", "import"),
    ("im", "import"), ("spacefiling", "spacefilling"), ("deleet", "delete"),
  ])
  func `a name a few letters away is suggested`(word: String, name: String) {
    #expect(Suggestion.nearest(to: word, in: ["list", "import", "delete", "spacefilling"]) == name)
  }

  @Test(arguments: ["", "x", "tsil", "rende", "molecules"])
  func `a distant name is not suggested`(word: String) {
    #expect(Suggestion.nearest(to: word, in: ["list", "import", "delete"]) == nil)
  }

  @Test func `advice suggests the nearest name`() {
    #expect(Suggestion.advice(for: "lsit", in: ["list", "import"]) == "did you mean 'list'?")
    #expect(Suggestion.advice(for: "molecules", in: ["list", "import"]) == nil)
  }

  @Test func `the nearest name wins, and the first among equals`() {
    #expect(Suggestion.nearest(to: "chian", in: ["chains", "chain"]) == "chain")
    #expect(Suggestion.nearest(to: "bat", in: ["cat", "hat"]) == "cat")
    #expect(Suggestion.nearest(to: "a", in: []) == nil)
  }
}
