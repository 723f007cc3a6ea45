import PluginAPI
import Testing

@testable import PathCase

struct ScreenActionsTests {
  @Test("The home and node screens describe exactly the actions of their enums")
  func descriptionsMatchEnums() {
    func check<Action: CaseIterable & RawRepresentable>(_ actions: [ScreenAction], _ type: Action.Type)
    where Action.RawValue == String {
      #expect(Set(actions.map(\.id)) == Set(type.allCases.map(\.rawValue)))
    }
    check(HomeController.actions, HomeController.Action.self)
    check(NodeController.actions, NodeController.Action.self)
  }
}
