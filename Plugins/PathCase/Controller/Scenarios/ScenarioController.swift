import PluginAPI

/// The browser of a network's scenarios: editing an observation updates the results at once.
///
/// All counting is off the main loop; a new query cancels the previous one. The selected scenario is shown on the
/// graph.
@MainActor final class ScenarioController: Controller {
  static let opening: EffectID = "open"
  static let counting = "count"
  static let paging = "page"
  static let sharing = "shares"

  let request: ContentRequest
  var state = ScenarioBrowserState()
  /// Counts queries, so that stale responses are recognized.
  var round = 0
  /// Counts requested pages.
  var pageRound = 0
  /// A Boolean value indicating whether the last row of the next page is selected, because the user moved up to it.
  var isComingFromBelow = false
  /// The stored scenarios, while the user chooses one.
  var kept: [SavedScenario] = []
  /// The item being stored.
  var keepsake: Keepsake?
  private var hasStarted = false

  init(_ request: ContentRequest) { self.request = request }

  var title: String { "Scenarios" }
  var view: any View { ScenarioView(state: state) }

  var status: [StyledText.Run] {
    state.isCounting ? [.init("counting …")] : [.init(state.headline), .init(state.mode.rawValue, .secondary)]
  }

  var layout: ScenarioLayout { ScenarioLayout(state.size, isAtPools: state.isAtPools) }

  // MARK: Events

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry): return resize(geometry.size)
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  private func resize(_ size: Size) -> [Effect] {
    state.size = size
    guard !hasStarted else { return state.findings.map { page(from: $0.first) } ?? [] }
    hasStarted = true
    return [.compute(Self.opening, label: "opening") { [request = request.network] _ in try StudiedNetwork(request) }]
  }

  private func handle(_ mouse: Mouse) -> [Effect]? {
    let layout = layout
    let isInPools = layout.pools.contains(mouse.position)
    guard isInPools || layout.panel.contains(mouse.position) else { return nil }
    switch mouse.action {
    case .scroll(let rows):
      if isInPools {
        state.pools.scroll(by: 3 * rows, count: state.network.pools.count, height: layout.poolRows)
        return []
      }
      state.cursor.scroll(by: 3 * rows, count: state.rowCount, height: layout.panelRows)
      return selectionChanged()
    case .press(let clicks) where mouse.button == .left:
      state.isAtPools = isInPools
      if isInPools {
        let top = state.pools.visibleTop(count: state.network.pools.count, height: layout.poolRows)
        let row = top + mouse.position.y - layout.pools.y - 1
        if state.network.pools.indices.contains(row) { state.pools.selected = row }
        return clicks >= 2 ? cycleLabel() : []
      }
      let top = state.cursor.visibleTop(count: state.rowCount, height: layout.panelRows)
      let row = top + mouse.position.y - layout.panel.y
      if row < state.rowCount { state.cursor.selected = row }
      return selectionChanged() + (clicks >= 2 ? choose() : [])
    default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    switch invocation.action {
    case "choose":
      if let row = invocation.arguments["row"]?.integer, row < state.rowCount { state.cursor.selected = max(0, row) }
      return choose()
    case "scenario-mode": return nextMode()
    case "scenario-panel": return nextPanel()
    case "scenario-clear": return clearAll()
    case "scenario-sample": return sample()
    case "scenario-go-to": return askNumber()
    case "scenario-keep": return askScenarioName()
    case "scenario-kept": return listScenarios()
    case "observations-load": return listObservations()
    case "observations-keep": return askObservationsName()
    default: return performKey(invocation) ?? []
    }
  }

  func receive(_ message: Message) -> [Effect] {
    switch message {
    case .finished(Self.opening, let network as StudiedNetwork): return take(network)
    case .finished(EffectID(Self.counting, generation: round), let findings as ScenarioFindings):
      return take(findings)
    case .finished(EffectID(Self.sharing, generation: round), let shares as ScenarioShares):
      state.shares = shares
      return []
    case .finished(EffectID(Self.paging, generation: pageRound), let page as PagedScenarios): return take(page)
    case .failed(Self.opening, let report): return fail(report)
    case .failed(EffectID(Self.counting, generation: round), let report): return fail(report)
    case .failed(EffectID(Self.sharing, generation: round), let report),
      .failed(EffectID(Self.paging, generation: pageRound), let report):
      isComingFromBelow = false
      return [.status(Diagnostic(telling: report, .error))]
    case .cancelled(EffectID(Self.counting, generation: round)):
      state.isCounting = false
      state.message = "counting was cancelled; m or a label begins anew"
      return []
    default: return receiveFromStore(message)
    }
  }

  private func fail(_ report: ErrorReport) -> [Effect] {
    state.isCounting = false
    state.findings = nil
    state.message = report.description
    request.onOverlay(nil)
    return []
  }

  // MARK: Responses

  private func take(_ network: StudiedNetwork) -> [Effect] {
    state.network = network.network
    state.poolNames = network.poolNames
    state.processNames = network.processNames
    return count()
  }

  private func take(_ findings: ScenarioFindings) -> [Effect] {
    state.isCounting = false
    state.findings = findings
    state.reasons = []
    state.resetCursors()
    if findings.set.count.isZero {
      state.panel = .why
    } else if state.panel == .why {
      state.panel = .scenarios
    }
    return selectionChanged() + (state.panel == .shares ? share() : [])
  }

  private func take(_ page: PagedScenarios) -> [Effect] {
    state.findings?.page = page.page
    state.findings?.first = page.first
    state.seed = page.seed
    let rows = page.page.entries.count
    let panel = state.panel
    state.panel = .scenarios
    state.cursor.selected = isComingFromBelow ? max(0, rows - 1) : min(state.cursor.selected, max(0, rows - 1))
    state.panel = panel
    isComingFromBelow = false
    return selectionChanged()
  }

  /// Shows the selected scenario on the graph, with its levels.
  func selectionChanged() -> [Effect] {
    guard let findings = state.findings, let entry = state.selectedEntry else {
      state.levels = []
      request.onOverlay(state.findings == nil ? nil : GraphOverlay(observationsOf: state.network))
      return []
    }
    let analysis = findings.set.analysis
    let title = "scenario \((entry.number + .one).grouped) of \(analysis.count.grouped)"
    // In strict mode levels need a separate analysis for each pool, so only states are shown.
    guard analysis.mode == .necessary, let overlay = try? GraphOverlay(entry.scenario, of: analysis, title: title)
    else {
      state.levels = []
      request.onOverlay(GraphOverlay(statesOf: entry.scenario, of: analysis, title: title))
      return []
    }
    state.levels = (try? analysis.levels(of: entry.scenario)) ?? []
    request.onOverlay(overlay)
    return []
  }
}
