import PluginAPI
import PluginTesting
import Testing

@testable import Tides

@MainActor struct StationsScreenTests {
  @Test func `the screen shows the stations and the day of the first one`() async throws {
    let tides = try await TestPlugin(TidesPlugin(), now: Instant(seconds: 1_795_208_820))
    let screen = try tides.screen("stations")
    await screen.settle()
    #expect(screen.text.contains("▌ equator"))
    #expect(screen.text.contains("equator, 2026-11-20"))
    #expect(screen.text.contains("High water"))
    screen.press("down")
    #expect(screen.text.contains("temperate, 2026-11-20"))
    screen.press(">", ">", "<")
    #expect(screen.text.contains("temperate, 2026-11-21"))
    screen.press("t")
    #expect(
      screen.outline.fields.contains(Outline.Field("Place", "45.00° north, 0.00° east"))
        || screen.text.contains("45.00°"))
  }

  @Test func `a station is added and removed by questions`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let screen = try tides.screen("stations")
    await screen.settle()
    screen.press("a")
    screen.answer("brest")
    await screen.settle()
    #expect(screen.text.contains("brest"))
    screen.press("a")
    screen.answer("brest")
    await screen.settle()
    #expect(screen.failures.map(\.code) == ["tides.station-exists"])
    screen.perform(ActionInvocation("choose-station", ["id": "brest"]))
    screen.press("x")
    screen.answer("brest")
    await screen.settle()
    #expect(!screen.outline.items.map(\.id).contains("brest"))
  }

  @Test func `what is typed goes to the filter while it is open`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let screen = try tides.screen("stations")
    await screen.settle()
    screen.press("/")
    screen.type("tax")
    #expect(screen.text.contains("No matches for 'tax'"))
    screen.press("escape")
    #expect(screen.outline.items.map(\.id) == ["equator", "temperate"])
  }

  @Test func `the selected station is restored at the next start`() async throws {
    let tides = try await TestPlugin(TidesPlugin())
    let screen = try tides.screen("stations")
    await screen.settle()
    screen.press("down")
    let next = try tides.screen("stations")
    next.controller.restore(screen.controller.saveState())
    await next.settle()
    #expect(next.text.contains("▌ temperate"))
  }
}
