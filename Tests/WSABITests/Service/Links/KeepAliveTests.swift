import PluginAPI
import Synchronization
import Testing

@testable import WSABI

/// Sessions are kept from expiring, without disturbing others.
@Suite(.timeLimit(.minutes(5)))
struct KeepAliveTests {
  /// A clock whose waits of ten seconds end when the test decides; all others end at once.
  private final class Ticker: Sendable {
    private struct State {
      var waits: [AsyncStream<Never>.Continuation] = []
      var count = 0
    }
    private let state = Mutex(State())

    /// The number of ten-second waits that have begun.
    var begun: Int { state.withLock(\.count) }

    func tick() {
      let waits = state.withLock { state in
        defer { state.waits = [] }
        return state.waits
      }
      for wait in waits { wait.finish() }
    }

    var clock: LinkClock {
      LinkClock(now: { Instant(seconds: 0) }) { milliseconds in
        guard milliseconds == 10_000 else { return await Task.yield() }
        let (stream, end) = AsyncStream.makeStream(of: Never.self)
        self.state.withLock { state in
          state.waits.append(end)
          state.count += 1
        }
        await withTaskCancellationHandler {
          for await _ in stream {}
        } onCancel: {
          end.finish()
        }
        try Task.checkCancellation()
      }
    }
  }

  private let ticker = Ticker()
  private let sensor = ScriptedSensor(
    information: WireDictionary([.init("inactivityTimeout", .integer(30, type: "nonNegativeInteger"))]))

  private func manager() -> LinkManager {
    LinkManager({ [sensor] _ in sensor }, MemoryJournal(), ticker.clock, onNote: { _ in })
  }

  @Test func `an idle session is used after a third of its timeout`() async {
    let manager = manager()
    await manager.connect([sensor.address])
    for beat in 1...3 {
      while ticker.begun < beat { await Task.yield() }
      ticker.tick()
    }
    while ticker.begun < 4 { await Task.yield() }
    // One of them released the lock of the beginning.
    #expect(sensor.asked.count { $0 == .unlock } == 4)
    await manager.close()
  }

  @Test func `no lock is released while a capture is about to take it`() async throws {
    let manager = manager()
    await manager.connect([sensor.address])
    while ticker.begun < 1 { await Task.yield() }
    sensor.script(.tryLock, .untilCancelled(.status(.success)))
    let capturing = Task { await manager.capture(ScriptedStation.order(1, sensor)) }
    while sensor.asked.count(where: { $0 == .tryLock }) < 2 { await Task.yield() }
    ticker.tick()
    // It has checked, and waits again.
    while ticker.begun < 2 { await Task.yield() }
    #expect(sensor.asked.count { $0 == .unlock } == 1)
    _ = try await sensor.ask(SensorRequest(.cancel), into: nil)
    #expect(await capturing.value.records.count == 1)
    await manager.close()
  }

  @Test func `a session is kept alive after a failed sequence, by the earlier service information`() async {
    let manager = manager()
    await manager.connect([sensor.address])
    sensor.script(.setConfiguration, .fault(.cut(reason: "gone"), .unknown))
    let outcome = await manager.configureAhead(ScriptedStation.order(1, sensor))
    guard case .failed(.configure, _, _) = outcome.ending else {
      Issue.record("\(outcome)")
      return
    }
    let before = sensor.asked.count { $0 == .unlock }
    while ticker.begun < 2 { await Task.yield() }
    ticker.tick()
    while ticker.begun < 3 { await Task.yield() }
    #expect(sensor.asked.count { $0 == .unlock } == before + 1)
    // The service's information is requested again for the next sequence.
    let asked = sensor.asked.count { $0 == .getServiceInfo }
    #expect(await manager.capture(ScriptedStation.order(1, sensor)).records.count == 1)
    #expect(sensor.asked.count { $0 == .getServiceInfo } == asked + 1)
    #expect(sensor.asked.count { $0 == .register } == 1)
    await manager.close()
  }
}
