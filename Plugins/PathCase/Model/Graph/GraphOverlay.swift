/// Data shown on the picture of a network: fluxes, measured levels, the result of a scenario.
///
/// Processes and pools are identified by what they represent (`GraphNode.entity`, or else the node's id), so one
/// overlay fits every layout of a network, with and without clones.
struct GraphOverlay: Sendable, Hashable {
  /// The mark of a process.
  struct ProcessMark: Sendable, Hashable {
    /// The state of the process; nil if only its number is known.
    var state: ProcessState?
    /// The flux or another number of the process; nil for none.
    var value: Double?
    /// A Boolean value indicating whether the state is the same in every scenario.
    var isForced = false
  }

  /// The mark of a pool.
  struct PoolMark: Sendable, Hashable {
    /// The text beside the pool, such as `A` or `A|C`; "" for none.
    var label: String
    /// The level or another number of the pool; nil for none.
    var value: Double?
    /// A Boolean value indicating whether the level was measured rather than inferred.
    var isObserved = false
  }

  /// The description of the data, for the title of the picture.
  var title: String
  var processes: [Identifier: ProcessMark] = [:]
  var pools: [Identifier: PoolMark] = [:]

  /// The largest absolute value of a process, to which widths and colors are scaled; 0 if there are none.
  var largestValue: Double {
    processes.values.reduce(0) { max($0, abs($1.value ?? 0)) }
  }
}

// MARK: - Fluxes and files

extension GraphOverlay {
  /// The smallest flux that is shown; solvers leave residues below it.
  static let smallestFlux = 1e-9

  /// Creates an overlay of the fluxes of a model, if there are any.
  ///
  /// Without an optimum nothing is marked, and the title gives the reason.
  init(fluxes solution: FluxSolution, of model: ReactionModel) {
    let name = model.name.isEmpty ? model.id.text : model.name
    self.init(title: "fluxes of \(name): \(solution.status.rawValue)")
    for (reaction, flux) in zip(model.reactions, solution.fluxes) {
      processes[reaction.id] = ProcessMark(flux: flux)
    }
  }

  /// Returns an overlay of a file's numbers on a graph: fluxes on processes, amounts on pools.
  ///
  /// Names refer to the things that nodes represent. A model's `R_` or `M_` prefix may be missing, and `-` may stand
  /// for its `__`, as in maps and their data files.
  /// - Returns: The overlay, and the names that are not in the graph, in the order of the file.
  static func laying(_ data: OverlayData, over graph: ReactionGraph, title: String) -> (GraphOverlay, [Identifier]) {
    var overlay = GraphOverlay(title: title)
    var nodes: [Identifier: [GraphNode]] = [:]
    for node in graph.nodes where node.kind == .pool || node.kind == .process {
      let subject = node.subject
      nodes[subject, default: []].append(node)
      let plain = plainName(subject)
      if plain != subject { nodes[plain, default: []].append(node) }
    }
    var missing: [Identifier] = []
    for entry in data.entries {
      guard let found = nodes[entry.id] ?? nodes[plainName(entry.id)] else {
        missing.append(entry.id)
        continue
      }
      guard let value = entry.value else { continue }
      for node in found {
        let subject = node.subject
        if node.kind == .process {
          overlay.processes[subject] = ProcessMark(flux: value)
        } else {
          overlay.pools[subject] = PoolMark(label: "", value: value, isObserved: true)
        }
      }
    }
    return (overlay, missing)
  }

  /// Returns a name without the prefix of its format, and with one notation for dashes.
  private static func plainName(_ id: Identifier) -> Identifier {
    var bytes = Array(id.text.utf8)
    if bytes.starts(with: "R_".utf8) || bytes.starts(with: "M_".utf8) { bytes.removeFirst(2) }
    var plain: [UInt8] = []
    for byte in bytes { plain += byte == UInt8(ascii: "-") ? Array("__".utf8) : [byte] }
    return Identifier(String(decoding: plain, as: UTF8.self))
  }
}

