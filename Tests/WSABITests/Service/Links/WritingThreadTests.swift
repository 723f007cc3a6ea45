import Foundation
import PluginAPI
import PluginStore
import Synchronization
import TestSupport
import Testing

@testable import WSABI

/// Data goes to a disk that may be slow: only the downloads themselves wait for it.
struct WritingThreadTests {
  @Test func `downloads that wait for a disk do not block other tasks`() async throws {
    let disk = SlowDisk()
    // Many more than there are threads for tasks.
    let count = 4 * ProcessInfo.processInfo.activeProcessorCount + 4
    // If they blocked those, the code below would hang; otherwise it takes milliseconds.
    OwnThread.run { disk.openAfterTooLong() }
    let downloader = CaptureDownloader(
      caller: ScriptedSensor(), journal: SlowJournal(disk: disk), clock: LinkClock(now: { StoreFolder.time }) { _ in },
      times: LinkTimes(), firstWait: 0, turns: Turns(places: count))
    let stored = await withTaskGroup(of: Bool.self) { group in
      for number in 0..<count {
        group.addTask {
          let ending = await downloader.fetch(JournalNumber(number), SequencePlayer.capture(number), SequenceRun())
          if case .stored = ending { return true }
          return false
        }
      }
      group.addTask {
        await until { disk.waiting == count || disk.isOpen }
        #expect(disk.waiting == count)
        disk.open()
        return false
      }
      return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
    }
    #expect(stored == count)
  }
}

/// A disk that accepts no data until it is opened.
private final class SlowDisk: DataSink {
  private let state = Mutex((waiting: 0, isOpen: false))
  /// Whoever passes lets the next one pass.
  private let opening = DispatchSemaphore(value: 0)

  var waiting: Int { state.withLock(\.waiting) }
  var isOpen: Bool { state.withLock(\.isOpen) }

  func open() {
    state.withLock { $0.isOpen = true }
    opening.signal()
  }

  func openAfterTooLong() {
    if opening.wait(timeout: .now() + 60) == .success { opening.signal() } else { open() }
  }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    state.withLock { $0.waiting += 1 }
    opening.wait()
    opening.signal()
  }

  func abandon() {}
}

private struct SlowJournal: CaptureJournal {
  let disk: SlowDisk

  func begin(_ intent: CaptureIntent) async throws -> JournalNumber { JournalNumber(1) }
  func captured(_ number: JournalNumber, ids: [SensorUUID]) async throws -> [SensorUUID] { ids }
  func sink(_ number: JournalNumber, _ id: SensorUUID) async throws -> any DataSink { disk }
  func lost(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws {}
  func putOff(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws {}
  func end(_ number: JournalNumber, _ outcome: CaptureOutcome) async throws {}
  func unfinished() async throws -> [UnfinishedCapture] { [] }
  func willLock(_ lock: HeldLock) async throws {}
  func didUnlock(_ lock: HeldLock) {}
  func takeOver(_ left: LeftLock) async throws {}
  func settleLocks() async {}
  func abandon(_ lock: HeldLock) async {}
  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock] { [] }
  func gaveBack(_ left: LeftLock) async throws {}
  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool { false }

  func keep(_ number: JournalNumber, _ sink: any DataSink, _ download: FinishedDownload) async throws -> CaptureRecord {
    CaptureRecord(
      id: 1, item: 1, captureID: download.id, address: "", sizeInBytes: 0, sha256: [], claimedType: "",
      sniffedType: nil, metadata: WireDictionary(), received: StoreFolder.time)
  }
}
