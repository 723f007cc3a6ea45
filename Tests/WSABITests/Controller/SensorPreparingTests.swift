import PluginAPI
import PluginTesting
import PluginVault
import Synchronization
import Testing

@testable import WSABI

/// Sensors that are made ready ahead of a capture, as the card and the list see it.
@MainActor @Suite struct SensorPreparingTests {
  let plugin: ScreensPlugin
  let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  private func item() async throws -> BiometricItem { try await plugin.add("Ada Lovelace", ["RightThumbFlat"])[0] }

  private func card(_ item: BiometricItem) async throws -> ScreenDriver {
    try await test.screen("card", ["item": .integer(item.id)], size: Size(width: 100, height: 24))
  }

  private func people() async throws -> ScreenDriver {
    try await test.screen("people", size: Size(width: 90, height: 24))
  }

  private func note(_ event: String, _ item: BiometricItem, _ more: Record = [:]) async {
    var record: Record = ["event": .text(event), "item": .integer(item.id), "address": .text(address)]
    for field in more.fields { record[field.name] = field.value }
    plugin.note(.record(record))
    await test.settle()
  }

  private let address = "http://127.0.0.1:8000"

  private func underWay(_ item: BiometricItem, isCapture: Bool) {
    let operation = PendingOperation(
      number: 1, address: StoreSamples.address, item: item.id, isCapture: isCapture, stage: .queued,
      began: StoreFolder.time)
    plugin.sensors.state.withLock { $0.operations = [operation] }
  }

  // MARK: The card

  @Test func `a card reopened while its sensor is prepared waits, and can then capture`() async throws {
    let item = try await item()
    underWay(item, isCapture: false)
    let screen = try await card(item)
    #expect(plugin.sensors.newCalls().isEmpty)
    #expect(screen.text.contains("[ ◐ ]") && !screen.text.contains("Stop capture"))
    await note("prepared", item, ["outcome": "done", "reason": ""])
    #expect(screen.text.contains("Tap to capture ]"))
    await screen.press("enter")
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
  }

  @Test func `a card reopened during a capture can stop it`() async throws {
    let item = try await item()
    underWay(item, isCapture: true)
    let screen = try await card(item)
    #expect(screen.text.contains("[ ■ Stop capture ]"))
    await screen.press("enter")
    #expect(plugin.sensors.newCalls() == ["cancel item \(item.id)"])
  }

  @Test func `a released lock is not offered for stealing`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await note("waiting", item, ["status": "lockHeldByAnother", "milliseconds": 500])
    await screen.advance(by: 1)
    #expect(screen.text.contains("S steals it"))
    await note("prepared", item, ["outcome": "done", "reason": ""])
    await screen.advance(by: 1)
    #expect(screen.text.contains("Tap to capture ]") && !screen.text.contains("S steals it"))
  }

  @Test func `a capture requested during preparation continues, however the preparation ends`() async throws {
    let item = try await item()
    for ending in ["done", "refused", "given-up"] {
      let screen = try await card(item)
      await screen.press("enter")
      await note("capturing", item)
      await note("prepared", item, ["outcome": .text(ending), "reason": "held", "status": "lockHeldByAnother"])
      #expect(screen.text.contains("[ ■ Stop capture ]"))
    }
  }

  @Test func `a problem during preparation is shown on the button`() async throws {
    let item = try await item()
    let screen = try await card(item)
    await note("prepared", item, ["outcome": "refused", "reason": "the glass is dirty"])
    #expect(screen.text.contains("[ ▲ Sensor problem: the glass is dirty ]"))
    let other = try await card(item)
    await note("prepared", item, ["outcome": "refused", "reason": "held", "status": "lockHeldByAnother"])
    #expect(other.text.contains("another client holds the lock"))
  }

  // MARK: The list

  @Test func `an item whose sensor is being prepared is captured with all others`() async throws {
    let item = try await item()
    let screen = try await people()
    await note("waiting", item, ["status": "sensorBusy", "milliseconds": 500])
    #expect(screen.text.contains("waiting"))
    await screen.press("C")
    #expect(plugin.sensors.newCalls() == ["capture \(item.id)"])
  }

  @Test func `an item that is already being captured is skipped when all are captured`() async throws {
    let item = try await item()
    let screen = try await people()
    underWay(item, isCapture: true)
    await note("trouble", item, ["reason": "cannot write the journal"])
    await screen.press("C")
    #expect(plugin.sensors.newCalls().isEmpty)
  }

  @Test func `a cell stops waiting when its sensor is prepared`() {
    let waiting = ItemActivity.after(.waiting(item: 1, status: "sensorBusy"), before: nil)
    #expect(waiting == .preparing)
    #expect(ItemActivity.after(.prepared(item: 1, ending: "done", reason: ""), before: waiting) == nil)
    #expect(ItemActivity.after(.prepared(item: 1, ending: "given-up", reason: ""), before: waiting) == nil)
    #expect(ItemActivity.after(.prepared(item: 1, ending: "failed", reason: "cut"), before: nil) == .problem("cut"))
    // A capture in progress continues, and an open decision stays open.
    for before in [ItemActivity.busy, .undecided("fetch it")] {
      #expect(ItemActivity.after(.waiting(item: 1, status: "sensorBusy"), before: before) == before)
      for ending in ["done", "failed"] {
        #expect(ItemActivity.after(.prepared(item: 1, ending: ending, reason: "cut"), before: before) == before)
      }
    }
  }

  // MARK: Roles

  @Test func `a user who may not use sensors reaches none by opening screens`() async throws {
    let item = try await item()
    _ = try await plugin.records.addUser("eve", .reviewer, key: .passphrase([1, 2, 3]))
    await plugin.records.lock()
    try await plugin.records.unlock(.passphrase([1, 2, 3]))
    plugin.sensors.state.withLock { $0.hasPreview = true }
    let screen = try await people()
    await screen.advance(by: 1)
    let card = try await card(item)
    await card.advance(by: 1)
    await card.press("enter")
    await screen.press("r")
    await screen.press("C")
    await screen.advance(by: 1)
    #expect(plugin.sensors.newCalls().isEmpty)
    let refusal = try #require(card.failures.last)
    #expect(refusal.message.contains("reviewer") && refusal.message.contains("use sensors"))
  }
}
