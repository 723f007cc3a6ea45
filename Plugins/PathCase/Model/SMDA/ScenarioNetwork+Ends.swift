extension ScenarioNetwork {
  /// Makes boundaries of the pools that no process can make, or none can use: they could never be in balance.
  mutating func closeEnds() {
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
    for pool in pools.indices where !made.contains(pool) || !used.contains(pool) { pools[pool].isBoundary = true }
  }
}
