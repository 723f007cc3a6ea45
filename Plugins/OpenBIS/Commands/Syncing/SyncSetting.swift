import PluginAPI
import Synchronization

/// The configuration of a refresh, independent of the server's interface.
struct SyncSetting: Sendable {
  let cache: EntityStore
  /// The client's clock, in seconds since 1970.
  let clock: @Sendable () -> Double
  let report: @Sendable (Progress) -> Void
  let warn: @Sendable (Diagnostic) -> Void
  /// The longest time between two full refreshes, in days; 0 for any.
  var fullRefreshDays = 7.0

  /// The overlap of a refresh with the one before: clocks differ, and a server takes time to write.
  static let overlapInSeconds = 900.0

  /// Begins a refresh, or resumes the one that was interrupted.
  ///
  /// - Parameters:
  ///   - isFull: True to fetch everything from the beginning, even if a refresh was interrupted.
  ///   - spaces: The codes of the spaces that the user may see; nil if they are unknown. If they differ from those
  ///     before, everything is fetched.
  func begun(isFull: Bool, spaces: [String]? = nil) async throws -> SyncState {
    var state = try await cache.syncState()
    let isDue = state.isFullDue(at: clock(), everyDays: fullRefreshDays)
    let isFull = isFull || state.needsAll(spaces: spaces, isDue: isDue)
    if let unfinished = state.unfinished, !isFull, unfinished.isFull || !state.wantsAll { return state }
    state.generation += 1
    state.unfinished = UnfinishedSync(
      startedAt: clock(), isFull: isFull || state.wantsAll || state.completedAt == nil, spaces: spaces)
    return state
  }

  /// Ends a refresh; from now on the next one may request changes only.
  ///
  /// - Returns: The totals of the refresh.
  func complete(_ before: SyncState) async throws -> SyncTotals {
    var state = before
    let totals = state.unfinished?.totals ?? SyncTotals()
    state.completedAt = state.unfinished?.startedAt
    // The client's own clock, which also measures the age of a full refresh.
    if state.unfinished?.isFull == true { state.fullAt = clock() }
    if let spaces = state.unfinished?.spaces { state.spaces = spaces }
    state.checkedAt = clock()
    state.unfinished = nil
    state.wantsAll = false
    state.replacesAll = false
    try await cache.save(state)
    return totals
  }

  /// Writes a response into the cache while it arrives.
  ///
  /// - Parameters:
  ///   - kind: The kind of the rows.
  ///   - label: The text shown to the user meanwhile.
  ///   - generation: The number of the refresh.
  ///   - transfer: Sends the rows into the channel; this function ends the channel.
  ///   - next: Returns the state after the response, which is saved in the transaction of its rows; a pure function.
  /// - Returns: That state.
  /// - Throws: Errors of the transfer or the cache; nothing of the response is stored then.
  func take<Summary: Sendable>(
    _ kind: ResponseKind, _ label: String, generation: Int,
    _ transfer: @escaping @Sendable (RowChannel) async throws -> Summary,
    next: @escaping @Sendable (AppliedRows, Summary) -> SyncState
  ) async throws -> SyncState {
    let report = self.report
    let (applied, summary) = try await write(kind, generation: generation, transfer) { applied, summary in
      next(applied, summary).encoded
    } onProgress: { count in
      report(Progress("\(label): \(count) entities"))
    }
    return next(applied, summary)
  }

  /// Writes a response into the cache that does not belong to a refresh.
  func takeSeparately<Summary: Sendable>(
    _ kind: ResponseKind, generation: Int, _ transfer: @escaping @Sendable (RowChannel) async throws -> Summary
  ) async throws -> AppliedRows {
    try await write(kind, generation: generation, transfer, state: { _, _ in nil }, onProgress: { _ in }).0
  }

  private func write<Summary: Sendable>(
    _ kind: ResponseKind, generation: Int, _ transfer: @escaping @Sendable (RowChannel) async throws -> Summary,
    state: @escaping @Sendable (AppliedRows, Summary) -> [UInt8]?, onProgress: @escaping @Sendable (Int) -> Void
  ) async throws -> (AppliedRows, Summary) {
    let rows = GatedRows()
    let summary = Kept<Summary>()
    let task = Task {
      do {
        summary.value = try await transfer(rows.rows)
        rows.finish()
      } catch {
        rows.fail(error)
      }
    }
    return try await withTaskCancellationHandler {
      do {
        let applied = try await cache.apply(
          rows, kind, generation: generation, at: now,
          state: { applied in summary.value.flatMap { state(applied, $0) } },
          onProgress: onProgress)
        guard let value = summary.value else { throw CancellationError() }
        // The reader of the rows has already reported children.
        for warning in applied.warnings where warning.code != "openbis.children-unreadable" { warn(warning) }
        return (applied, value)
      } catch {
        task.cancel()
        rows.fail(error)
        await task.value
        throw error
      }
    } onCancel: {
      task.cancel()
      rows.fail(CancellationError())
    }
  }

