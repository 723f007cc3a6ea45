import PluginAPI

/// Finishes captures of earlier runs beside new ones, and reports them.
///
/// Data of other items is downloaded in the background. Data that has not arrived by the end of the new captures stays
/// at its sensor, so that a slow sensor, or one with much data, does not hold up the others.
struct LeftCaptures: Sendable {
  private let call: CommandCall
  private let station: Station
  /// Nil if there are no leftovers, or captures are in progress.
  private let resumption: Resumption?
  private let captures = SequenceRun()

  /// Starts, if there are leftovers.
  ///
  /// - Parameter items: The items that are to be captured.
  init(_ call: CommandCall, _ station: Station, _ items: [BiometricItem]) async throws {
    (self.call, self.station) = (call, station)
    guard try await !station.records(call.context).unfinished().isEmpty else {
      resumption = nil
      return
    }
    call.report(Progress("finishing what an earlier run left"))
    resumption = try await station.resuming(call.context, beside: captures, awaiting: Set(items.map(\.id)))
    if resumption == nil { call.warn(OperationCommands.notResumed) }
  }

  /// Returns the items whose earlier capture turns out to be unknown or lost.
  ///
  /// It waits for unfinished captures of the items that are to be captured, and not for long: if their data arrives,
  /// the person need not be captured again.
  func news() async -> Set<Int> {
    guard let resumption else { return [] }
    let unknown = resumption.entries.filter(\.waiting.isEmpty).map(\.intent.item)
    let finished = await resumption.awaited(withinMilliseconds: station.limitBeforeCapture)
    let open = finished.filter { entry, report in
      CaptureProblem(report, item: entry.intent.item).map { $0.word != "waiting" } ?? false
    }
    return Set(unknown + open.map(\.entry.intent.item))
  }

  /// Ends it, and reports every capture that was left.
  func end() async {
    captures.cancel()
    guard let finished = await resumption?.finished else { return }
    let reports = finished.map(\.report)
    let stored = reports.reduce(0) { $0 + $1.records.count }
    let unknown = reports.count { if case .unknown = $0.outcome.ending { true } else { false } }
    let waiting = reports.reduce(0) { $0 + $1.waiting.count }
    call.warn(
      Diagnostic(
        .note, code: "wsabi.resumed",
        "\(reports.count) captures of an earlier run: \(stored) stored, \(unknown) with unknown outcome"
          + (waiting > 0 ? ", \(waiting) at their sensors still" : ""),
        advice: waiting > 0 ? "'operations resume' waits longer for what is at the sensors" : nil))
    let records = station.records(call.context)
    for (entry, report) in finished {
      if !report.records.isEmpty, let item = try? await records.item(entry.intent.item) {
        for warning in CaptureCheck.warnings(report, item) { call.warn(warning.diagnostic) }
      }
      guard let told = CaptureProblem(report, item: entry.intent.item)?.report else { continue }
      call.warn(Diagnostic(.warning, code: told.code, told.message, advice: told.advice))
    }
  }
}
