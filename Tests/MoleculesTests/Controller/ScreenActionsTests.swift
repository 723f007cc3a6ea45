import PluginAPI
import Testing

@testable import Molecules

struct ScreenActionsTests {
  /// Returns the ids of the actions that are the cases of an enum.
  private func ids<Action: CaseIterable & RawRepresentable>(_ type: Action.Type) -> Set<String>
  where Action.RawValue == String {
    Set(type.allCases.map(\.rawValue))
  }

  @Test func `each screen describes exactly the actions of its enum`() {
    let expected = [
      "viewer": ids(ViewerAction.self), "library": ids(LibraryController.Action.self),
      "detail": ids(DetailController.Action.self), "search": ids(SearchController.Action.self),
      "download": ids(DownloadController.Action.self), "page": ids(PageController.Action.self), "text": [],
    ]
    let screens = MoleculesPlugin().parts.screens.map(\.description)
    #expect(Set(screens.map(\.name)) == Set(expected.keys))
    for screen in screens {
      #expect(Set(screen.actions.map(\.id)) == expected[screen.name], "\(screen.name)")
    }
  }
}
