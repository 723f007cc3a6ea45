import Foundation
import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// Captures from screens work like the `capture` command.
@MainActor @Suite(.timeLimit(.minutes(3)))
struct ScreenCaptureTests {
  private func wait(_ user: StationUser, _ card: ScreenDriver, until holds: (ScreenDriver) -> Bool) async {
    while !holds(card), !Task.isCancelled {
      await Task.yield()
      user.plugin.context.loop.drain()
      await card.advance(by: 0.1)
    }
  }

  private func opened(_ user: StationUser, item: Int = 1) async throws -> ScreenDriver {
    let card = try await user.plugin.screen("card", ["item": .integer(item)], size: Size(width: 100, height: 30))
    await wait(user, card) { $0.text.contains("Tap to capture") }
    return card
  }

  @Test func `a capture that the sensor reports as failed is repeated as the settings say`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.plugin.context.set("capture-retries", to: 2)
    try user.simulator.script("status@capture#1-2=sensorTimeout")
    let card = try await opened(user)
    await card.press("enter")
    await wait(user, card) { $0.text.contains("captured · quality") }
    #expect(user.simulator.ledger.count == 1)
    #expect(user.simulator.calls.count { $0.operation == .capture } == 3)
    await user.stop()
  }

  @Test func `a capture is scored, and poor quality is reported while the person is present`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    let card = try await opened(user)
    await card.press("enter")
    // Noise is not a finger.
    await wait(user, card) { $0.text.contains("the quality is") }
    #expect(card.text.contains("of 100, below 40"))
    let item = try await user.store().item(1)
    #expect(item.capture?.quality != nil)
    await wait(user, card) { $0.text.contains("captured · quality") }
    await user.stop()
  }

  @Test func `the best of several poor captures is kept`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.plugin.context.set("capture-retries", to: 2)
    try user.plugin.context.set("minimum-quality", to: 99)
    let card = try await opened(user)
    await card.press("enter")
    await wait(user, card) { $0.text.contains("below 99") }
    #expect(user.simulator.ledger.count == 3)
    #expect(try await user.store().captures(of: 1).count == 1)
    await user.stop()
  }

  @Test func `another submodality reported by the sensor is shown on the card, on reopening and in the list`()
    async throws
  {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("ignore-configuration@setConfiguration")
    let card = try await opened(user)
    await card.press("enter")
    let words = "the sensor reports 'Right Thumb (Flat)' instead of 'Right Index (Flat)'"
    await wait(user, card) { $0.text.contains("captured · quality") && $0.text.contains(words) }
    let again = try await user.plugin.screen("card", ["item": 1], size: Size(width: 100, height: 30))
    await wait(user, again) { $0.text.contains(words) }
    let people = try await user.plugin.screen("people", [:], size: Size(width: 100, height: 30))
    await wait(user, people) { $0.text.contains("▲") }
    #expect(people.controller.status.map(\.text).joined().hasPrefix("the sensor reports"))
    await user.stop()
  }

  @Test func `a truncated picture is reported on the card, and repeated if the settings say so`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.captureSizeInBytes = nil }
    try await user.addPerson()
    try user.simulator.script(user.sameClock)
    try user.simulator.script("cut-picture@download#1-2")
    let card = try await opened(user)
    await card.press("enter")
    await wait(user, card) { $0.text.contains("the picture claims 96×128 pixels") }
    try user.plugin.context.set("capture-retries", to: 1)
    let other = try await opened(user, item: 2)
    await other.press("enter")
    await wait(user, other) { $0.frame.pictures.count == 1 && $0.text.contains("captured · quality") }
    #expect(user.simulator.ledger.count == 3 && !other.text.contains("the picture claims"))
    await user.stop()
  }

  @Test(.enabled(if: SyntheticPrints.isOptimised))
  func `the same finger under two names is reported on the card`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { ($0.captureSizeInBytes, $0.pictures) = (nil, .synthetic) }
    try await user.addPerson()
    // The sensor is set to the same finger for both.
    let store = try user.store()
    let (one, other) = (try await store.item(1), try await store.item(2))
    var draft = DraftItem(other)
    draft.device.configuration = one.device.configuration
    _ = try await store.edit(item: 2, draft, at: RecordStore.systemClock())
    for item in 1...2 {
      let card = try await opened(user, item: item)
      await card.press("enter")
      await wait(user, card) { $0.text.contains(item == 1 ? "Stored" : "show the same finger") }
    }
    await user.stop()
  }

  @Test func `a steal is recorded in the audit log, and its capture follows`() async throws {
    let user = try await StationUser.enrolling(sensors: 1) { $0.stealPreventionInMilliseconds = 0 }
    try await user.addPerson()
    let other = await SensorProbe(user.address(1)).ready()
    let card = try await user.plugin.screen("card", ["item": 1], size: Size(width: 100, height: 30))
    await wait(user, card) { $0.text.contains("S steals it") }
    await card.press("S")
    await card.answer("steal")
    await wait(user, card) { $0.text.contains("Tap to capture") }
    #expect(user.simulator.sensor(1).snapshot.lockHolder != other.lowercased())
    let actions = try await user.value("log")["entries"].list?.compactMap { $0["action"].text } ?? []
    #expect(actions.contains("sensorStolen"))
    await user.stop()
  }

  @Test func `an unknown outcome raises a question, also in the next run`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson()
    try user.simulator.script("drop-after@capture#1")
    let card = try await opened(user)
    await card.press("enter")
    await wait(user, card) { $0.text.contains("outcome unknown") }
    let again = try await user.restarted()
    _ = try await again.run(line: "item show 1 --key-file \(user.keyFile)")
    let next = try await again.screen("card", ["item": 1], size: Size(width: 100, height: 30))
    #expect(next.text.contains("outcome unknown"))
    #expect(user.simulator.ledger.count == 1)
    await next.press("enter")
    await next.answer("again")
    while !next.text.contains("captured · quality"), !Task.isCancelled {
      await Task.yield()
      await next.advance(by: 0.1)
    }
    #expect(user.simulator.ledger.count == 2)
    await user.stop()
  }

  @Test func `a person can be exported while another of their captures runs`() async throws {
    let user = try await StationUser.enrolling { $0.captureDelayInMilliseconds = 3_600_000 }
    try await user.addPerson()
    let first = try await opened(user, item: 1)
    await first.press("enter")
    await user.simulator.waitUntilBusy(1, with: .capture)
    user.simulator.sensor(1).release()
    await wait(user, first) { !$0.text.contains("Stop capture") && !$0.text.contains("Tap to capture") }
    let second = try await opened(user, item: 2)
    await second.press("enter")
    await user.simulator.waitUntilBusy(2, with: .capture)
    let folder = user.home + "/exports"
    try await user.run("export 1 --to \(folder) --key-file \(user.keyFile)")
    #expect(second.text.contains("Stop capture"))
    user.simulator.sensor(2).release()
    await wait(user, second) { !$0.text.contains("Stop capture") }
    await wait(user, second) { _ in user.simulator.sensor(2).snapshot.job == nil }
    while try await user.store().item(2).capture == nil, !Task.isCancelled { await Task.yield() }
    #expect(FileManager.default.fileExists(atPath: folder + "/manifest.json"))
    await user.stop()
  }

  @Test func `the interaction log has actions but no values`() async throws {
    let user = try await StationUser.enrolling(sensors: 1)
    try await user.addPerson("Wilhelmina")
    let people = try await user.plugin.screen("people", [:])
    await people.press("/")
    await people.type("wilhel")
    await people.press("enter", "escape")
    let card = try await opened(user)
    await card.press("b", "down", "enter")
    let notes = try await user.plugin.screen("notes", try #require(card.pushed.last?.arguments))
    await notes.type("a scar below the nail")
    await notes.press("ctrl-s")
    await card.receive(.returned(screen: "notes", "a scar below the nail"))
    await card.press("b", "enter")
    await wait(user, card) { $0.text.contains("captured · quality") }
    await card.press("x")
    await card.answer("do")
    await card.answer("my secret passphrase")
    let folder = user.plugin.context.folders.state
    var text = ""
    for file in try FileManager.default.contentsOfDirectory(atPath: folder) where file.hasPrefix("interactions") {
      text += try String(contentsOfFile: folder + "/" + file, encoding: .utf8)
    }
    let columns = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
    #expect(columns.contains { $0.count == 6 && $0[2] == "card" && $0[3] == "press" && $0[4] == "item 1" })
    #expect(columns.contains { $0.count == 6 && $0[1] == "text-entry" && $0[3] == "begin" })
    for value in ["ilhel", "Lovelace", "scar", "nail", "secret", "left-desk", "127.0.0.1", user.keyFile] {
      #expect(!text.lowercased().contains(value.lowercased()), "\(value)")
    }
    await user.stop()
  }
}
