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

    var problem: CaptureProblem? { CaptureProblem(report, item: item.id, at: item.device.address) }
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
    report.troubles += kept.messages
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
    var messages: [String] {
      reasons.map { "cannot delete a worse attempt: \($0)" }
        + (isNewest ? ["a later, worse attempt is stored beside the best one, and the item shows it"] : [])
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
          let reason = (error as? any ReportableError)?.report.message ?? "cannot write to the store"
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
      report.troubles.append((error as? any ReportableError)?.report.message ?? "cannot review the capture")
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
struct CaptureProblem: Equatable {
  let outcome: CapturedItem.Outcome
  /// The error for users and scripts.
  let report: ErrorReport

  private init(_ outcome: CapturedItem.Outcome, _ report: ErrorReport) {
    (self.outcome, self.report) = (outcome, report)
  }

  private static let notCaptured = DeclaredError(
    "wsabi.not-captured", .network, "a sensor refused a capture, or an earlier step failed")
  static func notCaptured(item: Int, at address: String, reason: String, advice: String? = nil) -> Self {
    Self(
      .notCaptured,
      notCaptured(
        "item \(item) was not captured at '\(address)': \(shortText(reason))",
        advice: advice ?? "check the sensor and try again", isRetryable: true))
  }
  private static let notTaken = DeclaredError(
    "wsabi.setting-not-taken", .network, "a sensor rejected a setting of an item; nothing was captured")
  static func notTaken(item: Int, at address: String, reason: String) -> Self {
    Self(
      .notCaptured,
      notTaken(
        "item \(item) was not captured at '\(address)': \(shortText(reason))",
        advice: "list the settings of the sensor with 'sensor check \(address)', and change the item with 'item edit "
          + "\(item)'"))
  }
  private static let busy = DeclaredError("wsabi.sensor-busy", .network, "a sensor stayed busy until the timeout")
  static func busy(item: Int, at address: String) -> Self {
    Self(
      .notCaptured,
      busy(
        "item \(item) was not captured at '\(address)': the sensor stayed busy",
        advice: "list the captures of this station with 'operations', and cancel one with 'operations cancel N'",
        isRetryable: true))
  }
  private static let unknown = DeclaredError(
    "wsabi.capture-unknown", .network, "the response to a capture was lost; it is not retried automatically")
  static func unknown(item: Int, at address: String, reason: String) -> Self {
    Self(
      .unknown,
      unknown(
        "the capture of item \(item) at '\(address)' has an unknown outcome: \(shortText(reason))",
        advice: "it is not retried automatically; capture again if the person is still there"))
  }
  private static let captureWaiting = DeclaredError(
    "wsabi.capture-waiting", .network, "captured data is still at the sensor; download it with 'operations resume'")
  static func waiting(item: Int, at address: String, reason: String) -> Self {
    Self(
      .waiting,
      captureWaiting(
        "item \(item) was captured, but its data is still at '\(address)': \(shortText(reason))",
        advice: "download it with 'workbench wsabi operations resume'", isRetryable: true))
  }
  private static let lost = DeclaredError("wsabi.capture-lost", .network, "captured data is lost; capture again")
  static func lost(item: Int, at address: String, reason: String) -> Self {
    Self(
      .lost,
      lost(
        "item \(item) was captured at '\(address)', but its data is lost: \(shortText(reason))", advice: "capture again"
      ))
  }
  private static let capturePartlyLost = DeclaredError(
    "wsabi.capture-partly-lost", .network, "some data of a capture is stored, and some is lost")
  static func partlyLost(item: Int, at address: String, stored: Int, lost: Int, reason: String) -> Self {
    Self(
      .partlyLost,
      capturePartlyLost(
        "item \(item) was captured in part at '\(address)': \(stored) of \(stored + lost) stored, \(lost) lost: "
          + shortText(reason),
        advice: "list the stored captures with 'item captures \(item)', and capture again if something is missing"))
  }
  /// The kept attempt is stored completely, but data of another attempt is lost; `lost` is the number of ids.
  static func otherLost(item: Int, at address: String, lost: Int, reason: String) -> Self {
    Self(
      .partlyLost,
      capturePartlyLost(
        "item \(item) was captured and stored; \(lost) of another attempt at '\(address)' are lost: "
          + shortText(reason), advice: "check the stored captures with 'item captures \(item)'"))
  }
  /// Data of earlier runs is still at its sensors: the number of captures, and the number of ids.
  static func left(captures: Int, ids: Int) -> ErrorReport {
    captureWaiting(
      "data is still at the sensors: \(ids) \(ids == 1 ? "id" : "ids") of \(captures) "
        + (captures == 1 ? "capture" : "captures"),
      advice: "run 'operations resume' again when the sensors are ready, or give up lost data with 'operations "
        + "discard N'", isRetryable: true)
  }
  private static let held = DeclaredError(
    "wsabi.sensor-held", .network, "another client holds the lock of a sensor; nothing was captured")
  /// Another client holds the sensor's lock; the service's message about it, and when the lock can be stolen.
  static func held(item: Int, at address: String, message: String, stealing: String) -> Self {
    Self(
      .notCaptured,
      held(
        "item \(item) was not captured at '\(address)': another client holds the lock of the sensor ("
          + (message.isEmpty ? "the service names no client or time" : "the service says: \(shortText(message))") + ")",
        advice: "wait until it is released, or steal it for the next capture with 'sensor steal \(address)'"
          + (stealing.isEmpty ? "; the service does not say after what time it allows stealing" : ": \(stealing)"),
        isRetryable: true))
  }
  private static let undecided = DeclaredError(
    "wsabi.decision-needed", .refused, "the outcome of an earlier capture is undecided; decide first")
  static func undecided(items: [Int]) -> ErrorReport {
    undecided(
      "the outcome of an earlier capture is undecided, so this was not captured again: "
        + (items.count == 1 ? "item " : "items ") + items.map(String.init).joined(separator: ", "),
      advice: "see 'item show N'; if the person is still there, capture it with 'capture N' or '--again'")
  }
  private static let canceled = DeclaredError("wsabi.capture-canceled", .interrupted, "a capture was canceled")
  static func canceled(item: Int) -> Self {
    Self(
      .canceled, canceled("the capture of item \(item) was canceled", advice: "capture again when the person is ready"))
  }
  private static let several = DeclaredError(
    "wsabi.captures-failed", .network, "some of several items were not captured")
  static func several(failed: Int, of count: Int) -> ErrorReport {
    several(
      "\(failed) of \(count) items were not captured",
      advice:
        "see the result of each; 'capture --person P --missing' captures items without data, and asks first where "
        + "a capture may exist")
  }

  /// Returns a reason without the operation and address at its start.
  private static func shortText(_ reason: String) -> String {
    SanitizedText.line(ProblemText.short(reason), limit: 300)
  }

  /// The stable codes.
  static let errorCodes = [
    notCaptured, notTaken, busy, held, undecided, unknown, captureWaiting, lost, capturePartlyLost, canceled, several,
  ].map(\.catalogueEntry)

  /// Creates the problem of a report; nil if something is stored and nothing is missing.
  ///
  /// - Parameter address: The address of the sensor, which every message about it names.
  init?(_ report: CaptureReport, item: Int, at address: String) {
    switch report.outcome.ending {
    case .givenUp, .refused(_, .canceled, _, _): self = .canceled(item: item)
    case .unknown(let reason):
      self = .unknown(
        item: item, at: address, reason: report.records.isEmpty ? reason : "\(reason); another capture is stored")
    case .failed(let step, let reason, let advice):
      let text = "\(step.operation.words): \(ProblemText.short(reason))"
      self = .notCaptured(item: item, at: address, reason: text, advice: advice)
    case .refused(_, .sensorBusy, _, _): self = .busy(item: item, at: address)
    case .refused(_, .lockHeldByAnother, let message, _):
      self = .held(item: item, at: address, message: message, stealing: report.stealingWords)
    case .refused(.configure, .badValue, let message, _) where !message.isEmpty,
      .refused(.configure, .noSuchParameter, let message, _) where !message.isEmpty,
      .refused(.configure, .unsupported, let message, _) where !message.isEmpty:
      self = .notTaken(item: item, at: address, reason: message)
    case .refused(let step, let status, let message, _):
      let text = "the sensor responded to '\(step.operation.words)' with '\(status.word)'"
      self = .notCaptured(item: item, at: address, reason: message.isEmpty ? text : "\(text): \(message)")
    case .captured, .done:
      if let reason = report.waiting.firstReason {
        self = .waiting(item: item, at: address, reason: reason)
      } else if let reason = report.lost.firstReason ?? report.refused.firstReason {
        let (stored, lost) = (report.records.count, report.missingCount)
        let others = Set(report.lost.keys).union(report.refused.keys).count - lost
        if stored == 0 {
          self = .lost(item: item, at: address, reason: reason)
        } else if lost == 0 {
          self = .otherLost(item: item, at: address, lost: others, reason: reason)
        } else {
          let own = report.lost.merging(report.refused) { first, _ in first }
            .filter { !report.ofOthers.contains($0.key) }
          self = .partlyLost(item: item, at: address, stored: stored, lost: lost, reason: own.firstReason ?? reason)
        }
      } else if report.records.isEmpty {
        self = .notCaptured(item: item, at: address, reason: report.troubles.first ?? "no data received")
      } else {
        return nil
      }
    }
  }
}

extension [SensorUUID: String] {
  /// The reason of the first id.
  var firstReason: String? { self.min { $0.key.key < $1.key.key }?.value }
}
