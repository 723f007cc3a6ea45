import PluginAPI

/// The state of the scenario browser: observations on the left, results on the right.
struct ScenarioBrowserState: Sendable {
  /// The panels on the right.
  enum Panel: String, Sendable, CaseIterable {
    /// The list of scenarios.
    case scenarios
    /// The fraction of scenarios in which each process runs.
    case shares
    /// The states that are the same in all scenarios.
    case common
    /// The reasons why there is no scenario, or why a process has its state.
    case why
  }

  var network = ScenarioNetwork()
  /// The display names of pools and processes, in the order of the network.
  var poolNames: [String] = []
  var processNames: [String] = []
  var mode = ScenarioMode.necessary
  var restriction = ScenarioRestriction()
  /// A Boolean value indicating whether only scenarios with as few active processes as possible count.
  var isSimplest = false
  /// The restrictions on pathways, as text.
  private var pathwayFilters: [String] = []

  /// The results; nil before the first response.
  var findings: ScenarioFindings?
  var shares: ScenarioShares?
  /// A Boolean value indicating whether another result is pending.
  var isCounting = false
  /// The error that prevented the last result; "" for none.
  var message = ""
  /// The seed of random draws; nil if scenarios are in order.
  var seed: UInt64?
  /// The levels that pools can have in the selected scenario.
  var levels: [LevelSet] = []
  /// The reasons shown in the panel.
  var reasons: [String] = []
  /// The subject of the reasons; "" if they explain why there is no scenario.
  private var reasonsTitle = ""

  var panel = Panel.scenarios
  /// A Boolean value indicating whether the pools have the focus.
  var isAtPools = false
  var pools = RowCursor()
  private var cursors: [Panel: RowCursor] = [:]
  var size = Size(width: 0, height: 0)

  /// The cursor of the current panel.
  var cursor: RowCursor {
    get { cursors[panel] ?? RowCursor() }
    set { cursors[panel] = newValue }
  }

  // MARK: Rows

  /// The number of rows in the panel.
  var rowCount: Int {
    // The panel shows the error instead.
    if findings == nil, !message.isEmpty { return 0 }
    return switch panel {
    case .scenarios: findings?.page.entries.count ?? 0
    case .shares: processNames.count
    case .common: commonProcesses.count
    case .why: whyLines.count
    }
  }

  /// The selected scenario; nil if there is none.
  var selectedEntry: ScenarioSet.Entry? {
    guard let entries = findings?.page.entries else { return nil }
    let row = cursors[.scenarios]?.selected ?? 0
    return entries.indices.contains(row) ? entries[row] : nil
  }

  /// The processes with the same state in all scenarios, by index: those that always run come first.
  var commonProcesses: [Int] {
    guard let findings, !findings.set.count.isZero else { return [] }
    let active = findings.states.indices.filter { !findings.states[$0].contains(ProcessStates.idle) }
    let idle = findings.states.indices.filter { findings.states[$0].isDisjoint(with: .active) }
    return active + idle
  }

  /// The process of the selected row; nil if rows are not processes.
  var selectedProcess: Int? {
    switch panel {
    case .shares: processNames.indices.contains(cursor.selected) ? cursor.selected : nil
    case .common: commonProcesses.indices.contains(cursor.selected) ? commonProcesses[cursor.selected] : nil
    case .scenarios, .why: nil
    }
  }

  /// The lines of the last panel, wrapped as displayed.
  var whyLines: [String] {
    let width = max(10, ScenarioLayout(size, isAtPools: false).panel.width - 3)
    return whyTexts.flatMap { $0.isEmpty ? [""] : TextWidth.wrapped($0, to: width) }
  }

  private var whyTexts: [String] {
    if !reasons.isEmpty { return [reasonsTitle] + reasons }
    guard let findings else { return [] }
    var lines = findings.notes
    let missing = findings.missingRegulation.map { processNames[$0] }
    if !missing.isEmpty {
      lines.append("scenarios would exist if these processes were inhibited: \(missing.joined(separator: ", "))")
    }
    for conflict in findings.conflicts {
      if !lines.isEmpty { lines.append("") }
      lines.append(conflict.summary(in: namedNetwork))
      lines += conflict.lines(in: namedNetwork)
    }
    if lines.isEmpty { lines = ["there are scenarios; press enter on a process that is the same in all to see why"] }
    return lines
  }

  /// The network with the display names of pools and processes instead of their ids.
  private var namedNetwork: ScenarioNetwork {
    var named = network
    for (index, name) in poolNames.enumerated() { named.pools[index].id = Identifier(name) }
    for (index, name) in processNames.enumerated() { named.processes[index].id = Identifier(name) }
    return named
  }

  // MARK: Changes

  mutating func showNextMode() {
    let all = ScenarioMode.allCases
    mode = all[((all.firstIndex(of: mode) ?? 0) + 1) % all.count]
  }

  mutating func showNextPanel() {
    let all = Panel.allCases
    panel = all[((all.firstIndex(of: panel) ?? 0) + 1) % all.count]
    isAtPools = false
  }

  /// Labels the selected pool, or removes its label.
  ///
  /// - Returns: False if nothing changes.
  mutating func label(_ levels: LevelSet?) -> Bool {
    guard network.pools.indices.contains(pools.selected), network.pools[pools.selected].observed != levels else {
      return false
    }
    network.pools[pools.selected].observed = levels
    return true
  }

  /// The label after that of the selected pool: none, U, A, C, and S with four levels.
  var nextLabel: LevelSet? {
    guard network.pools.indices.contains(pools.selected) else { return nil }
    let labels = [nil] + MetaboliteLevel.allCases.prefix(network.rules.levels).map { LevelSet([$0]) }
    let now = labels.firstIndex(of: network.pools[pools.selected].observed) ?? 0
    return labels[(now + 1) % labels.count]
  }

