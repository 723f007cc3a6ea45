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
  /// The restrictions on pathways, in words.
  var pathwayFilters: [String] = []

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
  var reasonsTitle = ""

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

  /// Moves the cursors of all panels to the top.
  mutating func resetCursors() { cursors = [:] }

  // MARK: Rows

  /// The number of rows in the panel.
  var rowCount: Int {
    switch panel {
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
      lines.append("with a reason to be idle for \(missing.joined(separator: ", ")) there are some")
    }
    for conflict in findings.conflicts {
      if !lines.isEmpty { lines.append("") }
      lines.append(conflict.summary(in: namedNetwork))
      lines += conflict.lines(in: namedNetwork)
    }
    if lines.isEmpty { lines = ["there are scenarios; enter on a process that is the same in all tells why it is"] }
    return lines
  }

  /// The network with the display names of pools and processes instead of their ids.
  var namedNetwork: ScenarioNetwork {
    var named = network
    for (index, name) in poolNames.enumerated() { named.pools[index].id = Identifier(name) }
    for (index, name) in processNames.enumerated() { named.processes[index].id = Identifier(name) }
    return named
  }

  // MARK: Texts

  /// The number of scenarios, with the criterion by which they count.
  var headline: String {
    if isCounting { return "counting …" }
    guard let findings else { return message.isEmpty ? "nothing was counted yet" : message }
    let count = findings.set.count
    let power = count.powerOfTen.map { " (\($0))" } ?? ""
    return "\(count.grouped)\(power) scenario\(count == .one ? "" : "s")"
  }

  /// The restrictions in words; "" for none.
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
