/// The settings of the analysis: the rules in force, the number of levels, and the levels from which pools act.
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
    get { Self.place(of: rule).map { self[keyPath: $0] } ?? true }
    set { if let place = Self.place(of: rule) { self[keyPath: place] = newValue } }
  }

  private static func place(of rule: ScenarioRule) -> WritableKeyPath<ScenarioRules, Bool>? {
    switch rule {
    case .inputs: \.needsInputs
    case .outputs: \.blocksFullOutputs
    case .inhibitors: \.heedsInhibitors
    case .activators: \.heedsActivators
    case .steadyState: \.isSteady
    case .product: \.productsAreThere
    case .accumulation: \.accumulatedNeedsProducer
    default: nil
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
      if rules.levels < 4, let observed = pools[index].observed, observed.contains(.severelyAccumulated) {
        network.pools[index].observed = observed.subtracting(.severelyAccumulated).union(.accumulated)
      }
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
