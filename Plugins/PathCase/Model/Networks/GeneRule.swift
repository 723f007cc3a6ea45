/// A rule for the genes that a reaction needs: all of some, any of others.
indirect enum GeneRule: Sendable, Hashable {
  /// A gene, by its index in the model.
  case gene(Int)
  case all([GeneRule])
  case any([GeneRule])

  /// Returns whether the reaction can run without some genes.
  func holds(without missing: Set<Int>) -> Bool {
    switch self {
    case .gene(let gene): !missing.contains(gene)
    case .all(let rules): rules.allSatisfy { $0.holds(without: missing) }
    case .any(let rules): rules.contains { $0.holds(without: missing) }
    }
  }

  /// All genes in the rule, each once, in order.
  var genes: [Int] {
    var found: Set<Int> = []
    collect(into: &found)
    return found.sorted()
  }

  private func collect(into found: inout Set<Int>) {
    switch self {
    case .gene(let gene): found.insert(gene)
    case .all(let rules), .any(let rules): for rule in rules { rule.collect(into: &found) }
    }
  }
}

extension GeneRule {
  /// Returns the same rule with other gene indices.
  func mapped(_ index: (Int) -> Int) -> GeneRule {
    switch self {
    case .gene(let gene): .gene(index(gene))
    case .all(let rules): .all(rules.map { $0.mapped(index) })
    case .any(let rules): .any(rules.map { $0.mapped(index) })
    }
  }
}
