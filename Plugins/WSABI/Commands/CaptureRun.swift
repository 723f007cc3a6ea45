import PluginAPI

/// A concurrent capture of one or several items, each repeated within its limit until it is good enough.
struct CaptureRun: Sendable {
  let links: LinkManager
  let records: RecordStore
  /// The number of times a capture is repeated that failed without data, has an incomplete picture, or scores too low.
  var retries = 0
  /// From 0 to 100; nil if quality does not matter.
  var minimumQuality: Int?
  /// Reviews a stored capture, for example its quality and thumbnail; nil for no review.
  var review: (@Sendable (CaptureRecord, Submodality) async throws -> ReviewedCapture)?
  /// Keeps other processes from mistaking these captures for leftovers; nil if there are none.
  var turn: Turn?
  /// Called with each result as soon as the item is done.
  var onEnd: @Sendable (Result) -> Void = { _ in }

  /// A period in which nobody searches for leftover captures.
  struct Turn: Sendable {
    /// Waits for the turn while it is wanted; returns true if it was obtained.
    var take: @Sendable (_ isWanted: @Sendable () -> Bool) async throws -> Bool
    var giveBack: @Sendable () -> Void
  }

  /// The result for one item.
  struct Result: Sendable {
    var item: BiometricItem
    var report: CaptureReport
    /// The number of times the sensor was asked to capture, or to get ready for it.
    var attempts: Int
    var milliseconds: Double

    var problem: CaptureProblem? { CaptureProblem(report, item: item.id) }
  }

  /// Captures items over their links; a cancel also ends the operation at the sensor.
  ///
  /// - Parameter tickets: The tickets of the orders; created now if nil.
  /// - Returns: The result of each item, in the order of the items.
  func capture(_ items: [BiometricItem], by tickets: [CaptureTicket]? = nil) async throws -> [Result] {
    let tickets = tickets ?? items.map { links.ticket(item: $0.id) }
    defer { for ticket in tickets { links.end(ticket) } }
    let orders = try items.map { item in
      CaptureOrder(
        item: item.id, address: try item.device.sensorAddress(),
        configuration: item.device.configuration, definition: item.definition)
    }
    let hasTurn = try await turn?.take { !tickets.allSatisfy(\.isCancelled) } ?? true
    defer { if hasTurn { turn?.giveBack() } }
    // Without the turn nothing is captured.
    if !hasTurn { for ticket in tickets { ticket.cancel() } }
    // In a separate task, so that a sensor's response after a cancel is still written down.
    let work = Task {
      await withTaskGroup(of: (Int, Result).self) { group in
        for (place, order) in orders.enumerated() {
          group.addTask {
            let result = await capture(items[place], order, tickets[place])
            onEnd(result)
            return (place, result)
          }
        }
        return await group.reduce(into: [Int: Result]()) { $0[$1.0] = $1.1 }
      }
    }
    let results = await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      for item in items { links.cancel(item: item.id) }
    }
    return items.indices.compactMap { results[$0] }
  }

  private func capture(_ item: BiometricItem, _ order: CaptureOrder, _ ticket: CaptureTicket) async -> Result {
    let start = SensorCommands.milliseconds()
    var best: CaptureReport?
    var all: [CaptureReport] = []
    var last = CaptureReport(outcome: SequenceOutcome(ending: .givenUp), isCancelled: true)
    var attempts = 0
    var scores: [Int?] = []
    var kept = KeptAttempts()
    let rule = KeepBest(minimumQuality: minimumQuality, mostTries: retries + 1)
    while attempts <= retries, !ticket.isCancelled {
      attempts += 1
      last = await reviewed(await links.capture(order, by: ticket), item)
      all.append(last)
      if !last.records.isEmpty {
        let isBetter = best.map { rank(last) > rank($0) } ?? true
        let worse = isBetter ? best : last
        if isBetter { (best, kept.isNewest) = (last, false) }
        if let best, let worse { await remove(worse, for: best, isNewest: !isBetter, &kept) }
        if last.isCancelled { break }
        // An incomplete capture is a failed attempt.
        if !last.isWhole { continue }
        scores.append(last.worstScore)
        if rule.advice(scores) != .again { break }
      } else if last.isCancelled || !isWorthRepeating(last) {
        break
      }
    }
    var report = (best ?? last).adding(all)
    report.troubles += kept.words
    return Result(
      item: item, report: report, attempts: attempts, milliseconds: SensorCommands.milliseconds() - start)
  }

  /// Worse attempts stored beside the best one.
  private struct KeptAttempts {
    /// The reasons why some could not be deleted.
    var reasons: [String] = []
    /// True if one of them is newer than the best attempt, so that the item shows it.
    var isNewest = false

    /// Descriptions of these problems.
    var words: [String] {
      reasons.map { "a worse attempt is stored still, as it cannot be deleted: \($0)" }
        + (isNewest ? ["a later attempt that is not as good stays beside the best one, and the item shows it"] : [])
    }
  }

  /// Deletes a worse capture if a better one may replace it, and only while the better one is stored.
  ///
  /// - Parameter isNewest: True if the worse one is the newest.
  private func remove(
    _ worse: CaptureReport, for better: CaptureReport, isNewest: Bool, _ kept: inout KeptAttempts
  ) async {
    var isGone = replaces(better, worse)
    if isGone {
      for record in worse.records {
        do {
          try await records.deleteCapture(record.id, keeping: better.records.map(\.id))
        } catch {
          isGone = false
          let reason = (error as? any ReportableError)?.report.message ?? "the store cannot be written"
          if !kept.reasons.contains(reason) { kept.reasons.append(reason) }
        }
      }
    }
    if isNewest, !isGone { kept.isNewest = true }
  }

  /// Returns a report with its captures reviewed; the captures stay stored whatever the review finds.
  private func reviewed(_ report: CaptureReport, _ item: BiometricItem) async -> CaptureReport {
    guard let review else { return report }
    var report = report
    let item = item.answered(report)
    for (place, record) in report.records.enumerated() {
      do {
        let reviewed = try await review(record, item.shown(record))
        report.records[place] = reviewed.record
        report.flaws[record.id] = reviewed.flaw
      } catch {
        report.troubles.append((error as? any ReportableError)?.report.message ?? "the capture cannot be judged")
      }
    }
    return report
  }

  /// Returns the rank of a capture: complete captures first, then captures with whole pictures, then by the score of
  /// the worst picture, then by the sum of all scores.
  ///
  /// An unscored picture counts as -1.
  private func rank(_ report: CaptureReport) -> (Int, Int, Int, Int) {
    let scores = report.records.map { $0.quality?.score ?? -1 }
    return (report.isOpen ? 0 : 1, report.isWhole ? 1 : 0, scores.min() ?? -1, scores.reduce(0, +))
  }

  /// Returns true if a better capture may replace a worse one: the better one is complete, no data of the worse one is
  /// still at the sensor, and no whole pictures give way to damaged ones.
  private func replaces(_ better: CaptureReport, _ worse: CaptureReport) -> Bool {
    !better.isOpen && worse.waiting.isEmpty && (better.isWhole || !worse.isWhole)
  }

  /// Returns true if the service itself reported that there is no capture.
  ///
  /// A capture with an unknown outcome is never repeated.
  private func isWorthRepeating(_ report: CaptureReport) -> Bool {
    switch report.outcome.ending {
    case .refused(_, let status, _, _):
      [.sensorTimeout, .sensorFailure, .failure, .sensorBusy, .canceledWithSensorFailure].contains(status)
    case .failed: true
    case .captured, .done, .unknown, .givenUp: false
    }
  }
}
