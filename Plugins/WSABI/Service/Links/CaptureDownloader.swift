import PluginAPI
import Synchronization

/// Fetches captured data into the journal's store; needs neither session nor lock.
struct CaptureDownloader: Sendable {
  /// The outcome of one id.
  enum Ending: Sendable {
    case stored(CaptureRecord)
    /// The service no longer has it, or failed permanently.
    case lost(reason: String)
    /// The download can be retried later.
    case later(reason: String)
    /// An automatic retry would cost too much: the data is too large, too slow, or took longer than its time limit.
    case putOff(reason: String)
  }

  let caller: any SensorCaller
  let journal: any CaptureJournal
  let clock: LinkClock
  let times: LinkTimes
  /// The first wait before data is requested, in milliseconds.
  let firstWait: Int
  /// Limits the number of concurrent downloads.
  ///
  /// If many start at once, the first are soon safe and their sensors free, whereas running side by side would delay
  /// all of them until the last. Slow downloads do not hold up others for long.
  let turns: Turns
  /// The number of attempts for a download that fails in transit or cannot be stored.
  static let attempts = 3
  /// The reason given for data that the service does not have ready yet.
  static let notReady = "the service is still preparing the data"
  private static let notKept = "cannot store the data"
  /// The first and the last wait for room on the disk, in milliseconds; each is twice the one before.
  private static let (firstRoomPause, lastRoomPause) = (500, 8000)

  func fetch(_ number: JournalNumber, _ id: SensorUUID, _ run: SequenceRun) async -> Ending {
    // A service that states hours is polled sooner, as it reports itself whether the data is ready.
    let firstWait = min(firstWait, times.longestPollInMilliseconds)
    if firstWait > 0, await !run.sleep(firstWait, clock), run.isCancelled { return .later(reason: "given up") }
    var waited = 0
    var pause = times.firstPollInMilliseconds
    var failures = 0
    while true {
      if run.isCancelled { return .later(reason: "given up") }
      // A cancel interrupts it: the request is written down, and the data can be downloaded later.
      switch await run.perform({ await attempt(number, id, run) }) {
      case .ended(.putOff(let reason)):
        // If the journal cannot be written, the data is requested again, which only costs time.
        try? await journal.putOff(number, id, because: reason)
        return .putOff(reason: reason)
      case .ended(let ending): return ending
      case .notReady:
        guard waited < times.pollingInMilliseconds, run.effort == .full else { return .later(reason: Self.notReady) }
        run.report(.waiting(.preparingDownload, milliseconds: pause))
        guard await run.sleep(pause, clock) else { return .later(reason: "given up") }
        waited += pause
        pause = min(times.longestPollInMilliseconds, pause * 2)
      case .failed(let reason):
        failures += 1
        guard failures < Self.attempts, await run.sleep(times.firstPollInMilliseconds << failures, clock) else {
          return .later(reason: reason)
        }
      }
    }
  }

  private enum Attempt: Error {
    case ended(Ending)
    case notReady
    case failed(reason: String)
  }

  private func attempt(_ number: JournalNumber, _ id: SensorUUID, _ run: SequenceRun) async -> Attempt {
    let (sink, response): (HeadSink, SensorAnswer)
    do throws(Attempt) { (sink, response) = try await receive(number, id, run) } catch { return error }
    if response.status == .success {
      return await keep(number, sink, FinishedDownload(id: id, answer: response, start: sink.start), run)
    }
    sink.abandon()
    return await refused(number, id, response)
  }

  /// Requests the data when it is its turn; received data is stored while others are requested.
  ///
  /// - Throws: The attempt if nothing was received.
  private func receive(
    _ number: JournalNumber, _ id: SensorUUID, _ run: SequenceRun
  ) async throws(Attempt) -> (HeadSink, SensorAnswer) {
    let hasTurn = await turns.take(unless: run, within: times.downloadTurnInMilliseconds, clock)
    defer { if hasTurn { turns.pass() } }
    let sink: HeadSink
    do {
      sink = HeadSink(try await journal.sink(number, id))
    } catch {
      throw .failed(reason: error.message(or: Self.notKept))
    }
    do throws(SensorFault) {
      let request = SensorRequest(
        .download, capture: id, deadlineInSeconds: times.seconds(times.downloadInMilliseconds))
      // The task that reads the response also writes it to the disk.
      let response = try await withTaskExecutorPreference(WritingThread()) {
        () async throws(SensorFault) -> SensorAnswer in try await caller.ask(request, into: sink)
      }
      return (sink, response)
    } catch {
      sink.abandon()
      if let reason = reasonToPutOff(error, run, hasBegun: !sink.start.isEmpty) {
        throw .ended(.putOff(reason: reason))
      }
      guard case .notKept(let report) = error.kind, Self.isWorthWaiting(report) else {
        throw .failed(reason: error.report.message)
      }
      throw .ended(.later(reason: report.message))
    }
  }

