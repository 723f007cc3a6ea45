/// What a user wants of the scenarios that are counted and shown.
struct ScenarioRestriction: Sendable, Hashable {
  /// For processes, by index, the states they may be in; all others may be in any.
  var states: [Int: ProcessStates] = [:]
  /// How many processes may be active at most; nil for any number.
  var maximumActive: Int?
  /// The processes that may be idle for no reason in strict mode, by index.
  var excused: Set<Int> = []

  /// The states that a process may be in.
  func allowed(_ process: Int) -> ProcessStates { states[process] ?? .every }

  /// Both restrictions at once.
  func and(_ other: ScenarioRestriction) -> ScenarioRestriction {
    var both = self
    both.states.merge(other.states) { $0.intersection($1) }
    both.maximumActive = [maximumActive, other.maximumActive].compactMap { $0 }.min()
    both.excused.formUnion(other.excused)
    return both
  }
}
