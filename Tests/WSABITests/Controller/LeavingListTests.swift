import PluginAPI
import PluginTesting
import Synchronization
import Testing

@testable import WSABI

/// The end of the list of people starts the release of sensors, and does not wait.
@MainActor @Suite(.timeLimit(.minutes(2)))
struct LeavingListTests {
  private let plugin: ScreensPlugin
  private let test: TestPlugin

  init() async throws {
    plugin = try await ScreensPlugin.opened()
    test = try await TestPlugin(plugin)
  }

  @Test func `leaving the list does not wait for services that are slow to release their sensors`() async throws {
    let item = try #require(try await plugin.add("Ada", ["RightThumbFlat"]).first)
    let address = try item.device.sensorAddress()
    plugin.sensors.state.withLock {
      $0.operations = [
        PendingOperation(
          number: 1, address: address, item: item.id, isCapture: true, stage: .queued, began: StoreFolder.time)
      ]
    }
    let (request, release) = (Release(), Release())
    plugin.sensors.onLeave {
      request.end(by: "the list")
      await release.ended()
    }
    let screen = try await test.screen("people", size: Size(width: 90, height: 24))
    #expect(screen.text.contains("Ada"))
    screen.close()
    // A list that waits for the services would not get here; the time limit reports it.
    await request.ended()
    #expect(request.endedBy == "the list" && release.endedBy == nil)
    release.end(by: "the test, after the screen has gone")
  }

  @Test func `an empty new person is removed after the list is closed`() async throws {
    try await plugin.add("Ada")
    let screen = try await test.screen("people", size: Size(width: 90, height: 24))
    await screen.press("a")
    #expect(try await plugin.records.people(0..<10).total == 2)
    let release = Release()
    plugin.sensors.onLeave { release.end(by: "the release of the sensors, which comes last") }
    screen.close()
    await release.ended()
    #expect(try await plugin.records.people(0..<10).total == 1)
  }
}

/// A service's response to a release, which arrives when a test decides.
private final class Release: Sendable {
  private struct State {
    var endedBy: String?
    var waiting: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())

  var endedBy: String? { state.withLock(\.endedBy) }

  /// Sends the response, unless it was already sent.
  func end(by who: String) {
    let waiting = state.withLock { state in
      state.endedBy = state.endedBy ?? who
      defer { state.waiting = [] }
      return state.waiting
    }
    for continuation in waiting { continuation.resume() }
  }

  /// Waits for the response.
  func ended() async {
    await withCheckedContinuation { continuation in
      let hasEnded = state.withLock { state in
        if state.endedBy == nil { state.waiting.append(continuation) }
        return state.endedBy != nil
      }
      if hasEnded { continuation.resume() }
    }
  }
}
