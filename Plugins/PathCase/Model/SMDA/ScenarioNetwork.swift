/// A network for scenario analysis: processes run depending on the levels of their pools.
///
/// Indices count from 0. Common molecules have been left out, or are boundaries.
///
/// - Source: A. Cakmak et al., J. Bioinform. Comput. Biol. 10, 1240003 (2012), for the structure; the rules are our own
///   exact ones (Documentation/PathCase).
struct ScenarioNetwork: Sendable, Hashable {
  var name = ""
  var pools: [ScenarioPool] = []
  var processes: [ScenarioProcess] = []
  var rules = ScenarioRules()
}

/// A pool of a scenario network.
struct ScenarioPool: Sendable, Hashable {
  var id: Identifier
  /// A Boolean value indicating whether the network ends here, so that the pool need not be in balance.
  var isBoundary = false
  /// The observed levels; nil if there is no observation.
  var observed: LevelSet?
}

/// A process of a scenario network.
struct ScenarioProcess: Sendable, Hashable {
  /// A pool and the level from which it acts.
  struct Condition: Sendable, Hashable {
    /// The pool, by index.
    var pool: Int
    var trigger: MetaboliteLevel
    /// A Boolean value indicating whether the trigger is the default of the rules, because none was given.
    var isUsual = false
  }

  var id: Identifier
  var isReversible = false
  /// The pools consumed when it runs forward, each once; the trigger applies to that direction.
  var inputs: [Condition] = []
  /// The pools produced when it runs forward, by index, each once.
  var outputs: [Int] = []
  var inhibitors: [Condition] = []
  var activators: [Condition] = []
  /// The amounts of pools that a forward flux of 1 produces (above 0) and consumes (below 0), by index; nil if each is
  /// 1.
  ///
  /// Amounts matter only in the realizable mode and for elementary modes.
  var amounts: [Int: Double]?

  /// The net change of each pool by a forward flux of 1, by index; pools without a net change are left out.
  var changes: [Int: Double] {
    if let amounts { return amounts.filter { $0.value != 0 } }
    var changes: [Int: Double] = [:]
    for input in inputs { changes[input.pool, default: 0] -= 1 }
    for output in outputs { changes[output, default: 0] += 1 }
    return changes.filter { $0.value != 0 }
  }

  /// Stores amounts, unless they are all 1.
  mutating func take(amounts: [Int: Double]) {
    self.amounts = nil
    let told = amounts.filter { $0.value != 0 }
    if told != changes { self.amounts = told }
  }
}

/// The activity of a process in a scenario.
enum ProcessState: UInt8, Sendable, CaseIterable {
  case idle, forward, backward

  /// The character used in files and tables: 0, + or -.
  var character: Character {
    switch self {
    case .idle: "0"
    case .forward: "+"
    case .backward: "-"
    }
  }
}
