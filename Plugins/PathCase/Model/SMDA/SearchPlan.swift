/// How the scenarios of a network are searched: its free processes in order, and what is remembered between them.
///
/// The state between two processes is one number: each open pool has a few bits of it for its class, and the number of
/// active processes has the highest ones where it is limited.
struct SearchPlan: Sendable {
  /// What one process does with one pool of the state.
  struct Move: Sendable {
    /// The pool's lowest bit in the state.
    var shift: Int
    /// As many ones as the pool has bits.
    var mask: UInt64
    var step: PoolAutomaton.Step
    /// In which classes the pool is opened here; empty if it is open already.
    var opening: [UInt8]
    /// For each class after this process what it counts, if it is the pool's last; else empty.
    var weights: [UInt64]
  }

  /// One process of the order.
  struct Step: Sendable {
    var process: Int
    /// The states it may be in.
    var states: ProcessStates
    /// Which directions need an excuse if it is idle: 1 forwards, 2 backwards; 0 but in strict mode.
    var neededExcuses: UInt8
    var moves: [Move]
  }

  /// The free processes in order.
  private(set) var steps: [Step] = []
  /// For each process its state where that is known before; nil for the free ones.
  private(set) var fixed: [ProcessState?] = []
  /// How many bits the state has.
  private(set) var width = 0
  /// The lowest bit of the number of active processes, and how many there may be; nil for any number.
  private(set) var counter: (shift: Int, limit: Int)?
  /// Whether it is known that there is no scenario.
  private(set) var isImpossible = false
  /// What all pools without free processes count together.
  private(set) var constantWeight = BigUnsigned.one
  /// What is known of each pool.
  private(set) var pools: [PoolInfo] = []

  /// Makes the plan for what is left after the rules were followed.
  init(_ known: RulePropagation, kind: PoolAutomaton.Kind, restriction: ScenarioRestriction) {
    fixed = known.states.map(\.only)
    guard known.contradiction == nil else {
      isImpossible = true
      return
    }
    let free = fixed.indices.filter {
      Self.isFree($0, fixed: fixed, known, kind == .strict && !restriction.excused.contains($0))
    }
    pools = Self.pools(of: free, fixed, known, kind)
    let order = Self.order(free, constrained: pools.map { !$0.isTrivial }, known)
    var places = Array(repeating: -1, count: fixed.count)
    for (place, process) in order.enumerated() { places[process] = place }
    steps = order.map { process in
      Step(
        process: process, states: known.states[process],
        neededExcuses: kind == .strict && !restriction.excused.contains(process)
          ? (known.network.processes[process].isReversible ? 3 : 1) : 0,
        moves: [])
    }
    for process in order { fixed[process] = nil }
    var slots = BitSlots()
    for (pool, info) in pools.enumerated() where !info.isTrivial {
      add(pool, info, places, known, kind, &slots)
    }
    width = slots.width
    limitActive(restriction.maximumActive)
  }

  /// Whether a process is gone through; in strict mode also an idle one, which needs an excuse.
  private static func isFree(
    _ process: Int, fixed: [ProcessState?], _ known: RulePropagation, _ needsExcuse: Bool
  ) -> Bool {
    guard let state = fixed[process] else { return true }
    let source = known.network.processes[process]
    return needsExcuse && state == .idle && !(source.inputs.isEmpty && source.outputs.isEmpty)
  }
}

// MARK: - Pools

extension SearchPlan {
  /// What is known of a pool before the free processes.
  struct PoolInfo: Sendable {
    var raw: RawPool
    var end: PoolEnd
    var free: [Int] = []
    /// Whether it lets everything pass that the free processes can do.
    var isTrivial = false
  }

