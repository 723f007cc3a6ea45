import PluginAPI

/// Key handling in the scenario browser.
extension ScenarioController {
  /// Additional actions of the browser's keys; the keys themselves have other meanings in the graph.
  nonisolated static let actions: [ScreenAction] = [
    ScreenAction("scenario-mode", "Scenarios: necessary, strict or realizable (m)"),
    ScreenAction("scenario-panel", "Scenarios: next panel (v)"),
    ScreenAction("scenario-clear", "Scenarios: nothing observed (X)"),
    ScreenAction("scenario-sample", "Scenarios: some drawn at random (r)"),
    ScreenAction("scenario-go-to", "Scenarios: go to one by its number (g)"),
    ScreenAction("scenario-keep", "Scenarios: keep the selected one (e)"),
    ScreenAction("scenario-kept", "Scenarios: kept ones (b)"),
    ScreenAction("observations-load", "Observations: load kept ones (o)"),
    ScreenAction("observations-keep", "Observations: keep these (O)"),
  ]

  /// Performs the action of a key on the focused side, or moves its cursor.
  func handle(_ key: Key) -> [Effect]? {
    if let action = ScenarioKey.action(of: key, state) { return perform(ActionInvocation(action.id, action.arguments)) }
    if !state.isAtPools { return move(key) }
    return state.pools.handle(key, count: state.network.pools.count, height: layout.poolRows) ? [] : nil
  }

  /// Performs an action that only keys of the browser have; returns nil for an action of another part.
  func performKey(_ invocation: ActionInvocation) -> [Effect]? {
    let arguments = invocation.arguments
    switch invocation.action {
    case "scenario-side":
      state.isAtPools = arguments["pools"]?.bool ?? false
      return []
    case "scenario-label": return label(arguments["level"]?.text)
    case "scenario-next-label": return cycleLabel()
    case "scenario-page": return turnPage(arguments["step"]?.integer ?? 1)
    case "scenario-only": return filter(arguments["states"]?.text ?? "")
    case "scenario-most": return askMostActive()
    case "scenario-pathway": return askPathway()
    case "scenario-fewest":
      state.isSimplest.toggle()
      return count()
    case "scenario-all": return clearFilters()
    default: return nil
    }
  }

  func nextMode() -> [Effect] {
    let all = ScenarioMode.allCases
    state.mode = all[((all.firstIndex(of: state.mode) ?? 0) + 1) % all.count]
    return count()
  }

  func nextPanel() -> [Effect] {
    let all = ScenarioBrowserState.Panel.allCases
    state.panel = all[((all.firstIndex(of: state.panel) ?? 0) + 1) % all.count]
    state.isAtPools = false
    return state.panel == .shares ? share() : []
  }

  // MARK: Pools

  /// Labels the selected pool with a level, by its letter; removes its label without one.
  private func label(_ letter: String?) -> [Effect] {
    guard let pool = selectedPool else { return [] }
    return observe(pool, letter.flatMap { MetaboliteLevel(letter: $0) }.map { LevelSet([$0]) })
  }

  private var selectedPool: Int? {
    state.network.pools.indices.contains(state.pools.selected) ? state.pools.selected : nil
  }

  /// Gives the selected pool the next label: none, U, A, C, and S with four levels.
  func cycleLabel() -> [Effect] {
    guard let pool = selectedPool else { return [] }
    let labels = [nil] + MetaboliteLevel.allCases.prefix(state.network.rules.levels).map { LevelSet([$0]) }
    let now = labels.firstIndex(of: state.network.pools[pool].observed) ?? 0
    return observe(pool, labels[(now + 1) % labels.count])
  }

  private func observe(_ pool: Int, _ levels: LevelSet?) -> [Effect] {
    guard state.network.pools[pool].observed != levels else { return [] }
    state.network.pools[pool].observed = levels
    return count()
  }

  func clearAll() -> [Effect] {
    for pool in state.network.pools.indices { state.network.pools[pool].observed = nil }
    return count()
  }

  // MARK: Panel

  /// Moves in the panel; past the ends of a page of scenarios, to the adjacent page.
  private func move(_ key: Key) -> [Effect]? {
    let row = state.cursor.selected
    if state.panel == .scenarios, state.seed == nil {
      if [Key(.down), Key(.pageDown)].contains(key), row >= state.rowCount - 1 {
        let effects = turnPage(1)
        if !effects.isEmpty { state.cursor = RowCursor() }
        return effects
      }
      if [Key(.up), Key(.pageUp)].contains(key), row == 0 {
        let effects = turnPage(-1)
        isComingFromBelow = !effects.isEmpty
        return effects
      }
    }
    guard state.cursor.handle(key, count: state.rowCount, height: layout.panelRows) else { return nil }
    return state.panel == .scenarios ? selectionChanged() : []
  }

  /// Shows a scenario on the graph, or the reasons for a process's state.
  func choose() -> [Effect] {
    if state.panel == .scenarios { return state.selectedEntry == nil ? [] : selectionChanged() + [.pop(.null)] }
    guard let process = state.selectedProcess, let findings = state.findings else { return [] }
    let name = state.processNames[process]
    let network = state.namedNetwork
    let facts = findings.set.analysis.reasons(for: process)
    state.reasons = facts.enumerated().map { $0.element.line(number: $0.offset + 1, in: network) }
    let isForced = findings.states[process].rawValue.nonzeroBitCount < (network.processes[process].isReversible ? 3 : 2)
    if state.reasons.isEmpty {
      state.reasons = [
        isForced
          ? "it does not follow from single rules; every combination of the processes was counted"
          : "it may do anything that it can: nothing follows for it"
      ]
    }
    state.reasonsTitle = "why \(name) does what it does:"
    state.panel = .why
    state.cursor = RowCursor()
    return []
  }

  // MARK: Filters

  /// Counts only scenarios with a state of the selected process: `+`, `-`, `0`; any state for "".
  private func filter(_ sign: String) -> [Effect] {
    guard let process = state.selectedProcess else { return [] }
    if sign == "-", !state.network.processes[process].isReversible {
      return [
        .status(Diagnostic(.note, code: "pathcase.one-way", "\(state.processNames[process]) runs forwards only"))
      ]
    }
    let states: ProcessStates? = ["+": .forward, "-": .backward, "0": .idle][sign]
    guard state.restriction.states[process] != states else { return [] }
    state.restriction.states[process] = states
    return count()
  }

  private func clearFilters() -> [Effect] {
    state.restriction = ScenarioRestriction()
    state.isSimplest = false
    state.pathwayFilters = []
    return count()
  }
}
