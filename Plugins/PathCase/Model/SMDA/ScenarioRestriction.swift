/// The user's restrictions on the scenarios that are counted and shown.
struct ScenarioRestriction: Sendable, Hashable {
  /// The permitted states of processes, by index; other processes may be in any state.
  var states: [Int: ProcessStates] = [:]
  /// The maximum number of active processes; nil for no maximum.
  var maximumActive: Int?
  /// Groups of processes, such as pathways, in each of which at least one is active.
  var anyActive: [[Int]] = []
  /// The names of groups, keyed by their members; groups without a name have a number.
  var groupNames: [[Int]: String] = [:]
  /// The processes that may be idle without a reason in strict mode, by index.
  var excused: Set<Int> = []

  /// Returns the permitted states of a process.
  func allowed(_ process: Int) -> ProcessStates { states[process] ?? .every }

  /// Returns the name of a group, by its index.
  func name(ofGroup group: Int) -> String { groupNames[anyActive[group]] ?? "group \(group + 1)" }

  /// Returns the combination of both restrictions.
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