extension GraphOverlay.ProcessMark {
  /// Creates the mark of a flux and its direction; a residue of the solver is 0.
  init(flux: Double) {
    let isIdle = abs(flux) < GraphOverlay.smallestFlux
    self.init(state: isIdle ? .idle : flux > 0 ? .forward : .backward, value: isIdle ? 0 : flux)
  }
}

// MARK: - Scenarios

extension GraphOverlay {
  /// Creates an overlay of observed pool levels.
  ///
  /// - Parameter levels: The levels possible for each pool; pools that may have any level are left out.
  init(levels: [Identifier: LevelSet], title: String = "observed levels") {
    self.init(title: title)
    for (pool, levels) in levels where !LevelSet.lowest(3).isSubset(of: levels) {
      pools[pool] = PoolMark(label: levels.marks, isObserved: true)
    }
  }

  /// Creates an overlay of the levels observed in a network.
  init(observationsOf network: ScenarioNetwork) {
    var levels: [Identifier: LevelSet] = [:]
    for pool in network.pools { if let observed = pool.observed { levels[pool.id] = observed } }
    self.init(levels: levels)
  }

  /// Creates an overlay of a scenario: the states of processes, and the levels that pools can have with them.
  ///
  /// Processes with the same state in every scenario of the analysis are marked as forced.
  /// - Parameter title: The title of the picture, such as `scenario 3 of 208`.
  /// - Throws: In strict mode the analysis's errors, because levels depend on each other there.
  init(_ scenario: Scenario, of analysis: ScenarioAnalysis, title: String) throws {
    self.init(statesOf: scenario, of: analysis, title: title)
    mark(analysis.network, try analysis.levels(of: scenario))
  }

  /// Creates an overlay of the states of processes in a scenario and the observed levels.
  init(statesOf scenario: Scenario, of analysis: ScenarioAnalysis, title: String) {
    self.init(observationsOf: analysis.network)
    self.title = title
    for (index, process) in analysis.network.processes.enumerated() {
      processes[process.id] = ProcessMark(
        state: scenario.states[index], isForced: analysis.possibleStates[index].only != nil)
    }
  }

  /// Creates an overlay of a saved scenario, for which only the states are known.
  init(_ saved: SavedScenario) {
    self.init(title: saved.name)
    for activity in saved.activities { processes[activity.process] = ProcessMark(state: activity.state) }
  }

  /// Creates an overlay of all scenarios: the fraction of them in which each process is active, 0 to 1.
  ///
  /// The number is negative if the process runs backward more often than forward. Only forced processes get a state.
  /// - Parameter levels: The levels that each pool has in some scenario.
  init(marginals: [ProcessMarginal], levels: [LevelSet], of analysis: ScenarioAnalysis) {
    self.init(title: "shares of \(analysis.count.grouped) scenarios")
    let network = analysis.network
    for (index, process) in network.processes.enumerated() {
      let share = marginals[index].activeShare
      let only = analysis.possibleStates[index].only
      processes[process.id] = ProcessMark(
        state: only, value: marginals[index].backward > marginals[index].forward ? -share : share,
        isForced: only != nil)
    }
    mark(network, levels)
  }

  /// Marks the pools whose levels are restricted.
  private mutating func mark(_ network: ScenarioNetwork, _ levels: [LevelSet]) {
    let every = LevelSet.lowest(network.rules.levels)
    for (pool, levels) in zip(network.pools, levels) {
      let isObserved = pool.observed.map { !every.isSubset(of: $0) } ?? false
      guard isObserved || !every.isSubset(of: levels) else { continue }
      pools[pool.id] = PoolMark(label: levels.marks, isObserved: isObserved)
    }
  }
}

extension LevelSet {
  /// The letters for pictures, lowest level first, such as `A|C`.
  var marks: String { levels.map { String($0.letter) }.joined(separator: "|") }
}
