/// The criterion by which scenarios count.
enum ScenarioMode: String, Sendable, CaseIterable {
  /// Scenarios that break no rule: a process whose conditions are met may run or not.
  case necessary
  /// Scenarios in which every process whose conditions are met runs.
  case strict
  /// Scenarios that break no rule and that some flux in balance can realize.
  case realizable

  /// The mode of the underlying analysis.
  var analysis: ScenarioAnalysis.Mode { self == .strict ? .strict : .necessary }

  /// The meaning of the mode, as a sentence without its final stop.
  var statement: String {
    switch self {
    case .necessary: "what can run may run"
    case .strict: "what can run does run"
    case .realizable: "what can run may run, and amounts are in balance"
    }
  }
}
