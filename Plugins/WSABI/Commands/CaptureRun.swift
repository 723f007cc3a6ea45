import PluginAPI
import Synchronization

/// Captures of one or several items, all at once, each repeated as often as is allowed until it is good enough.
struct CaptureRun: Sendable {
  let links: LinkManager
  let records: RecordStore
  /// How often a capture is repeated that failed without data, or whose quality is too low.
  var retries = 0
  /// From 0 to 100; nil if quality does not matter.
  var minimumQuality: Int?
  /// Makes of a stored capture what follows from its data, such as its quality and thumbnail; nil for nothing.
  var review: (@Sendable (CaptureRecord, Submodality) async throws -> CaptureRecord)?
  /// Waits, before a capture is repeated, until nobody looks for what was left over: it would be taken for that.
  var awaitTurn: (@Sendable () async throws -> Void)?
  /// Told of each item as soon as it is done.
  var onEnd: @Sendable (Result) -> Void = { _ in }

  /// What came of one item.
  struct Result: Sendable {
    var item: BiometricItem
    var report: CaptureReport
    /// How often the sensor was asked to capture, or to get ready for it.
    var attempts: Int
    var milliseconds: Double

    var problem: CaptureProblem? { CaptureProblem(report, item: item.id) }
  }

  /// Captures items over their links; what is cancelled ends at the sensors too.
  ///
  /// - Returns: What came of each, in the order of the items.
  func capture(_ items: [BiometricItem]) async throws -> [Result] {
    let orders = try items.map { item in
      CaptureOrder(
        item: item.id, address: try item.device.sensorAddress(),
        configuration: item.device.configuration)
    }
    let mark = CancelMark()
    // A task of its own: what a sensor answers after a cancel is still written down.
    let work = Task {
      await withTaskGroup(of: (Int, Result).self) { group in
        for (place, order) in orders.enumerated() {
          group.addTask {
            let result = await capture(items[place], order, mark)
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
      mark.set()
      for item in items { links.cancel(item: item.id) }
    }
    return items.indices.compactMap { results[$0] }
  }

  /// Whether the user wants no more of it.
  private final class CancelMark: Sendable {
    private let state = Mutex(false)
    var isSet: Bool { state.withLock { $0 } }
    func set() { state.withLock { $0 = true } }
  }

  private func capture(_ item: BiometricItem, _ order: CaptureOrder, _ mark: CancelMark) async -> Result {
    let start = SensorCommands.milliseconds()
    var best: CaptureReport?
    var last = CaptureReport(outcome: SequenceOutcome(ending: .givenUp))
    var attempts = 0
    var scores: [Int?] = []
    let rule = KeepBest(minimumQuality: minimumQuality, mostTries: retries + 1)
    while attempts <= retries, !mark.isSet {
      if attempts > 0, let awaitTurn, (try? await awaitTurn()) == nil { break }
      attempts += 1
      last = await reviewed(await links.capture(order), item.submodality)
      if !last.records.isEmpty {
        let isBetter = best.map { quality(last) > quality($0) } ?? true
        let worse = isBetter ? best : last
        if isBetter { best = last }
        // What is not the best goes only once the better one is stored.
        for record in worse?.records ?? [] { try? await records.deleteCapture(record.id) }
        scores.append(last.records.first?.quality?.score)
        if last.isCancelled || rule.advice(scores) != .again { break }
      } else if last.isCancelled || !isWorthRepeating(last) {
        break
      }
    }
    return Result(
      item: item, report: best ?? last, attempts: attempts, milliseconds: SensorCommands.milliseconds() - start)
  }

  /// A report with its captures reviewed; the captures are stored whatever comes of it.
  private func reviewed(_ report: CaptureReport, _ submodality: Submodality) async -> CaptureReport {
    guard let review else { return report }
    var report = report
    for (place, record) in report.records.enumerated() {
      do {
        report.records[place] = try await review(record, submodality)
      } catch {
        report.troubles.append((error as? any ReportableError)?.report.message ?? "the capture cannot be judged")
      }
    }
    return report
  }

  /// The quality of the first data of a capture; -1 if nobody scored it.
  private func quality(_ report: CaptureReport) -> Int { report.records.first?.quality?.score ?? -1 }

  /// Whether the service said itself that there is no capture; an unknown outcome is never repeated.
  private func isWorthRepeating(_ report: CaptureReport) -> Bool {
    switch report.outcome.ending {
    case .refused(_, let status, _, _):
      [.sensorTimeout, .sensorFailure, .failure, .sensorBusy, .canceledWithSensorFailure].contains(status)
    case .failed: true
    case .captured, .done, .unknown, .givenUp: false
    }
  }
}
