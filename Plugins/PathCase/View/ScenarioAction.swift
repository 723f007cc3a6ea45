import PluginAPI

/// The actions of the scenario browser.
enum ScenarioAction: String, CaseIterable {
  case mode = "scenario-mode"
  case panel = "scenario-panel"
  case clear = "scenario-clear"
  case sample = "scenario-sample"
  case goTo = "scenario-go-to"
  case keep = "scenario-keep"
  case kept = "scenario-kept"
  case loadObservations = "observations-load"
  case keepObservations = "observations-keep"
  case choose
  case nextLabel = "scenario-next-label"
  case label = "scenario-label"
  case page = "scenario-page"
  case only = "scenario-only"
  case most = "scenario-most"
  case fewest = "scenario-fewest"
  case pathway = "scenario-pathway"
  case all = "scenario-all"
  case side = "scenario-side"

  /// The title in the palette, with the key in the browser; nil for actions that make sense only in the browser.
  var paletteTitle: String? {
    switch self {
    case .mode: "Scenarios: necessary, strict or realizable (m)"
    case .panel: "Scenarios: next panel (v)"
    case .clear: "Scenarios: clear all observations (X)"
    case .sample: "Scenarios: draw some at random (r)"
    case .goTo: "Scenarios: go to a number (g)"
    case .keep: "Scenarios: save the selected one (e)"
    case .kept: "Scenarios: saved ones (b)"
    case .loadObservations: "Observations: load saved ones (o)"
    case .keepObservations: "Observations: save these (O)"
    case .choose, .nextLabel, .label, .page, .only, .most, .fewest, .pathway, .all, .side: nil
    }
  }

  /// The actions offered whatever the content of the screen; they have no keys, which mean other things in the graph.
  static let inPalette = allCases.compactMap { action in
    action.paletteTitle.map { ScreenAction(action, $0) }
  }
}
