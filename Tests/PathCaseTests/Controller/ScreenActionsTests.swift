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
}
