import PluginAPI
import PluginText

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

  /// A period in which no process searches for leftover captures.
  struct Turn: Sendable {
    /// Waits for the turn while it is wanted; returns true if it was obtained.
    var take: @Sendable (_ isWanted: @Sendable () -> Bool) async throws -> Bool
    var giveBack: @Sendable () -> Void
  }

  /// The result for one item.
  struct Result: Sendable {
    var item: BiometricItem
    var report: CaptureReport
    /// The number of requests to the sensor to capture, or to prepare for a capture.
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
        for (index, order) in orders.enumerated() {
          group.addTask {
            let result = await capture(items[index], order, tickets[index])
            onEnd(result)
            return (index, result)
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
    let stopwatch = Stopwatch()
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
      item: item, report: report, attempts: attempts, milliseconds: stopwatch.milliseconds)
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
    for error in await report.review(as: item.answered(report), review) {
      report.troubles.append((error as? any ReportableError)?.report.message ?? "the capture cannot be judged")
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

/// The reason a capture stored no data, or not all of it.
enum CaptureProblem: Error, Equatable, ReportableError {
  /// The service refused, or a step failed before the capture.
  case notCaptured(item: Int, reason: String)
  /// The sensor does not accept the item's configuration.
  case notTaken(item: Int, reason: String)
  /// Another operation of the sensor did not end in time.
  case busy(item: Int)
  /// It is unknown whether the sensor captured.
  case unknown(item: Int, reason: String)
  /// The data is still at the service.
  case waiting(item: Int, reason: String)
  /// The data is lost, or its ids belong to other items.
  case lost(item: Int, reason: String)
  /// Some of the data is stored, and some is lost, with the number of each.
  case partlyLost(item: Int, stored: Int, lost: Int, reason: String)
  /// The kept attempt is stored completely, but data of another attempt is lost; `lost` is the number of ids.
  case otherLost(item: Int, lost: Int, reason: String)
  /// Data of earlier runs is still at its sensors: the number of captures, and the number of ids.
  case left(captures: Int, ids: Int)
  /// Another client holds the sensor's lock; the service's message about it, and when the lock can be stolen.
  case held(item: Int, message: String, stealing: String)
  /// Earlier captures of these items need a decision first.
  case undecided(items: [Int])
  /// The capture was canceled.
  case canceled(item: Int)
  /// Several captures failed, out of a total.
  case several(failed: Int, of: Int)

  var report: ErrorReport {
    switch self {
    case .notCaptured(let item, let reason):
      Code.notCaptured(
        "item \(item) was not captured: \(SanitizedText.line(reason, limit: 300))",
        advice: "look at the sensor, and try again", isRetryable: true)
    case .notTaken(let item, let reason):
      Code.settingNotTaken(
        "item \(item) was not captured: \(SanitizedText.line(reason, limit: 300))",
        advice: "'sensor check ADDRESS' tells what the sensor takes; change the item with 'item edit \(item)'")
    case .busy(let item):
      Code.sensorBusy(
        "item \(item) was not captured: its sensor is at work for somebody, and did not become free",
        advice: "'operations' lists what this station has under way, and 'operations cancel N' ends it",
        isRetryable: true)
    case .held(let item, let message, let stealing):
      Code.sensorHeld(
        "item \(item) was not captured: another client has the lock of its sensor ("
          + (message.isEmpty
            ? "the service does not say who, nor since when)"
            : "the service says: \(SanitizedText.line(message, limit: 300)))"),
        advice: "wait until it is released, or take it for the next capture with 'sensor steal ADDRESS'"
          + (stealing.isEmpty ? "; the service does not say from when on it lets that happen" : ": \(stealing)"),
        isRetryable: true)
    case .undecided(let items):
      Code.decisionNeeded(
        "what came of an earlier capture is open, so this was not captured again: "
          + (items.count == 1 ? "item " : "items ") + items.map(String.init).joined(separator: ", "),
        advice: "'item show N' tells what is open; if the person is still there, 'capture N' or '--again' captures it")
    case .unknown(let item, let reason):
      Code.captureUnknown(
        "nobody knows whether item \(item) was captured: \(SanitizedText.line(reason, limit: 300))",
        advice: "it is not repeated by itself; capture again if the person is still there")
    case .waiting(let item, let reason):
      Code.captureWaiting(
        "item \(item) was captured, and its data is at the sensor still: \(SanitizedText.line(reason, limit: 300))",
        advice: "'workbench wsabi operations resume' fetches it", isRetryable: true)
    case .left(let captures, let ids):
      Code.captureWaiting(
        "data is at the sensors still: \(ids) \(ids == 1 ? "id" : "ids") of \(captures) "
          + (captures == 1 ? "capture" : "captures"),
        advice: "run 'operations resume' again once the sensors are ready; 'operations' lists it, and 'operations "
          + "discard N' gives up what never comes", isRetryable: true)
    case .lost(let item, let reason): Self.lost(item, reason)
    case .partlyLost(let item, let stored, let lost, let reason): Self.partlyLost(item, stored, lost, reason)
    case .otherLost(let item, let lost, let reason): Self.otherLost(item, lost, reason)
    case .canceled(let item):
      Code.captureCanceled(
        "the capture of item \(item) was cancelled", advice: "capture again when the person is ready")
    case .several(let failed, let count):
      Code.capturesFailed(
        "\(failed) of \(count) items were not captured",
        advice: "the result names each; 'capture --person P --missing' captures what has no data, and asks first where "
          + "a capture may have been made")
    }
  }

  private static func lost(_ item: Int, _ reason: String) -> ErrorReport {
    Code.captureLost(
      "item \(item) was captured, and its data cannot be had: \(SanitizedText.line(reason, limit: 300))",
      advice: "capture again")
  }

  private static func partlyLost(_ item: Int, _ stored: Int, _ lost: Int, _ reason: String) -> ErrorReport {
    Code.capturePartlyLost(
      "item \(item) was captured in part: \(stored) of \(stored + lost) "
        + "\(stored == 1 ? "is" : "are") stored, \(lost) cannot be had: \(SanitizedText.line(reason, limit: 300))",
      advice: "'item captures \(item)' lists what is stored; capture again if that is not enough")
  }

  private static func otherLost(_ item: Int, _ lost: Int, _ reason: String) -> ErrorReport {
    Code.capturePartlyLost(
      "item \(item) was captured, and all of that is stored; of another attempt \(lost) cannot be had: "
        + SanitizedText.line(reason, limit: 300),
      advice: "'item captures \(item)' lists what is stored; nothing has to be done if that is good")
  }

  /// The errors, each declared once.
  enum Code {
    static let notCaptured = DeclaredError(
      "wsabi.not-captured", .network, "a sensor refused a capture, or a step before it failed")
    static let settingNotTaken = DeclaredError(
      "wsabi.setting-not-taken", .network, "a sensor does not take what an item asks of it; nothing was captured")
    static let sensorBusy = DeclaredError(
      "wsabi.sensor-busy", .network, "a sensor was at work for somebody all the time it was waited for")
    static let sensorHeld = DeclaredError(
      "wsabi.sensor-held", .network, "another client has the lock of a sensor; nothing was captured")
    static let decisionNeeded = DeclaredError(
      "wsabi.decision-needed", .refused, "what came of an earlier capture is open; it is decided about first")
    static let captureUnknown = DeclaredError(
      "wsabi.capture-unknown", .network, "the answer to a capture was lost; it is not repeated by itself")
    static let captureWaiting = DeclaredError(
      "wsabi.capture-waiting", .network, "captured data is at the sensor still; 'operations resume' fetches it")
    static let captureLost = DeclaredError(
      "wsabi.capture-lost", .network, "captured data cannot be had any more; capture again")
    static let capturePartlyLost = DeclaredError(
      "wsabi.capture-partly-lost", .network, "of the data of a capture some is stored, and some cannot be had any more")
    static let captureCanceled = DeclaredError("wsabi.capture-canceled", .interrupted, "a capture was cancelled")
    static let capturesFailed = DeclaredError(
      "wsabi.captures-failed", .network, "some of several items were not captured")

    static let all = [
      notCaptured, settingNotTaken, sensorBusy, sensorHeld, decisionNeeded, captureUnknown, captureWaiting, captureLost,
      capturePartlyLost, captureCanceled, capturesFailed,
    ]
  }

  /// The stable codes.
  static let errorCodes = Code.all.map(\.catalogueEntry)

  /// Creates the problem of a report; nil if something is stored and nothing is missing.
  init?(_ report: CaptureReport, item: Int) {
    switch report.outcome.ending {
    case .givenUp, .refused(_, .canceled, _, _): self = .canceled(item: item)
    case .unknown(let reason):
      self = .unknown(item: item, reason: report.records.isEmpty ? reason : "\(reason); another capture is stored")
    case .failed(let step, let reason): self = .notCaptured(item: item, reason: "\(step.operation.words): \(reason)")
    case .refused(_, .sensorBusy, _, _): self = .busy(item: item)
    case .refused(_, .lockHeldByAnother, let message, _):
      self = .held(item: item, message: message, stealing: report.stealingWords)
    case .refused(.configure, .badValue, let message, _) where !message.isEmpty,
      .refused(.configure, .noSuchParameter, let message, _) where !message.isEmpty,
      .refused(.configure, .unsupported, let message, _) where !message.isEmpty:
      self = .notTaken(item: item, reason: message)
    case .refused(let step, let status, let message, _):
      let words = "'\(step.operation.words)' is answered with '\(status.word)'"
      self = .notCaptured(item: item, reason: message.isEmpty ? words : "\(words): \(message)")
    case .captured, .done:
      if let reason = report.waiting.firstReason {
        self = .waiting(item: item, reason: reason)
      } else if let reason = report.lost.firstReason ?? report.refused.firstReason {
        let (stored, lost) = (report.records.count, report.missingCount)
        let others = Set(report.lost.keys).union(report.refused.keys).count - lost
        if stored == 0 {
          self = .lost(item: item, reason: reason)
        } else if lost == 0 {
          self = .otherLost(item: item, lost: others, reason: reason)
        } else {
          let own = report.lost.merging(report.refused) { first, _ in first }
            .filter { !report.ofOthers.contains($0.key) }
          self = .partlyLost(item: item, stored: stored, lost: lost, reason: own.firstReason ?? reason)
        }
      } else if report.records.isEmpty {
        self = .notCaptured(item: item, reason: report.troubles.first ?? "nothing came")
      } else {
        return nil
      }
    }
  }

  /// The outcome of a capture, as a word for scripts.
  enum Outcome: String, CaseIterable, FieldValue {
    case stored
    case notCaptured = "not-captured"
    case unknown
    case waiting
    case lost
    case partlyLost = "partly-lost"
    case canceled
  }

  var outcome: Outcome {
    switch self {
    case .notCaptured, .notTaken, .busy, .held, .undecided, .several: .notCaptured
    case .unknown: .unknown
    case .waiting, .left: .waiting
    case .lost: .lost
    case .partlyLost, .otherLost: .partlyLost
    case .canceled: .canceled
    }
  }

}

extension [SensorUUID: String] {
  /// The reason of the first id.
  var firstReason: String? { self.min { $0.key.key < $1.key.key }?.value }
}
