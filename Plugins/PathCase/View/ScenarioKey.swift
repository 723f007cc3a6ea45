import PluginAPI

/// A key of the scenario browser: the action it performs, and the parts in which it works.
///
/// The footer is generated from the same list. The browser handles its keys itself, because letters have other meanings
/// in the graph.
struct ScenarioKey: Sendable {
  /// The part of the browser in which a key works.
  private enum Side: Sendable, Hashable {
    case everywhere, pools, panel
    /// Any part, if the selected pool is visible.
    case inSightOfPool
    /// Only the panel of shares.
    case shares
  }

  let action: ScreenAction
  private let side: Side
  /// The minimum number of levels for the key to work.
  private var levels = 0

  private init(_ side: Side, _ action: ScreenAction, levels: Int = 0) {
    self.action = action
    self.side = side
    self.levels = levels
  }

  private init(_ side: Side, _ action: ScenarioAction, _ title: String, keys: [String]) {
    self.init(side, ScreenAction(action, title, keys: keys))
  }

  /// Returns the same key, whose action has an argument.
  private func with<Content>(_ argument: ScreenArgument<Content>, _ value: Content) -> ScenarioKey {
    ScenarioKey(side, action.with(argument, value), levels: levels)
  }

  /// All keys, with those of one part before those that work everywhere.
  static let all: [ScenarioKey] =
    [
      ScenarioKey(.pools, .nextLabel, "Next label of the pool", keys: ["space"]),
      ScenarioKey(.pools, .label, "Clear the label of the pool", keys: ["x"]),
      ScenarioKey(.panel, .choose, "Show on the graph, or explain", keys: ["enter"]),
      ScenarioKey(.panel, .page, "Next page", keys: ["n", "]"]).with(PathCaseArgument.step, 1),
      ScenarioKey(.panel, .page, "Previous page", keys: ["N", "["]).with(PathCaseArgument.step, -1),
      ScenarioKey(.panel, .goTo, "Go to a scenario by its number", keys: ["g"]),
      ScenarioKey(.panel, .sample, "Draw scenarios at random", keys: ["r"]),
      ScenarioKey(.panel, .keep, "Save the selected scenario", keys: ["e"]),
      ScenarioKey(.panel, .kept, "Saved scenarios", keys: ["b"]),
      ScenarioKey(.panel, .most, "Limit the number of active processes", keys: ["t"]),
      ScenarioKey(.panel, .fewest, "Only scenarios with the fewest active processes", keys: ["f"]),
      ScenarioKey(.panel, .pathway, "Filter by a pathway", keys: ["w"]),
      ScenarioKey(.panel, .all, "Clear the filters", keys: ["z"]),
    ] + filters + labels + [
      ScenarioKey(.everywhere, .clear, "Clear all observations", keys: ["X"]),
      ScenarioKey(.everywhere, .loadObservations, "Load saved observations", keys: ["o"]),
      ScenarioKey(.everywhere, .keepObservations, "Save these observations", keys: ["O"]),
      ScenarioKey(.everywhere, .panel, "Next panel", keys: ["v"]),
      ScenarioKey(.everywhere, .mode, "Next mode", keys: ["m"]),
      ScenarioKey(.everywhere, .side, "Go to the pools", keys: ["left"]).with(PathCaseArgument.pools, true),
      ScenarioKey(.everywhere, .side, "Go to the scenarios", keys: ["right"]),
    ]

  private static let filters = ["+", "-", "0", "x"].map { key in
    ScenarioKey(.shares, .only, "Filter by the state of the process", keys: [key])
      .with(PathCaseArgument.states, key == "x" ? "" : key)
  }

  private static let labels = MetaboliteLevel.allCases.map { level in
    let letter = String(level.letter)
    let action = ScreenAction(ScenarioAction.label, "Label the pool", keys: [letter.lowercased()])
    return ScenarioKey(
      .inSightOfPool, action.with(PathCaseArgument.level, letter), levels: Int(level.rawValue) + 1)
  }

  /// Returns the action of a key; nil if it has none in the focused part.
  static func action(of key: Key, _ state: ScenarioBrowserState) -> ScreenAction? {
    let name = key.description
    return all.first { $0.works(state) && $0.action.keys.contains(name) }?.action
  }

  private func works(_ state: ScenarioBrowserState) -> Bool {
    if levels > state.network.rules.levels { return false }
    switch side {
    case .everywhere: return true
    case .inSightOfPool: return state.isPoolInSight
    case .pools: return state.isAtPools
    case .panel: return !state.isAtPools
    case .shares: return !state.isAtPools && state.panel == .shares
    }
  }
}

extension ScenarioBrowserState {
  /// True if the selected pool is visible: narrow screens show one side at a time.
  var isPoolInSight: Bool { isAtPools || size.width >= ScenarioLayout.sideBySide }
}

extension ScenarioKey {
  /// Returns the line of keys for the focused part; every key in it is one of ``all``.
  ///
  /// If the line is wider than the screen, it begins with the keys that lead to other parts: the help lists the keys of
  /// the graph, so that only the line shows them.
  static func footer(_ state: ScenarioBrowserState, width: Int = .max) -> String {
    let letters = state.network.rules.levels > 3 ? "u a c s label" : "u a c label"
    let labels = state.isPoolInSight ? [letters] : []
    let other = [state.isAtPools ? "→ scenarios" : "← pools", "v panel", "m mode"]
    let own: [String] =
      if state.isAtPools {
        labels + ["space next", "x clear", "X clear all", "o load", "O save"]
      } else {
        switch state.panel {
        case .scenarios: ["enter on graph"] + labels + ["n N page", "g go to", "r random", "e save", "b saved"]
        case .shares: ["+ - 0 only with", "x any", "z all", "t at most", "f fewest", "w pathway", "enter why"]
        case .common: ["enter why"] + labels
        case .why: ["↑↓ scroll"] + labels
        }
      }
    let line = (own + other).joined(separator: "  ")
    if TextWidth.columns(line) <= width { return line }
    return TextWidth.truncated((other + own).joined(separator: "  "), to: width)
  }
}
