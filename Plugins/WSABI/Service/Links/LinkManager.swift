import PluginAPI
import Synchronization

/// All links of a station: made at the first use of an address, shared by the items that name it.
///
/// Whatever comes back from a sensor is told under the item it was asked for.
final class LinkManager: Sendable {
  private struct State {
    var links: [String: SensorLink] = [:]
    var operations: [Int: Operation] = [:]
    var count = 0
  }

  private struct Operation {
    var shown: PendingOperation
    let run: SequenceRun
  }

  private let makeCaller: @Sendable (SensorAddress) -> any SensorCaller
  private let journal: any CaptureJournal
  private let clock: LinkClock
  private let times: LinkTimes
  private let onNote: @Sendable (LinkNote) -> Void
  private let state = Mutex(State())

  /// Creates a manager without links.
  ///
  /// - Parameter onNote: Takes what happens, in order for each link, on any thread; it must be quick.
  init(
    _ makeCaller: @escaping @Sendable (SensorAddress) -> any SensorCaller, _ journal: any CaptureJournal,
    _ clock: LinkClock, _ times: LinkTimes = LinkTimes(), onNote: @escaping @Sendable (LinkNote) -> Void
  ) {
    self.makeCaller = makeCaller
    self.journal = journal
    self.clock = clock
    self.times = times
    self.onNote = onNote
  }

  /// The link of an address.
  func link(_ address: SensorAddress) -> SensorLink {
    state.withLock { state in
      if let link = state.links[address.text] { return link }
      let link = SensorLink(makeCaller(address), clock, times)
      state.links[address.text] = link
      return link
    }
  }

  /// What is under way, in the order in which it began.
  var operations: [PendingOperation] {
    state.withLock { $0.operations.values.map(\.shown) }.sorted { $0.number < $1.number }
  }
}

// MARK: - Sequences

extension LinkManager {
  /// Makes links ready, all at once; what fails is told by notes and tried again when it is needed.
  func connect(_ addresses: [SensorAddress]) async {
    await withTaskGroup(of: Void.self) { group in
      for address in Set(addresses.map(\.text)).sorted().compactMap({ text in addresses.first { $0.text == text } }) {
        group.addTask { _ = await self.go(.connect, address, item: nil) }
      }
    }
  }

  /// Sets a sensor ahead of a capture, with all that comes before where it is missing.
  @discardableResult
  func configureAhead(_ order: CaptureOrder) async -> SequenceOutcome {
    await go(.configure(order.configuration), order.address, item: order.item)
  }

  /// Gives back lock and session of an address.
  func disconnect(_ address: SensorAddress) async { _ = await go(.disconnect, address, item: nil) }

  /// Captures for an item, and stores all that the sensor delivers for it.
  ///
  /// It comes back when everything is stored, lost, or left to later.
  func capture(_ order: CaptureOrder) async -> CaptureReport {
    let notary = CaptureNotary(order, journal, clock)
    onNote(.capturing(item: order.item, order.address))
    let run = begin(order.address, item: order.item, notary.hooks)
    defer { end(run.number) }
    let outcome = await go(.capture(order.configuration), order.address, order.item, run.run)
    var report = CaptureReport(outcome: outcome)
    if !(notary.ids.isEmpty && notary.refused.isEmpty), let number = notary.number {
      await notary.writeIDs()
      onNote(.captured(item: order.item, order.address, ids: notary.ids))
      for id in notary.refused {
        report.refused[id] = Self.refusal
        onNote(.lost(item: order.item, order.address, id, reason: Self.refusal))
      }
      await fetch(notary.ids, number, order, run.run, run.number, into: &report)
    }
    report.troubles = notary.troubles
    return report
  }

  /// What is said of an id that the journal refuses.
  private static let refusal = "the id is not new: its data belongs to another item, or is stored"

  private func go(_ goal: SequenceGoal, _ address: SensorAddress, item: Int?) async -> SequenceOutcome {
    let run = begin(address, item: item, SequenceRun.CaptureHooks())
    defer { end(run.number) }
    return await go(goal, address, item, run.run)
  }

  private func go(
    _ goal: SequenceGoal, _ address: SensorAddress, _ item: Int?, _ run: SequenceRun
  ) async -> SequenceOutcome {
    let link = link(address)
    let outcome = await link.go(goal, run)
    onNote(.connected(address, isReady: await link.isReady))
    if let item, !outcome.hasCaptured, outcome.ending != .done { onNote(.ended(item: item, address, outcome)) }
    return outcome
  }
}

// MARK: - Downloads

extension LinkManager {
  /// How many ids of one capture are fetched at the same time.
  private static let parallelDownloads = 4

  private func fetch(
    _ ids: [SensorUUID], _ number: JournalNumber, _ order: CaptureOrder, _ run: SequenceRun, _ operation: Int,
    into report: inout CaptureReport
  ) async {
    let information = try? await link(order.address).knownInformation()
    let downloader = CaptureDownloader(
      caller: makeCaller(order.address), journal: journal, clock: clock, times: times,
      firstWait: information?.postAcquisitionProcessingTimeInMilliseconds ?? 0)
    var endings: [SensorUUID: CaptureDownloader.Ending] = [:]
    await withTaskGroup(of: (SensorUUID, CaptureDownloader.Ending).self) { group in
      var rest = ids[...]
      func add() {
        guard let id = rest.popFirst() else { return }
        update(operation, .downloading(id))
        group.addTask { (id, await downloader.fetch(number, id, run)) }
      }
      for _ in 0..<Self.parallelDownloads { add() }
      for await (id, ending) in group {
        endings[id] = ending
        tell(ending, id, order)
        add()
      }
    }
    for id in ids {
      switch endings[id] {
      case .stored(let record): report.records.append(record)
      case .lost(let reason): report.lost[id] = reason
      case .later(let reason): report.waiting[id] = reason
      case nil: break
      }
    }
  }

