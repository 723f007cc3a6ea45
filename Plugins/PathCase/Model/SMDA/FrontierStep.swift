/// One process of a plan as lookup tables for a fast search.
struct FrontierStep<Key: FixedWidthInteger & UnsignedInteger & Sendable> {
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
