import PluginAPI
import PluginTesting
import Testing

@testable import PathCase

@MainActor @Suite struct PathwaysControllerTests {
  private func popover(_ arguments: Record = ["selected": "w-urea"]) async throws -> ScreenDriver {
    try await (try await ScreenLab()).test.screen("pathways", arguments, size: Size(width: 60, height: 16)).settled()
  }

  private func handedBack(_ screen: ScreenDriver) -> Value? {
    screen.requests.reversed().lazy.compactMap { if case .pop(let value) = $0 { value } else { nil } }.first
  }

  @Test func `the shown pathway is selected, and typing searches at once`() async throws {
    let screen = try await popover()
    #expect(screen.rows.contains { $0.hasPrefix("▌ Urea cycle") })
    screen.type("haem")
    #expect(screen.rows[1].contains("▌"))
    screen.press("enter")
    #expect(handedBack(screen)?["open"].text?.contains("haem") == true)
  }

  @Test func `a search for a metabolite returns it with its pathway`() async throws {
    let screen = try await popover()
    screen.type("citrull")
    screen.press("enter")
    #expect(handedBack(screen)?["focus"].text?.hasPrefix("m-") == true)
  }

  @Test func `escape clears the search text, then closes the popover`() async throws {
    let screen = try await popover()
    screen.type("qqqq")
    screen.press("escape")
    #expect(screen.unhandled.last != .key(Key(.escape)) && screen.text.contains("Urea cycle"))
    screen.press("escape")
    #expect(screen.unhandled.last == .key(Key(.escape)))
    screen.press("backspace", "down", "tab")
    #expect(handedBack(screen) == .null)
  }
}