  private static func pools(
    of free: [Int], _ fixed: [ProcessState?], _ known: RulePropagation, _ kind: PoolAutomaton.Kind
  ) -> [PoolInfo] {
    let isFree = Set(free)
    return known.network.pools.indices.map { pool in
      let source = known.network.pools[pool]
      var info = PoolInfo(
        raw: RawPool(levels: known.levels[pool]),
        end: PoolEnd(
          isBoundary: source.isBoundary, accumulatedNeedsProducer: known.network.rules.accumulatedNeedsProducer))
      var left = known.levels[pool]
      for process in known.effects.processes[pool] {
        guard let touch = known.effects.touches[process].first(where: { $0.pool == pool }) else { continue }
        if isFree.contains(process) {
          info.free.append(process)
          for state in known.states[process].states { left.formIntersection(touch[state].levels) }
        } else if let state = fixed[process] {
          info.raw = info.raw.after(touch[state]) ?? info.raw.with([])
        }
      }
      left.formIntersection(info.raw.levels)
      info.isTrivial = kind == .scenarios && source.isBoundary && !left.isEmpty
      return info
    }
  }

  private static func order(_ free: [Int], constrained: [Bool], _ known: RulePropagation) -> [Int] {
    var numbers = Array(repeating: -1, count: constrained.count)
    var bits: [Double] = []
    for pool in constrained.indices where constrained[pool] {
      numbers[pool] = bits.count
      bits.append(known.network.pools[pool].isBoundary ? 1 : 2)
    }
    let touched = free.map { process in
      known.effects.touches[process].map { numbers[$0.pool] }.filter { $0 >= 0 }
    }
    return EliminationOrder(pools: touched, bits: bits).best().map { free[$0] }
  }

  /// Gives a pool its bits and adds its moves to its processes.
  private mutating func add(
    _ pool: Int, _ info: PoolInfo, _ places: [Int], _ known: RulePropagation, _ kind: PoolAutomaton.Kind,
    _ slots: inout BitSlots
  ) {
    let mine = info.free.map { places[$0] }.sorted()
    let moves = mine.compactMap { place in
      known.effects.touches[steps[place].process].first { $0.pool == pool }.map {
        (steps[place].states, $0, known.network.processes[steps[place].process].isReversible)
      }
    }
    let automaton = PoolAutomaton(kind: kind, end: info.end, initial: info.raw, moves: moves)
    guard !automaton.isEmpty else {
      isImpossible = true
      return
    }
    guard let first = mine.first, let last = mine.last else {
      constantWeight.multiply(by: automaton.weights.first ?? 1)
      return
    }
    let largest = automaton.classCounts.dropLast().max() ?? 1
    let bits = largest <= 1 ? 0 : Int.bitWidth - (largest - 1).leadingZeroBitCount
    let shift = slots.take(bits, from: first, to: last)
    for (index, place) in mine.enumerated() {
      steps[place].moves.append(
        Move(
          shift: shift, mask: (1 << UInt64(bits)) - 1, step: automaton.steps[index],
          opening: index == 0 ? automaton.initialClasses : [], weights: place == last ? automaton.weights : []))
    }
  }

  private mutating func limitActive(_ maximum: Int?) {
    guard let maximum else { return }
    let left = maximum - fixed.count { $0 != nil && $0 != .idle }
    guard left >= 0 else {
      isImpossible = true
      return
    }
    guard left < steps.count else { return }
    counter = (width, left)
    width += Int.bitWidth - left.leadingZeroBitCount
  }
}

/// Bits of the state, each taken by pools that are not open at the same time.
private struct BitSlots {
  private var taken: [[ClosedRange<Int>]] = []

  var width: Int { taken.count }

  /// Takes neighbouring bits for some steps and gives the lowest.
  mutating func take(_ count: Int, from first: Int, to last: Int) -> Int {
    guard count > 0 else { return 0 }
    let range = first...last
    var lowest = 0
    while !(lowest..<lowest + count).allSatisfy({ isFree($0, range) }) { lowest += 1 }
    for bit in lowest..<lowest + count {
      if bit == taken.count { taken.append([]) }
      taken[bit].append(range)
    }
    return lowest
  }

  /// Within a step a pool that closes and one that opens must not share bits, so that both ends are taken.
  private func isFree(_ bit: Int, _ range: ClosedRange<Int>) -> Bool {
    bit >= taken.count || !taken[bit].contains { $0.overlaps(range) }
  }
}
