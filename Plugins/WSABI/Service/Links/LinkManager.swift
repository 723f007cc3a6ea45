import PluginAPI
import PluginStore
import PluginText
import Synchronization

/// All links of a station: created at the first use of an address, shared by the items that name it.
///
/// Every response of a sensor is reported under the item of its request.
final class LinkManager: Sendable {
  private struct State {
    /// By address and trust: a link with less trust must not serve an item that requires more.
    var links: [SensorAddress: SensorLink] = [:]
    var operations: [Int: Operation] = [:]
    var tickets: [ObjectIdentifier: CaptureTicket] = [:]
    var count = 0
  }

  private struct Operation {
    var shown: PendingOperation
    var run: SequenceRun
    /// The ticket of the order, if the operation is a capture that may be repeated.
    var ticket: CaptureTicket?
    /// True if all operations were ended while it was in progress.
    var isEnding = false
  }

  private let makeCaller: @Sendable (SensorAddress) -> any SensorCaller
  let journal: any CaptureJournal
  let clock: LinkClock
  let times: LinkTimes
  let onNote: @Sendable (LinkNote) -> Void
  /// The turns of downloads: enough that no processor waits for a disk or a sensor.
  private let downloads = Turns(places: 8 * max(2, Processors.count))
  /// For downloads of leftover data, so that slow ones keep no new capture waiting.
  private let leftoverDownloads = Turns(places: 8 * max(2, Processors.count))
  private let state = Mutex(State())

  /// Creates a manager without links.
  ///
  /// - Parameter onNote: Receives events, in order for each link, on any thread; must return quickly.
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

  /// Returns the link of an address.
  func link(_ address: SensorAddress) -> SensorLink {
    if let link = state.withLock({ $0.links[address] }) { return link }
    // It opens a camera of this machine, which takes time.
    let made = SensorLink(makeCaller(address), clock, times, journal)
    return state.withLock { state in
      if let link = state.links[address] { return link }
      state.links[address] = made
      return made
    }
  }

  /// Passes on a service's information, requested elsewhere, to the link of its address, if there is one.
  func hear(_ information: ServiceInformation, from address: SensorAddress) async {
    await state.withLock { $0.links[address] }?.update(information)
  }

  /// The operations in progress, in the order in which they began.
  var operations: [PendingOperation] {
    state.withLock { $0.operations.values.map(\.shown) }.sorted { $0.number < $1.number }
  }

  /// True if no operation is in progress and nothing is ordered.
  var isIdle: Bool { state.withLock { $0.operations.isEmpty && $0.tickets.isEmpty } }
}

// MARK: - Sequences

extension LinkManager {
  /// Prepares links, all concurrently; failures are reported by events and retried when needed.
  func connect(_ addresses: [SensorAddress]) async {
    await withTaskGroup(of: Void.self) { group in
      for address in Set(addresses).sorted(by: { $0.text < $1.text }) {
        group.addTask { _ = await self.reach(.connect, address, item: nil) }
      }
    }
  }

  /// Configures a sensor ahead of a capture, including missing earlier steps.
  @discardableResult
  func configureAhead(_ order: CaptureOrder) async -> SequenceOutcome {
    let outcome = await reach(.configure(order.configuration), order.address, item: order.item)
    onNote(.prepared(item: order.item, order.address, outcome))
    return outcome
  }

  /// Releases lock and session of an address.
  ///
  /// - Returns: True if the lock is released; otherwise the journal keeps it.
  @discardableResult
  func disconnect(_ address: SensorAddress) async -> Bool {
    let outcome = await reach(.disconnect, address, item: nil)
    await journal.settleLocks()
    return !outcome.keepsLock
  }

  /// Captures for an item, and stores everything that the sensor delivers for it.
  ///
  /// It returns when everything is stored, lost, or left for later.
  /// - Parameter ticket: The ticket of the order, if this is one of several attempts.
  func capture(_ order: CaptureOrder, by ticket: CaptureTicket? = nil) async -> CaptureReport {
    let recorder = CaptureRecorder(order, journal, clock)
    onNote(.capturing(item: order.item, order.address))
    let run = begin(order.address, item: order.item, isCapture: true, recorder.hooks, ticket)
    defer { end(run.number) }
    // Captured data is downloaded while the lock is released.
    async let fetched = fetchWritten(recorder, order, run.number)
    var report = CaptureReport(outcome: await reach(.capture(order.configuration), order.address, run.run))
    if !report.outcome.hasCaptured, report.outcome.ending != .done {
      onNote(.ended(item: order.item, order.address, report.outcome))
    }
    report.isCancelled = run.run.isCancelled
    if case .refused(_, .lockHeldByAnother, _, _) = report.outcome.ending {
      report.stealingWords = (try? await link(order.address).knownInformation())?.stealingWords ?? ""
    }
    recorder.close()
    if recorder.hasUnwritten {
      _ = await fetched
      await write(recorder, order, renewed(run.number))
      if recorder.hasUnwritten { return await giveUp(recorder, order, report) }
      report.take(await fetchWritten(recorder, order, run.number))
    } else {
      report.take(await fetched)
    }
    report.troubles = recorder.troubles
    report.oddities = recorder.oddities
    return report
  }

