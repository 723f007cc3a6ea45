import PluginAPI

/// The view of the scenario browser.
struct ScenarioView: View {
  var state: ScenarioBrowserState

  func draw(into frame: inout TextFrame) {
    let layout = ScenarioLayout(frame.size, isAtPools: state.isAtPools)
    frame.inside(layout.head, drawHead)
    frame.inside(layout.pools, drawPools)
    frame.inside(layout.tabs, drawTabs)
    frame.inside(layout.panel) { ScenarioPanel(state: state).draw(into: &$0) }
    frame.inside(layout.foot) {
      $0.put(ScenarioKey.footer(state, width: $0.size.width - 1), x: 1, y: 0, .secondary)
    }
  }

  private func drawHead(_ frame: inout TextFrame) {
    let end = frame.put(state.headline, x: 1, y: 0, state.message.isEmpty || state.isCounting ? .heading : .error)
    frame.put("  \(state.findings?.set.modeText ?? state.mode.rawValue)", x: end, y: 0, .accent)
    // The panel with the error is hidden while the pools of a narrow screen have the focus.
    let isHidden = state.isAtPools && frame.size.width < ScenarioLayout.sideBySide
    let problem = isHidden && state.findings == nil ? state.message : ""
    let note = problem.isEmpty ? state.findings?.notes.first ?? state.mode.statement : problem
    let filters = state.filterText.isEmpty ? "" : "only with \(state.filterText)"
    let text = [filters, note].filter { !$0.isEmpty }.joined(separator: " · ")
    frame.put(
      TextWidth.truncated(text, to: frame.size.width - 2), x: 1, y: 1,
      state.findings?.notes.isEmpty == false ? .warning : .secondary)
  }

  // MARK: Pools

  private func drawPools(_ frame: inout TextFrame) {
    guard frame.size.height > 0, frame.size.width > 8 else { return }
    let observed = state.network.pools.count { $0.observed != nil }
    frame.put(
      "Observed: \(observed) of \(state.network.pools.count) pools", x: 1, y: 0, Style.heading.adding(.underline))
    let body = frame.bounds.split(top: 1).rest
    frame.inside(body, drawPoolRows)
  }

  private func drawPoolRows(_ frame: inout TextFrame) {
    let (height, count) = (frame.size.height, state.network.pools.count)
    let top = state.pools.visibleTop(count: count, height: height)
    let isLong = count > height
    let width = frame.size.width - (isLong ? 1 : 0)
    for line in 0..<max(0, min(height, count - top)) {
      let (row, pool) = (top + line, state.network.pools[top + line])
      let label = pool.observed?.marks ?? ""
      frame.put(label.isEmpty ? "·" : label, x: 1, y: line, label.isEmpty ? .secondary : Self.style(pool.observed))
      let found = concluded(row)
      let room = width - 9 - (found.isEmpty ? 0 : TextWidth.columns(found) + 1)
      frame.put(TextWidth.truncated(state.poolNames[row], to: room), x: 8, y: line)
      frame.put(found, x: width - TextWidth.columns(found), y: line, .accent)
      if row == state.pools.selected {
        Self.select(&frame, line: line, width: width, hasFocus: state.isAtPools)
      }
    }
    if isLong { frame.scrollBar(x: width, rows: 0..<height, top: top, count: count) }
  }

  /// Marks the selected line; it stands out if its part has the focus.
  fileprivate static func select(_ frame: inout TextFrame, line: Int, width: Int, hasFocus: Bool) {
    if hasFocus { frame.restyle(Rect(x: 0, y: line, width: width, height: 1)) { $0.adding(.reverse) } }
    frame.put(hasFocus ? "▌" : "▏", x: 0, y: line, .accent)
  }

  /// Returns the levels of a pool in the selected scenario, if they are restricted and not observed.
  private func concluded(_ pool: Int) -> String {
    guard state.levels.indices.contains(pool), state.network.pools[pool].observed == nil,
      !LevelSet.lowest(state.network.rules.levels).isSubset(of: state.levels[pool])
    else { return "" }
    return state.levels[pool].marks
  }

  private static func style(_ levels: LevelSet?) -> Style {
    switch levels {
    case .some(.unavailable): .secondary.adding(.bold)
    case .some(.accumulated), .some(.severelyAccumulated): .warning.adding(.bold)
    default: .success.adding(.bold)
    }
  }

  // MARK: Panels

  private func drawTabs(_ frame: inout TextFrame) {
    var x = 1
    for panel in ScenarioBrowserState.Panel.allCases {
      let isShown = panel == state.panel
      x = frame.put(
        isShown ? "[\(panel.rawValue)]" : " \(panel.rawValue) ", x: x, y: 0,
        isShown ? Style.heading.adding(.underline) : .secondary)
    }
    guard state.panel == .scenarios, !state.pageText.isEmpty else { return }
    let width = TextWidth.columns(state.pageText)
    if frame.size.width - x > width + 2 { frame.put(state.pageText, x: frame.size.width - width - 1, y: 0, .secondary) }
  }

