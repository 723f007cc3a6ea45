/// Goes through the processes of a plan and finds every reachable state once.
///
/// - Source: The frontier method, as for counting subgraphs in D. E. Knuth, The Art of Computer Programming 4A, 7.1.4
///   ("simpath"); a state is the information on the choices so far that matters for the rest.
struct FrontierSearch<Key: FixedWidthInteger & UnsignedInteger & Sendable> {
  let plan: SearchPlan
  let limits: SearchLimits

  /// The number of states between two checks for cancellation.
  private static var stride: Int { 4096 }

  /// Returns the graph of states.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  func graph() throws -> ScenarioGraph {
    var graph = ScenarioGraph(plan)
    var keys: [Key] = [0]
    var total = 1
    for (index, step) in plan.steps.enumerated() {
      let layer: ScenarioGraph.Layer
      (keys, layer) = try advance(keys, FrontierStep<Key>(step, counter: plan.counter), total, index)
      graph.append(layer)
      total += keys.count
      if keys.isEmpty { break }
    }
    try graph.count(limits)
    return graph
  }

  private func advance(
    _ keys: [Key], _ step: FrontierStep<Key>, _ total: Int, _ index: Int
  ) throws -> ([Key], ScenarioGraph.Layer) {
    var table = KeyTable<Key>()
    var layer = ScenarioGraph.Layer(states: keys.count)
    let isLast = index == plan.steps.count - 1
    for (number, key) in keys.enumerated() {
      if number % Self.stride == 0 { try limits.check(states: total + table.keys.count, at: index, of: plan) }
      for state in step.states {
        guard let next = step.after(key, state) else { continue }
        // At the end all states are equal; even the number of active processes no longer matters.
        layer.link(number, state, to: table.number(of: isLast ? 0 : next))
      }
    }
    try limits.check(states: total + table.keys.count, at: index, of: plan)
    return (table.keys, layer)
  }

  /// Returns the number of pairs of a scenario and levels for all pools; the plan must be one for pairs.
  ///
  /// - Throws: The same errors as for the graph.
  func pairs() throws -> BigUnsigned {
    var states: [(key: Key, count: BigUnsigned)] = [(0, plan.constantWeight)]
    for (index, step) in plan.steps.enumerated() {
      let tables = FrontierStep<Key>(step, counter: plan.counter)
      let closing = step.moves.filter { !$0.weights.isEmpty }
      var table = KeyTable<Key>()
      var counts: [BigUnsigned] = []
      for (number, state) in states.enumerated() {
        // Each state has its own count here, which takes about as much memory as four states.
        if number % Self.stride == 0 { try limits.check(states: 4 * table.keys.count, at: index, of: plan) }
        for choice in tables.states {
          guard let next = tables.after(state.key, choice) else { continue }
          let slot = Int(table.number(of: next))
          if slot == counts.count { counts.append(.zero) }
          var count = state.count
          for move in closing { count.multiply(by: Self.weight(move, state.key, choice)) }
          counts[slot] += count
        }
      }
      states = Array(zip(table.keys, counts)).map { ($0, $1) }
    }
    return states.reduce(.zero) { $0 + $1.count }
  }

  private static func weight(_ move: SearchPlan.Move, _ key: Key, _ state: ProcessState) -> UInt64 {
    let before = Int(truncatingIfNeeded: (key >> Key(move.shift)) & Key(move.mask))
    return move.weights[Int(move.step.next[4 * before + Int(state.rawValue)])]
  }
}

/// The search for scenarios in which every process whose conditions are met runs, for one labeling of all pools.
///
/// Pools cannot be considered one at a time here, because an idle process needs an excuse from any of its pools. A
/// state is therefore a set: one number for each consistent choice of levels so far.
struct StrictSearch<Key: FixedWidthInteger & UnsignedInteger & Sendable> {
  let plan: SearchPlan
  let limits: SearchLimits

  /// Returns the graph of states.
  ///
  /// - Throws: ``ScenarioError/tooWide(network:states:process:of:)``, `CancellationError`.
  func graph() throws -> ScenarioGraph {
    var graph = ScenarioGraph(plan)
    var sets: [[Key]] = [[0]]
    var total = 1
    for (index, step) in plan.steps.enumerated() {
      let tables = FrontierStep<Key>(step, counter: plan.counter)
      var numbers: [[Key]: UInt32] = [:]
      var found: [[Key]] = []
      var layer = ScenarioGraph.Layer(states: sets.count)
      for (number, set) in sets.enumerated() {
        try limits.check(states: total, at: index, of: plan)
        let opened = try opened(set, step, total, index)
        for state in tables.states {
          var next = Self.unique(opened.compactMap { tables.after($0, state) })
          guard !next.isEmpty else { continue }
          if index == plan.steps.count - 1 { next = [0] }
          if numbers[next] == nil {
            numbers[next] = UInt32(found.count)
            found.append(next)
            total += next.count
          }
          if let slot = numbers[next] { layer.link(number, state, to: slot) }
        }
      }
      graph.append(layer)
      sets = found
      if sets.isEmpty { break }
    }
    try graph.count(limits)
    return graph
  }

