/// The information to remember about one pool while its processes are visited one at a time.
///
/// After each process the pool is in a class. Two histories share a class if the remaining processes cannot distinguish
/// them, so the number of classes is minimal (1 to 5 for most pools).
struct PoolAutomaton: Sendable {
  /// The property by which an automaton distinguishes histories.
  enum Kind: Sendable {
    /// A property of scenarios: any level is left at the end.
    case scenarios
    /// A property of pairs: the number of levels left at the end.
    case pairs
    /// A property in strict mode: the level chosen at the beginning is valid at the end.
    case strict
  }

  /// One of the pool's processes: its possible states, and the effects of these on the pool.
  typealias Move = (states: ProcessStates, touch: ScenarioEffects.Touch, isReversible: Bool)

  /// One of the pool's processes, as seen by the pool.
  struct Step: Sendable {
    /// The next class for each class and each state of the process; ``dead`` if there is none.
    ///
    /// Each class has four entries, indexed by the state's raw value.
    var next: [UInt8] = []
    /// The directions in which the pool prevents the process from running, for each preceding class; only in strict
    /// mode.
    ///
    /// 1 is forward, 2 backward, 3 both.
    var excuses: [UInt8] = []
  }

  /// The class of histories that lead to no scenario.
  static let dead = UInt8.max

  /// The steps, in the order of its processes.
  private(set) var steps: [Step] = []
  /// The number of classes before each step, and after the last.
  private(set) var classCounts: [Int] = []
  /// The classes in which it can begin; more than one only in strict mode.
  private(set) var initialClasses: [UInt8] = []
  /// The weight of each class after the last step.
  private(set) var weights: [UInt64] = []

  /// A Boolean value indicating whether no history reaches the end.
  var isEmpty: Bool { initialClasses.isEmpty }

  /// Creates the automaton of a pool.
  ///
  /// - Parameters:
  ///   - end: The required final condition of the pool.
  ///   - initial: The information about the pool before the first process.
  ///   - moves: The pool's processes in order.
  init(kind: Kind, end: PoolEnd, initial: RawPool, moves: [Move]) {
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

  private static func after(_ histories: [RawPool], _ move: Move) -> [RawPool] {
    var found: [RawPool] = []
    for history in histories {
      for state in move.states.states {
        if let next = history.after(move.touch[state]), !found.contains(next) { found.append(next) }
      }
    }
    return found
  }

  /// Returns the final classes: one for each number of levels, or one for all.
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

  /// Returns the classes before a process, and the step from them to those after it.
  private static func step(
    _ histories: [RawPool], _ move: Move, after classes: [UInt8], kind: Kind
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
      let index = signatures.firstIndex(of: signature + [excuse]) ?? signatures.count
      if index == signatures.count {
        signatures.append(signature + [excuse])
        step.next += signature
        step.excuses.append(excuse)
      }
      before[history.index] = UInt8(index)
    }
    return (before, step)
  }
}

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
  fileprivate func excuse(for touch: ScenarioEffects.Touch, isReversible: Bool) -> UInt8 {
    func keeps(_ state: ProcessState) -> Bool {
      touch[state].demands.contains { $0.rule != .product && levels.isDisjoint(with: $0.levels) }
    }
    return (keeps(.forward) ? 1 : 0) | (isReversible && keeps(.backward) ? 2 : 0)
  }
}

/// The required final condition of a pool.
struct PoolEnd: Sendable {
  private let isBoundary: Bool
  private let accumulatedNeedsProducer: Bool

  init(_ pool: ScenarioPool, _ rules: ScenarioRules) {
    isBoundary = pool.isBoundary
    accumulatedNeedsProducer = rules.accumulatedNeedsProducer
  }

  /// Returns the levels that a pool may have after all processes; empty if it is not in balance.
  func levels(of pool: RawPool) -> LevelSet {
    if isBoundary { return pool.levels }
    guard pool.isProduced == pool.isConsumed else { return [] }
    return pool.isProduced || !accumulatedNeedsProducer ? pool.levels : pool.levels.subtracting(.accumulated)
  }
}
