import PluginAPI
import Synchronization

@testable import WSABI

/// A journal in memory, which records the order in which it was written.
final class MemoryJournal: CaptureJournal {
  final class Sink: DataSink {
    private let state = Mutex<(bytes: [UInt8], isAbandoned: Bool)>(([], false))
    var bytes: [UInt8] { state.withLock(\.bytes) }
    var isAbandoned: Bool { state.withLock(\.isAbandoned) }
    func write(_ bytes: UnsafeRawBufferPointer) throws { state.withLock { $0.bytes += Array(bytes) } }
    func abandon() { state.withLock { $0.isAbandoned = true } }
  }

  struct Refusal: Error {}

  private struct State {
    var lines: [String] = []
    var intents: [CaptureIntent] = []
    var outcomes: [Int: CaptureOutcome] = [:]
    var kept: [CaptureRecord] = []
    var bytes: [Int: [UInt8]] = [:]
    var sinks: [Sink] = []
    var failures: [String: (times: Int, error: any Error)] = [:]
    var unfinished: [UnfinishedCapture] = []
    var refused: Set<SensorUUID> = []
    var onBegin: @Sendable () -> Void = {}
    var onSettle: @Sendable () async -> Void = {}
    var held: Set<HeldLock> = []
    var left: [LeftLock] = []
    var givenBack: [LeftLock] = []
    var leftAgain: [Bool] = []
  }

  private let state = Mutex(State())

  var lines: [String] { state.withLock(\.lines) }
  var kept: [CaptureRecord] { state.withLock(\.kept) }
  var outcomes: [Int: CaptureOutcome] { state.withLock(\.outcomes) }
  func bytes(_ record: CaptureRecord) -> [UInt8]? { state.withLock { $0.bytes[record.id] } }
  /// The number of sinks neither stored nor abandoned.
  var openSinks: Int { state.withLock { state in state.sinks.count { !$0.isAbandoned } - state.kept.count } }

  /// Fails so often at a call of a name.
  func fail(_ name: String, times: Int, _ error: any Error = Refusal()) {
    state.withLock { $0.failures[name] = (times, error) }
  }
  func leave(_ entries: [UnfinishedCapture]) { state.withLock { $0.unfinished = entries } }
  func note(_ line: String) { state.withLock { $0.lines.append(line) } }

  private func enter(_ name: String, _ line: String) throws {
    try state.withLock { state in
      if let failure = state.failures[name], failure.times > 0 {
        state.failures[name] = (failure.times - 1, failure.error)
        throw failure.error
      }
      state.lines.append(line)
    }
  }

  /// Does something while a capture is written down.
  func onBegin(_ body: @escaping @Sendable () -> Void) { state.withLock { $0.onBegin = body } }

  func begin(_ intent: CaptureIntent) async throws -> JournalNumber {
    try enter("begin", "begin \(intent.item)")
    state.withLock(\.onBegin)()
    return state.withLock { state in
      state.intents.append(intent)
      return JournalNumber(state.intents.count)
    }
  }

  /// Refuses ids, as those of data of other items.
  func refuse(_ ids: [SensorUUID]) { state.withLock { $0.refused.formUnion(ids) } }

  @discardableResult
  func captured(_ number: JournalNumber, ids: [SensorUUID]) async throws -> [SensorUUID] {
    try enter("captured", "captured \(ids.count)")
    let refused = state.withLock { state in
      state.outcomes[number.value] = .captured
      return state.refused
    }
    return ids.filter { !refused.contains($0) }
  }

  func sink(_ number: JournalNumber, _ id: SensorUUID) async throws -> any DataSink {
    try enter("sink", "sink")
    let sink = Sink()
    state.withLock { $0.sinks.append(sink) }
    return sink
  }

  func keep(_ number: JournalNumber, _ sink: any DataSink, _ download: FinishedDownload) async throws -> CaptureRecord {
    try enter("keep", "keep")
    guard let sink = sink as? Sink else { throw Refusal() }
    return state.withLock { state in
      let item = number.value <= state.intents.count ? state.intents[number.value - 1].item : 0
      let record = CaptureRecord(
        id: state.kept.count + 1, item: item, captureID: download.id, address: "", sizeInBytes: sink.bytes.count,
        sha256: [], claimedType: "", sniffedType: nil, metadata: WireDictionary(), received: Instant(seconds: 0))
      state.kept.append(record)
      state.bytes[record.id] = sink.bytes
      return record
    }
  }

  func lost(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws {
    try enter("lost", "lost")
  }

  func putOff(_ number: JournalNumber, _ id: SensorUUID, because reason: String) async throws {
    try enter("putOff", "putOff")
    state.withLock { state in
      for place in state.unfinished.indices where state.unfinished[place].number == number {
        state.unfinished[place].putOff[id] = reason
      }
    }
  }

  func end(_ number: JournalNumber, _ outcome: CaptureOutcome) async throws {
    try enter("end", "end")
    state.withLock { $0.outcomes[number.value] = outcome }
  }

  func unfinished() async throws -> [UnfinishedCapture] { state.withLock(\.unfinished) }
}

// MARK: - Locks

extension MemoryJournal {
  /// The locks recorded as possibly held.
  var held: Set<HeldLock> { state.withLock(\.held) }
  /// The locks of dead processes that were released.
  var givenBack: [LeftLock] { state.withLock(\.givenBack) }

  /// True, for each lock left to others, if its service was asked for it in vain.
  var leftAgain: [Bool] { state.withLock(\.leftAgain) }

  /// Leaves a lock, as a dead process does.
  func leave(_ lock: HeldLock) {
    state.withLock { $0.left.append(LeftLock(number: $0.left.count + 1, lock: lock, asked: Instant(seconds: 0))) }
  }

  func willLock(_ lock: HeldLock) async throws {
    try state.withLock { state in
      if let failure = state.failures["lock"], failure.times > 0 {
        state.failures["lock"] = (failure.times - 1, failure.error)
        throw failure.error
      }
      state.held.insert(lock)
    }
  }

  func didUnlock(_ lock: HeldLock) { state.withLock { _ = $0.held.remove(lock) } }

  /// Does something while released locks are written down.
  func onSettle(_ body: @escaping @Sendable () async -> Void) { state.withLock { $0.onSettle = body } }
  func settleLocks() async { await state.withLock(\.onSettle)() }

  func abandon(_ lock: HeldLock) async {
    if state.withLock({ $0.held.remove(lock) }) != nil { leave(lock) }
  }

  func leftLocks(at address: SensorAddress?) async throws -> [LeftLock] {
    state.withLock { state in state.left.filter { address == nil || $0.lock.address.text == address?.text } }
  }

  func takeOver(_ left: LeftLock) async throws {
    state.withLock { state in
      state.left.removeAll { $0 == left }
      state.held.insert(left.lock)
    }
  }

  func gaveBack(_ left: LeftLock) async throws {
    state.withLock { state in
      state.left.removeAll { $0 == left }
      state.givenBack.append(left)
    }
  }

  func leave(_ left: LeftLock, wasTried: Bool) async -> Bool {
    state.withLock { $0.leftAgain.append(wasTried) }
    return false
  }
}