  /// Downloads a capture's data as soon as its ids are written.
  private func fetchWritten(_ recorder: CaptureRecorder, _ order: CaptureOrder, _ operation: Int) async -> CaptureReport
  {
    await recorder.waitForIDs()
    var report = CaptureReport(outcome: SequenceOutcome(ending: .done))
    guard !recorder.hasUnwritten, !(recorder.ids.isEmpty && recorder.refused.isEmpty), let number = recorder.number
    else {
      return report
    }
    // A cancel that came after the capture was too late: its data is downloaded. A cancel from now on ends the
    // download.
    let run = renewed(operation)
    onNote(.captured(item: order.item, order.address, ids: recorder.ids))
    for id in recorder.refused {
      report.refused[id] = Self.refusal
      onNote(.lost(item: order.item, order.address, id, reason: Self.refusal))
    }
    await fetch(recorder.ids, number, order, run, operation, into: &report)
    return report
  }

  /// Writes ids that could not be written at once, however long it takes, as they cannot be requested again.
  private func write(_ recorder: CaptureRecorder, _ order: CaptureOrder, _ run: SequenceRun) async {
    var (waited, pause) = (0, times.firstPollInMilliseconds)
    while recorder.hasUnwritten, await !recorder.writeIDs() {
      let reason = recorder.troubles.last ?? "cannot write the journal"
      onNote(.trouble(item: order.item, order.address, reason: "the capture was not saved: \(reason)"))
      guard waited < times.pollingInMilliseconds, await run.sleep(pause, clock) else { return }
      waited += pause
      pause = min(times.longestPollInMilliseconds, pause * 2)
    }
  }

  /// Reports captured data as lost, as it cannot be found again: the journal does not have its ids.
  private func giveUp(_ recorder: CaptureRecorder, _ order: CaptureOrder, _ report: CaptureReport) async
    -> CaptureReport
  {
    var report = report
    let reason = "cannot write its ids to the journal: \(recorder.troubles.last ?? "cannot write the journal")"
    for id in recorder.ids {
      report.lost[id] = reason
      onNote(.lost(item: order.item, order.address, id, reason: reason))
    }
    await recorder.giveUp()
    report.troubles = recorder.troubles
    return report
  }

  /// The reason given for an id that the journal refuses.
  private static let refusal = "the capture id is not new: its data belongs to another item, or is already stored"

  private func reach(_ goal: SequenceGoal, _ address: SensorAddress, item: Int?) async -> SequenceOutcome {
    let run = begin(address, item: item, SequenceRun.CaptureHooks())
    defer { end(run.number) }
    return await reach(goal, address, run.run)
  }

  private func reach(_ goal: SequenceGoal, _ address: SensorAddress, _ run: SequenceRun) async -> SequenceOutcome {
    let link = link(address)
    let outcome = await link.reach(goal, run)
    onNote(.connected(address, isReady: await link.isReady))
    return outcome
  }
}

// MARK: - Downloads

extension LinkManager {
  /// The number of ids of one capture that are downloaded concurrently.
  private static let parallelDownloads = 4

  /// Downloads the data of some ids.
  ///
  /// - Returns: The ids whose data is put off and must not be requested again.
  @discardableResult
  func fetch(
    _ ids: [SensorUUID], _ number: JournalNumber, _ order: CaptureOrder, _ run: SequenceRun, _ operation: Int,
    into report: inout CaptureReport
  ) async -> [SensorUUID] {
    if ids.isEmpty { return [] }
    // Leftover data is already old enough.
    let information = run.effort != .full ? nil : try? await link(order.address).knownInformation()
    let downloader = CaptureDownloader(
      caller: makeCaller(order.address), journal: journal, clock: clock, times: times,
      firstWait: information?.postAcquisitionProcessingTimeInMilliseconds ?? 0,
      turns: run.effort == .full ? downloads : leftoverDownloads)
    var endings: [SensorUUID: CaptureDownloader.Ending] = [:]
    await withTaskGroup(of: (SensorUUID, CaptureDownloader.Ending).self) { group in
      var remaining = ids[...]
      func add() {
        guard let id = remaining.popFirst() else { return }
        update(operation, .downloading(id))
        group.addTask { (id, await downloader.fetch(number, id, run)) }
      }
      for _ in 0..<Self.parallelDownloads { add() }
      for await (id, ending) in group {
        endings[id] = ending
        self.report(ending, id, order)
        add()
      }
    }
    var putOff: [SensorUUID] = []
    for id in ids {
      switch endings[id] {
      case .stored(let record): report.records.append(record)
      case .lost(let reason): report.lost[id] = reason
      case .later(let reason): report.waiting[id] = reason
      case .putOff(let reason):
        report.waiting[id] = reason
        putOff.append(id)
      case nil: break
      }
    }
    return putOff
  }

