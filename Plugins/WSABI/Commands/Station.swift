import PluginAPI
import Synchronization

/// The state that commands and screens of one process share: the store, the links to sensors, the operations in
/// progress.
final class Station: Sendable {
  private struct State {
    var records: RecordStore?
    var links: LinkManager?
    var interactions: InteractionLog?
    var lastUse: Instant?
    var idling: Task<Void, Never>?
    /// The task that watches for changes by other processes.
    var following: Task<Void, Never>?
    var isResuming = false
    /// True once the host has requested the store, so that it closes the store at its end.
    var isShelved = false
    /// The number of lists of people that are shown; sessions at sensors are kept for them.
    var lists = 0
    /// Locks held by other clients.
    var holds = LockSightings()
    var watchers: [Int: @Sendable (LinkNote) -> Void] = [:]
    var watcherCount = 0
    /// Work of screens that were left, by number.
    var background: [Int: Task<Void, Never>] = [:]
    var backgroundCount = 0
  }

  private let state = Mutex(State())
  private let turns = CaptureTurns()
  private let times: LinkTimes
  /// The cameras of this machine.
  let cameras: LocalCameras

  init(cameras: LocalCameras = LocalCameras(), times: LinkTimes = LinkTimes()) {
    (self.cameras, self.times) = (cameras, times)
  }

  /// The notification after every change of the store; the payload is the person whose row changed, ``anybody``, or
  /// null.
  static let recordsChanged = "records-changed"
  /// The payload for a change by another process, which may concern any person.
  static let anybody = 0
  /// The notification sent with it, as for every store.
  static let storeChanged = "\(RecordStore.storeName)-changed"
  /// The notification of every event at a sensor; the payload names the item and never a captured value.
  static let sensorNoted = "sensor-noted"

  /// Returns the store of this user, locked or not; created at the first use, and opened by ``StationKey``.
  ///
  /// The host closes the stores it has requested: the first use makes it request this one.
  func records(_ context: any PluginContext) -> RecordStore {
    let records = madeRecords(context)
    let isFirst = state.withLock { state in
      defer { state.isShelved = true }
      return !state.isShelved
    }
    // Outside of the lock: the host has the plugin make the store, which takes it.
    if isFirst { _ = try? context.store(RecordStore.storeName) }
    return records
  }

  /// Creates the store at the first use; for the host, which must not be called back.
  func madeRecords(_ context: any PluginContext) -> RecordStore {
    state.withLock { state in
      if let records = state.records { return records }
      var options = RecordStore.Options(clock: { context.now() }) { [weak context] changes in
        for person in Self.people(changes) { context?.notify(Self.recordsChanged, person) }
        context?.notify(Self.storeChanged, .null)
      }
      options.withoutCaptures = { [weak self, weak context] body in
        // Captures into a store that does not exist are impossible.
        guard let self, let context, self.records(context).exists else { return try await body() }
        try await self.withoutCaptures(context, body)
      }
      options.beforeClosing = { [weak self, weak context] in
        guard let self, let context else { return }
        await self.end(context)
      }
      let records = RecordStore(folder: context.folders.data + "/people", options)
      state.records = records
      return records
    }
  }

  /// Returns the links to sensors, which write their captures into the store.
  func links(_ context: any PluginContext) -> LinkManager {
    let records = records(context)
    return state.withLock { state in
      if let links = state.links { return links }
      let sensors = SensorAccess(context)
      let connect: @Sendable (SensorAddress) -> SensorConnection = { [weak self, weak context] address in
        guard let self, let context else { return sensors.connection(address) }
        return self.connection(address, context)
      }
      let links = LinkManager(connect, records, Self.clock(context), times) { [weak self, weak context] note in
        self?.publish(note, context)
      }
      state.links = links
      return links
    }
  }

  /// Returns a connection to a sensor; a camera of this machine is served on request, unless it already is.
  func connection(_ address: SensorAddress, _ context: any PluginContext) -> SensorConnection {
    SensorAccess(context).connection(address, upkeep: cameras.upkeep(address, context))
  }

  /// The operations in progress in this process.
  var operations: [PendingOperation] { state.withLock(\.links)?.operations ?? [] }

  /// Returns true if captures of an item are ordered in this process, even if no request was sent yet.
  func isOrdered(_ item: Int) -> Bool { state.withLock(\.links)?.isOrdered(item) ?? false }

  private static func people(_ changes: Set<RecordChange>) -> [Value] {
    let people = Set(
      changes.map { change -> Int? in
        switch change {
        case .person(let person), .item(_, let person): person
        case .journal, .users, .lock: nil
        }
      })
    return people.sorted { ($0 ?? -1) < ($1 ?? -1) }.map { $0.map(Value.integer) ?? .null }
  }

  /// True if a list of people is shown, for which sessions at sensors are kept.
  var hasLists: Bool { state.withLock { $0.lists > 0 } }