  /// Replaces all observations.
  ///
  /// - Returns: The number of pools that are not in the network.
  mutating func observe(_ rows: [SavedObservation]) -> Int {
    var places: [Identifier: Int] = [:]
    for (index, pool) in network.pools.enumerated() { places[pool.id] = index }
    for pool in network.pools.indices { network.pools[pool].observed = nil }
    for row in rows {
      let levels = row.levels.intersection(.lowest(network.rules.levels))
      if let place = places[row.pool], !levels.isEmpty { network.pools[place].observed = levels }
    }
    return rows.count { places[$0.pool] == nil }
  }

  /// Returns the pathways of a database with processes of the network, by index.
  func pathways(of database: MetabolicDatabase) -> [Int] {
    let ids = Set(network.processes.map(\.id))
    return database.pathways.indices.filter { pathway in
      database.links.processesOfPathways[pathway].contains { ids.contains(database.processes[$0].id) }
    }
  }

  /// Admits only scenarios in which one of a pathway's processes runs, or none.
  mutating func restrict(to pathway: Int, of database: MetabolicDatabase, isOn: Bool) {
    let processes = Set(database.links.processesOfPathways[pathway].map { database.processes[$0].id })
    let members = network.processes.indices.filter { processes.contains(network.processes[$0].id) }
    if isOn {
      let name = database.pathwayName(pathway)
      restriction.anyActive.append(members)
      restriction.groupNames[members] = name
      pathwayFilters.append("\(name) runs")
    } else {
      for member in members { restriction.states[member] = .idle }
    }
  }

  mutating func clearFilters() {
    restriction = ScenarioRestriction()
    isSimplest = false
    pathwayFilters = []
  }

  /// Shows the reasons for the state of a process.
  mutating func explain(_ process: Int, _ findings: ScenarioFindings) {
    let network = namedNetwork
    let facts = findings.set.analysis.reasons(for: process)
    reasons = facts.enumerated().map { $0.element.line(number: $0.offset + 1, in: network) }
    if reasons.isEmpty {
      let possible = findings.states[process].rawValue.nonzeroBitCount
      let isForced = possible < (network.processes[process].isReversible ? 3 : 2)
      reasons = [
        isForced
          ? "it does not follow from single rules, but from counting every combination of the processes"
          : "the rules do not restrict it"
      ]
    }
    reasonsTitle = "why \(processNames[process]) is so:"
    panel = .why
    cursor = RowCursor()
  }

  /// Updates the levels to those of the selected scenario.
  ///
  /// - Returns: The overlay of the scenario, or of the observations without one; nil if there are no results.
  mutating func overlaySelection() -> GraphOverlay? {
    levels = []
    guard let findings else { return nil }
    guard let entry = selectedEntry else { return GraphOverlay(observationsOf: network) }
    let analysis = findings.set.analysis
    let title = "scenario \((entry.number + .one).grouped) of \(analysis.count.grouped)"
    // In strict mode levels need a separate analysis for each pool, so only states are shown.
    guard analysis.mode == .necessary, let overlay = try? GraphOverlay(entry.scenario, of: analysis, title: title)
    else { return GraphOverlay(statesOf: entry.scenario, of: analysis, title: title) }
    levels = (try? analysis.levels(of: entry.scenario)) ?? []
    return overlay
  }

  /// Shows the results of a query from their start.
  mutating func show(_ findings: ScenarioFindings) {
    isCounting = false
    self.findings = findings
    reasons = []
    cursors = [:]
    if findings.set.count.isZero {
      panel = .why
    } else if panel == .why {
      panel = .scenarios
    }
  }

  /// Shows the results with another page of scenarios.
  ///
  /// - Parameters:
  ///   - seed: The seed of scenarios drawn at random; nil if they are in order.
  ///   - selectsLast: True to select the last row of the page rather than the one selected before.
  mutating func turn(to findings: ScenarioFindings, seed: UInt64?, selectsLast: Bool) {
    self.findings = findings
    self.seed = seed
    let last = max(0, findings.page.entries.count - 1)
    var cursor = cursors[.scenarios] ?? RowCursor()
    cursor.selected = selectsLast ? last : min(cursor.selected, last)
    cursors[.scenarios] = cursor
  }

  // MARK: Texts

  /// The number of scenarios, with the criterion by which they are counted.
  var headline: String {
    if isCounting { return "counting …" }
    guard let findings else { return message.isEmpty ? "not counted yet" : "not counted" }
    let count = findings.set.count
    let power = count.powerOfTen.map { " (\($0))" } ?? ""
    return "\(count.grouped)\(power) scenario\(count == .one ? "" : "s")"
  }

  /// The restrictions as text; "" for none.
  var filterText: String {
    var parts = restriction.states.sorted { $0.key < $1.key }.map { process, states in
      processNames[process] + " " + states.states.map { String($0.character) }.joined(separator: "|")
    }
    parts += pathwayFilters
    if let most = restriction.maximumActive { parts.append("at most \(most) run") }
    if isSimplest { parts.append("as few as possible run") }
    return parts.joined(separator: ", ")
  }

  /// The range of scenarios shown.
  var pageText: String {
    guard let findings, let first = findings.page.entries.first, let last = findings.page.entries.last else {
      return ""
    }
    if seed != nil { return "\(findings.page.entries.count) drawn at random" }
    // Realizable scenarios are shown by index, because their numbers are those of all scenarios that satisfy the signs.
    if findings.set.realizable != nil {
      let end = findings.first + BigUnsigned(findings.page.entries.count)
      return "\((findings.first + .one).grouped)–\(end.grouped)"
    }
    return "\((first.number + .one).grouped)–\((last.number + .one).grouped)"
  }
}
