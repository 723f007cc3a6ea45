extension ScenarioGraph {
  /// Returns the levels that each pool has in some scenario; not for the strict mode.
  ///
  /// States contain only the classes of pools, so each pool is followed separately along all paths, from its first
  /// process to its last. The set of possible information about a pool has 64 bits.
  func levels(effects: ScenarioEffects, _ limits: SearchLimits) throws -> [LevelSet] {
    guard !count.isZero else { return effects.levels.map { _ in [] } }
    var places = Array(repeating: -1, count: plan.fixed.count)
    for (place, step) in plan.steps.enumerated() { places[step.process] = place }
    return try plan.pools.enumerated().map { pool, info in
      try limits.check()
      let mine = info.free.map { places[$0] }.sorted()
      guard let first = mine.first, let last = mine.last else { return info.end.levels(of: info.raw) }
      let ends = follow(pool, from: first, to: last, initial: info.raw, effects)
      return Self.members(ends).reduce(into: LevelSet()) { $0.formUnion(info.end.levels(of: $1)) }
    }
  }

  /// Returns the possible information about a pool after its last process, as a set of 64 bits.
  private func follow(_ pool: Int, from first: Int, to last: Int, initial: RawPool, _ effects: ScenarioEffects)
    -> UInt64
  {
    var sets = layers[first].counts.nonzero.map { $0 ? UInt64(1) << UInt64(initial.index) : 0 }
    for index in first...last {
      let process = plan.steps[index].process
      let touch = effects.touches[process].first { $0.pool == pool }
      let maps = ProcessState.enumerationOrder.map { state in touch.map { Self.map($0[state]) } }
      let nextCount = index + 1 < layers.count ? layers[index + 1].stateCount : 1
      var next = Array(repeating: UInt64(0), count: nextCount)
      for (state, set) in sets.enumerated() where set != 0 {
        for place in 0..<3 {
          guard let link = layers[index].next(state, place: place) else { continue }
          next[link] |= maps[place].map { Self.image(of: set, $0) } ?? set
        }
      }
      sets = next
    }
    return sets.reduce(0, |)
  }

  /// Returns the number of each encoded pool after an effect; nil if no level is left.
  private static func map(_ effect: ScenarioEffects.Effect) -> [Int?] {
    (0..<64).map { RawPool(index: $0).after(effect)?.index }
  }

  private static func image(of set: UInt64, _ map: [Int?]) -> UInt64 {
    var image: UInt64 = 0
    var rest = set
    while rest != 0 {
      if let next = map[rest.trailingZeroBitCount] { image |= 1 << UInt64(next) }
      rest &= rest - 1
    }
    return image
  }

  private static func members(_ set: UInt64) -> [RawPool] {
    (0..<64).filter { set & 1 << UInt64($0) != 0 }.map { RawPool(index: $0) }
  }
}
