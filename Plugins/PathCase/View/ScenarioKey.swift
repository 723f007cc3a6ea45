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

  /// All keys, with those of one part before those that work everywhere.
  static let all: [ScenarioKey] =
    [
      ScenarioKey(.pools, ScreenAction("scenario-next-label", "Next label of the pool", keys: ["space"])),
      ScenarioKey(.pools, ScreenAction("scenario-label", "Clear the label of the pool", keys: ["x"])),
      ScenarioKey(.panel, ScreenAction("choose", "Show on the graph, or explain", keys: ["enter"])),
      ScenarioKey(.panel, ScreenAction("scenario-page", "Next page", keys: ["n", "]"], arguments: ["step": 1])),
      ScenarioKey(.panel, ScreenAction("scenario-page", "Previous page", keys: ["N", "["], arguments: ["step": -1])),
      ScenarioKey(.panel, ScreenAction("scenario-go-to", "Go to a scenario by its number", keys: ["g"])),
      ScenarioKey(.panel, ScreenAction("scenario-sample", "Draw scenarios at random", keys: ["r"])),
      ScenarioKey(.panel, ScreenAction("scenario-keep", "Save the selected scenario", keys: ["e"])),
      ScenarioKey(.panel, ScreenAction("scenario-kept", "Saved scenarios", keys: ["b"])),
      ScenarioKey(.panel, ScreenAction("scenario-most", "Limit the number of active processes", keys: ["t"])),
      ScenarioKey(
        .panel, ScreenAction("scenario-fewest", "Only scenarios with the fewest active processes", keys: ["f"])),
      ScenarioKey(.panel, ScreenAction("scenario-pathway", "Filter by a pathway", keys: ["w"])),
      ScenarioKey(.panel, ScreenAction("scenario-all", "Clear the filters", keys: ["z"])),
    ] + filters + labels + [
      ScenarioKey(.everywhere, ScreenAction("scenario-clear", "Clear all observations", keys: ["X"])),
      ScenarioKey(.everywhere, ScreenAction("observations-load", "Load saved observations", keys: ["o"])),
      ScenarioKey(.everywhere, ScreenAction("observations-keep", "Save these observations", keys: ["O"])),
      ScenarioKey(.everywhere, ScreenAction("scenario-panel", "Next panel", keys: ["v"])),
      ScenarioKey(.everywhere, ScreenAction("scenario-mode", "Next mode", keys: ["m"])),
      ScenarioKey(
        .everywhere, ScreenAction("scenario-side", "Go to the pools", keys: ["left"], arguments: ["pools": true])),
      ScenarioKey(.everywhere, ScreenAction("scenario-side", "Go to the scenarios", keys: ["right"])),
    ]

  private static let filters = ["+", "-", "0", "x"].map { key in
    ScenarioKey(
      .shares,
      ScreenAction(
        "scenario-only", "Filter by the state of the process", keys: [key],
        arguments: ["states": .text(key == "x" ? "" : key)]))
  }

  private static let labels = MetaboliteLevel.allCases.map { level in
    ScenarioKey(
      .inSightOfPool,
      ScreenAction(
        "scenario-label", "Label the pool", keys: [String(level.letter).lowercased()],
        arguments: ["level": .text(String(level.letter))]), levels: Int(level.rawValue) + 1)
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
