import PluginAPI
import PluginTesting
import PluginVault
import Testing

@testable import WSABI

@MainActor @Suite struct LogControllerTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  @Test func `the audit log lists actions, users and records, but no names`() async throws {
    try await plugin.add("Ada Lovelace", ["RightThumbFlat"])
    let screen = try await test.screen("log", size: Size(width: 100, height: 30))
    #expect(screen.text.contains("anna") && screen.text.contains("store created"))
    #expect(screen.text.contains("item added") && screen.text.contains("person 1, item 1"))
    #expect(!screen.text.contains("Ada") && !screen.text.contains("Lovelace"))
    #expect(screen.controller.status.map(\.text) == ["1 to 3 of 3 entries"])
  }

  @Test func `the log is verified with a key`() async throws {
    let screen = try await test.screen("log", size: Size(width: 100, height: 30))
    await screen.press("V")
    #expect(screen.controller.status.first?.text.hasPrefix("intact: all ") == true)
    await screen.press("r")
    #expect(screen.controller.status.first?.text.hasSuffix("entries") == true)
  }

  @Test func `long logs are read in pages, newest first`() async throws {
    for number in 1...1200 { try await plugin.records.append(AuditEvent(.sensorUsed, item: number)) }
    let screen = try await test.screen("log", size: Size(width: 100, height: 30))
    #expect(screen.text.contains("item 1200") && screen.controller.status[0].text.hasPrefix("702 to 1201 of 1201"))
    await screen.press("o")
    #expect(!screen.text.contains("item 1200") && screen.controller.status[0].text.hasPrefix("202 to 701 of"))
    await screen.press("o", "o", "home")
    #expect(screen.text.contains("store created"))
    await screen.press("n", "n", "n")
    #expect(screen.text.contains("item 1200"))
  }

  @Test func `the second log lists interactions with screens`() async throws {
    let screen = try await test.screen("log", size: Size(width: 100, height: 30))
    await screen.press("tab")
    #expect(screen.controller.title == "Interaction log")
    #expect(screen.text.contains("2026-01-02T03:04:05Z") && screen.text.contains("capture-card"))
    await screen.press("tab")
    #expect(screen.text.contains("store created"))
  }

  @Test func `a user who may not read the log is refused`() async throws {
    let key = VaultKeySource.passphrase(Array("four other plain words".utf8))
    _ = try await plugin.records.addUser("op", .operator, key: key)
    await plugin.records.lock()
    try await plugin.records.unlock(key)
    let screen = try await test.screen("log", size: Size(width: 100, height: 30))
    #expect(screen.text.contains("may not read the audit log"))
  }
}
