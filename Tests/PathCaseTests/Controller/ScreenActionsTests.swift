import PluginAPI
import Testing

@testable import PathCase

struct ScreenActionsTests {
  /// Returns the ids of the actions that are the cases of an enum.
  private func ids<Action: CaseIterable & RawRepresentable>(_ type: Action.Type) -> Set<String>
  where Action.RawValue == String {
    Set(type.allCases.map(\.rawValue))
  }

  @Test func `each screen describes exactly the actions of its enums`() {
    let ofBrowser = ids(ScenarioAction.self)
    let inPalette = Set(ScenarioAction.inPalette.map(\.id))
    let expected = [
      "home": ids(HomeController.Action.self),
      "pathway": ids(PathwayController.Action.self).union(ids(GraphAction.self)).union(
        ids(TableController.Action.self)
      ).union(inPalette),
      "pathways": ids(PathwaysController.Action.self),
      "node": ids(NodeController.Action.self),
      "text": [],
    ]
    let screens = PathCasePlugin().parts.screens.map(\.description)
    #expect(Set(screens.map(\.name)) == Set(expected.keys))
    for screen in screens {
      #expect(Set(screen.actions.map(\.id)) == expected[screen.name], "\(screen.name)")
    }
    #expect(Set(ScenarioKey.all.map(\.action.id)) == ofBrowser)
    #expect(inPalette.isStrictSubset(of: ofBrowser))
  }

  @Test func `actions have the names that key maps and scripts contain`() {
    let expected = [
      "home": "open search scenarios file update",
      "pathway": """
      pathways content back pan zoom fit find next select details common overlay no-overlay overlay-file \
      overlay-fluxes save-layout forget-layout lay-out ascii move copy choose scenario-mode scenario-panel \
      scenario-clear scenario-sample scenario-go-to scenario-keep scenario-kept observations-load observations-keep
      """,
      "pathways": "open", "node": "choose show copy", "text": "",
    ]
    let screens = PathCasePlugin().parts.screens.map(\.description)
    #expect(Set(screens.map(\.name)) == Set(expected.keys))
    for screen in screens {
      var known: Set<String> = []
      let names = screen.actions.map(\.id).filter { known.insert($0).inserted }
      #expect(names.joined(separator: " ") == expected[screen.name], "\(screen.name)")
    }
    // Those of the scenario browser that are not in the palette are in no description.
    #expect(
      ScenarioAction.allCases.map(\.rawValue) == [
        "scenario-mode", "scenario-panel", "scenario-clear", "scenario-sample", "scenario-go-to", "scenario-keep",
        "scenario-kept", "observations-load", "observations-keep", "choose", "scenario-next-label", "scenario-label",
        "scenario-page", "scenario-only", "scenario-most", "scenario-fewest", "scenario-pathway", "scenario-all",
        "scenario-side",
      ])
  }
}
