import PluginAPI
import PluginText

/// The browser of a network's scenarios: editing an observation updates the results at once.
///
/// All counting is off the main loop; a new query cancels the previous one. The selected scenario is shown on the
/// graph.
@MainActor final class ScenarioController: ContentController {
  private let request: ContentRequest
  private let shelf: PathwayShelf
  private let context: any PluginContext
  private let counting: EffectID
  private let paging: EffectID
  private let sharing: EffectID
  private var state = ScenarioBrowserState()
  /// A Boolean value indicating whether counting was canceled because another pathway is shown.
  private var isInterrupted = false

  init(_ request: ContentRequest) {
    (self.request, shelf, context) = (request, request.shelf, request.context)
    (counting, paging, sharing) = (request.id("count"), request.id("page"), request.id("shares"))
  }

  var title: String { "Scenarios" }
  var view: any View { ScenarioView(state: state) }

  var status: [StyledText.Run] {
    state.isCounting ? [.init("counting …")] : [.init(state.headline), .init(state.mode.rawValue, .secondary)]
  }

  private var layout: ScenarioLayout { ScenarioLayout(state.size, isAtPools: state.isAtPools) }

  // MARK: Events

  func start() -> [Effect] {
    let opening = compute(request.id("study"), "opening") { [network = request.network] _ in
      try StudiedNetwork(network)
    } then: {
      $0.study($1)
    } failed: { controller, failure in
      if case .failed = failure { controller.fail(failure) } else { [] }
    }
    return [opening]
  }

  func handle(_ event: Event) -> [Effect]? {
    switch event {
    case .resize(let geometry):
      state.size = geometry.size
      return state.findings.map { page(from: $0.first) } ?? []
    case .key(let key): return handle(key)
    case .mouse(let mouse): return handle(mouse)
    default: return nil
    }
  }

  /// Performs the action of a key on the focused side, or moves its cursor.
  private func handle(_ key: Key) -> [Effect]? {
    if let action = ScenarioKey.action(of: key, state) { return perform(ActionInvocation(action.id, action.arguments)) }
    if !state.isAtPools { return move(key) }
    return state.pools.handle(key, count: state.network.pools.count, height: layout.poolRows) ? [] : nil
  }

