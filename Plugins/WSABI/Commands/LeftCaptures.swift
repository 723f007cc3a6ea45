import PluginAPI
import Synchronization

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
    call.report(Progress("finishing captures of an earlier run"))
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
      CaptureProblem(report, item: entry.intent.item, at: entry.intent.address.text).map { $0.outcome != .waiting }
        ?? false
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
        "\(reports.count) \(reports.count == 1 ? "capture" : "captures") of an earlier run: \(stored) stored, "
          + "\(unknown) with unknown outcome"
          + (waiting > 0 ? ", \(waiting) still at their sensors" : ""),
        advice: waiting > 0 ? "download the data at the sensors with 'operations resume'" : nil))
    let records = station.records(call.context)
    for (entry, report) in finished {
      if !report.records.isEmpty, let item = try? await records.item(entry.intent.item) {
        for warning in CaptureCheck.warnings(report, item) { call.warn(warning.diagnostic) }
      }
      guard let problem = CaptureProblem(report, item: entry.intent.item, at: entry.intent.address.text) else {
        continue
      }
      call.warn(Diagnostic(problem.report, .warning))
    }
  }
}

/// The captures that an earlier process did not finish, while their data is downloaded.
struct Resumption: Sendable {
  typealias Finished = (entry: UnfinishedCapture, report: CaptureReport)

  /// The unfinished captures, oldest first.
  let entries: [UnfinishedCapture]
  /// The entries for which a caller waits.
  private let awaited: Task<[Finished], Never>
  private let others: Task<[Finished], Never>
  private let all: Task<[Finished], Never>

  /// Starts finishing entries.
  ///
  /// - Parameters:
  ///   - items: The items whose entries ``awaited(withinMilliseconds:)`` waits for.
  ///   - finish: Fetches the data of some entries.
  ///   - onEnd: Called once everything has ended.
  init(
    _ entries: [UnfinishedCapture], awaiting items: Set<Int>,
    _ finish: @escaping @Sendable ([UnfinishedCapture]) async -> [Finished], onEnd: @escaping @Sendable () -> Void
  ) {
    self.entries = entries
    let awaited = Task { await finish(entries.filter { items.contains($0.intent.item) }) }
    let others = Task { await finish(entries.filter { !items.contains($0.intent.item) }) }
    (self.awaited, self.others) = (awaited, others)
    all = Task {
      let finished = await awaited.value + others.value
      onEnd()
      return finished.sorted { $0.entry.number.value < $1.entry.number.value }
    }
  }

  /// A report for each entry, oldest first, once everything has ended.
  var finished: [Finished] {
    get async {
      await withTaskCancellationHandler {
        await all.value
      } onCancel: {
        awaited.cancel()
        others.cancel()
      }
    }
  }

  /// Returns the reports of the awaited entries; empty if they have not ended in time.
  func awaited(withinMilliseconds limit: Int) async -> [Finished] {
    let awaited = awaited
    let (ended, end) = AsyncStream.makeStream(of: [Finished].self)
    let waiting = Task {
      end.yield(await awaited.value)
      end.finish()
    }
    let timer = Task {
      try? await Task.sleep(for: .milliseconds(limit))
      end.finish()
    }
    defer {
      waiting.cancel()
      timer.cancel()
    }
    for await finished in ended { return finished }
    return []
  }
}

/// Releases, beside a command, the locks that killed runs left at sensors, and reports them.
struct LeftLocks: Sendable {
  private let station: Station
  private let watcher: Int
  private let work: Task<Void, Never>

  /// Starts if the store is open; nothing waits for it.
  ///
  /// - Parameters:
  ///   - addresses: The sensors whose refused releases are reported too; nil for all.
  ///   - stolen: True to also release locks that were stolen for the next capture at their sensor.
  init(_ call: CommandCall, _ station: Station, reporting addresses: Set<String>? = nil, stolen: Bool = false) {
    self.station = station
    watcher = station.watch { note in
      guard case .leftLock(let address, let isGivenBack) = note else { return }
      if isGivenBack || addresses?.contains(address.text) ?? true { call.warn(Self.diagnostic(address, isGivenBack)) }
    }
    let links = station.links(call.context)
    work = Task { await links.giveBackLeft(stolen: stolen) }
  }

