import Synchronization

/// The active faults, and those that a call meets.
final class SimulatorFaults: Sendable {
  private struct State {
    var rules: [(rule: SimulatorFaultRule, met: Int)] = []
    /// Calls by sensor and operation; of all operations together where it is nil.
    var calls: [Key: Int] = [:]
  }

  private struct Key: Hashable {
    var sensor: Int
    var operation: SensorOperation?
  }

  private let seed: UInt64
  private let state = Mutex(State())

  init(seed: UInt64, _ rules: [SimulatorFaultRule]) {
    self.seed = seed
    add(rules)
  }

  func add(_ rules: [SimulatorFaultRule]) {
    state.withLock { state in state.rules += rules.map { ($0, 0) } }
  }

  /// Ends all faults.
  func clear() { state.withLock { $0.rules = [] } }

  /// The active rules, with the number of times each was met.
  var all: [(rule: SimulatorFaultRule, met: Int)] { state.withLock { $0.rules } }

  /// Resets the count of calls.
  func forgetCalls() { state.withLock { $0.calls = [:] } }

  /// Counts a call and returns its faults, in the order of the rules.
  func met(by operation: SensorOperation, sensor: Int) -> [SimulatorFaultRule] {
    state.withLock { state in
      let (ownKey, allKey) = (Key(sensor: sensor, operation: operation), Key(sensor: sensor, operation: nil))
      let (ofOperation, ofSensor) = ((state.calls[ownKey] ?? 0) + 1, (state.calls[allKey] ?? 0) + 1)
      (state.calls[ownKey], state.calls[allKey]) = (ofOperation, ofSensor)
      var met: [SimulatorFaultRule] = []
      for index in state.rules.indices {
        let (rule, count) = state.rules[index]
        let isMeant = rule.operation.map { $0 == operation } ?? rule.fault.usualOperations?.contains(operation) ?? true
        let call = rule.operation == nil && rule.fault.usualOperations == nil ? ofSensor : ofOperation
        guard isMeant, rule.sensor == nil || rule.sensor == sensor, rule.calls.contains(call),
          rule.times.map({ count < $0 }) ?? true
        else { continue }
        var chance = SeededChance(seed, index &* 1_000_003 &+ sensor &* 7919 &+ call)
        guard rule.percent >= 100 || chance.below(100) < rule.percent else { continue }
        state.rules[index].met += 1
        met.append(rule)
      }
      return met
    }
  }
}

extension [SimulatorFaultRule] {
  /// The rule of a fault, if it is among those that are met.
  subscript(fault: SimulatorFault) -> SimulatorFaultRule? { first { $0.fault == fault } }

  func contains(_ fault: SimulatorFault) -> Bool { contains { $0.fault == fault } }
}
