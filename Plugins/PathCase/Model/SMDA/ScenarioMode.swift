/// Which scenarios count.
enum ScenarioMode: String, Sendable, CaseIterable {
  /// Those that break no rule: a process whose conditions are met may run or not.
  case necessary
  /// Those in which every process runs whose conditions are met.
  case strict
  /// Those that break no rule and that some flux in balance can have.
  case realizable

  /// The analysis that it is based on.
  var analysis: ScenarioAnalysis.Mode { self == .strict ? .strict : .necessary }

  /// What it means, in a sentence without its end.
  var statement: String {
    switch self {
    case .necessary: "what can run may run"
    case .strict: "what can run does run"
    case .realizable: "what can run may run, and amounts are in balance"
    }
  }
}
