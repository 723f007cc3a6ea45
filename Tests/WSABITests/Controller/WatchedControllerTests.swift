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

  @Test func `actions on a screen are logged with their view and target, never with a value`() async throws {
    let item = try await plugin.add("Ada Lovelace", ["RightThumbFlat"])[0]
    let people = try await test.screen("people")
    let target = "item \(item.id)"
    await people.press("/")
    await people.type("love")
    await people.press("enter", "page-down", "enter")
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .presenting, view: "people", event: "presented"),
        ScreenEvent(kind: .command, view: "people", event: "search", outcome: "ok"),
        ScreenEvent(kind: .textEntry, view: "people", event: "begin"),
        ScreenEvent(kind: .textEntry, view: "people", event: "end"),
        ScreenEvent(kind: .scrolling, view: "people", event: "page-down"),
        ScreenEvent(kind: .command, view: "people", event: "open", target: target, outcome: "ok"),
      ])
    let card = try await test.screen("card", ["item": .integer(item.id)])
    await card.send(.visible(false))
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .presenting, view: "card", event: "presented", target: "item \(item.id)"),
        ScreenEvent(kind: .dismissing, view: "card", event: "dismissed", target: "item \(item.id)"),
      ])
  }

  @Test func `keys, clicks and answers count as use, and timers do not`() async throws {
    try await plugin.add("Ada", ["RightThumbFlat"])
    let screen = try await test.screen("people")
    await screen.advance(by: 10)
    #expect(plugin.uses.state.withLock { $0.count } == 0)
    await screen.press("down", "X")
    await screen.answer("keep")
    #expect(plugin.uses.state.withLock { $0.count } == 3)
  }

  @Test func `keys with several functions are logged by what they did`() async throws {
    let item = try await plugin.add("Ada", ["RightThumbFlat"])[0]
    let card = try await test.screen("card", ["item": .integer(item.id)])
    let walkthrough = try await test.screen("walkthrough", ["person": .integer(item.person)])
    _ = plugin.uses.newEvents()
    await card.press("space")
    await walkthrough.press("enter", "enter", "f")
    #expect(commands() == ["press item 1 ok", "choose person 1 ok", "choose person 1 ok", "look person 1 ok"])
    await card.press("b", "enter")
    guard card.choice != nil else {
      Issue.record("nothing is asked of the part")
      return
    }
  }

  @Test func `text entered in a popover is logged without its content`() async throws {
    try await plugin.add("Ada Lovelace")
    let form = try await test.screen("biography", ["person": 1])
    _ = plugin.uses.newEvents()
    await form.press("enter")
    await form.answer("Augusta")
    let target = "person 1"
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .textEntry, view: "biography", event: "begin", target: target),
        ScreenEvent(kind: .textEntry, view: "biography", event: "end", target: target),
        ScreenEvent(kind: .command, view: "biography", event: "edit", target: target, outcome: "ok"),
      ])
  }

  /// Returns the commands since the last call, with target and outcome.
  private func commands() -> [String] {
    plugin.uses.newEvents().filter { $0.kind == .command }.map { "\($0.event) \($0.target) \($0.outcome)" }
  }

  @Test func `a command of the list is logged with the selected record and its outcome`()
    async throws
  {
    try await plugin.add("Ada", ["RightThumbFlat", "LeftThumbFlat"])
    let people = try await test.screen("people")
    await people.advance(by: 1)
    await people.press("right", "enter", "i", "e", "D")
    #expect(
      commands() == ["open item 2 ok", "add-item person 1 ok", "biography person 1 ok", "duplicate person 1 ok"])
    await people.press("C")
    #expect(commands() == ["capture-all person 2 ok"])
    await people.press("X")
    await people.answer("keep")
    await people.press("X")
    await people.answer("delete")
    await people.answer("wrong")
    await people.press("X")
    await people.answer("delete")
    await people.answer("correct horse battery staple")
    await people.press("v")
    #expect(
      commands() == [
        "delete-person person 2 left", "delete-person person 2 wsabi.other-key", "delete-person person 2 ok",
        "lightbox item 1 wsabi.nothing-selected",
      ])
  }

  @Test func `a text that enter completes is logged as a command and an end of entry`() async throws {
    let item = try await plugin.add("Ada")
    #expect(item.isEmpty)
    plugin.sensors.state.withLock { state in
      state.information["http://127.0.0.1:8000"] = RememberingSensors.information("Finger", "RightThumbRolled")
    }
    let walkthrough = try await test.screen("walkthrough", ["person": 1])
    await walkthrough.press("enter", "enter", "enter")
    await walkthrough.type("127.0.0.1:8000")
    await walkthrough.advance(by: 3.1)
    _ = plugin.uses.newEvents()
    await walkthrough.press("enter")
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .command, view: "walkthrough", event: "done", target: "person 1", outcome: "ok"),
        ScreenEvent(kind: .textEntry, view: "walkthrough", event: "end", target: "person 1"),
      ])
  }

  @Test func `a failure is logged with its code`() async throws {
    let screen = try await test.screen("biography", ["person": 77])
    #expect(
      plugin.uses.newEvents() == [
        ScreenEvent(kind: .presenting, view: "biography", event: "presented", target: "person 77"),
        ScreenEvent(
          kind: .command, view: "biography", event: "person", target: "person 77", outcome: "wsabi.no-person"),
      ])
    #expect(!screen.text.isEmpty)
  }

  @Test func `each switch of the settings turns off its kind of log entry`() async throws {
    let test = try await TestPlugin(WSABIPlugin())
    let station = Station()
    let switches = Interaction.Kind.allCases.map { ScreenSwitch($0, test.context) }
    func lines() -> Int { station.interactions(test.context).entries(100).count }
    for (kind, control) in zip(Interaction.Kind.allCases, switches) {
      let before = lines()
      #expect(control.isOn())
      station.note(kind, "people", "something", test.context)
      #expect(lines() == before + 1)
      try control.set(false)
      #expect(!control.isOn())
      station.note(kind, "people", "something", test.context)
      #expect(lines() == before + 1, "\(kind)")
    }
  }
}
