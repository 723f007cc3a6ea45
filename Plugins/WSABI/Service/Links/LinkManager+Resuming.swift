import PluginAPI

extension LinkManager {
  /// Releases the locks that ended processes left, at all their sensors concurrently.
  ///
  /// Locks of running processes are not touched; those without a quick response are left to the next run.
  ///
  /// - Parameter stolen: True to also release locks that were stolen for the next capture at their sensor.
  func giveBackLeft(stolen: Bool = false) async {
    let left = (try? await journal.leftLocks(at: nil)) ?? []
    let meant = left.filter { stolen || !$0.isStolen }
    let addresses = Dictionary(meant.map { ($0.lock.address.text, $0.lock.address) }) { first, _ in first }
    await withTaskGroup(of: Void.self) { group in
      for address in addresses.values {
        group.addTask { [onNote] in
          await self.link(address).releaseLeftLocksIfFree(stolen: stolen) { progress in
            if case .leftLock(let isGivenBack) = progress {
              onNote(.leftLock(address, isGivenBack: isGivenBack))
            }
          }
        }
      }
    }
    // Locks that another use of the sensor has not dealt with yet.
    for left in left { await journal.leave(left, wasTried: false) }
  }

  /// Returns the captures left open by an earlier process, oldest first.
  ///
  /// Requests without a response are recorded as unknown.
  ///
  /// No operation may be in progress: it would be mistaken for a leftover.
  func leftOver() async throws -> [UnfinishedCapture] {
    let entries = try await journal.unfinished()
    for entry in entries where entry.waiting.isEmpty {
      // An entry that cannot be written now stays unfinished, and does not hide the others.
      do {
        try await journal.end(entry.number, .unknown(reason: unanswered))
      } catch {
        onNote(
          .trouble(
            item: entry.intent.item, entry.intent.address, reason: error.message(or: "cannot write the journal")))
      }
      let outcome = SequenceOutcome(ending: .unknown(reason: unanswered))
      onNote(.ended(item: entry.intent.item, entry.intent.address, outcome))
    }
    return entries
  }

  /// Downloads data that is still at the services; nothing is captured again.
  ///
  /// Data that is ready is downloaded first. The rest is then requested repeatedly, each sensor independently.
  ///
  /// - Parameters:
  ///   - entries: The result of ``leftOver()``.
  ///   - captures: The captures that run at the same time. When they end, the downloads end too, and partially received
  ///     data is put off; data that was put off before stays where it is. Nil if a user requested all of it.
  /// - Returns: A report for each entry, in order. Entries whose data is not available yet stay in the journal for the
  ///   next time.
  func finish(_ entries: [UnfinishedCapture], beside captures: SequenceRun? = nil) async -> [CaptureReport] {
    // A sensor that is gone delays only its own entries.
    let groups = Dictionary(grouping: entries.indices) { entries[$0].intent.address }
    var reports: [Int: CaptureReport] = [:]
    await withTaskGroup(of: [Int: CaptureReport].self) { group in
      for indices in groups.values {
        let leftovers = indices.map { Leftover($0, entries[$0], self, takesPutOff: captures == nil) }
        group.addTask { await self.finish(leftovers, beside: captures) }
      }
      for await found in group { reports.merge(found) { $1 } }
    }
    return entries.indices.compactMap { reports[$0] }
  }

  /// A leftover capture, and its result so far.
  private struct Leftover: Sendable {
    /// The index of the entry.
    let index: Int
    let entry: UnfinishedCapture
    let order: CaptureOrder
    /// The ids that are requested while they wait.
    var wanted: [SensorUUID]
    /// The operation that downloads the data; nil if there is no data to download.
    let operation: (number: Int, run: SequenceRun)?
    var report: CaptureReport
    /// The number of failures; data that is not ready does not count.
    var failures = 0

