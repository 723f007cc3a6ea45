extension RulePropagation {
  /// Propagates the maximum number of active processes, and the groups of which one must be active.
  mutating func followRestriction() {
    if let maximum = restriction.maximumActive { limitActive(to: maximum) }
    for group in restriction.anyActive where contradiction == nil { require(group) }
  }

  /// Makes all other processes idle once the maximum is reached; exceeding it is a contradiction.
  private mutating func limitActive(to maximum: Int) {
    let sure = states.indices.filter { !states[$0].isEmpty && !states[$0].contains(ProcessStates.idle) }
    guard sure.count >= maximum else { return }
    let counted = sure.prefix(maximum)
    let causes = counted.flatMap { taken(.idle, process: $0) }
    let isCounted = Set(counted)
    for process in states.indices where !isCounted.contains(process) && contradiction == nil {
      narrow(process: process, to: .idle, .activeLimit, at: nil, causes: causes)
    }
  }

  /// Activates the last process of a group that can be active.
  private mutating func require(_ group: [Int]) {
    let able = group.filter { !states[$0].isDisjoint(with: .active) }
    guard able.count < 2, let last = able.first ?? group.last else { return }
    let others = group.filter { $0 != last }
    narrow(
      process: last, to: .active, .group, at: nil, causes: others.flatMap { taken(.active, process: $0) })
  }
}
