import Testing

@testable import PathCase

@Suite struct GeneRuleTextTests {
  private func rule(_ text: String) -> GeneRule? {
    var names: [String] = []
    return GeneRule.read(text) { name in
      if !names.contains(name) { names.append(name) }
      return names.firstIndex(of: name) ?? 0
    }
  }

  @Test func `'and' binds tighter than 'or', and parentheses bind tightest`() {
    #expect(rule("a") == .gene(0))
    #expect(rule("a and b or c") == .any([.all([.gene(0), .gene(1)]), .gene(2)]))
    #expect(rule("a AND (b | c)") == .all([.gene(0), .any([.gene(1), .gene(2)])]))
    #expect(rule("((a))") == .gene(0))
  }

  @Test(arguments: ["", "and", "a b", "a and", "(a", "a)", "a or or b", "()"])
  func `a malformed gene rule is refused`(_ text: String) {
    #expect(rule(text) == nil)
  }

  @Test func `a million open parentheses are refused without a crash`() {
    #expect(rule(String(repeating: "(", count: 1_000_000)) == nil)
  }

  @Test func `a written rule is read back unchanged`() {
    let written = GeneRule.any([.gene(0), .all([.gene(1), .any([.gene(2), .gene(3)])])])
    let text = written.text { ["a", "b", "c", "d"][$0] }
    #expect(text == "a or (b and (c or d))")
    #expect(rule(text) == written)
  }

  @Test func `reactions stop without the genes that they need`() {
    var model = ReactionModel()
    model.genes = ["a", "b"].map { ModelGene(id: $0) }
    model.reactions = [
      ModelReaction(id: "all", geneRule: .all([.gene(0), .gene(1)])),
      ModelReaction(id: "any", geneRule: .any([.gene(0), .gene(1)])), ModelReaction(id: "free"),
    ]
    let deletions = GeneDeletions(model)
    #expect(deletions.stoppedReactions(without: [0]) == [0])
    #expect(deletions.stoppedReactions(without: [0, 1]) == [0, 1])
    #expect(deletions.stoppedReactions(without: [7]).isEmpty)
  }
}