  // MARK: Outline

  var outline: Outline {
    let observed = zip(state.network.pools, state.poolNames).compactMap { pool, name in
      pool.observed.map { Outline.Field(name, $0.marks) }
    }
    let panel = ScenarioPanel(state: state)
    let filters = state.filterText.isEmpty ? [] : ["only with \(state.filterText)"]
    return Outline(
      title: "Scenarios",
      text: ["\(state.headline), \(state.mode.rawValue)"] + (state.message.isEmpty ? [] : [state.message]) + filters
        + (state.findings?.notes ?? []),
      fields: observed,
      items: (0..<state.rowCount).map { row in
        Outline.Item(
          id: "\(row)", text: panel.text(ofRow: row),
          action: ActionInvocation(ScenarioAction.choose.rawValue, [PathCaseArgument.row.name: .integer(row)]))
      })
  }
}

/// The right side of the scenario browser: scenarios, shares, common states, or reasons.
private struct ScenarioPanel: View {
  let state: ScenarioBrowserState
  /// The processes in which the scenarios of the page differ, by index.
  private let apart: [Int]

  init(state: ScenarioBrowserState) {
    self.state = state
    apart = state.panel == .scenarios ? Self.differing(state.findings?.page.entries ?? []) : []
  }

  func draw(into frame: inout TextFrame) {
    let height = frame.size.height
    guard height > 0, frame.size.width > 4 else { return }
    let count = state.rowCount
    guard count > 0 else {
      let style: Style = state.findings == nil && !state.isCounting ? .error : .secondary
      for (row, line) in TextWidth.wrapped(emptyText, to: frame.size.width - 3).prefix(height).enumerated() {
        frame.put(line, x: 2, y: row, style)
      }
      return
    }
    if state.panel == .why { return drawLines(&frame) }
    let top = state.cursor.visibleTop(count: count, height: height)
    let isLong = count > height
    let width = frame.size.width - (isLong ? 1 : 0)
    for line in 0..<min(height, count - top) {
      let row = top + line
      frame.inside(Rect(x: 0, y: line, width: width, height: 1)) { draw(row: row, into: &$0) }
      if row == state.cursor.selected {
        ScenarioView.select(&frame, line: line, width: width, hasFocus: !state.isAtPools)
      }
    }
    if isLong { frame.scrollBar(x: width, rows: 0..<height, top: top, count: count) }
  }

  private var emptyText: String {
    if state.isCounting { return "counting …" }
    guard let findings = state.findings else { return state.message }
    return switch state.panel {
    case .scenarios:
      findings.set.count.isZero
        ? "there are no scenarios; 'why' shows the reason"
        : "no scenario on this page can have balanced fluxes; n shows the next page"
    case .shares: "there are no processes"
    case .common: findings.set.count.isZero ? "there is no scenario" : "no process is the same in all"
    case .why: ""
    }
  }

  private func draw(row: Int, into frame: inout TextFrame) {
    switch state.panel {
    case .scenarios, .common: frame.put(TextWidth.truncated(text(ofRow: row), to: frame.size.width - 2), x: 2, y: 0)
    case .shares: drawShare(row, &frame)
    case .why: break
    }
  }

  /// Returns the text of a row.
  func text(ofRow row: Int) -> String {
    switch state.panel {
    case .scenarios: scenario(row)
    case .shares: "\(state.processNames[row]): \(share(row))"
    case .common: common(state.commonProcesses[row])
    case .why: state.whyLines[row]
    }
  }

  // MARK: Scenarios

  /// The maximum number of signs in a row.
  private static let mostSigns = 24

  /// Returns the processes whose states differ between some scenarios.
  private static func differing(_ entries: [ScenarioSet.Entry]) -> [Int] {
    guard let first = entries.first?.scenario.states else { return [] }
    return first.indices.filter { process in entries.contains { $0.scenario.states[process] != first[process] } }
  }

  /// Returns the number of a scenario, the signs of the processes in which the page differs, and their names.
  private func scenario(_ row: Int) -> String {
    guard let findings = state.findings, findings.page.entries.indices.contains(row) else { return "" }
    let entries = findings.page.entries
    // Numbers, even those of random scenarios, are right-aligned so that signs line up.
    let width = entries.map { ($0.number + .one).grouped.count }.max() ?? 0
    let number = TextWidth.padded((entries[row].number + .one).grouped, to: width)
    let active = entries[row].scenario.active.count
    let most = entries.map(\.scenario.active.count).max() ?? 0
    let runs = TextWidth.padded("\(active)", to: "\(most)".count, right: true)
    let signs = String(apart.prefix(Self.mostSigns).map { entries[row].scenario.states[$0].character })
    let shown = signs.isEmpty ? "" : "\(signs)\(apart.count > Self.mostSigns ? "…" : "")  "
    return "\(number)  \(runs) run  \(shown)\(words(entries[row].scenario, findings.states))"
  }

