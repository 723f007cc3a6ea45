import PluginStore
import TestSupport
import Testing

@testable import WSABI

/// Downloads run a few at a time, and none keeps its turn.
@Suite(.timeLimit(.minutes(5)))
struct DownloadTurnTests {
  private let turns = Turns(places: 1)
  private let journal = MemoryJournal()
  private let sensor = ScriptedSensor()

  /// Downloads a capture; retries do not wait, and a turn is waited for as long as it takes.
  private func fetch(
    _ number: Int, _ run: SequenceRun = SequenceRun(), endsPauses: Bool = true
  ) async -> CaptureDownloader.Ending {
    var times = LinkTimes()
    times.downloadTurnInMilliseconds = 77
    let clock = LinkClock(now: { StoreFolder.time }) { milliseconds in
      if milliseconds == 77 || !endsPauses { try await untilCanceled() }
    }
    let downloader = CaptureDownloader(
      caller: sensor, journal: journal, clock: clock, times: times, firstWait: 0, turns: turns)
    return await downloader.fetch(JournalNumber(1), SequencePlayer.capture(number), run)
  }

  private func isStored(_ ending: CaptureDownloader.Ending) -> Bool {
    if case .stored = ending { return true }
    return false
  }

  @Test func `the next download starts once the previous one has failed or is stored`() async {
    sensor.script(.download, .held(.fault(.timedOut(seconds: 1), .unknown)))
    let first = Task { await fetch(1) }
    await until { sensor.asked.count == 1 }
    let second = Task { await fetch(2) }
    await until { turns.waitingCount == 1 }
    #expect(sensor.asked.count == 1)
    sensor.release()
    #expect(isStored(await first.value))
    #expect(isStored(await second.value))
    #expect(sensor.asked.count == 3 && turns.takeIfFree())
  }

  @Test func `received data is stored while the next download runs`() async {
    // The first waits for room on the disk.
    journal.fail("keep", times: 1, StoreError.diskFull(.init(code: 13, message: "full", path: "/store")))
    let run = SequenceRun()
    let first = Task { await fetch(1, run, endsPauses: false) }
    await until { sensor.asked.count == 1 }
    #expect(isStored(await fetch(2)))
    run.cancel()
    #expect(!isStored(await first.value))
    #expect(turns.takeIfFree())
  }

  @Test func `data that is too large or too slow is requested once, and left at its sensor`() async {
    let kinds: [(SensorFault.Kind, String)] = [
      (
        .tooLarge(limitInBytes: 512 << 20), "more than the allowed 536870912 bytes; raise the setting 'largest-capture'"
      ),
      (.tooSlow(bytesPerSecond: 9), "only 9 bytes per second"),
    ]
    for (count, (kind, words)) in kinds.enumerated() {
      sensor.script(.download, .fault(kind, .answered))
      let ending = await fetch(1)
      guard case .putOff(let reason) = ending else {
        Issue.record("\(ending)")
        return
      }
      #expect(reason.contains(words))
      #expect(sensor.asked.count == count + 1)
    }
    #expect(journal.lines.count { $0 == "putOff" } == 2 && turns.takeIfFree())
  }

  @Test func `the turn is released however a download ends`() async {
    #expect(isStored(await fetch(1)))
    let fault = ScriptedSensor.Reply.fault(.timedOut(seconds: 1), .unknown)
    sensor.script(.download, fault, fault, fault)
    #expect(!isStored(await fetch(2)))
    for name in ["sink", "keep"] {
      journal.fail(name, times: CaptureDownloader.attempts)
      #expect(!isStored(await fetch(3)))
    }
    sensor.script(.download, .status(.invalidID))
    #expect(!isStored(await fetch(4)))
    sensor.script(.download, .never)
    let run = SequenceRun()
    let asked = sensor.asked.count
    let cancelled = Task { await fetch(5, run) }
    await until { sensor.asked.count > asked }
    run.cancel()
    #expect(!isStored(await cancelled.value))
    #expect(turns.takeIfFree())
    // A task canceled while it waits sends no request.
    let late = SequenceRun()
    let waiting = Task { await fetch(6, late) }
    await until { turns.waitingCount == 1 }
    late.cancel()
    _ = await waiting.value
    #expect(turns.waitingCount == 0)
    turns.pass()
    #expect(turns.takeIfFree())
  }
}