  /// Notes that a list of people is shown, until ``endList()``.
  func beginList() { state.withLock { $0.lists += 1 } }

  /// - Returns: True if it was the last.
  func endList() -> Bool {
    state.withLock { state in
      state.lists -= 1
      return state.lists == 0
    }
  }

  /// Releases all locks and sessions; operations in progress are canceled at the sensors.
  func leaveSensors() async {
    let links = state.withLock(\.links)
    // Screens may come back to the same links.
    await links?.close()
  }

  private static func clock(_ context: any PluginContext) -> LinkClock {
    LinkClock(now: { context.now() }) { try await Task.sleep(for: .milliseconds($0)) }
  }
}

// MARK: - The end

extension Station {
  /// Starts background work that outlives its screen, and returns at once; ``end(_:)`` waits for it.
  func runInBackground(_ work: @escaping @Sendable () async -> Void) {
    state.withLock { state in
      state.backgroundCount += 1
      let number = state.backgroundCount
      state.background[number] = Task.detached { [weak self] in
        await work()
        self?.state.withLock { $0.background[number] = nil }
      }
    }
  }

  /// Ends the operations of screens, and releases all locks and sessions, before the store is closed.
  ///
  /// It takes ``LinkTimes/endingInMilliseconds`` at most. A lock whose release has no response by then stays recorded,
  /// and the next run releases it.
  private func end(_ context: any PluginContext) async {
    let work = Task {
      for task in state.withLock({ Array($0.background.values) }) { await task.value }
      await leaveSensors()
    }
    await Self.clock(context).wait(for: work, milliseconds: times.endingInMilliseconds)
  }
}

// MARK: - Events

extension Station {
  /// Registers an observer of link events, until ``unwatch(_:)``.
  func watch(_ onNote: @escaping @Sendable (LinkNote) -> Void) -> Int {
    state.withLock { state in
      state.watcherCount += 1
      state.watchers[state.watcherCount] = onNote
      return state.watcherCount
    }
  }

  /// Returns the last sighting of a lock held by another client; nil if there is none.
  func heldByAnother(_ address: SensorAddress) -> LockSightings.Sighting? { state.withLock { $0.holds[address] } }

  func unwatch(_ number: Int) { state.withLock { state in state.watchers[number] = nil } }

  private func publish(_ note: LinkNote, _ context: (any PluginContext)?) {
    let now = context?.now()
    let watchers = state.withLock { state in
      if let now { state.holds.take(note, at: now) }
      return state.watchers.sorted { $0.key < $1.key }.map(\.value)
    }
    for watcher in watchers { watcher(note) }
    context?.notify(Self.sensorNoted, note.value)
  }

  /// Returns the log of user interactions.
  func interactions(_ context: any PluginContext) -> InteractionLog {
    state.withLock { state in
      if let log = state.interactions { return log }
      let log = InteractionLog(folder: context.folders.state)
      state.interactions = log
      return log
    }
  }

  /// Logs an interaction of the user, if its switch is on.
  func note(
    _ kind: Interaction.Kind, _ view: String, _ event: String, target: String = "", outcome: String = "",
    _ context: any PluginContext
  ) {
    guard context[kind.setting] else { return }
    interactions(context).add(
      Interaction(at: context.now(), kind: kind, view: view, event: event, target: target, outcome: outcome))
  }
}

// MARK: - Idleness

extension Station {
  /// Returns the time without use after which the store is locked, in seconds.
  static func idleLimit(_ context: any PluginContext) -> Int { 60 * context[WSABISettings.idleLock] }

  /// Notes a use of the store, which is locked after a long time without use and without captures.
  func touch(_ context: any PluginContext) {
    let now = context.now()
    state.withLock { state in
      state.lastUse = now
      state.idling = state.idling ?? repeating(every: .seconds(20), context) { await $0.lockIfIdle($1) }
    }
  }

  /// Starts a task that repeats work while this station and the context exist.
  private func repeating(
    every interval: Duration, _ context: any PluginContext,
    _ work: @escaping @Sendable (Station, any PluginContext) async -> Void
  ) -> Task<Void, Never> {
    Task { [weak self, weak context] in
      while !Task.isCancelled {
        try? await Task.sleep(for: interval)
        guard let self, let context else { return }
        await work(self, context)
      }
    }
  }

  /// Locks the store if it was not used for too long.
  func lockIfIdle(_ context: any PluginContext) async {
    let (records, links, lastUse) = state.withLock { ($0.records, $0.links, $0.lastUse) }
    guard let records, let lastUse, !records.isLocked, records.capturesUnderWay == 0 else { return }
    guard links?.operations.isEmpty ?? true, !turns.isCapturing else { return }
    guard context.now().seconds(since: lastUse) >= Double(Self.idleLimit(context)) else { return }
    await records.lock()
  }
}

