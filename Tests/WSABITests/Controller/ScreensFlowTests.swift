import PluginAPI
import PluginTesting
import Testing

@testable import WSABI
@testable import WSABISimulator

/// The whole plugin, from the first run to a capture, with a simulated sensor.
@MainActor @Suite(.timeLimit(.minutes(5))) struct ScreensFlowTests {
  let test: TestPlugin
  private let news: AsyncStream<SensorNews>
  private let subscription: any Cancellable

  init() async throws {
    test = try await TestPlugin(WSABIPlugin(), isOffline: false)
    let (stream, continuation) = AsyncStream.makeStream(of: SensorNews.self)
    news = stream
    subscription = test.context.subscribe("wsabi.sensor-noted") { note in
      #expect(SchemaComparison.mismatch(of: note.payload, with: SensorEvent.schema) == nil)
      if let news = SensorNews(note.payload) { continuation.yield(news) }
    }
  }

  /// Waits for an event of a sensor; any other end of a sequence ends the wait too.
  private func wait(_ isIt: (SensorNews) -> Bool) async {
    for await news in news {
      test.context.loop.drain()
      if isIt(news) { return }
      if case .ended = news {
        Issue.record("\(news)")
        return
      }
    }
  }

  private func open(_ request: ScreenRequest?) async throws -> ScreenDriver {
    let request = try #require(request)
    return try await test.screen(request.screen, request.arguments, size: Size(width: 100, height: 30))
  }

  @Test func `a first run leads from a new store to an annotated capture`() async throws {
    let simulator = try SensorSimulator(.init(seed: 5, modalities: [.finger], contentType: "image/png"))
    let first = try await open(ScreenRequest("people"))
    let unlock = try await open(first.pushed.last)
    await unlock.press("ctrl-o")
    await unlock.answer("anna")
    await unlock.answer(test.context.folders.state + "/station.key")
    let people = try await open(unlock.pushed.last)
    await people.press("a")
    let walkthrough = try await open(people.pushed.last)
    await walkthrough.press("enter", "enter", "enter")
    await walkthrough.type(simulator.addresses[0])
    await walkthrough.press("ctrl-r")
    await walkthrough.advance(by: 0.1)
    #expect(walkthrough.text.contains("Found a sensor at this address."))
    await walkthrough.press("enter")
    await people.advance(by: 0.1)
    #expect(people.text.contains("Right Thumb (Rol"))
    await people.press("enter")
    let card = try await open(people.pushed.last)
    await wait { if case .connected(_, true) = $0 { true } else { false } }
    await card.settle()
    #expect(card.text.contains("Tap to capture"))
    await card.press("enter")
    await wait { if case .stored = $0 { true } else { false } }
    await card.settle()
    #expect(card.frame.pictures.count == 1 && card.text.contains("Stored"))
    await card.press("b", "enter")
    await card.answer("bandaged")
    // The list is read again after everything else. In place of the picture its cell shows that the quality is poor.
    while !people.text.contains("●✎"), !Task.isCancelled {
      await Task.yield()
      test.context.loop.drain()
      await people.advance(by: 0.1)
    }
    #expect(people.text.contains("●✎"))
    #expect(simulator.ledger.count == 1)
    await simulator.stop()
  }
}