  /// Moves in the panel; past the ends of a page of scenarios, to the adjacent page.
  private func move(_ key: Key) -> [Effect]? {
    let row = state.cursor.selected
    if state.panel == .scenarios, state.seed == nil {
      if [Key(.down), Key(.pageDown)].contains(key), row >= state.rowCount - 1 {
        let effects = turnPage(1)
        if !effects.isEmpty { state.cursor = RowCursor() }
        return effects
      }
      if [Key(.up), Key(.pageUp)].contains(key), row == 0 { return turnPage(-1, selectsLast: true) }
    }
    guard state.cursor.handle(key, count: state.rowCount, height: layout.panelRows) else { return nil }
    return state.panel == .scenarios ? selectionChanged() : []
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
        return clicks >= 2 ? label(state.nextLabel) : []
      }
      let top = state.cursor.visibleTop(count: state.rowCount, height: layout.panelRows)
      let row = top + mouse.position.y - layout.panel.y
      if row < state.rowCount { state.cursor.selected = row }
      return selectionChanged() + (clicks >= 2 ? choose() : [])
    default: return nil
    }
  }

  func perform(_ invocation: ActionInvocation) -> [Effect] {
    guard let action = ScenarioAction(rawValue: invocation.action) else { return [] }
    let arguments = invocation.arguments
    switch action {
    case .choose:
      if let row = arguments[PathCaseArgument.row], row < state.rowCount { state.cursor.selected = max(0, row) }
      return choose()
    case .mode:
      state.showNextMode()
      return count()
    case .panel:
      state.showNextPanel()
      return state.panel == .shares ? share() : []
    case .side: state.isAtPools = arguments[PathCaseArgument.pools] ?? false
    case .label:
      return label(arguments[PathCaseArgument.level].flatMap { MetaboliteLevel(letter: $0) }.map { LevelSet([$0]) })
    case .nextLabel: return label(state.nextLabel)
    case .clear: return observe([])
    case .page: return turnPage(arguments[PathCaseArgument.step] ?? 1)
    case .sample: return sample()
    case .goTo: return askNumber()
    case .only: return filter(arguments[PathCaseArgument.states] ?? "")
    case .most: return askMostActive()
    case .pathway: return askPathway()
    case .fewest:
      state.isSimplest.toggle()
      return count()
    case .all:
      state.clearFilters()
      return count()
    case .keep: return askScenarioName()
    case .kept: return listScenarios()
    case .loadObservations: return listObservations()
    case .keepObservations: return askObservationsName()
    }
    return []
  }

  // MARK: Counting

  private func study(_ network: StudiedNetwork) -> [Effect] {
    state.network = network.network
    state.poolNames = network.poolNames
    state.processNames = network.processNames
    return count()
  }

  /// Counts the scenarios again, in place of an earlier count.
  private func count() -> [Effect] {
    state.isCounting = true
    state.message = ""
    state.shares = nil
    state.seed = nil
    let study = ScenarioStudy(
      network: state.network, mode: state.mode, restriction: state.restriction, isSimplest: state.isSimplest)
    let work = compute(counting, "counting scenarios") { [pageSize] progress in
      try ScenarioFindings(try study.scenarios { progress.isCancelled }, pageSize: pageSize)
    } then: {
      $0.take($1)
    } failed: {
      $0.fail($1)
    }
    return [.cancel(sharing), .cancel(paging), work]
  }

  private func take(_ findings: ScenarioFindings) -> [Effect] {
    state.show(findings)
    return selectionChanged() + (state.panel == .shares ? share() : [])
  }

  private func fail(_ failure: Load.Failure) -> [Effect] {
    state.isCounting = false
    state.message = failure.text(ifCanceled: "counting canceled; m or a label starts it again")
    if case .failed = failure {
      state.findings = nil
      request.onOverlay(nil)
    }
    return []
  }

  /// Computes the number of scenarios in which each process runs, unless it is known.
  func share() -> [Effect] {
    // While another result is pending, the findings belong to the previous query.
    guard state.shares == nil, !state.isCounting, let set = state.findings?.set else { return [] }
    return [
      compute(sharing, "counting shares") { _ in
        try ScenarioShares(set)
      } then: {
        $0.state.shares = $1
      }
    ]
  }

  func pause() -> [Effect] {
    isInterrupted = state.isCounting
    return [.cancel(counting), .cancel(paging), .cancel(sharing)]
  }

  func resume() -> [Effect] {
    defer { isInterrupted = false }
    return isInterrupted ? count() : state.panel == .shares ? share() : []
  }

  // MARK: Pages

  /// The number of scenarios on a page: as many as are visible.
  private var pageSize: Int {
    // The panel may be hidden while the pools of a narrow screen have the focus.
    max(5, ScenarioLayout(state.size, isAtPools: false).panelRows)
  }

  /// Requests the scenarios from a number.
  func page(from first: BigUnsigned, selectsLast: Bool = false) -> [Effect] {
    guard let findings = state.findings, state.seed == nil else { return [] }
    return page(selectsLast: selectsLast) { [pageSize] in try findings.turned(to: first, count: pageSize) }
  }

  /// Draws scenarios at random, different ones at each call.
  func sample() -> [Effect] {
    guard let findings = state.findings, !state.isCounting, !findings.set.count.isZero else { return [] }
    state.panel = .scenarios
    let seed = (state.seed ?? 0) &+ 1
    return page(seed: seed) { [pageSize] in try findings.sampled(seed: seed, count: pageSize) }
  }

  private func page(
    seed: UInt64? = nil, selectsLast: Bool = false, _ work: @escaping @Sendable () throws -> ScenarioFindings
  ) -> [Effect] {
    if state.isCounting { return [] }
    return [
      compute(paging, "listing scenarios") { _ in
        try work()
      } then: {
        $0.turn(to: $1, seed: seed, selectsLast: selectsLast)
      }
    ]
  }

  private func turn(to findings: ScenarioFindings, seed: UInt64?, selectsLast: Bool) -> [Effect] {
    state.turn(to: findings, seed: seed, selectsLast: selectsLast)
    return selectionChanged()
  }

  /// Turns one page forward or back; does nothing beyond the ends.
  func turnPage(_ step: Int, selectsLast: Bool = false) -> [Effect] {
    guard let findings = state.findings, !state.isCounting else { return [] }
    state.seed = nil
    let size = BigUnsigned(pageSize)
    if step < 0 {
      if findings.first.isZero { return [] }
      return page(from: findings.first < size ? .zero : findings.first - size, selectsLast: selectsLast)
    }
    let next = findings.first + size
    return next < findings.set.count ? page(from: next) : []
  }

  private func askNumber() -> [Effect] {
    guard let findings = state.findings, !findings.set.count.isZero else { return [] }
    return [ask(PromptRequest("Number of the scenario, 1 to \(findings.set.largestNumber.grouped)")) { $0.go(to: $1) }]
  }

  /// Goes to a scenario by its number, from 1, as shown in rows and commands.
  ///
  /// Realizable scenarios keep the numbers of all scenarios that satisfy the signs. The number of one that is not
  /// realizable leads to the next that is.
  private func go(to text: String) -> [Effect] {
    let digits = text.filter { $0.isASCII && $0.isNumber }
    guard let findings = state.findings, let number = BigUnsigned(digits), !number.isZero,
      let place = findings.set.index(of: number - .one)
    else {
      return [
        .status(
          Diagnostic(
            .warning, code: "pathcase.smda-no-such-scenario", "there is no scenario \(SanitizedText.line(text))",
            advice: "enter a number from 1 to \(state.findings?.set.largestNumber.grouped ?? "0")"))
      ]
    }
    state.seed = nil
    state.panel = .scenarios
    state.cursor = RowCursor()
    return page(from: place)
  }

  // MARK: Selection

  /// Shows the selected scenario on the graph.
  private func selectionChanged() -> [Effect] {
    request.onOverlay(state.overlaySelection())
    return []
  }

  /// Shows a scenario on the graph, or the reasons for a process's state.
  private func choose() -> [Effect] {
    if state.panel == .scenarios {
      return state.selectedEntry == nil ? [] : selectionChanged() + request.onGraph()
    }
    if let process = state.selectedProcess, let findings = state.findings { state.explain(process, findings) }
    return []
  }

  // MARK: Observations and filters

  /// Labels the selected pool; removes its label without one.
  private func label(_ levels: LevelSet?) -> [Effect] { state.label(levels) ? count() : [] }

  /// Replaces the observations of the screen by stored ones; reports pools that are not in the network.
  private func observe(_ rows: [SavedObservation]) -> [Effect] {
    let missing = state.observe(rows)
    return count() + (missing == 0 ? [] : tell("pools that are not in this network: \(missing)"))
  }

  /// Counts only scenarios with a state of the selected process: `+`, `-`, `0`; any state for "".
  private func filter(_ sign: String) -> [Effect] {
    guard let process = state.selectedProcess else { return [] }
    if sign == "-", !state.network.processes[process].isReversible {
      return [.note("pathcase.one-way", "\(state.processNames[process]) runs forward only")]
    }
    let states: ProcessStates? = ["+": .forward, "-": .backward, "0": .idle][sign]
    guard state.restriction.states[process] != states else { return [] }
    state.restriction.states[process] = states
    return count()
  }

  private func askMostActive() -> [Effect] {
    let now = state.restriction.maximumActive.map(String.init) ?? ""
    return [
      ask(PromptRequest("Maximum number of active processes (empty for no limit)", text: now)) {
        $0.limitActive(to: $1)
      }
    ]
  }

  private func limitActive(to text: String) -> [Effect] {
    let digits = text.filter { $0 != " " }
    let most = Int(digits).flatMap { $0 < 0 ? nil : $0 }
    guard most != nil || digits.isEmpty else {
      return [
        .status(
          Diagnostic(
            .warning, code: "pathcase.no-number", "'\(SanitizedText.line(text))' is not a number of processes",
            advice: "enter 0 or more, or nothing for no limit"))
      ]
    }
    guard state.restriction.maximumActive != most else { return [] }
    state.restriction.maximumActive = most
    return count()
  }

  /// Asks for a pathway of which some process must run, or none.
  private func askPathway() -> [Effect] {
    guard let database = request.network.database else { return [] }
    let choices = state.pathways(of: database).flatMap { pathway -> [ChoiceRequest.Choice] in
      let (id, name) = (database.pathways[pathway].id, database.pathwayName(pathway))
      return [
        .init(id: "on \(id)", title: "\(name) runs", detail: "at least one of its processes"),
        .init(id: "off \(id)", title: "\(name) is off", detail: "none of its processes"),
      ]
    }
    return [choose(ChoiceRequest("Only scenarios in which", choices: choices)) { $0.filterPathway($1, database) }]
  }

  private func filterPathway(_ answer: String, _ database: MetabolicDatabase) -> [Effect] {
    let words = answer.split(separator: " ", maxSplits: 1).map(String.init)
    guard words.count == 2, let pathway = database.index.pathways[Identifier(words[1])] else { return [] }
    state.restrict(to: pathway, of: database, isOn: words[0] == "on")
    return count()
  }

  // MARK: Stored data

  private func askObservationsName(proposing name: String = "") -> [Effect] {
    [ask(PromptRequest("Save these observations as", text: name)) { $0.keepObservations(as: $1) }]
  }

  private func keepObservations(as name: String) -> [Effect] {
    let rows = state.network.pools.compactMap { pool in
      pool.observed.map { SavedObservation(pool: pool.id, levels: $0) }
    }
    return name.isEmpty ? [] : keep(.observations(SavedObservations(name: name, rows: rows)))
  }

  private func askScenarioName() -> [Effect] {
    state.selectedEntry.map { askScenarioName(proposing: "scenario \($0.number + .one)") } ?? []
  }

  private func askScenarioName(proposing name: String) -> [Effect] {
    [ask(PromptRequest("Save this scenario as", text: name)) { $0.keepScenario(as: $1) }]
  }

  private func keepScenario(as name: String) -> [Effect] {
    guard !name.isEmpty, let entry = state.selectedEntry else { return [] }
    let activities = zip(state.network.processes, entry.scenario.states).map { process, state in
      SavedScenario.Activity(process: process.id, state: state)
    }
    return keep(
      .scenario(SavedScenario(name: name, pathway: Identifier(request.network.word), activities: activities)))
  }

  private func keep(_ item: SavedItem) -> [Effect] {
    let keeping = load(request.id("keep"), "keeping") { [shelf, context] _ in
      try await shelf.keep(item, context)
    } then: { controller, kept in
      kept.isKept
        ? controller.tell("saved '\(SanitizedText.line(item.name))'") : controller.askToReplace(with: kept.item)
    }
    return [keeping]
  }

  /// Nothing is overwritten without the user's consent.
  private func askToReplace(with item: SavedItem) -> [Effect] {
    let choices = [
      ChoiceRequest.Choice(id: "rename", title: "Another name", detail: "keep both"),
      ChoiceRequest.Choice(id: "replace", title: "Replace", detail: "the saved one is lost"),
    ]
    let question = ChoiceRequest("'\(SanitizedText.line(item.name))' is already saved. Replace it?", choices: choices)
    return [choose(question) { $1 == "replace" ? $0.keep(item) : $0.askName(of: item) }]
  }

  private func askName(of item: SavedItem) -> [Effect] {
    switch item {
    case .observations(let observations): askObservationsName(proposing: observations.name)
    case .scenario(let scenario): askScenarioName(proposing: scenario.name)
    }
  }

  private func listObservations() -> [Effect] {
    let listing = load(request.id("observations"), "reading") { [shelf, context] _ in
      try await shelf.observationNames(context)
    } then: {
      $0.askWhichObservations($1)
    }
    return [listing]
  }

  private func askWhichObservations(_ names: [String]) -> [Effect] {
    if names.isEmpty { return tell("there are no saved observations; O saves the current ones") }
    let choices = names.map { ChoiceRequest.Choice(id: $0, title: SanitizedText.line($0)) }
    return [choose(ChoiceRequest("Observations", choices: choices)) { $0.readObservations($1) }]
  }

  private func readObservations(_ name: String) -> [Effect] {
    let reading = load(request.id("observations"), "reading") { [shelf, context] _ in
      try await shelf.observations(name, context)?.rows ?? []
    } then: {
      $0.observe($1)
    }
    return [reading]
  }

  private func listScenarios() -> [Effect] {
    let id = Identifier(request.network.word)
    let listing = load(request.id("scenarios"), "reading") { [shelf, context] _ in
      try await shelf.scenarios(of: id, context)
    } then: {
      $0.askWhichScenario($1)
    }
    return [listing]
  }

  private func askWhichScenario(_ scenarios: [SavedScenario]) -> [Effect] {
    if scenarios.isEmpty { return tell("there are no saved scenarios of this pathway; e saves the selected one") }
    let choices = scenarios.map { scenario in
      ChoiceRequest.Choice(
        id: scenario.name, title: SanitizedText.line(scenario.name),
        detail: "\(scenario.activities.count { $0.state != .idle }) run")
    }
    return [
      choose(ChoiceRequest("Saved scenarios", choices: choices)) { controller, name in
        scenarios.first { $0.name.hasSameBytes(as: name) }.map(controller.show) ?? []
      }
    ]
  }

  /// Goes to a stored scenario; if it is no longer among the scenarios, only shows it on the graph.
  private func show(_ scenario: SavedScenario) -> [Effect] {
    var known: [Identifier: ProcessState] = [:]
    for activity in scenario.activities { known[activity.process] = activity.state }
    let states = state.network.processes.map { known[$0.id] ?? .idle }
    if let set = state.findings?.set, let number = set.analysis.number(of: Scenario(states: states)),
      set.realizable?.contains(where: { $0.number == number }) ?? true
    {
      return go(to: (number + .one).description)
    }
    request.onOverlay(GraphOverlay(scenario))
    return tell("shown over the graph; it does not fit the current observations and filters")
  }

  private func tell(_ text: String) -> [Effect] { [.note("pathcase.scenarios-kept", text)] }
}

