/// The information about a pool at some point: the levels left, and whether it was produced and consumed.
struct RawPool: Sendable, Hashable {
  var levels: LevelSet
  var isProduced = false
  var isConsumed = false

  /// A number below 64 that encodes the pool.
  var index: Int { Int(levels.rawValue) | (isProduced ? 16 : 0) | (isConsumed ? 32 : 0) }

  /// Creates the pool encoded by a number below 64.
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

  /// Returns the pool after an effect of a process; nil if no level is left.
  func after(_ effect: ScenarioEffects.Effect) -> RawPool? {
    var pool = self
    pool.levels.formIntersection(effect.levels)
    pool.isProduced = isProduced || effect.produces
    pool.isConsumed = isConsumed || effect.consumes
    return pool.levels.isEmpty ? nil : pool
  }

  /// Returns the directions in which the pool prevents a process from running: 1 forward, 2 backward.
  func excuse(for touch: ScenarioEffects.Touch, isReversible: Bool) -> UInt8 {
    func keeps(_ state: ProcessState) -> Bool {
      touch[state].demands.contains { $0.rule != .product && levels.isDisjoint(with: $0.levels) }
    }
    return (keeps(.forward) ? 1 : 0) | (isReversible && keeps(.backward) ? 2 : 0)
  }
}

/// The required final condition of a pool.
struct PoolEnd: Sendable {
  var isBoundary: Bool
  var accumulatedNeedsProducer: Bool

  /// Returns the levels that a pool may have after all processes; empty if it is not in balance.
  func levels(of pool: RawPool) -> LevelSet {
    if isBoundary { return pool.levels }
    guard pool.isProduced == pool.isConsumed else { return [] }
    return pool.isProduced || !accumulatedNeedsProducer ? pool.levels : pool.levels.subtracting(.accumulated)
  }
}