  private func tell(_ ending: CaptureDownloader.Ending, _ id: SensorUUID, _ order: CaptureOrder) {
    switch ending {
    case .stored(let record): onNote(.stored(item: order.item, record))
    case .lost(let reason): onNote(.lost(item: order.item, order.address, id, reason: reason))
    case .later: break
    }
  }

  /// What an earlier process left, oldest first; what was asked without an answer is named as unknown.
  ///
  /// Nothing may be under way: it would be taken for left over.
  func leftOver() async throws -> [UnfinishedCapture] {
    let entries = try await journal.unfinished()
    for entry in entries where entry.waiting.isEmpty {
      try await journal.end(entry.number, .unknown(reason: Self.unanswered))
      let outcome = SequenceOutcome(ending: .unknown(reason: Self.unanswered))
      onNote(.ended(item: entry.intent.item, entry.intent.address, outcome))
    }
    return entries
  }

  private static let unanswered = "the program ended before the sensor answered"

  /// Fetches data that is at the services still; nothing is captured again.
  ///
  /// - Parameter entries: What ``leftOver()`` found.
  /// - Returns: A report for each, in their order.
  func finish(_ entries: [UnfinishedCapture]) async -> [CaptureReport] {
    var reports: [CaptureReport] = []
    for entry in entries {
      let order = CaptureOrder(
        item: entry.intent.item, address: entry.intent.address, configuration: entry.intent.configuration)
      let isUnknown = entry.waiting.isEmpty
      let ending: SequenceOutcome.Ending = isUnknown ? .unknown(reason: Self.unanswered) : .captured(entry.waiting)
      var report = CaptureReport(outcome: SequenceOutcome(ending: ending))
      if !isUnknown {
        let run = begin(order.address, item: order.item, SequenceRun.CaptureHooks())
        onNote(.captured(item: order.item, order.address, ids: entry.waiting))
        await fetch(entry.waiting, entry.number, order, run.run, run.number, into: &report)
        end(run.number)
      }
      reports.append(report)
    }
    return reports
  }

  /// Goes on with what an earlier process left: all of it, oldest first.
  func resume() async throws -> [CaptureReport] { await finish(try await leftOver()) }
}

// MARK: - What is under way

extension LinkManager {
  private func begin(
    _ address: SensorAddress, item: Int?, _ hooks: SequenceRun.CaptureHooks
  ) -> (number: Int, run: SequenceRun) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let run = SequenceRun(hooks: hooks) { [weak self] progress in self?.progressed(number, address, item, progress) }
    let shown = PendingOperation(number: number, address: address, item: item, stage: .queued, began: clock.now())
    state.withLock { state in state.operations[number] = Operation(shown: shown, run: run) }
    return (number, run)
  }

  private func end(_ number: Int) { state.withLock { state in state.operations[number] = nil } }

  private func update(_ number: Int, _ stage: PendingOperation.Stage) {
    state.withLock { state in state.operations[number]?.shown.stage = stage }
  }

  private func progressed(_ number: Int, _ address: SensorAddress, _ item: Int?, _ progress: SequenceRun.Progress) {
    switch progress {
    case .asking(let step):
      update(number, .asking(step))
      onNote(.stepped(address, step, nil))
    case .answered(let step, let status): onNote(.stepped(address, step, status))
    case .waiting(let status, let milliseconds):
      update(number, .waiting(status))
      if let item { onNote(.waiting(item: item, address, because: status, milliseconds: milliseconds)) }
    case .canceling: update(number, .canceling)
    }
  }

  /// Ends something under way; what a sensor has begun is cancelled there.
  ///
  /// - Returns: Whether there was such a thing.
  @discardableResult
  func cancel(_ number: Int) -> Bool {
    let run = state.withLock { $0.operations[number]?.run }
    run?.cancel()
    return run != nil
  }

  /// Ends all that is under way for an item.
  func cancel(item: Int) {
    let runs = state.withLock { state in state.operations.values.filter { $0.shown.item == item }.map(\.run) }
    for run in runs { run.cancel() }
  }

  /// Takes the lock of an address from its holder; only ever because a person said so.
  func steal(_ address: SensorAddress, cancels: Bool) async throws(SensorFault) -> SensorAnswer {
    let answer = try await link(address).steal(cancels: cancels)
    if answer.status == .success { onNote(.stolen(address)) }
    return answer
  }

  /// Ends everything and gives back all locks and sessions, as far as the services answer in time.
  func close() async {
    let (links, runs) = state.withLock { state in
      (Array(state.links.values), state.operations.values.map(\.run))
    }
    for run in runs { run.cancel() }
    let (ended, end) = AsyncStream.makeStream(of: Never.self)
    let leaving = Task {
      await withTaskGroup(of: Void.self) { group in
        for link in links { group.addTask { await link.leave() } }
      }
      end.finish()
    }
    let limit = Task { [clock, times] in
      try? await clock.sleep(times.closingInMilliseconds)
      end.finish()
    }
    for await _ in ended {}
    leaving.cancel()
    limit.cancel()
  }
}

extension SequenceOutcome {
  /// Whether data was captured.
  var hasCaptured: Bool {
    if case .captured = ending { return true }
    return false
  }
}
