/// What the states of a process demand of the pools it touches.
///
/// All rules but the steady state are about one process and one pool, so that each state of a process is, for a pool, the
/// levels it leaves it and whether it makes or takes it. Everything else works on these.
struct ScenarioEffects: Sendable {
  /// A demand on the level of a pool, and the rule it comes from.
  struct Demand: Sendable, Hashable {
    var rule: ScenarioRule
    var levels: LevelSet
  }

  /// What one state of a process does with one pool.
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

  /// For each process the pools that it touches, each once.
  private(set) var touches: [[Touch]] = []
  /// For each pool the processes that touch it, each once, by index.
  private(set) var processes: [[Int]] = []
  /// For each pool the levels it may have before anything is said of processes.
  private(set) var levels: [LevelSet] = []
  /// For each process the states it may be in.
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

  /// A process that moves nothing is out of the analysis: it is idle.
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
          // What goes in and comes out is neither made nor taken.
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
