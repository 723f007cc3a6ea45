/// What must be remembered of one pool while its processes are gone through one by one.
///
/// After each process the pool is in a class; two histories share a class if nothing that the remaining processes can do
/// tells them apart, so that the number of classes is the smallest there can be (1 to 5 for most pools).
struct PoolAutomaton: Sendable {
  /// What an automaton tells apart.
  enum Kind: Sendable {
    /// Whether there is a level in the end.
    case scenarios
    /// How many levels there are in the end.
    case pairs
    /// Whether the level that was chosen in the beginning is right in the end.
    case strict
  }

  /// One of its processes, as this pool sees it.
  struct Step: Sendable {
    /// For each class before and each state of the process the class after; ``dead`` if there is none.
    ///
    /// Four entries for each class, by the state's raw value.
    var next: [UInt8] = []
    /// For each class before the directions in which this pool keeps the process from running; only in strict mode.
    ///
    /// 1 is forwards, 2 backwards, 3 both.
    var excuses: [UInt8] = []
  }

  /// The class of histories that come to nothing.
  static let dead = UInt8.max

  /// Its steps, in the order of its processes.
  private(set) var steps: [Step] = []
  /// How many classes there are before each step, and after the last.
  private(set) var classCounts: [Int] = []
  /// In which classes it can begin; only in strict mode more than one.
  private(set) var initialClasses: [UInt8] = []
  /// For each class after the last step what it counts.
  private(set) var weights: [UInt64] = []

  /// Whether no history comes to an end.
  var isEmpty: Bool { initialClasses.isEmpty }

  /// Makes the automaton of a pool.
  ///
  /// - Parameters:
  ///   - end: What the pool must be in the end.
  ///   - initial: What is known of it before the first process.
  ///   - moves: Its processes in order: the states each may be in, and what they do with the pool.
  init(
    kind: Kind, end: PoolEnd, initial: RawPool,
    moves: [(states: ProcessStates, touch: ScenarioEffects.Touch, isReversible: Bool)]
  ) {
    var histories = [kind == .strict ? initial.levels.levels.map { initial.with(LevelSet([$0])) } : [initial]]
    for move in moves { histories.append(Self.after(histories[histories.count - 1], move)) }
    var classes: [UInt8] = Array(repeating: Self.dead, count: 64)
    (classes, weights) = Self.endClasses(of: histories[moves.count], kind: kind, end: end)
    classCounts = [weights.count]
    for index in moves.indices.reversed() {
      let (before, step) = Self.step(histories[index], moves[index], after: classes, kind: kind)
      steps.append(step)
      classCounts.append(step.next.count / 4)
      classes = before
    }
    steps.reverse()
    classCounts.reverse()
    for history in histories[0] where classes[history.index] != Self.dead {
      if !initialClasses.contains(classes[history.index]) { initialClasses.append(classes[history.index]) }
    }
  }

  private static func after(
    _ histories: [RawPool], _ move: (states: ProcessStates, touch: ScenarioEffects.Touch, isReversible: Bool)
  ) -> [RawPool] {
    var found: [RawPool] = []
    for history in histories {
      for state in move.states.states {
        if let next = history.after(move.touch[state]), !found.contains(next) { found.append(next) }
      }
    }
    return found
  }

  /// The classes in the end: one for each number of levels, or one for all.
  private static func endClasses(of histories: [RawPool], kind: Kind, end: PoolEnd) -> ([UInt8], [UInt64]) {
    var classes: [UInt8] = Array(repeating: dead, count: 64)
    var weights: [UInt64] = []
    for history in histories {
      let levels = end.levels(of: history)
      guard !levels.isEmpty else { continue }
      let weight = kind == .pairs ? UInt64(levels.count) : 1
      if !weights.contains(weight) { weights.append(weight) }
      classes[history.index] = UInt8(weights.firstIndex(of: weight) ?? 0)
    }
    return (classes, weights)
  }

  /// The classes before a process, and the step from them to those after.
  private static func step(
    _ histories: [RawPool], _ move: (states: ProcessStates, touch: ScenarioEffects.Touch, isReversible: Bool),
    after classes: [UInt8], kind: Kind
  ) -> ([UInt8], Step) {
    var before: [UInt8] = Array(repeating: dead, count: 64)
    var step = Step()
    var signatures: [[UInt8]] = []
    for history in histories {
      var signature: [UInt8] = [dead, dead, dead, dead]
      for state in move.states.states {
        if let next = history.after(move.touch[state]) { signature[Int(state.rawValue)] = classes[next.index] }
      }
      guard signature.contains(where: { $0 != dead }) else { continue }
      let excuse = kind == .strict ? history.excuse(for: move.touch, isReversible: move.isReversible) : 0
      let place = signatures.firstIndex(of: signature + [excuse]) ?? signatures.count
      if place == signatures.count {
        signatures.append(signature + [excuse])
        step.next += signature
        step.excuses.append(excuse)
      }
      before[history.index] = UInt8(place)
    }
    return (before, step)
  }
}

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