  /// Returns the states for every choice of levels of the pools that open.
  private func opened(_ set: [Key], _ step: SearchPlan.Step, _ total: Int, _ index: Int) throws -> [Key] {
    try step.moves.reduce(set) { keys, move in
      guard move.opening.count > 1 || move.opening.first ?? 0 > 0 else { return keys }
      try limits.check(states: total + keys.count * move.opening.count, at: index, of: plan)
      return keys.flatMap { key in move.opening.map { key | Key($0) << Key(move.shift) } }
    }
  }

  private static func unique(_ keys: [Key]) -> [Key] {
    var unique: [Key] = []
    for key in keys.sorted() where unique.last != key { unique.append(key) }
    return unique
  }
}

/// One process of a plan as lookup tables for a fast search.
private struct FrontierStep<Key: FixedWidthInteger & UnsignedInteger & Sendable> {
  /// The part of the state that belongs to one pool.
  private struct Field {
    var shift: Int
    var mask: Key
    /// The offset of its table in ``next``.
    var table: Int
  }

  let states: [ProcessState]
  private let fields: [Field]
  /// The next class for each field, class and state.
  private let next: [UInt8]
  private let excuses: [UInt8]
  private let excuseTables: [Int]
  private let neededExcuses: UInt8
  private let counter: (shift: Int, limit: Key)?
  /// The bits outside all fields.
  private let others: Key

  init(_ step: SearchPlan.Step, counter: (shift: Int, limit: Int)?) {
    states = step.states.states
    neededExcuses = step.neededExcuses
    self.counter = counter.map { ($0.shift, Key($0.limit)) }
    var next: [UInt8] = []
    var excuses: [UInt8] = []
    var excuseTables: [Int] = []
    var others = Key.max
    var fields: [Field] = []
    for move in step.moves {
      let mask = Key(move.mask)
      fields.append(Field(shift: move.shift, mask: mask, table: next.count))
      excuseTables.append(excuses.count)
      // When a pool closes, its bits are cleared, whatever its last class.
      next += move.weights.isEmpty ? move.step.next : move.step.next.map { $0 == PoolAutomaton.dead ? $0 : 0 }
      excuses += move.step.excuses
      others &= ~(mask << Key(move.shift))
    }
    self.fields = fields
    self.next = next
    self.excuses = excuses
    self.excuseTables = excuseTables
    self.others = others
  }

  /// Returns the state that follows if the process is in a given state; nil if no scenario results.
  @inline(__always)
  func after(_ key: Key, _ state: ProcessState) -> Key? {
    var result = key & others
    let offset = Int(state.rawValue)
    for field in fields {
      let before = Int(truncatingIfNeeded: (key >> Key(field.shift)) & field.mask)
      let after = next[field.table + 4 * before + offset]
      if after == PoolAutomaton.dead { return nil }
      result |= Key(after) << Key(field.shift)
    }
    if state == .idle {
      return neededExcuses == 0 || isExcused(key) ? result : nil
    }
    if let counter {
      result += 1 << Key(counter.shift)
      if result >> Key(counter.shift) > counter.limit { return nil }
    }
    return result
  }

  /// Returns whether pools prevent the idle process from running in each direction.
  private func isExcused(_ key: Key) -> Bool {
    var found: UInt8 = 0
    for (index, field) in fields.enumerated() {
      let before = Int(truncatingIfNeeded: (key >> Key(field.shift)) & field.mask)
      found |= excuses[excuseTables[index] + before]
    }
    return found & neededExcuses == neededExcuses
  }
}

/// Numbers distinct keys in the order of their first occurrence.
struct KeyTable<Key: FixedWidthInteger & UnsignedInteger & Sendable>: Sendable {
  /// The keys, each once.
  private(set) var keys: [Key] = []
  /// For each slot of the hash table the number of its key plus one; 0 if it is empty.
  ///
  /// The number of slots is a power of two.
  private var slots: [UInt32]

  init() {
    slots = Array(repeating: 0, count: 64)
  }

  /// Returns the number of a key; a new key gets the next number.
  ///
  /// - Complexity: Constant, since at most half of the slots are in use.
  mutating func number(of key: Key) -> UInt32 {
    let mask = slots.count - 1
    var position = Self.hash(key) & mask
    while true {
      let slot = slots[position]
      if slot == 0 { break }
      if keys[Int(slot) - 1] == key { return slot - 1 }
      position = (position + 1) & mask
    }
    keys.append(key)
    slots[position] = UInt32(keys.count)
    if 2 * keys.count > slots.count { grow() }
    return UInt32(keys.count) - 1
  }

  private mutating func grow() {
    let mask = 4 * slots.count - 1
    slots = Array(repeating: 0, count: 4 * slots.count)
    for (index, key) in keys.enumerated() {
      var position = Self.hash(key) & mask
      while slots[position] != 0 { position = (position + 1) & mask }
      slots[position] = UInt32(index + 1)
    }
  }

  private static func hash(_ key: Key) -> Int {
    var mixed = UInt64(truncatingIfNeeded: key)
    if Key.bitWidth > 64 { mixed ^= UInt64(truncatingIfNeeded: key >> 64) &* 0x9E37_79B9_7F4A_7C15 }
    mixed = (mixed ^ (mixed >> 32)) &* 0xD6E8_FEB8_6659_FD93
    return Int(truncatingIfNeeded: (mixed ^ (mixed >> 32)) >> 1)
  }
}
