/// What a user wants of the scenarios that are counted and shown.
struct ScenarioRestriction: Sendable, Hashable {
  /// For processes, by index, the states they may be in; all others may be in any.
  var states: [Int: ProcessStates] = [:]
  /// How many processes may be active at most; nil for any number.
  var maximumActive: Int?
  /// Groups of processes, such as pathways, of each of which at least one is active.
  var anyActive: [[Int]] = []
  /// What groups are called, by their members; those without a name have a number.
  var groupNames: [[Int]: String] = [:]
  /// The processes that may be idle for no reason in strict mode, by index.
  var excused: Set<Int> = []

  /// The states that a process may be in.
  func allowed(_ process: Int) -> ProcessStates { states[process] ?? .every }

  /// What a group is called, by its index.
  func name(ofGroup group: Int) -> String { groupNames[anyActive[group]] ?? "group \(group + 1)" }

  /// Both restrictions at once.
  func and(_ other: ScenarioRestriction) -> ScenarioRestriction {
    var both = self
    both.states.merge(other.states) { $0.intersection($1) }
    both.maximumActive = [maximumActive, other.maximumActive].compactMap { $0 }.min()
    both.anyActive += other.anyActive
    both.groupNames.merge(other.groupNames) { first, _ in first }
    both.excused.formUnion(other.excused)
    return both
  }
}
