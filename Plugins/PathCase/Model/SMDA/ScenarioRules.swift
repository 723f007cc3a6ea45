/// The settings of the analysis: the rules in force, the number of levels, and the levels at which pools take effect.
///
/// Observations (R0) and a single direction at a time (R5) always hold; R10 is the strict mode.
struct ScenarioRules: Sendable, Hashable {
  /// The number of levels: 3 without the severely accumulated one, or 4.
  var levels = 3
  /// True if an active process must have its inputs (R1).
  var needsInputs = true
  /// True if an active process must not have an output that is severely accumulated (R2).
  var blocksFullOutputs = true
  /// True if an active process must not have an inhibitor at or above its trigger level (R3).
  var heedsInhibitors = true
  /// True if an active process must have its activators (R4).
  var heedsActivators = true
  /// True if a pool inside the network must be produced if and only if it is consumed (R6).
  ///
  /// Without it every pool is a boundary, so R8 has no effect either.
  var isSteady = true
  /// True if pools that are produced must be present (R7).
  var productsAreThere = true
  /// True if an accumulated pool inside the network must have an active producer (R8).
  var accumulatedNeedsProducer = true
  /// The level from which inputs, activators and inhibitors act unless another is given.
  var inputTrigger = MetaboliteLevel.available
  var activatorTrigger = MetaboliteLevel.available
  var inhibitorTrigger = MetaboliteLevel.accumulated

  /// The rules that can be turned off, in order.
  static let switchable: [ScenarioRule] = [
    .inputs, .outputs, .inhibitors, .activators, .steadyState, .product, .accumulation,
  ]

  /// Accesses the setting of a rule; only rules that can be turned off can change.
  subscript(rule: ScenarioRule) -> Bool {
    get { Self.setting(of: rule).map { self[keyPath: $0] } ?? true }
    set { if let setting = Self.setting(of: rule) { self[keyPath: setting] = newValue } }
  }

  private static func setting(of rule: ScenarioRule) -> WritableKeyPath<ScenarioRules, Bool>? {
    switch rule {
    case .inputs: \.needsInputs
    case .outputs: \.blocksFullOutputs
    case .inhibitors: \.heedsInhibitors
    case .activators: \.heedsActivators
    case .steadyState: \.isSteady
    case .product: \.productsAreThere
    case .accumulation: \.accumulatedNeedsProducer
    case .observation, .direction, .activation, .restriction, .cases, .activeLimit, .group: nil
    }
  }
}

extension ScenarioNetwork {
  /// Returns the same network under other rules; default triggers become those of the new rules.
  ///
  /// With fewer levels, severely accumulated becomes accumulated.
  func applying(_ rules: ScenarioRules) -> ScenarioNetwork {
    var network = self
    network.rules = rules
    for index in pools.indices {
      if !rules.isSteady { network.pools[index].isBoundary = true }
      network.pools[index].observed = pools[index].observed?.limited(to: rules.levels)
    }
    func adapt(_ conditions: inout [ScenarioProcess.Condition], _ usual: MetaboliteLevel) {
      for index in conditions.indices {
        if conditions[index].isUsual { conditions[index].trigger = usual }
        if rules.levels < 4 { conditions[index].trigger = min(conditions[index].trigger, .accumulated) }
      }
    }
    for index in processes.indices {
      adapt(&network.processes[index].inputs, rules.inputTrigger)
      adapt(&network.processes[index].activators, rules.activatorTrigger)
      adapt(&network.processes[index].inhibitors, rules.inhibitorTrigger)
    }
    return network
  }
}

// MARK: - Rules

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
    case .observation: "a pool has its observed level"
    case .inputs: "an active process has its inputs"
    case .outputs: "an active process has no output that is severely accumulated"
    case .inhibitors: "an active process has no inhibitor at an effective level"
    case .activators: "an active process has its activators"
    case .direction: "a process runs in one direction at a time"
    case .steadyState: "a pool inside the network is produced if and only if it is consumed"
    case .product: "a produced pool is present"
    case .accumulation: "an accumulated pool inside the network is produced"
    case .activation: "a process whose conditions are met is active"
    case .restriction: "a restriction of the query"
    case .cases: "each case was tried"
    case .activeLimit: "no more processes are active than the given limit"
    case .group: "one process of a required group is active"
    }
  }
}

