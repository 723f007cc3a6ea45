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

  /// Returns the possible states of a process.
  ///
  /// A process that moves nothing is excluded from the analysis: it is idle.
  private static func states(of process: ScenarioProcess) -> ProcessStates {
    if process.inputs.isEmpty && process.outputs.isEmpty { return .idle }
    return process.isReversible ? [.idle, .forward, .backward] : [.idle, .forward]
  }

  private static func touches(of process: ScenarioProcess, rules: ScenarioRules) -> [Touch] {
    var touches: [Touch] = []
    func add(_ state: ProcessState, _ pool: Int, _ change: (inout Effect) -> Void) {
      let place = touches.firstIndex { $0.pool == pool } ?? touches.count
      if place == touches.count {
        touches.append(Touch(pool: pool, effects: [Effect(), Effect(), Effect()]))
      }
      change(&touches[place].effects[Int(state.rawValue)])
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
