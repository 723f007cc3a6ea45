import PluginAPI
import PluginTesting
import Testing

@testable import WSABI

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
      #expect(SchemaComparison.mismatch(of: note.payload, with: LinkNote.payload) == nil)
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

  private func open(_ request: ScreenRequest?) throws -> ScreenDriver {
    let request = try #require(request)
    return try test.screen(request.screen, request.arguments, size: Size(width: 100, height: 30))
  }

  @Test func `first run, a person, the walkthrough, a capture, an annotation`() async throws {
    let simulator = try SensorSimulator(.init(seed: 5, modalities: [.finger], contentType: "image/png"))
    let first = try open(ScreenRequest("people"))
    let unlock = try open(first.pushed.last)
    unlock.press("ctrl-o")
    unlock.answer("anna")
    unlock.answer(test.context.folders.state + "/station.key")
    let people = try open(unlock.pushed.last)
    people.press("a")
    let walkthrough = try open(people.pushed.last)
    walkthrough.press("enter", "enter", "enter")
    walkthrough.type(simulator.addresses[0])
    walkthrough.press("ctrl-r")
    walkthrough.advance(by: 0.1)
    #expect(walkthrough.text.contains("Found a sensor at this address."))
    walkthrough.press("enter")
    people.advance(by: 0.1)
    #expect(people.text.contains("Right Thumb (Rol"))
    people.press("enter")
    let card = try open(people.pushed.last)
    await wait { if case .connected(_, true) = $0 { true } else { false } }
    #expect(card.text.contains("Tap to capture"))
    card.press("enter")
    await wait { if case .stored = $0 { true } else { false } }
    #expect(card.frame.pictures.count == 1 && card.text.contains("Stored"))
    card.press("b", "enter")
    card.answer("bandaged")
    // The list is read again after everything else. In place of the picture its cell shows that the quality is poor.
    while !people.text.contains("●✎"), !Task.isCancelled {
      await Task.yield()
      test.context.loop.drain()
      people.advance(by: 0.1)
    }
    #expect(people.text.contains("●✎"))
    #expect(simulator.ledger.count == 1)
    await simulator.stop()
  }
}