/// The demands of each process's states on the pools that it touches.
///
/// All rules except the steady state concern one process and one pool. So the effect of a process's state on a pool is
/// the set of levels it permits, and whether it produces or consumes the pool. Everything else builds on these effects.
struct ScenarioEffects: Sendable {
  /// A demand on the level of a pool, and the rule from which it comes.
  struct Demand: Sendable, Hashable {
    var rule: ScenarioRule
    var levels: LevelSet
  }

  /// The effect of one state of a process on one pool.
  struct Effect: Sendable, Hashable {
    var levels = LevelSet.every
    var produces = false
    var consumes = false
    var demands: [Demand] = []

    fileprivate mutating func demand(_ rule: ScenarioRule, _ wanted: LevelSet) {
      levels.formIntersection(wanted)
      demands.append(Demand(rule: rule, levels: wanted))
    }
  }

  /// A pool that a process touches, with the effects of the idle, forward and backward state.
  struct Touch: Sendable, Hashable {
    var pool: Int
    var effects: [Effect]

    subscript(state: ProcessState) -> Effect { effects[Int(state.rawValue)] }
  }

  /// The pools that each process touches, each once.
  private(set) var touches: [[Touch]] = []
  /// The processes that touch each pool, each once, by index.
  private(set) var processes: [[Int]] = []
  /// The levels that each pool may have before processes are considered.
  private(set) var levels: [LevelSet] = []
  /// The states that each process may be in.
  private(set) var states: [ProcessStates] = []

  init(_ network: ScenarioNetwork) {
    processes = Array(repeating: [], count: network.pools.count)
    let known = LevelSet.lowest(network.rules.levels)
    levels = network.pools.map { ($0.observed ?? known).intersection(known) }
    for (index, process) in network.processes.enumerated() {
      let touched = Self.touches(of: process, rules: network.rules)
      for touch in touched { processes[touch.pool].append(index) }
      touches.append(touched)
      states.append(Self.states(of: process))
    }
  }

  /// Returns the effects of a process on a pool; nil if it does not touch the pool.
  func touch(of process: Int, on pool: Int) -> Touch? { touches[process].first { $0.pool == pool } }

  /// Returns the possible states of a process.
  ///
  /// A process that moves nothing is excluded from the analysis: it is idle.
  private static func states(of process: ScenarioProcess) -> ProcessStates {
    process.movesNothing ? .idle : process.directions
  }

  private static func touches(of process: ScenarioProcess, rules: ScenarioRules) -> [Touch] {
    var touches: [Touch] = []
    func add(_ state: ProcessState, _ pool: Int, _ change: (inout Effect) -> Void) {
      let index = touches.firstIndex { $0.pool == pool } ?? touches.count
      if index == touches.count {
        touches.append(Touch(pool: pool, effects: [Effect(), Effect(), Effect()]))
      }
      change(&touches[index].effects[Int(state.rawValue)])
    }
    let backwardInputs = process.outputs.map { ScenarioProcess.Condition(pool: $0, trigger: rules.inputTrigger) }
    for state in process.isReversible ? [ProcessState.forward, .backward] : [.forward] {
      let inputs = state == .forward ? process.inputs : backwardInputs
      let outputs = state == .forward ? process.outputs : process.inputs.map(\.pool)
      for input in inputs {
        add(state, input.pool) {
          if rules.needsInputs { $0.demand(.inputs, .from(input.trigger)) }
          $0.consumes = !outputs.contains(input.pool)
        }
      }
      for output in outputs {
        add(state, output) {
          if rules.productsAreThere { $0.demand(.product, .from(.available)) }
          if rules.levels == 4, rules.blocksFullOutputs { $0.demand(.outputs, .below(.severelyAccumulated)) }
          // A pool on both sides is neither produced nor consumed.
          $0.produces = !inputs.contains { $0.pool == output }
        }
      }
      for inhibitor in process.inhibitors where rules.heedsInhibitors {
        add(state, inhibitor.pool) { $0.demand(.inhibitors, .below(inhibitor.trigger)) }
      }
      for activator in process.activators where rules.heedsActivators {
        add(state, activator.pool) { $0.demand(.activators, .from(activator.trigger)) }
      }
    }
    return touches
  }
}