  private func report(_ ending: CaptureDownloader.Ending, _ id: SensorUUID, _ order: CaptureOrder) {
    switch ending {
    case .stored(let record): onNote(.stored(item: order.item, record))
    case .lost(let reason): onNote(.lost(item: order.item, order.address, id, reason: reason))
    case .later, .putOff: break
    }
  }
}

// MARK: - Operations in progress

extension LinkManager {
  func begin(
    _ address: SensorAddress, item: Int?, isCapture: Bool = false, _ hooks: SequenceRun.CaptureHooks,
    _ ticket: CaptureTicket? = nil
  ) -> (number: Int, run: SequenceRun) {
    let number = state.withLock { state in
      state.count += 1
      return state.count
    }
    let run = SequenceRun(hooks: hooks) { [weak self] progress in self?.progressed(number, address, item, progress) }
    let shown = PendingOperation(
      number: number, address: address, item: item, isCapture: isCapture, stage: .queued, began: clock.now())
    state.withLock { state in state.operations[number] = Operation(shown: shown, run: run, ticket: ticket) }
    if ticket?.isCancelled == true { run.cancel() }
    return (number, run)
  }

  /// Returns a new run that a cancel of the operation ends from now on.
  private func renewed(_ number: Int) -> SequenceRun {
    let old = state.withLock { $0.operations[number] }
    guard let old else { return SequenceRun() }
    let run = SequenceRun(report: old.run.report)
    let isEnding = state.withLock { state in
      state.operations[number]?.run = run
      return state.operations[number]?.isEnding ?? true
    }
    if isEnding { run.cancel() }
    return run
  }

  func end(_ number: Int) { state.withLock { state in state.operations[number] = nil } }

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
    case .held(let message): onNote(.held(address, message: SanitizedText.line(message, limit: 100)))
    case .canceling: update(number, .canceling)
    case .leftLock(let isGivenBack): onNote(.leftLock(address, isGivenBack: isGivenBack))
    case .lockKept: onNote(.lockKept(address))
    }
  }

  /// Ends an operation; what a sensor has begun is canceled there.
  ///
  /// - Returns: True if there was such an operation.
  @discardableResult
  func cancel(_ number: Int) -> Bool {
    let operation = state.withLock { $0.operations[number] }
    operation?.ticket?.cancel()
    operation?.run.cancel()
    return operation != nil
  }

  /// Ends all operations and orders of an item.
  func cancel(item: Int) {
    let (runs, tickets) = state.withLock { state in
      (
        state.operations.values.filter { $0.shown.item == item }.map(\.run),
        state.tickets.values.filter { $0.item == item }
      )
    }
    for ticket in tickets { ticket.cancel() }
    // An operation that begins now sees its ticket.
    for run in runs { run.cancel() }
  }

  /// Notes that captures of an item were ordered, until ``end(_:)-(CaptureTicket)``: a cancel of the item ends them.
  func ticket(item: Int) -> CaptureTicket {
    let ticket = CaptureTicket(item: item)
    state.withLock { $0.tickets[ObjectIdentifier(ticket)] = ticket }
    return ticket
  }

  /// Returns true if captures of an item are ordered, even if no request was sent to a sensor yet.
  func isOrdered(_ item: Int) -> Bool { state.withLock { $0.tickets.values.contains { $0.item == item } } }

  func end(_ ticket: CaptureTicket) { state.withLock { $0.tickets[ObjectIdentifier(ticket)] = nil } }

  /// Steals the lock of an address from its holder; only at a person's request.
  func steal(_ address: SensorAddress, cancels: Bool) async throws(SensorFault) -> SensorAnswer {
    let response = try await link(address).steal(cancels: cancels)
    if response.status == .success { onNote(.stolen(address)) }
    return response
  }

  /// Ends all operations and releases all locks and sessions, as far as the services respond in time.
  ///
  /// Later operations are served as before.
  func close() async {
    let (links, runs, tickets) = state.withLock { state in
      for number in state.operations.keys { state.operations[number]?.isEnding = true }
      return (Array(state.links.values), state.operations.values.map(\.run), Array(state.tickets.values))
    }
    for ticket in tickets { ticket.cancel() }
    for run in runs { run.cancel() }
    let leaving = Task {
      await withTaskGroup(of: Void.self) { group in
        for link in links { group.addTask { await link.leave() } }
      }
    }
    await clock.wait(for: leaving, milliseconds: times.closingInMilliseconds)
  }
}

/// An order to capture an item, from the order to its end.
///
/// A cancel also reaches it while no request is sent to its sensor: before its turn, between two attempts, and during
/// the review of a capture.
final class CaptureTicket: Sendable {
  let item: Int
  private let state = Mutex(false)

  init(item: Int) { self.item = item }

  /// True if the user canceled the order.
  var isCancelled: Bool { state.withLock { $0 } }

  func cancel() { state.withLock { $0 = true } }
}