/// A shown network prepared for scenario analysis, with the display names of its parts.
private struct StudiedNetwork: Sendable {
  var network: ScenarioNetwork
  var poolNames: [String] = []
  var processNames: [String] = []

  /// Creates it from the network shown.
  ///
  /// - Throws: ``PathwayError/noScenarios(_:)``.
  init(_ shown: ShownNetwork) throws {
    network = try shown.opened.scenarioNetwork()
    var labels: [Identifier: String] = [:]
    for node in shown.graph.nodes where node.kind == .pool || node.kind == .process {
      labels[node.entity ?? node.id] = ShownText.name(node.label, or: node.entity ?? node.id)
    }
    let names = network.pools.map { pool in
      if let database = shown.database, let index = database.index.pools[pool.id] { return database.poolName(index) }
      return labels[pool.id] ?? SanitizedText.line(pool.id.text)
    }
    poolNames = Self.apart(names, network.pools.map(\.id))
    processNames = Self.apart(
      network.processes.map { labels[$0.id] ?? SanitizedText.line($0.id.text) }, network.processes.map(\.id))
  }

  /// Returns names, followed by ids where several things share a name, such as a metabolite in two compartments.
  private static func apart(_ names: [String], _ ids: [Identifier]) -> [String] {
    var counts: [Identifier: Int] = [:]
    for name in names { counts[Identifier(name), default: 0] += 1 }
    return zip(names, ids).map { name, id in
      counts[Identifier(name)] == 1 ? name : "\(name) [\(SanitizedText.line(id.text))]"
    }
  }
}