  /// Returns the text that distinguishes a scenario from the others of the page, or a single one from all others.
  ///
  /// It lists the processes that run, or those that do not run forward, whichever are fewer.
  private func words(_ scenario: Scenario, _ states: [ProcessStates]) -> String {
    let names = state.processNames
    let open = apart.isEmpty ? states.indices.filter { states[$0].only == nil } : apart
    func list(_ processes: [Int]) -> String {
      processes.map { "\(names[$0]) \(scenario.states[$0].character)" }.joined(separator: ", ")
    }
    let active = open.filter { scenario.states[$0] != .idle }
    let others = open.filter { scenario.states[$0] != .forward }
    if active.isEmpty {
      return scenario.active.isEmpty ? "all idle" : apart.isEmpty ? "only those that always run" : "only the others"
    }
    if active.count <= others.count { return list(active) }
    return others.isEmpty ? "all forward" : list(others)
  }

  // MARK: Shares

  private func share(_ process: Int) -> String {
    guard let shares = state.shares else { return "" }
    let marginal = shares.marginals[process]
    guard !marginal.total.isZero else { return "none" }
    return "runs in \(ScenarioRenderer.percent(marginal.activeShare))"
  }

  private func drawShare(_ process: Int, _ frame: inout TextFrame) {
    let filter = state.restriction.states[process].map { $0.states.map { String($0.character) }.joined() } ?? ""
    frame.put(filter.isEmpty ? "" : "[\(filter)]", x: 1, y: 0, .accent)
    let width = frame.size.width
    let bar = min(24, max(0, width - 40))
    let room = max(8, width - 8 - bar - 10)
    frame.put(TextWidth.truncated(state.processNames[process], to: room), x: 6, y: 0)
    guard let shares = state.shares, !shares.marginals[process].total.isZero else { return }
    let marginal = shares.marginals[process]
    let forward = Int((marginal.forward.share(of: marginal.total) * Double(bar)).rounded())
    let backward = min(bar - forward, Int((marginal.backward.share(of: marginal.total) * Double(bar)).rounded()))
    var x = frame.put(String(repeating: "▶", count: forward), x: 7 + room, y: 0, .success)
    x = frame.put(String(repeating: "◀", count: backward), x: x, y: 0, .warning)
    frame.put(String(repeating: "·", count: max(0, bar - forward - backward)), x: x, y: 0, .secondary)
    let text = ScenarioRenderer.percent(marginal.activeShare)
    frame.put(text, x: width - TextWidth.columns(text) - 1, y: 0)
  }

  // MARK: Common

  private func common(_ process: Int) -> String {
    guard let states = state.findings?.states[process] else { return "" }
    let word: String
    switch states.only {
    case .forward?: word = "always runs forward"
    case .backward?: word = "always runs backward"
    case .idle?: word = "never runs"
    case nil: word = "always runs, in either direction"
    }
    return "\(state.processNames[process])  \(word)"
  }

  // MARK: Why

  private func drawLines(_ frame: inout TextFrame) {
    let lines = state.whyLines
    let top = max(0, min(state.cursor.selected, lines.count - frame.size.height))
    for (y, line) in lines.dropFirst(top).prefix(frame.size.height).enumerated() { frame.put(line, x: 2, y: y) }
  }

  var outline: Outline { Outline(title: state.panel.rawValue, text: (0..<state.rowCount).map { text(ofRow: $0) }) }
}

/// The rectangles of the scenario browser's parts in a screen of a given size.
struct ScenarioLayout: Hashable {
  /// The number of scenarios and their restrictions.
  var head: Rect
  /// The pools; empty if the panel has the focus and there is no room for both.
  var pools: Rect
  /// The names of the panels.
  var tabs: Rect
  var panel: Rect
  /// The keys that work.
  var foot: Rect

  /// The number of columns from which pools are shown beside the panel.
  static let sideBySide = 76

  init(_ size: Size, isAtPools: Bool) {
    let whole = Rect(size)
    let (head, rest) = whole.split(top: size.height >= 8 ? 2 : 1)
    let hasFoot = size.height >= 6
    let body = Rect(x: 0, y: rest.y, width: rest.width, height: max(0, rest.height - (hasFoot ? 1 : 0)))
    self.head = head
    foot = Rect(x: 0, y: body.y + body.height, width: size.width, height: hasFoot ? 1 : 0)
    let none = Rect(x: 0, y: body.y, width: 0, height: 0)
    if size.width >= Self.sideBySide {
      let (left, right) = body.split(left: min(46, size.width * 2 / 5))
      pools = Rect(x: 0, y: left.y, width: left.width - 1, height: left.height)
      (tabs, panel) = right.split(top: 1)
    } else if isAtPools {
      (pools, tabs, panel) = (body, none, none)
    } else {
      pools = none
      (tabs, panel) = body.split(top: 1)
    }
  }

  /// The number of visible rows of pools below their heading.
  var poolRows: Int { max(1, pools.height - 1) }
  /// The number of visible rows of the panel.
  var panelRows: Int { max(1, panel.height) }
}
