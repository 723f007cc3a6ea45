/// The plan of a scenario search: the free processes in order, and the state remembered between them.
///
/// The state between two processes is one number. Each open pool has a few bits of it for its class; if the number of
/// active processes is limited, it has the highest bits.
struct SearchPlan: Sendable {
  /// The effect of one process on one pool of the state.
  struct Move: Sendable {
    /// The pool's lowest bit in the state.
    var shift: Int
    /// A mask with as many ones as the pool has bits.
    var mask: UInt64
    var step: PoolAutomaton.Step
    /// The classes in which the pool is opened here; empty if it is already open.
    var opening: [UInt8]
    /// The weight of each class after this process, if it is the pool's last; otherwise empty.
    var weights: [UInt64]
  }

  /// One process of the order.
  struct Step: Sendable {
    var process: Int
    /// The states that the process may be in.
    var states: ProcessStates
    /// The directions that need an excuse if the process is idle: 1 forward, 2 backward; 0 except in strict mode.
    var neededExcuses: UInt8
    var moves: [Move]
  }

  /// The name of the network, for errors.
  let network: String
  /// The free processes in order.
  private(set) var steps: [Step] = []
  /// The state of each process that is known in advance; nil for free processes.
  private(set) var fixed: [ProcessState?] = []
  /// The number of bits in the state.
  private(set) var width = 0
  /// The lowest bit of the number of active processes, and their maximum; nil if there is no maximum.
  private(set) var counter: (shift: Int, limit: Int)?
  /// A Boolean value indicating whether there is known to be no scenario.
  private(set) var isImpossible = false
  /// The product of the weights of all pools without free processes.
  private(set) var constantWeight = BigUnsigned.one
  /// The known facts about each pool.
  private(set) var pools: [PoolInfo] = []

  /// Creates the plan for the processes that rule propagation left open.
  ///
  /// - Throws: `CancellationError`.
  init(
    _ known: RulePropagation, kind: PoolAutomaton.Kind, restriction: ScenarioRestriction, limits: SearchLimits
  ) throws {
    network = known.network.name
    fixed = known.states.map(\.only)
    guard known.contradiction == nil else {
      isImpossible = true
      return
    }
    let free = fixed.indices.filter {
      Self.isFree($0, fixed: fixed, known, kind == .strict && !restriction.excused.contains($0))
    }
    pools = Self.pools(of: free, fixed, known, kind)
    let order = try Self.order(free, constrained: pools.map { !$0.isTrivial }, known, limits)
    var places = Array(repeating: -1, count: fixed.count)
    for (index, process) in order.enumerated() { places[process] = index }
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
    for group in restriction.anyActive { require(group, places, &slots) }
    width = slots.width
    limitActive(restriction.maximumActive)
  }

  /// Returns whether a process is visited; in strict mode this includes an idle one that needs an excuse.
  private static func isFree(
    _ process: Int, fixed: [ProcessState?], _ known: RulePropagation, _ needsExcuse: Bool
  ) -> Bool {
    guard let state = fixed[process] else { return true }
    let source = known.network.processes[process]
    return needsExcuse && state == .idle && !source.movesNothing
  }
}

// MARK: - Pools

extension SearchPlan {
  /// The known facts about a pool before the free processes.
  struct PoolInfo: Sendable {
    var raw: RawPool
    var end: PoolEnd
    var free: [Int] = []
    /// A Boolean value indicating whether it permits everything that the free processes can do.
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
        end: PoolEnd(source, known.network.rules))
      var left = known.levels[pool]
      for process in known.effects.processes[pool] {
        guard let touch = known.effects.touch(of: process, on: pool) else { continue }
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

  private static func order(
    _ free: [Int], constrained: [Bool], _ known: RulePropagation, _ limits: SearchLimits
  ) throws -> [Int] {
    var numbers = Array(repeating: -1, count: constrained.count)
    var bits: [Double] = []
    for pool in constrained.indices where constrained[pool] {
      numbers[pool] = bits.count
      bits.append(known.network.pools[pool].isBoundary ? 1 : 2)
    }
    let touched = free.map { process in
      known.effects.touches[process].map { numbers[$0.pool] }.filter { $0 >= 0 }
    }
    return try EliminationOrder(pools: touched, bits: bits, limits: limits).best().map { free[$0] }
  }

  /// Assigns bits to a pool and adds its moves to its processes.
  private mutating func add(
    _ pool: Int, _ info: PoolInfo, _ places: [Int], _ known: RulePropagation, _ kind: PoolAutomaton.Kind,
    _ slots: inout BitSlots
  ) {
    let mine = info.free.map { places[$0] }.sorted()
    let moves = mine.compactMap { position in
      known.effects.touch(of: steps[position].process, on: pool).map {
        (steps[position].states, $0, known.network.processes[steps[position].process].isReversible)
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
    for (index, position) in mine.enumerated() {
      steps[position].moves.append(
        Move(
          shift: shift, mask: (1 << UInt64(bits)) - 1, step: automaton.steps[index],
          opening: index == 0 ? automaton.initialClasses : [], weights: position == last ? automaton.weights : []))
    }
  }

  /// Assigns a bit that records whether a process of a group is active yet, which must hold after its last process.
  private mutating func require(_ group: [Int], _ places: [Int], _ slots: inout BitSlots) {
    if group.contains(where: { fixed[$0].map { $0 != .idle } ?? false }) { return }
    let mine = Set(group.map { places[$0] }).sorted().filter {
      $0 >= 0 && !steps[$0].states.isDisjoint(with: .active)
    }
    guard let first = mine.first, let last = mine.last else {
      isImpossible = true
      return
    }
    let shift = slots.take(first < last ? 1 : 0, from: first, to: last)
    for position in mine {
      var step = PoolAutomaton.Step()
      for isActive in position == first ? [UInt8(0)] : [0, 1] {
        let idle = position < last ? isActive : isActive == 0 ? PoolAutomaton.dead : 0
        let active: UInt8 = position < last ? 1 : 0
        step.next += [idle, active, active, PoolAutomaton.dead]
        step.excuses.append(0)
      }
      steps[position].moves.append(
        Move(
          shift: shift, mask: first < last ? 1 : 0, step: step, opening: position == first ? [0] : [],
          weights: position == last ? [1] : []))
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

/// The bits of the state, each shared by pools that are not open at the same time.
private struct BitSlots {
  private var taken: [[ClosedRange<Int>]] = []

  var width: Int { taken.count }

  /// Reserves adjacent bits for some steps and returns the lowest.
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

  /// Returns whether a bit is free.
  ///
  /// Within a step, a pool that closes and one that opens must not share bits, so both ends are reserved.
  private func isFree(_ bit: Int, _ range: ClosedRange<Int>) -> Bool {
    bit >= taken.count || !taken[bit].contains { $0.overlaps(range) }
  }
}
