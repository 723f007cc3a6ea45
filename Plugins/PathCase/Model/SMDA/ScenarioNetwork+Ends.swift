extension ScenarioNetwork {
  /// Turns pools that no process can produce, or none can consume, into boundaries: they could never be in balance.
  ///
  /// - Parameter withSingles: True to include pools that only one process moves, even if it is reversible.
  mutating func closeEnds(withSingles: Bool = false) {
    var uses = Array(repeating: 0, count: pools.count)
    for process in processes { for pool in Set(process.inputs.map(\.pool) + process.outputs) { uses[pool] += 1 } }
    var (made, used) = (Set<Int>(), Set<Int>())
    for process in processes {
      let inputs = process.inputs.map(\.pool)
      used.formUnion(inputs)
      made.formUnion(process.outputs)
      if process.isReversible {
        made.formUnion(inputs)
        used.formUnion(process.outputs)
      }
    }
    for pool in pools.indices where !made.contains(pool) || !used.contains(pool) || withSingles && uses[pool] < 2 {
      pools[pool].isBoundary = true
    }
  }
}