// MARK: - Other processes

extension Station {
  /// Starts reporting changes by other processes, while the store is used here.
  func followOthers(_ context: any PluginContext) {
    state.withLock { state in
      state.following = state.following ?? repeating(every: .seconds(1), context) { await $0.reportOthers($1) }
    }
  }

  /// Reports a change if another process changed the store since the last check.
  private func reportOthers(_ context: any PluginContext) async {
    guard let records = state.withLock(\.records), !records.isLocked else { return }
    guard (try? await records.isChangedByOthers()) ?? false else { return }
    context.notify(Self.recordsChanged, .integer(Self.anybody))
    context.notify(Self.storeChanged, .null)
  }
}

// MARK: - Leftover captures

extension Station {
  /// Finishes captures left by an earlier process, and waits for their data without a limit.
  ///
  /// - Returns: The captures found, with a report for each, oldest first; nil if captures are in progress, here or in
  ///   another process, which must not be mistaken for leftovers.
  func resumed(_ context: any PluginContext) async throws -> [Resumption.Finished]? {
    try await resuming(context)?.finished
  }

  /// Starts finishing captures left by an earlier process.
  ///
  /// Other captures can start as soon as the leftovers are known, as their data can take long.
  ///
  /// - Parameters:
  ///   - captures: The captures that run at the same time and end this run: data that was put off stays where it is.
  ///     Nil if a user requested all of it.
  ///   - items: The items for which ``Resumption/awaited(withinMilliseconds:)`` waits.
  /// - Returns: Nil if captures are in progress, here or in another process, which must not be mistaken for leftovers.
  func resuming(
    _ context: any PluginContext, beside captures: SequenceRun? = nil, awaiting items: Set<Int> = []
  ) async throws -> Resumption? {
    let isFirst = state.withLock { state in
      defer { state.isResuming = true }
      return !state.isResuming
    }
    guard isFirst else { return nil }
    let links = links(context)
    let entries: [UnfinishedCapture]
    do {
      guard try turns.beginLooking(records(context).folder) else {
        endResuming()
        return nil
      }
      do {
        entries = try await links.leftOver()
      } catch {
        turns.endLooking(beginsCapturing: false)
        throw error
      }
    } catch {
      endResuming()
      throw error
    }
    // Another process must not fetch the same data.
    turns.endLooking(beginsCapturing: true)
    return Resumption(entries, awaiting: items) { entries in
      var finished: [Resumption.Finished] = []
      for (entry, report) in zip(entries, await links.finish(entries, beside: captures)) {
        finished.append((entry: entry, report: await self.reviewed(report, of: entry.intent.item, context)))
      }
      return finished
    } onEnd: {
      self.turns.endCapturing()
      self.endResuming()
    }
  }

  private func endResuming() { state.withLock { $0.isResuming = false } }

  /// The time that a new capture waits for unfinished ones, in milliseconds.
  var limitBeforeCapture: Int { times.beforeCaptureInMilliseconds }

  /// Runs an operation that excludes captures, here and in other processes.
  ///
  /// - Throws: ``StationError/capturesUnderWay``.
  func withoutCaptures<Value: Sendable>(
    _ context: any PluginContext, _ body: () async throws -> Value
  ) async throws -> Value {
    guard try turns.beginLooking(records(context).folder) else { throw StationError.capturesUnderWay }
    defer { turns.endLooking(beginsCapturing: false) }
    return try await body()
  }

  /// Returns a report with its captures reviewed as far as possible; they stay stored whatever the review finds.
  ///
  /// A separate task reviews them, so that data received before a cancel is reported in full.
  func reviewed(_ report: CaptureReport, of item: Int, _ context: any PluginContext) async -> CaptureReport {
    let records = records(context)
    let review = review(context, records)
    return await Task {
      guard !report.records.isEmpty, let stored = try? await records.item(item) else { return report }
      // Earlier pictures of the same response belong to it.
      let isKnown = stored.pictures.count > 1 && stored.pictures.contains { $0.id == report.records.first?.id }
      let item = isKnown ? stored : stored.answered(report)
      var report = report
      _ = await report.review(as: item) { try await review.review($0, of: $1) }
      return report
    }.value
  }

  /// Starts capturing; waits while a search for leftovers runs, which must not find these captures.
  ///
  /// - Parameter isWanted: Returns true while there is something to capture; called while waiting.
  /// - Returns: True if captures may be made, until ``endCapturing()``; false if they are no longer wanted.
  func beginCapturing(_ context: any PluginContext, _ isWanted: () -> Bool) async throws -> Bool {
    let folder = records(context).folder
    while isWanted() {
      if try turns.beginCapturing(folder) { return true }
      try await Task.sleep(for: .milliseconds(100))
    }
    return false
  }

  func endCapturing() { turns.endCapturing() }
}
