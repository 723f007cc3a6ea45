import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

@MainActor @Suite struct WatchedControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  @Test func `what is done on a screen is noted with its view and target, never with a value`() async throws {
    let item = try await plugin.add("Ada Lovelace", ["RightThumbFlat"])[0]
    let people = try test.screen("people")
    people.press("/")
    people.type("love")
    people.press("enter", "page-down", "enter")
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .presenting, view: "people", event: "presented"),
        ScreenEvent(kind: .command, view: "people", event: "search"),
        ScreenEvent(kind: .textEntry, view: "people", event: "begin"),
        ScreenEvent(kind: .textEntry, view: "people", event: "end"),
        ScreenEvent(kind: .scrolling, view: "people", event: "page-down"),
        ScreenEvent(kind: .command, view: "people", event: "open"),
      ])
    let card = try test.screen("card", ["item": .integer(item.id)])
    card.send(.visible(false))
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .presenting, view: "card", event: "presented", target: "item \(item.id)"),
        ScreenEvent(kind: .dismissing, view: "card", event: "dismissed", target: "item \(item.id)"),
      ])
  }

  @Test func `keys, clicks and answers count as use, and what the screen does by itself does not`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    let screen = try test.screen("people")
    screen.advance(by: 10)
    #expect(plugin.uses.state.withLock { $0.count } == 0)
    screen.press("down", "X")
    screen.answer("keep")
    #expect(plugin.uses.state.withLock { $0.count } == 3)
  }
}