  /// Returns the reason why data is not downloaded again automatically; nil if it may be.
  ///
  /// - Parameter hasBegun: True if data arrived.
  private func reasonToPutOff(_ fault: SensorFault, _ run: SequenceRun, hasBegun: Bool) -> String? {
    if fault.kind == .cancelled, run.effort == .besideCaptures, hasBegun {
      return "not received before the other captures ended"
    }
    switch fault.kind {
    // Another download would be as large and as slow.
    case .tooLarge, .tooSlow:
      let report = fault.report
      return [report.message, report.advice ?? ""].filter { !$0.isEmpty }.joined(separator: "; ")
    case .offline, .forbidden, .unreachable, .notTrusted, .otherKey, .timedOut, .cut, .status, .redirected,
      .notAService,
      .otherNamespace, .malformed, .refused, .incomplete, .brokenData, .notKept, .cancelled, .unaskable, .failed:
      return nil
    }
  }

  /// Stores the downloaded data; if there is no room, it retries with the received data instead of a new download.
  private func keep(
    _ number: JournalNumber, _ sink: HeadSink, _ download: FinishedDownload, _ run: SequenceRun
  ) async -> Attempt {
    var pause = Self.firstRoomPause
    while true {
      do {
        return .ended(.stored(try await journal.keep(number, sink.inner, download)))
      } catch {
        let report = (error as? any ReportableError)?.report
        let isWorthWaiting = report.map(Self.isWorthWaiting) ?? false
        if isWorthWaiting, pause <= Self.lastRoomPause, await run.sleep(pause, clock) {
          pause *= 2
          continue
        }
        sink.abandon()
        let reason = error.message(or: Self.notKept)
        // An immediate new download would fill the disk again.
        return isWorthWaiting ? .ended(.later(reason: reason)) : .failed(reason: reason)
      }
    }
  }

  /// Returns true if the same data may be stored a little later: the disk is full or read-only, or another process has
  /// the store.
  private static func isWorthWaiting(_ report: ErrorReport) -> Bool {
    let shared = [CommonStoreError.diskFull, CommonStoreError.readOnly, CommonStoreError.locked]
    return shared.map(\.code).contains(report.code) || report.code == "wsabi.disk-full"
  }

  private func refused(_ number: JournalNumber, _ id: SensorUUID, _ response: SensorAnswer) async -> Attempt {
    switch response.status {
    case .preparingDownload: return .notReady
    case .invalidID, .badValue:
      let reason = "the service no longer has the data (\(response.status.word))"
      do {
        try await journal.lost(number, id, because: reason)
      } catch {
        return .failed(reason: error.message(or: Self.notKept))
      }
      return .ended(.lost(reason: reason))
    case .success, .failure, .canceled, .canceledWithSensorFailure, .sensorFailure, .lockNotHeld, .lockHeldByAnother,
      .initializationNeeded, .configurationNeeded, .sensorBusy, .sensorTimeout, .unsupported, .noSuchParameter,
      .unknown:
      return .failed(reason: "the service responded with '\(response.status.word)'")
    }
  }
}

/// A sink that passes data on and keeps its first bytes, which determine the type.
final class HeadSink: DataSink {
  /// The destination of the data.
  let inner: any DataSink
  private let head = Mutex<[UInt8]>([])
  private static let limit = 64

  init(_ inner: any DataSink) { self.inner = inner }

  /// The first bytes, 64 at most.
  var start: [UInt8] { head.withLock { $0 } }

  func write(_ bytes: UnsafeRawBufferPointer) throws {
    head.withLock { head in
      guard head.count < Self.limit else { return }
      head += bytes.prefix(Self.limit - head.count)
    }
    try inner.write(bytes)
  }

  func abandon() { inner.abandon() }
}
