/// A network as scenario analysis sees it: which processes may run, by what is there of their pools.
///
/// Indices count from 0. Common molecules are left out before, or are boundaries.
///
/// - Source: A. Cakmak et al., J. Bioinform. Comput. Biol. 10, 1240003 (2012), for the shape; the rules are exact ones of
///   our own (Documentation/PathCase).
struct ScenarioNetwork: Sendable, Hashable {
  var name = ""
  var pools: [ScenarioPool] = []
  var processes: [ScenarioProcess] = []
  var rules = ScenarioRules()
}

/// A pool of a scenario network.
struct ScenarioPool: Sendable, Hashable {
  var id: Identifier
  /// Whether the network ends here: it need not be in balance.
  var isBoundary = false
  /// Which levels were observed; nil if nothing was.
  var observed: LevelSet?
}

/// A process of a scenario network.
struct ScenarioProcess: Sendable, Hashable {
  /// A pool and the level from which on it acts.
  struct Condition: Sendable, Hashable {
    /// The pool, by index.
    var pool: Int
    var trigger: MetaboliteLevel
    /// Whether the trigger is the usual one of the rules, as nothing else was said.
    var isUsual = false
  }

  var id: Identifier
  var isReversible = false
  /// What it takes when it runs forwards, each pool once; the trigger is for that direction.
  var inputs: [Condition] = []
  /// What it gives when it runs forwards, by index, each pool once.
  var outputs: [Int] = []
  var inhibitors: [Condition] = []
  var activators: [Condition] = []
  /// How much a flux of 1 forwards makes (above 0) and takes (below 0) of pools, by index; nil if it is 1 of each.
  ///
  /// Only the realizable mode and elementary modes look at amounts.
  var amounts: [Int: Double]?

  /// What a flux of 1 forwards makes and takes, by the pool's index; what is taken and given alike is left out.
  var changes: [Int: Double] {
    if let amounts { return amounts.filter { $0.value != 0 } }
    var changes: [Int: Double] = [:]
    for input in inputs { changes[input.pool, default: 0] -= 1 }
    for output in outputs { changes[output, default: 0] += 1 }
    return changes.filter { $0.value != 0 }
  }

  /// Keeps amounts, unless they are 1 of each pool anyway.
  mutating func take(amounts: [Int: Double]) {
    self.amounts = nil
    let told = amounts.filter { $0.value != 0 }
    if told != changes { self.amounts = told }
  }
}

/// Some of the levels.
struct LevelSet: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ levels: some Sequence<MetaboliteLevel>) {
    self.init(rawValue: levels.reduce(0) { $0 | 1 << $1.rawValue })
  }
}

/// What a process does in a scenario.
enum ProcessState: UInt8, Sendable, CaseIterable {
  case idle, forward, backward

  /// The character of files and tables: 0, + or -.
  var character: Character {
    switch self {
    case .idle: "0"
    case .forward: "+"
    case .backward: "-"
    }
  }
}
