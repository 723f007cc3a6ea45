import PluginAPI
import PluginTesting
import Testing

@testable import OpenBIS

@MainActor struct OpenBISScreensTests {
  @Test func `a key has the same function on every screen`() {
    let found = PluginConformance.checkKeys(of: OpenBISPlugin())
    #expect(found.map(\.message) == [])
  }

  @Test func `each screen describes exactly the actions of its enum`() {
    #expect(PreviewController.description.actions.isEmpty)
    var checked = [PreviewController.description.name]
    func check<Action: CaseIterable & RawRepresentable>(_ screen: ScreenDescription, _ type: Action.Type)
    where Action.RawValue == String {
      checked.append(screen.name)
      #expect(screen.actions.map(\.id).sorted() == type.allCases.map(\.rawValue).sorted(), "\(screen.name)")
    }
    check(BrowserController.description, BrowserAction.self)
    check(DetailController.description, DetailAction.self)
    check(EntitySearchController.description, SearchAction.self)
    check(EntityTreeController.description, EntityTreeController.Action.self)
    check(FilesController.description, FilesController.Action.self)
    check(ImageController.description, ImageController.Action.self)
    check(ServersController.description, ServersController.Action.self)
    check(TextController.description, TextController.Action.self)
    #expect(checked.sorted() == OpenBISPlugin().contributions.screens.map(\.name).sorted())
  }

  @Test func `actions have the names that key maps and scripts contain`() {
    let names = OpenBISPlugin().contributions.screens.map {
      "\($0.name): " + $0.actions.map(\.id).joined(separator: " ")
    }
    #expect(
      names == [
        "browser: open details search tree files refresh refresh-all online export servers top",
        "detail: choose refresh tree files image export copy online", "search: open kind",
        "tree: open parents deeper shallower", "image: next previous", "files: preview download refresh", "preview: ",
        "servers: use login again logout", "text: wrap",
      ])
  }

  @Test func `items read aloud have an action of their screen, with their id`() async throws {
    let plugin = ScreensPlugin()
    let test = try await TestPlugin(plugin, isOffline: true)
    try await SmallLab.fill(plugin.cache)
    for name in ["browser", "detail", "search", "tree"] {
      let arguments: Record = ["account": "lab", "perm-id": "P1", "text": "plate"]
      let screen = try test.screen(name, arguments, size: Size(width: 60, height: 12))
      await screen.settle()
      let description = try #require(OpenBISPlugin().contributions.screens.first { $0.name == name })
      let (items, actions) = (screen.outline.items, description.actions.map(\.id))
      #expect(!items.isEmpty, "\(name)")
      for item in items {
        #expect(actions.contains(item.action?.action ?? ""), "\(name): \(item.text)")
        #expect(item.action?.arguments[OpenBISArgument.id] == item.id, "\(name): \(item.text)")
      }
    }
  }

  @Test func `unknown actions do nothing, and arguments of another type count as missing`() async throws {
    let test = try await TestPlugin(ScreensPlugin(), isOffline: true)
    let arguments: Record = [
      "account": 1, "perm-id": ["x"], "parents": "yes", "number": "x", "count": nil, "selected": 2, "found": "x",
      "title": 3, "text": [:], "picture": "x", "table": 4,
    ]
    var titles: [String: String] = [:]
    for description in OpenBISPlugin().contributions.screens {
      let screen = try test.screen(description.name, arguments, size: Size(width: 60, height: 12))
      await screen.settle()
      let title = screen.controller.title
      #expect(screen.controller.perform(ActionInvocation("no-such-action", ["id": 5])).isEmpty, "\(description.name)")
      #expect(screen.controller.title == title)
      titles[description.name] = title
    }
    for (name, title) in ["image": "Image", "preview": "File", "text": "Text", "tree": "Children"] {
      #expect(titles[name] == title, "\(name)")
    }
  }

  @Test func `an image beyond the first or last is the first or last`() async throws {
    let test = try await TestPlugin(ScreensPlugin(), isOffline: true)
    func image(_ number: Int) throws -> any Controller {
      try test.screen("image", ["number": .integer(number), "count": 3]).controller
    }
    let first = try image(.min)
    #expect(first.title == "Image 1 of 3" && first.perform(ActionInvocation("previous")).isEmpty)
    let last = try image(.max)
    #expect(last.title == "Image 3 of 3" && last.perform(ActionInvocation("next")).isEmpty)
    #expect(!last.perform(ActionInvocation("previous")).isEmpty && last.title == "Image 2 of 3")
  }

  @Test func `a result of a screen is read as it was returned`() {
    for result in [ScreenResult.open("P1"), .open("P1", search: ["text": "plate"]), .changedAccount] {
      guard case .pop(let value) = result.pop else {
        Issue.record("\(result) is not returned")
        continue
      }
      #expect(ScreenResult(value) == result)
    }
    for value: Value in [.null, "P1", ["open": 1], ["open": nil], ["changed": "yes"], ["search": [:]]] {
      #expect(ScreenResult(value) == nil)
    }
    #expect(ScreenResult(["open": "P1", "search": "plate"]) == .open("P1"))
  }
}
