import PluginAPI

/// What the browser of scenarios shows: what was observed at the left, what follows at the right.
struct ScenarioBrowserState: Sendable {
  /// What stands at the right.
  enum Panel: String, Sendable, CaseIterable {
    /// Scenarios one by one.
    case scenarios
    /// In how many scenarios each process runs.
    case shares
    /// What is the same in all.
    case common
    /// Why there is none, or why a process must do what it does.
    case why
  }

  var network = ScenarioNetwork()
  /// What pools and processes are called, in the order of the network.
  var poolNames: [String] = []
  var processNames: [String] = []
  var mode = ScenarioMode.necessary
  var restriction = ScenarioRestriction()
  /// Whether only scenarios with as few active processes as possible count.
  var isSimplest = false
  /// What is asked of pathways, in words.
  var pathwayFilters: [String] = []

  /// What was found; nil before the first answer.
  var findings: ScenarioFindings?
  var shares: ScenarioShares?
  /// Whether another answer is on its way.
  var isCounting = false
  /// What kept the last answer from coming; "" for nothing.
  var message = ""
  /// What the draws at random began with; nil where scenarios are in their order.
  var seed: UInt64?
  /// Levels that pools can have in the selected scenario.
  var levels: [LevelSet] = []
  /// Why something is so, for the panel.
  var reasons: [String] = []
  /// What the reasons are about; "" for why there is no scenario.
  var reasonsTitle = ""

  var panel = Panel.scenarios
  /// Whether keys go to the pools.
  var isAtPools = false
  var pools = RowCursor()
  private var cursors: [Panel: RowCursor] = [:]
  var size = Size(width: 0, height: 0)

  /// The cursor of the panel.
  var cursor: RowCursor {
    get { cursors[panel] ?? RowCursor() }
    set { cursors[panel] = newValue }
  }

  /// Begins at the top of every panel.
  mutating func resetCursors() { cursors = [:] }

  // MARK: Rows

  /// How many rows the panel has.
  var rowCount: Int {
    switch panel {
    case .scenarios: findings?.page.entries.count ?? 0
    case .shares: processNames.count
    case .common: commonProcesses.count
    case .why: whyLines.count
    }
  }

  /// The scenario that is selected; nil if there is none.
  var selectedEntry: ScenarioSet.Entry? {
    guard let entries = findings?.page.entries else { return nil }
    let row = cursors[.scenarios]?.selected ?? 0
    return entries.indices.contains(row) ? entries[row] : nil
  }

  /// The processes that do the same in all scenarios, by index: those that always run first.
  var commonProcesses: [Int] {
    guard let findings, !findings.set.count.isZero else { return [] }
    let active = findings.states.indices.filter { !findings.states[$0].contains(ProcessStates.idle) }
    let idle = findings.states.indices.filter { findings.states[$0].isDisjoint(with: .active) }
    return active + idle
  }

  /// The process of the selected row; nil where rows are about something else.
  var selectedProcess: Int? {
    switch panel {
    case .shares: processNames.indices.contains(cursor.selected) ? cursor.selected : nil
    case .common: commonProcesses.indices.contains(cursor.selected) ? commonProcesses[cursor.selected] : nil
    case .scenarios, .why: nil
    }
  }

  /// The lines of the last panel.
  var whyLines: [String] {
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

  /// The network with what people call its pools and processes in the place of their ids.
  var namedNetwork: ScenarioNetwork {
    var named = network
    for (index, name) in poolNames.enumerated() { named.pools[index].id = Identifier(name) }
    for (index, name) in processNames.enumerated() { named.processes[index].id = Identifier(name) }
    return named
  }

  // MARK: Texts

  /// The number of scenarios, and which count.
  var headline: String {
    if isCounting { return "counting …" }
    guard let findings else { return message.isEmpty ? "nothing was counted yet" : message }
    let count = findings.set.count
    let power = count.powerOfTen.map { " (\($0))" } ?? ""
    return "\(count.grouped)\(power) scenario\(count == .one ? "" : "s")"
  }

  /// What restricts them, in words; "" for nothing.
  var filterText: String {
    var parts = restriction.states.sorted { $0.key < $1.key }.map { process, states in
      processNames[process] + " " + states.states.map { String($0.character) }.joined(separator: "|")
    }
    parts += pathwayFilters
    if let most = restriction.maximumActive { parts.append("at most \(most) run") }
    if isSimplest { parts.append("as few as possible run") }
    return parts.joined(separator: ", ")
  }

  /// Which scenarios of all are shown.
  var pageText: String {
    guard let findings, let first = findings.page.entries.first, let last = findings.page.entries.last else {
      return ""
    }
    if seed != nil { return "\(findings.page.entries.count) drawn at random" }
    // Of realizable ones their place is told, as numbers are those of all that fit by signs.
    if findings.set.realizable != nil {
      let end = findings.first + BigUnsigned(findings.page.entries.count)
      return "\((findings.first + .one).grouped)–\(end.grouped)"
    }
    return "\((first.number + .one).grouped)–\((last.number + .one).grouped)"
  }
}
