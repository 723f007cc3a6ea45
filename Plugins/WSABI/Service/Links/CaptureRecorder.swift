import PluginAPI
import Synchronization

/// Records a capture as it happens: the intent before the request, the ids before anything else.
final class CaptureRecorder: Sendable {
  private struct State {
    var number: JournalNumber?
    var ids: [SensorUUID] = []
    var areWritten = false
    var refused: [SensorUUID] = []
    var troubles: [String] = []
    var oddities: [String] = []
    /// True once the ids are written, or nothing will be captured any more.
    var isOver = false
    var waiting: CheckedContinuation<Void, Never>?
  }

  private let order: CaptureOrder
  private let journal: any CaptureJournal
  private let clock: LinkClock
  private let state = Mutex(State())
  /// The number of attempts to write the ids, and the wait in between, in milliseconds.
  private static let attempts = 5
  private static let pause = 200

  init(_ order: CaptureOrder, _ journal: any CaptureJournal, _ clock: LinkClock) {
    (self.order, self.journal, self.clock) = (order, journal, clock)
  }

  /// The entry of the last requested capture.
  var number: JournalNumber? { state.withLock(\.number) }
  /// The ids captured for the item, without those that the journal refused.
  var ids: [SensorUUID] { state.withLock(\.ids) }
  /// Ids of the response under which nothing is filed: their data belongs to another item, or is stored.
  var refused: [SensorUUID] { state.withLock(\.refused) }
  var troubles: [String] { state.withLock(\.troubles) }
  /// Descriptions of anything unusual in the response.
  var oddities: [String] { state.withLock(\.oddities) }
  /// True if there are ids that the journal does not have yet.
  var hasUnwritten: Bool { state.withLock { !$0.ids.isEmpty && !$0.areWritten } }

  /// Waits until ids are written, or will not be written any more.
  ///
  /// For one task.
  func waitForIDs() async {
    // Canceling the capture's task does not undo the sensor's response.
    await withCheckedContinuation { continuation in
      let isOver = state.withLock { state in
        if !state.isOver { state.waiting = continuation }
        return state.isOver
      }
      if isOver { continuation.resume() }
    }
  }

  /// Marks that no more captures follow.
  func close() {
    let waiting = state.withLock { state in
      state.isOver = true
      defer { state.waiting = nil }
      return state.waiting
    }
    waiting?.resume()
  }

  var hooks: SequenceRun.CaptureHooks {
    SequenceRun.CaptureHooks(
      willCapture: { try await self.willCapture($0) }, didCapture: { await self.didCapture($0) })
  }

  private func willCapture(_ session: SensorUUID) async throws {
    let intent = CaptureIntent(
      item: order.item, address: order.address, session: session, configuration: order.configuration,
      definition: order.definition)
    let number = try await journal.begin(intent)
    state.withLock { $0.number = number }
  }

  private func didCapture(_ event: SequenceEvent) async {
    guard let number else { return }
    if case .answered(let response) = event { state.withLock { $0.oddities = response.oddities } }
    switch event {
    // Ids beside a refusal also name captured data.
    case .answered(let response) where response.status == .success || !response.captureIDs.isEmpty:
      guard !response.captureIDs.isEmpty else {
        return await end(number, .unknown(reason: "the service returned no capture ids"))
      }
      state.withLock { $0.ids = response.captureIDs }
      // Without its ids the entry stays open: a restart reports it as unknown, and it never counts as done.
      await writeIDs()
    case .answered(let response): await end(number, .refused(response.status, message: response.message))
    case .failed(let failure):
      await end(
        number, failure.reach == .unknown ? .unknown(reason: failure.reason) : .notAsked(reason: failure.reason))
    case .givenUp, .waited: await end(number, .unknown(reason: "given up"))
    }
  }

  /// Writes the ids, with retries if necessary, as they cannot be requested again.
  ///
  /// - Returns: True if they are written.
  @discardableResult
  func writeIDs() async -> Bool {
    let (number, ids, areWritten) = state.withLock { ($0.number, $0.ids, $0.areWritten) }
    guard !areWritten, let number else { return areWritten }
    for attempt in 1...Self.attempts {
      do {
        let accepted = Set(try await journal.captured(number, ids: ids))
        state.withLock { state in
          state.areWritten = true
          state.ids = ids.filter(accepted.contains)
          state.refused = ids.filter { !accepted.contains($0) }
        }
        close()
        return true
      } catch {
        if attempt == Self.attempts { note(error) }
        try? await clock.sleep(Self.pause)
      }
    }
    return false
  }

  /// Ends an entry whose ids cannot be written.
  func giveUp() async {
    guard hasUnwritten, let number else { return }
    await end(number, .unknown(reason: "cannot write its ids to the journal"))
  }

  private func end(_ number: JournalNumber, _ outcome: CaptureOutcome) async {
    do { try await journal.end(number, outcome) } catch { note(error) }
  }

  private func note(_ error: any Error) {
    let reason = error.message(or: "cannot write the journal")
    state.withLock { if !$0.troubles.contains(reason) { $0.troubles.append(reason) } }
  }
}
