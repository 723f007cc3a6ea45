import PluginAPI
import PluginTesting
import Testing

@testable import WSABI

@MainActor @Suite struct NotesControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  private func notes(_ text: String = "") async throws -> ScreenDriver {
    let item = try await plugin.add("Ada", ["LeftIris"])[0]
    _ = try await plugin.records.annotate(
      item.id, Annotation(conditions: [.present], notes: text), at: StoreFolder.time)
    return try await test.screen("notes", ["item": .integer(item.id)], size: Size(width: 60, height: 20))
  }

  private func given(_ screen: ScreenDriver) -> Value? {
    if case .pop(let value)? = screen.requests.last { value } else { nil }
  }

  @Test func `notes have several lines, and are returned to the screen that requested them`() async throws {
    let screen = try await notes("small cut")
    #expect(screen.text.contains("Notes · Left Iris") && screen.controller.wantsText)
    await screen.press("enter")
    await screen.type("at the tip")
    #expect(screen.text.contains("  small cut\n  at the tip"))
    #expect(screen.controller.status.map(\.text) == ["not saved"])
    await screen.press("ctrl-s")
    #expect(given(screen) == "small cut\nat the tip")
  }

  @Test func `unsaved text is discarded only after a question`() async throws {
    let screen = try await notes("before")
    await screen.press("escape")
    #expect(given(screen) == .null)
    await screen.type(" and after")
    for (answer, value) in [("stay", nil), ("discard", .null), ("keep", "before and after")] as [(String, Value?)] {
      await screen.press("escape")
      guard screen.choice != nil else {
        Issue.record("nothing is asked")
        return
      }
      await screen.answer(answer)
      #expect(given(screen) == value, "\(answer)")
    }
  }

  @Test func `notes of a person are edited the same way, and linear mode adds lines`() async throws {
    try await plugin.add("Ada Lovelace")
    let screen = try await test.screen("notes", ["person": 1])
    #expect(screen.outline.title == "Notes · Ada Lovelace")
    for text in ["left-handed", "came twice"] {
      await screen.perform(try #require(screen.outline.items.first { $0.id == "add" }?.action))
      await screen.answer(text)
    }
    await screen.perform(try #require(screen.outline.items.first { $0.id == "keep" }?.action))
    #expect(given(screen) == "left-handed\ncame twice")
    await screen.perform(ActionInvocation("empty"))
    await screen.press("ctrl-s")
    #expect(given(screen) == .null)
  }
}
