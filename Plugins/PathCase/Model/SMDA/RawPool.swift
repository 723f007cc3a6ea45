/// What is known of a pool at some point: the levels left, and whether it was made and taken.
struct RawPool: Sendable, Hashable {
  var levels: LevelSet
  var isProduced = false
  var isConsumed = false

  /// A number below 64.
  var index: Int { Int(levels.rawValue) | (isProduced ? 16 : 0) | (isConsumed ? 32 : 0) }

  /// The pool of a number below 64.
  init(index: Int) {
    levels = LevelSet(rawValue: UInt8(index & 15))
    isProduced = index & 16 != 0
    isConsumed = index & 32 != 0
  }

  init(levels: LevelSet) { self.levels = levels }

  func with(_ levels: LevelSet) -> RawPool {
    var pool = self
    pool.levels = levels
    return pool
  }

  /// The pool after a process did that; nil if no level is left.
  func after(_ effect: ScenarioEffects.Effect) -> RawPool? {
    var pool = self
    pool.levels.formIntersection(effect.levels)
    pool.isProduced = isProduced || effect.produces
    pool.isConsumed = isConsumed || effect.consumes
    return pool.levels.isEmpty ? nil : pool
  }

  /// Which directions the pool keeps a process from: 1 forwards, 2 backwards.
  func excuse(for touch: ScenarioEffects.Touch, isReversible: Bool) -> UInt8 {
    func keeps(_ state: ProcessState) -> Bool {
      touch[state].demands.contains { $0.rule != .product && levels.isDisjoint(with: $0.levels) }
    }
    return (keeps(.forward) ? 1 : 0) | (isReversible && keeps(.backward) ? 2 : 0)
  }
}

/// What a pool must be in the end.
struct PoolEnd: Sendable {
  var isBoundary: Bool
  var accumulatedNeedsProducer: Bool

  /// The levels that a pool may have after all processes; none if it is not in balance.
  func levels(of pool: RawPool) -> LevelSet {
    if isBoundary { return pool.levels }
    guard pool.isProduced == pool.isConsumed else { return [] }
    return pool.isProduced || !accumulatedNeedsProducer ? pool.levels : pool.levels.subtracting(.accumulated)
  }
}
