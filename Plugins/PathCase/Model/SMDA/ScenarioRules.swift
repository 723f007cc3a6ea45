/// The rules of the analysis, as data: which hold, how many levels there are, from which on pools act.
///
/// What was observed (R0) and one direction at a time (R5) always hold; R10 is the strict mode.
struct ScenarioRules: Sendable, Hashable {
  /// How many levels there are: 3 without the severely accumulated one, or 4.
  var levels = 3
  /// R1: whether an active process has its inputs.
  var needsInputs = true
  /// R2: whether an active process has no output that is severely accumulated.
  var blocksFullOutputs = true
  /// R3: whether an active process has no inhibitor that is high enough.
  var heedsInhibitors = true
  /// R4: whether an active process has its activators.
  var heedsActivators = true
  /// R6: whether a pool inside the network is produced if and only if it is consumed.
  ///
  /// Without it every pool is a boundary, so that R8 says nothing either.
  var isSteady = true
  /// R7: whether what is produced is there.
  var productsAreThere = true
  /// R8: whether an accumulated pool inside the network has an active producer.
  var accumulatedNeedsProducer = true
  /// From which level on inputs, activators and inhibitors act where nothing else is said.
  var inputTrigger = MetaboliteLevel.available
  var activatorTrigger = MetaboliteLevel.available
  var inhibitorTrigger = MetaboliteLevel.accumulated

  /// The rules that can be turned off, in their order.
  static let switchable: [ScenarioRule] = [
    .inputs, .outputs, .inhibitors, .activators, .steadyState, .product, .accumulation,
  ]

  /// Whether a rule holds; only those that can be turned off change.
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
  /// The same network under other rules: triggers that were the usual ones are those of the new rules.
  ///
  /// With fewer levels what was severely accumulated is accumulated.
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
