/// The rules that decide what is a scenario, each by its number.
enum ScenarioRule: Int, Sendable, Hashable, CaseIterable {
  /// A pool has one of the levels that were observed.
  case observation = 0
  /// An active process has its inputs.
  case inputs
  /// An active process has no output that is severely accumulated.
  case outputs
  /// An active process has no inhibitor that is high enough.
  case inhibitors
  /// An active process has its activators.
  case activators
  /// A process runs in one direction at a time.
  case direction
  /// A pool inside the network has an active producer if and only if it has an active consumer.
  case steadyState
  /// What is produced is there.
  case product
  /// An accumulated pool inside the network has an active producer.
  case accumulation
  /// An idle process lacks something (strict mode only).
  case activation = 10
  /// What the user asked for: restrictions, or processes that move nothing.
  case restriction = 20
  /// Each case was tried, and none is left.
  case cases = 21
  /// No more processes are active than the user asked for.
  case activeLimit = 22
  /// Of each group that the user asked for one process is active.
  case group = 23

  /// What it says, in a sentence without its end.
  var statement: String {
    switch self {
    case .observation: "a pool has a level that was observed"
    case .inputs: "an active process has its inputs"
    case .outputs: "an active process has no output that is severely accumulated"
    case .inhibitors: "an active process has no inhibitor that is high enough"
    case .activators: "an active process has its activators"
    case .direction: "a process runs in one direction at a time"
    case .steadyState: "a pool inside the network is produced if and only if it is consumed"
    case .product: "what is produced is there"
    case .accumulation: "an accumulated pool inside the network is produced"
    case .activation: "a process whose conditions are met is active"
    case .restriction: "what is asked for"
    case .cases: "each case was tried"
    case .activeLimit: "no more processes are active than was asked for"
    case .group: "one process of a group is active, as was asked for"
    }
  }
}
