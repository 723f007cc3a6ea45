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
      "detail": ids(DetailAction.self), "search": ids(SearchAction.self),
      "download": ids(DownloadAction.self), "page": ids(PageAction.self), "text": [],
    ]
    let screens = MoleculesPlugin().parts.screens.map(\.description)
    #expect(Set(screens.map(\.name)) == Set(expected.keys))
    for screen in screens {
      #expect(Set(screen.actions.map(\.id)) == expected[screen.name], "\(screen.name)")
    }
  }

  @Test func `actions have the names that key maps and scripts contain`() {
    let expected = [
      "viewer": """
      turn pan zoom roll reset spin choose-mode color select clear-selection keep-selection choose-selection label \
      next-mode model play assembly occlusion outline fog molecule library details undo redo sequence structures add \
      save-session open-session about mode
      """,
      "library": "show details add delete undo import download about", "detail": "read show",
      "search": "open words service", "download": "choose download read browse cancel",
      "page": "follow link number browse back again", "text": "",
    ]
    let screens = MoleculesPlugin().parts.screens.map(\.description)
    #expect(Set(screens.map(\.name)) == Set(expected.keys))
    for screen in screens {
      var known: Set<String> = []
      let names = screen.actions.map(\.id).filter { known.insert($0).inserted }
      #expect(names.joined(separator: " ") == expected[screen.name], "\(screen.name)")
    }
  }
}
