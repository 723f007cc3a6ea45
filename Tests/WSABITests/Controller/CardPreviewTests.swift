import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The capture card over the real client and simulated sensors.
@MainActor @Suite(.timeLimit(.minutes(3)))
struct CardPreviewTests {
  private func user(
    _ configure: @Sendable (inout SimulatorConfiguration) -> Void = { _ in }
  ) async throws -> StationUser {
    let user = try await StationUser.enrolling(sensors: 1) { configuration in
      configuration.captureSizeInBytes = nil
      configuration.contentType = "image/png"
      configure(&configuration)
    }
    try await user.addPerson()
    return user
  }

  private func card(_ user: StationUser, _ width: Int = 100, _ height: Int = 30) async throws -> ScreenDriver {
    try await user.plugin.screen("card", ["item": 1], size: Size(width: width, height: height))
  }

  /// Runs the card until a condition holds; the suite's time limit ends a wait in vain.
  private func wait(_ user: StationUser, _ card: ScreenDriver, until holds: (ScreenDriver) -> Bool) async {
    while !holds(card), !Task.isCancelled {
      await Task.yield()
      user.plugin.context.loop.drain()
      await card.advance(by: 0.1)
    }
  }

  /// Waits until a number of different live pictures were shown.
  private func seeLive(_ user: StationUser, _ card: ScreenDriver, pictures: Int) async {
    var seen: Set<[UInt8]> = []
    await wait(user, card) { card in
      if card.text.contains("Live"), let picture = card.frame.pictures.first?.picture { seen.insert(picture.pixels) }
      return seen.count >= pictures
    }
  }

  private func isFree(_ user: StationUser) async {
    await user.simulator.sensor(1).reaches { $0.lockHolder == nil }
  }

  @Test(arguments: [true, false], [SimulatorConfiguration.Style.wcf, .jaxb])
  func `the card shows the live preview until a capture, and again after clearing`(
    isOpen: Bool, style: SimulatorConfiguration.Style
  ) async throws {
    let user = try await user { ($0.hasOpenPreview, $0.style) = (isOpen, style) }
    do {
      let card = try await card(user)
      await seeLive(user, card, pictures: 3)
      #expect(card.text.contains("Tap to capture") || card.text.contains("[ "))
      await wait(user, card) { $0.text.contains("Tap to capture") }
      await card.press("enter")
      await wait(user, card) { $0.text.contains("Stored") }
      #expect(card.frame.pictures.count == 1)
      await card.press("b", "b")
      let store = try user.store()
      _ = try await store.clear(1, at: user.plugin.context.now())
      await seeLive(user, card, pictures: 3)
      // The back shows no live picture, and the sensor is free meanwhile.
      await card.press("b")
      await isFree(user)
      await card.press("b")
      await seeLive(user, card, pictures: 2)
    }
    // The card was closed.
    await isFree(user)
    #expect(user.simulator.ledger.count == 1)
    await user.stop()
  }

  @Test(arguments: [true, false])
  func `the live preview continues while the sensor captures`(isOpen: Bool) async throws {
    let user = try await user { $0.hasOpenPreview = isOpen }
    try user.simulator.script("hang@capture")
    let card = try await card(user)
    await wait(user, card) { $0.text.contains("Tap to capture") }
    await seeLive(user, card, pictures: 2)
    await card.press("enter")
    await user.simulator.sensor(1).reaches { _ in user.simulator.calls.contains { $0.operation == .capture } }
    await seeLive(user, card, pictures: 3)
    #expect(card.text.contains("[ ■"))
    user.simulator.heal()
    await card.press("enter")
    await wait(user, card) { !$0.text.contains("[ ■") && !$0.text.contains("Stopping") }
    await user.stop()
  }

  @Test func `leaving the program releases lock and session`() async throws {
    let user = try await user { $0.hasOpenPreview = false }
    do {
      let people = try await user.plugin.screen("people", [:])
      await people.advance(by: 1)
      let card = try await card(user)
      await seeLive(user, card, pictures: 2)
    }
    await user.simulator.sensor(1).reaches { $0.sessions.isEmpty && $0.lockHolder == nil }
    await user.stop()
  }

  @Test func `the card shows why there is no live preview`() async throws {
    let user = try await user()
    try user.simulator.script("drop-before@stream")
    let card = try await card(user)
    await wait(user, card) {
      $0.text.contains("no live preview: lost the response") && $0.text.contains("Tap to capture")
    }
    await user.stop()
  }

  @Test(arguments: [
    "preview-header", "preview-huge=20", "preview-endless", "preview-boundary", "preview-silent", "preview-ends=2",
  ])
  func `a broken stream harms neither the card nor the capture`(fault: String) async throws {
    let user = try await user()
    try user.simulator.script(fault)
    let card = try await card(user)
    await wait(user, card) { $0.text.contains("Tap to capture") }
    await user.simulator.sensor(1).reaches { _ in user.simulator.calls.contains { $0.operation == .stream } }
    for _ in 0..<20 { await card.advance(by: 0.1) }
    await card.press("enter")
    await wait(user, card) { $0.text.contains("Stored") }
    #expect(user.simulator.ledger.count == 1)
    await user.stop()
  }

  @Test func `a stream that ends is opened again`() async throws {
    let user = try await user()
    try user.simulator.script("preview-ends=2")
    let card = try await card(user)
    while user.simulator.calls.count(where: { $0.operation == .stream }) < 3, !Task.isCancelled {
      await Task.yield()
      await card.advance(by: 0.1)
    }
    #expect(card.text.contains("Live") || card.text.contains("no live preview: the sensor ended the preview"))
    await user.stop()
  }

  @Test(arguments: [(60, 20), (80, 24), (120, 40), (30, 10)])
  func `button and preview fit in every size`(width: Int, height: Int) async throws {
    let user = try await user()
    let card = try await card(user, width, height)
    await wait(user, card) { $0.text.contains("Tap to") && !$0.frame.pictures.isEmpty }
    let rect = try #require(card.frame.pictures.first).rect
    #expect(rect.x >= 0 && rect.x + rect.width <= width && rect.y + rect.height <= height - 3)
    await user.stop()
  }
}