    init(_ index: Int, _ entry: UnfinishedCapture, _ links: LinkManager, takesPutOff: Bool) {
      (self.index, self.entry) = (index, entry)
      order = CaptureOrder(
        item: entry.intent.item, address: entry.intent.address, configuration: entry.intent.configuration)
      let isUnknown = entry.waiting.isEmpty
      report = CaptureReport(
        outcome: SequenceOutcome(ending: isUnknown ? .unknown(reason: unanswered) : .captured(entry.waiting)))
      wanted = entry.waiting.filter { takesPutOff || entry.putOff[$0] == nil }
      for id in entry.waiting { report.waiting[id] = entry.putOff[id] ?? noTime }
      operation =
        wanted.isEmpty ? nil : links.begin(order.address, item: order.item, isCapture: true, SequenceRun.CaptureHooks())
      if !wanted.isEmpty { links.onNote(.captured(item: order.item, order.address, ids: entry.waiting)) }
    }

    /// True if it is worth another request.
    var isOpen: Bool {
      guard let run = operation?.run, !run.isCancelled else { return false }
      return wanted.contains { report.waiting[$0] != nil } && failures < CaptureDownloader.attempts
    }

    /// True if some of its data is being prepared.
    var isPrepared: Bool { report.waiting.values.contains(CaptureDownloader.notReady) }
  }

  /// Downloads a sensor's data in rounds, so that data that never gets ready does not hold up the rest.
  private func finish(_ leftovers: [Leftover], beside captures: SequenceRun?) async -> [Int: CaptureReport] {
    let end = captures ?? SequenceRun()
    var leftovers = leftovers
    var (waited, pause) = (0, times.firstPollInMilliseconds)
    while true {
      for index in leftovers.indices where leftovers[index].isOpen && !end.isCancelled {
        await fetchOnce(&leftovers[index], beside: captures)
      }
      let open = leftovers.filter(\.isOpen)
      guard !open.isEmpty, waited < times.pollingInMilliseconds, !end.isCancelled else { break }
      for leftover in open where leftover.isPrepared {
        leftover.operation?.run.report(.waiting(.preparingDownload, milliseconds: pause))
      }
      await wait(pause, unless: open.compactMap { $0.operation?.run } + [end])
      waited += pause
      pause = min(times.longestPollInMilliseconds, pause * 2)
    }
    for leftover in leftovers { if let operation = leftover.operation { self.end(operation.number) } }
    return Dictionary(leftovers.map { ($0.index, $0.report) }) { $1 }
  }

  /// Requests each missing id of a capture once.
  private func fetchOnce(_ leftover: inout Leftover, beside captures: SequenceRun?) async {
    guard let operation = leftover.operation else { return }
    let run = SequenceRun(effort: captures == nil ? .once : .besideCaptures, report: operation.run.report)
    let registrations = [operation.run, captures].compactMap { $0 }.map { ($0, $0.onCancel { run.cancel() }) }
    defer { for (other, token) in registrations { other.removeHandler(token) } }
    let ids = leftover.wanted.filter { leftover.report.waiting[$0] != nil }
    for id in ids { leftover.report.waiting[id] = nil }
    let putOff = await fetch(
      ids, leftover.entry.number, leftover.order, run, operation.number, into: &leftover.report)
    leftover.wanted.removeAll(where: putOff.contains)
    if captures?.isCancelled == true {
      for id in leftover.wanted where leftover.report.waiting[id] != nil { leftover.report.waiting[id] = noTime }
    }
    if leftover.wanted.contains(where: { leftover.report.waiting[$0] != nil }), !leftover.isPrepared {
      leftover.failures += 1
    }
    let order = Dictionary(leftover.entry.waiting.enumerated().map { ($1, $0) }) { first, _ in first }
    leftover.report.records.sort { order[$0.captureID, default: 0] < order[$1.captureID, default: 0] }
  }

  /// Waits, but not beyond the cancel of one of the runs.
  private func wait(_ milliseconds: Int, unless runs: [SequenceRun]) async {
    let waiting = Task { [clock] in _ = try? await clock.sleep(milliseconds) }
    let registrations = runs.map { run in (run, run.onCancel { waiting.cancel() }) }
    await withTaskCancellationHandler {
      await waiting.value
    } onCancel: {
      waiting.cancel()
    }
    for (run, token) in registrations { run.removeHandler(token) }
  }
}

private let noTime = "no time left to download it"
private let unanswered = "the program ended before the response"
