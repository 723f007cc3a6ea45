/// The record of a running simulator: the calls that it received, and its active faults with how often each was met.
///
/// A simulator keeps it in its state, behind a lock.
public struct SimulatorLedger<Call: Sendable, Fault: SimulatedFault>: Sendable {
  /// A fault in force.
  public struct ActiveFault: Sendable {
    public let rule: FaultRule<Fault>
    /// The number of calls that met it.
    public fileprivate(set) var met = 0

    /// A Boolean value indicating whether further calls can meet it.
    public var isLeft: Bool { rule.times.map { met < $0 } ?? true }
  }

  /// The relation of a rule to a call, and the calls among which its numbers count.
  @frozen
  public enum Scope: Sendable {
    /// The call does not concern the rule.
    case none
    /// Calls of the same operation of the same instance.
    case operation
    /// All calls of the same instance.
    case instance
  }

  private struct Key: Hashable {
    var instance: Int
    /// Nil for all operations together.
    var operation: String?
  }

  /// The recorded calls, in order; only the first ones up to the limit.
  public private(set) var calls: [Call] = []
  /// The number of calls since the last reset, recorded or not.
  public private(set) var callCount = 0
  /// The active faults, in the order in which they were added.
  public private(set) var faults: [ActiveFault]
  private var counts: [Key: Int] = [:]
  private let limit: Int
  private let percentile: @Sendable (Int) -> Int

  /// Creates the ledger of a simulator that starts.
  ///
  /// - Parameters:
  ///   - rules: The faults from the start.
  ///   - limit: The maximum number of recorded calls, so that a simulator can run for days.
  ///   - percentile: Returns a number from 0 to 99 for the number of a random stream.
  public init(_ rules: [FaultRule<Fault>], limit: Int = .max, percentile: @escaping @Sendable (Int) -> Int) {
    faults = rules.map { ActiveFault(rule: $0) }
    (self.limit, self.percentile) = (limit, percentile)
  }

  // MARK: Calls

  /// Records a call.
  ///
  /// - Returns: Its index for ``update(_:_:)``; nil if it is over the limit.
  @discardableResult public mutating func record(_ call: Call) -> Int? {
    callCount += 1
    if calls.count >= limit { return nil }
    calls.append(call)
    return calls.count - 1
  }

  /// Changes a recorded call; a call that was discarded since is ignored.
  public mutating func update(_ index: Int?, _ change: (inout Call) -> Void) {
    if let index, calls.indices.contains(index) { change(&calls[index]) }
  }

  /// Discards the recorded calls and restarts all counts of calls.
  public mutating func reset() {
    calls = []
    callCount = 0
    counts = [:]
  }

  // MARK: Faults

  /// Adds faults.
  public mutating func add(_ rules: [FaultRule<Fault>]) { faults += rules.map { ActiveFault(rule: $0) } }

  /// Ends all faults.
  public mutating func endFaults() { faults = [] }

  /// Replaces the faults, and restarts the count of calls.
  public mutating func replaceFaults(_ rules: [FaultRule<Fault>]) {
    faults = rules.map { ActiveFault(rule: $0) }
    counts = [:]
  }

  /// Returns true if a fault is active, whatever calls it is limited to.
  public func has(_ fault: Fault) -> Bool { faults.contains { $0.rule.fault == fault && $0.isLeft } }

  /// Counts a call and returns the rules that it meets, in their order.
  ///
  /// - Parameters:
  ///   - operations: The names by which rules can name the call.
  ///   - instance: The number of the instance, from 1.
  ///   - limit: The maximum number of rules that the call meets.
  ///   - scope: Returns the scope of a rule. If the rule names an operation, the calls of that operation count, unless
  ///     the scope is ``Scope/none``.
  public mutating func meet(
    _ operations: [String], instance: Int = 1, limit: Int = .max, scope: (FaultRule<Fault>) -> Scope
  ) -> [FaultRule<Fault>] {
    for name in operations { counts[Key(instance: instance, operation: name), default: 0] += 1 }
    counts[Key(instance: instance), default: 0] += 1
    var met: [FaultRule<Fault>] = []
    for index in faults.indices where met.count < limit && faults[index].isLeft {
      let rule = faults[index].rule
      guard rule.instance == nil || rule.instance == instance,
        let call = number(of: rule, operations, instance, scope), rule.calls.contains(call)
      else { continue }
      if rule.percent < 100 {
        let stream = index &* 1_000_003 &+ instance &* 7919 &+ call
        if percentile(stream) >= rule.percent { continue }
      }
      faults[index].met += 1
      met.append(rule)
    }
    return met
  }

  /// Returns the number of the call among those that a rule counts; nil if the call does not concern the rule.
  private func number(
    of rule: FaultRule<Fault>, _ operations: [String], _ instance: Int, _ scope: (FaultRule<Fault>) -> Scope
  ) -> Int? {
    let scope = scope(rule)
    if let operation = rule.operation, scope != .none {
      return operations.contains(operation) ? counts[Key(instance: instance, operation: operation)] : nil
    }
    return switch scope {
    case .none: nil
    case .operation: counts[Key(instance: instance, operation: operations.first)]
    case .instance: counts[Key(instance: instance)]
    }
  }
}

extension Array {
  /// The rule of a fault; nil if it is not among those that are met.
  public subscript<Fault>(fault: Fault) -> Element? where Element == FaultRule<Fault> {
    first { $0.fault == fault }
  }

  /// Returns true if a rule of a fault is among those that are met.
  public func contains<Fault>(_ fault: Fault) -> Bool where Element == FaultRule<Fault> {
    contains { $0.fault == fault }
  }
}
