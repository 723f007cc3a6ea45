/// The reactions that cannot run without certain genes.
struct GeneDeletions: Sendable {
  private let rules: [GeneRule?]
  /// The reactions whose rule names a gene, by the gene's index.
  private let users: [[Int]]

  init(_ model: ReactionModel) {
    rules = model.reactions.map(\.geneRule)
    var users = [[Int]](repeating: [], count: model.genes.count)
    for (reaction, rule) in rules.enumerated() {
      for gene in rule?.genes ?? [] where users.indices.contains(gene) { users[gene].append(reaction) }
    }
    self.users = users
  }

  /// Returns the indices of the reactions that cannot run, ascending.
  ///
  /// - Parameter genes: The missing genes, by index.
  func stoppedReactions(without genes: Set<Int>) -> [Int] {
    var concerned: Set<Int> = []
    for gene in genes where users.indices.contains(gene) { concerned.formUnion(users[gene]) }
    return concerned.filter { rules[$0]?.holds(without: genes) == false }.sorted()
  }
}
