import PluginAPI
import Testing

@testable import WSABI

struct ScreenActionsTests {
  @Test func `each screen describes exactly the actions of its enum`() {
    var screens: Set<String> = []
    func check<Action: CaseIterable & RawRepresentable>(_ screen: ScreenDescription, _ type: Action.Type)
    where Action.RawValue == String {
      #expect(Set(screen.actions.map(\.id)) == Set(type.allCases.map(\.rawValue)), "\(screen.name)")
      screens.insert(screen.name)
    }
    check(PeopleController.description, PeopleAction.self)
    check(UnlockController.description, UnlockAction.self)
    check(CardController.description, CardAction.self)
    check(LightboxController.description, LightboxAction.self)
    check(WalkthroughController.description, WalkthroughAction.self)
    check(BiographyController.description, BiographyAction.self)
    check(DateController.description, DateAction.self)
    check(NotesController.description, NotesAction.self)
    check(LogController.description, LogAction.self)
    check(SettingsController.description, SettingsAction.self)
    #expect(screens == Set(WSABIPlugin().contributions.screens.map(\.name)))
  }

  @Test func `actions have the names that key maps and scripts contain`() {
    let expected = [
      "people": """
      open add-person add-item enroll search settings biography duplicate capture-all lightbox delete-item \
      delete-person connect log lock item find page select
      """,
      "unlock": "passphrase key-file",
      "card": "flip sensor submodality delete lightbox again clear steal press choose-line",
      "lightbox": "next previous larger smaller whole move", "walkthrough": "choose back look line check done type",
      "biography": "edit type clear undo", "date": "done clear type", "notes": "keep add empty",
      "log": "verify older newer other reload", "settings": "choose cancel",
    ]
    let screens = WSABIPlugin().contributions.screens
    #expect(Set(screens.map(\.name)) == Set(expected.keys))
    for screen in screens {
      var known: Set<String> = []
      let names = screen.actions.map(\.id).filter { known.insert($0).inserted }
      #expect(names.joined(separator: " ") == expected[screen.name], "\(screen.name)")
    }
  }

  @Test func `arguments have the text that key maps and recorded scripts contain`() {
    func arguments(_ screen: ScreenDescription, _ action: String) -> [Record] {
      screen.actions.filter { $0.id == action }.map(\.arguments)
    }
    #expect(arguments(PeopleController.description, "item") == [["step": -1], ["step": 1]])
    #expect(arguments(PeopleController.description, "page") == [["step": -1], ["step": 1]])
    #expect(arguments(WalkthroughController.description, "type") == [["line": "address"], ["line": "name"]])
    #expect(
      arguments(LightboxController.description, "move") == [
        ["x": -1, "y": 0], ["x": 1, "y": 0], ["x": 0, "y": -1], ["x": 0, "y": 1],
      ])
    let request = ScreenRequest("walkthrough").with(WSABIArgument.item, 7).with(WSABIArgument.from, .submodality)
    #expect(request == ScreenRequest("walkthrough", arguments: ["item": 7, "from": "submodality"]))
    #expect(ScreenRequest("walkthrough", arguments: ["from": "end"]).arguments[WSABIArgument.from] == nil)
  }
}