  private var now: Instant {
    let seconds = clock()
    let whole = seconds.rounded(.down)
    return Instant(seconds: Int64(whole), nanoseconds: Int32((seconds - whole) * 1e9))
  }

  /// Returns all rows of a small response.
  ///
  /// - Parameter limit: The largest number of rows to accept: all of them are held in memory.
  /// - Throws: Errors of the transfer; `UselessResult` if there are more rows.
  func rows<Summary: Sendable>(
    limit: Int = 100_000, _ transfer: @escaping @Sendable (RowChannel) async throws -> Summary
  ) async throws -> ([EntityRow], Summary) {
    // Nothing reads from the channel meanwhile, so it must never be full.
    let channel = RowChannel(capacity: .max, limit: limit)
    let summary: Summary
    do {
      summary = try await transfer(channel)
      channel.finish()
    } catch {
      channel.fail(error)
      // The channel's own error takes precedence.
      _ = try channel.next()
      throw error
    }
    var rows: [EntityRow] = []
    while let batch = try channel.next() { rows += batch }
    return (rows, summary)
  }

  // MARK: Ends of refreshes

  /// Removes everything that this refresh did not report, because it came from another back end or data store.
  func replaceAll(_ state: inout SyncState) async throws {
    report(Progress("removing entities of other sources"))
    state.unfinished?.totals.removed += try await cache.removeOlder(than: state.generation)
  }

  /// Warns that nothing is removed, because the skipped rows may be those of the entities in question.
  func warnOfKept(skipped: Int) {
    warn(
      Diagnostic(
        .warning, code: "openbis.nothing-pruned",
        "no missing entities were removed, because \(skipped) rows or objects could not be used",
        advice: "once the server sends them correctly, the next sync removes deleted entities"))
  }

  /// Warns of the entities that were removed because the user may no longer read them, if there are any.
  ///
  /// - Parameter knownCount: The number of cached entities before the removal.
  func warnOfLostRights(before knownCount: Int) async throws {
    let removedCount = knownCount - (try await cache.counts().entities)
    guard removedCount > 0 else { return }
    warn(
      Diagnostic(
        .warning, code: "openbis.rights-lost",
        "entities that you may no longer read were removed from the cache: \(removedCount)",
        advice: "once you may read them again, the next sync fetches them"))
  }

  /// Forwards the warnings of a response.
  func pass(_ warnings: [Diagnostic]) {
    for warning in warnings { warn(warning) }
  }
}

extension SyncState {
  /// Returns the state with the changes that a response made to the cache.
  func adding(_ applied: AppliedRows) -> SyncState {
    var state = self
    state.unfinished?.totals.added += applied.added
    state.unfinished?.totals.changed += applied.changed
    state.unfinished?.totals.removed += applied.removed
    return state
  }
}

extension EntityStore {
  /// Returns the stored state of refreshes, or a new one if there is none or it is damaged.
  func syncState() async throws -> SyncState { try await state().flatMap(SyncState.init(encoded:)) ?? SyncState() }

  /// Stores the state of refreshes.
  func save(_ state: SyncState) async throws { try await saveState(state.encoded) }

  /// Discards the progress of refreshes, so that the next one fetches everything.
  func startOver() async throws {
    var state = try await syncState()
    state.requestAll()
    try await save(state)
  }
}

/// Rows that end only after the response's summary is known.
private final class GatedRows: RowSource {
  let rows = RowChannel()
  /// A channel without rows; ends when the response's summary is known.
  private let end = RowChannel()

  func next() throws -> [EntityRow]? {
    if let batch = try rows.next() { return batch }
    return try end.next()
  }

  func finish() {
    rows.finish()
    end.finish()
  }

  func fail(_ error: any Error) {
    rows.fail(error)
    end.fail(error)
  }
}

/// A value that one task sets and another reads.
private final class Kept<Value: Sendable>: Sendable {
  private let content = Mutex<Value?>(nil)

  var value: Value? {
    get { content.withLock { $0 } }
    set { content.withLock { $0 = newValue } }
  }
}
