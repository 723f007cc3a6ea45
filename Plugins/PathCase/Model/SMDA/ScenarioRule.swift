/// The numbered rules that define scenarios.
enum ScenarioRule: Int, Sendable, Hashable, CaseIterable {
  /// A pool has one of the levels that were observed.
  case observation = 0
  /// An active process has its inputs.
  case inputs
  /// An active process has no output that is severely accumulated.
  case outputs
  /// An active process has no inhibitor at or above its trigger level.
  case inhibitors
  /// An active process has its activators.
  case activators
  /// A process runs in one direction at a time.
  case direction
  /// A pool inside the network has an active producer if and only if it has an active consumer.
  case steadyState
  /// A pool that is produced is present.
  case product
  /// An accumulated pool inside the network has an active producer.
  case accumulation
  /// An idle process lacks something (strict mode only).
  case activation = 10
  /// A restriction by the user, or a process that moves nothing.
  case restriction = 20
  /// Each case was tried, and none is left.
  case cases = 21
  /// The number of active processes does not exceed the user's maximum.
  case activeLimit = 22
  /// At least one process is active in each group given by the user.
  case group = 23

  /// The text of the rule, as a sentence without its final stop.
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
