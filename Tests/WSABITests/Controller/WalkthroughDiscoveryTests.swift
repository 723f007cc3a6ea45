import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

/// Sensors found in the walkthrough at the user's request.
@MainActor @Suite struct WalkthroughDiscoveryTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
    try await plugin.add("Ada")
    let found = DiscoveredSensor(
      name: "Desk scanner", address: "http://192.168.7.20:8000/Service", modality: "Finger", interface: "eth7")
    plugin.sensors.state.withLock { $0.discovered = [found] }
  }

  /// Returns a driver at the step that asks for the sensor of a finger.
  private func atDevice() async throws -> ScreenDriver {
    let screen = try await test.screen("walkthrough", ["person": 1])
    await screen.press("enter", "enter")
    return screen
  }

  @Test func `no search for sensors starts without a request`() async throws {
    let screen = try await atDevice()
    #expect(screen.text.contains("Add a new sensor") && !screen.text.contains("Desk scanner"))
    await screen.advance(by: 60)
    // On steps without a choice of sensors the key does not search.
    await screen.press("left", "f", "left", "f")
    #expect(!plugin.sensors.newCalls().contains { $0.hasPrefix("discover") })
  }

  @Test func `a found sensor is chosen like a recent one`() async throws {
    let screen = try await atDevice()
    await screen.press("f")
    #expect(plugin.sensors.newCalls() == ["discover Finger"])
    #expect(screen.text.contains("Desk scanner") && screen.text.contains("192.168.7.20:8000/Service (eth7)"))
    await screen.press("home", "enter")
    #expect(screen.text.contains("Desk scanner › Where is the sensor?"))
    #expect(screen.text.contains("http://192.168.7.20:8000/Service"))
    #expect(screen.text.contains("Checking the address …"))
    // Going back drops the found sensors, which may be gone.
    await screen.press("escape")
    #expect(!screen.text.contains("(eth7)") && screen.text.contains("With which sensor?"))
  }

  @Test func `an empty search is reported, and a failed search leaves the step unchanged`() async throws {
    plugin.sensors.state.withLock { $0.discovered = [] }
    let screen = try await atDevice()
    await screen.press("f")
    #expect(screen.controller.status.first?.text == "no sensor found")
    plugin.sensors.state.withLock { $0.discovered = nil }
    await screen.press("f")
    #expect(plugin.sensors.newCalls() == ["discover Finger", "discover Finger"])
    #expect(screen.controller.status.first?.text == "step 3 of 4")
    #expect(screen.text.contains("Add a new sensor"))
  }
}