  /// Ends the releases.
  ///
  /// - Parameter waits: True to await the release in progress, which takes seconds.
  func end(waits: Bool) async {
    if !waits { work.cancel() }
    await withTaskCancellationHandler {
      await work.value
    } onCancel: {
      work.cancel()
    }
    station.unwatch(watcher)
  }

  private static func diagnostic(_ address: SensorAddress, _ isGivenBack: Bool) -> Diagnostic {
    isGivenBack
      ? Diagnostic(
        .note, code: "wsabi.lock-given-back",
        "released the lock and session that an earlier run left at '\(address.text)'")
      : Diagnostic(
        .warning, code: "wsabi.lock-left",
        "cannot release the lock that an earlier run may have left at '\(address.text)'",
        advice: "try again with 'operations resume', or take the lock with 'sensor steal \(address.text)'")
  }

  /// Returns the warning about a lock that this run could not release; the journal keeps it.
  ///
  /// - Parameter isInUse: True while screens use the session of the lock, which only this process may release then.
  static func keptLock(_ address: String, isInUse: Bool = false) -> Diagnostic {
    let release = "release it with 'workbench wsabi sensor unlock \(address)'"
    return Diagnostic(
      .warning, code: "wsabi.lock-left", "cannot release the lock of the sensor at '\(address)'",
      advice: isInUse ? "close all lists of people; if it stays locked, \(release)" : release)
  }

  static let codes: [ErrorCodeDescription] = [
    .init("wsabi.lock-given-back", "a lock that a killed run left at a sensor was released"),
    .init("wsabi.lock-left", "a lock of this station at a sensor could not be released yet"),
  ]
}

/// A lock that keeps captures apart from the search for leftovers, in this process and among all processes that use a
/// store.
///
/// Other processes see captures only while there are some, so that each of them can search in between.
final class CaptureTurns: Sendable {
  private struct State {
    /// True while an operation runs that excludes captures.
    var isLooking = false
    /// The number of captures and downloads in progress.
    var captures = 0
    /// The claim held during captures or a search.
    var claim: CaptureClaim?
  }

  private let state = Mutex(State())

  /// True while something is captured or downloaded.
  var isCapturing: Bool { state.withLock { $0.captures > 0 } }

  /// Starts capturing, until ``endCapturing()``.
  ///
  /// - Parameter folder: The folder of the store.
  /// - Returns: False while a search for leftovers runs.
  func beginCapturing(_ folder: String) throws(ErrorReport) -> Bool {
    try state.withLock { state throws(ErrorReport) in
      if state.isLooking { return false }
      if state.captures == 0 {
        let claim = try CaptureClaim(folder: folder)
        guard try Self.holds(claim, claim.share) else { return false }
        state.claim = claim
      }
      state.captures += 1
      return true
    }
  }

  func endCapturing() {
    state.withLock { state in
      state.captures -= 1
      if state.captures == 0 { Self.release(&state) }
    }
  }

  private static func release(_ state: inout State) {
    state.claim?.release()
    state.claim = nil
  }

  /// Returns true if a claim is granted; releases it otherwise.
  private static func holds(
    _ claim: CaptureClaim, _ isGranted: () throws(ErrorReport) -> Bool
  ) throws(ErrorReport) -> Bool {
    do throws(ErrorReport) {
      if try isGranted() { return true }
    } catch {
      claim.release()
      throw error
    }
    claim.release()
    return false
  }

  /// Starts an operation that excludes captures, until ``endLooking(beginsCapturing:)``.
  ///
  /// - Returns: False while a capture or another such operation runs.
  func beginLooking(_ folder: String) throws(ErrorReport) -> Bool {
    try state.withLock { state throws(ErrorReport) in
      guard !state.isLooking, state.captures == 0 else { return false }
      let claim = try CaptureClaim(folder: folder)
      guard try Self.holds(claim, claim.claimAlone) else { return false }
      (state.claim, state.isLooking) = (claim, true)
      return true
    }
  }

  /// - Parameter beginsCapturing: True if the findings are downloaded now, until ``endCapturing()``, without a gap in
  ///   between.
  func endLooking(beginsCapturing: Bool) {
    state.withLock { state in
      state.isLooking = false
      guard beginsCapturing else { return Self.release(&state) }
      // Sharing an exclusive claim cannot fail because of others.
      _ = try? state.claim?.share()
      state.captures += 1
    }
  }
}
