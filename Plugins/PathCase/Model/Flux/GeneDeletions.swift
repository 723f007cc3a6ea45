/// Which reactions cannot run without which genes.
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

  /// The reactions that cannot run, by index in order.
  ///
  /// - Parameter genes: the genes that are missing, by index.
  func stoppedReactions(without genes: Set<Int>) -> [Int] {
    var concerned: Set<Int> = []
    for gene in genes where users.indices.contains(gene) { concerned.formUnion(users[gene]) }
    return concerned.filter { rules[$0]?.holds(without: genes) == false }.sorted()
  }
}
