import PluginAPI
import Testing

@testable import Molecules

struct ScreenActionsTests {
  @Test("Each screen describes exactly the actions of its enum")
  func descriptionsMatchEnums() {
    func check<Action: CaseIterable & RawRepresentable>(_ actions: [ScreenAction], _ type: Action.Type)
    where Action.RawValue == String {
      #expect(Set(actions.map(\.id)) == Set(type.allCases.map(\.rawValue)))
    }
    check(ViewerActions.all, ViewerAction.self)
    check(LibraryController.actions, LibraryController.Action.self)
    check(DetailController.actions, DetailController.Action.self)
    check(SearchController.actions, SearchController.Action.self)
    check(DownloadController.actions, DownloadController.Action.self)
    check(PageController.actions, PageController.Action.self)
  }
}
