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
      $0.put(TextWidth.truncated(ScenarioKey.footer(state), to: $0.size.width - 1), x: 1, y: 0, .secondary)
    }
  }

  private func drawHead(_ frame: inout TextFrame) {
    let end = frame.put(state.headline, x: 1, y: 0, state.message.isEmpty || state.isCounting ? .heading : .error)
    frame.put("  \(state.findings?.set.countedMode.rawValue ?? state.mode.rawValue)", x: end, y: 0, .accent)
    let note = state.findings?.notes.first ?? state.mode.statement
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
      if row == state.pools.selected { select(&frame, line: line, width: width) }
    }
    if isLong { frame.scrollBar(x: width, rows: 0..<height, top: top, count: count) }
  }

  private func select(_ frame: inout TextFrame, line: Int, width: Int) {
    let rect = Rect(x: 0, y: line, width: width, height: 1)
    if state.isAtPools { frame.restyle(rect) { $0.adding(.reverse) } }
    frame.put(state.isAtPools ? "▌" : "▏", x: 0, y: line, .accent)
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
      title: "Scenarios", text: ["\(state.headline), \(state.mode.rawValue)"] + filters + (state.findings?.notes ?? []),
      fields: observed,
      items: (0..<state.rowCount).map { row in
        Outline.Item(
          id: "\(row)", text: panel.text(ofRow: row),
          action: ActionInvocation("choose", ["row": .integer(row)]))
      })
  }
}
