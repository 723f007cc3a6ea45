import PluginAPI

/// A comparison of a kind's objects on the server and in the cache, which repairs the differences.
///
/// The server's counts decide: where they equal those of the cache, nothing else is requested. Where they differ, the
/// time of changes is halved until few objects are left, and the ids of these are fetched. An object is removed only if
/// it was requested by its id and the server did not return it.
struct NativeCheck: Sendable {
  let sync: NativeSync
  let kind: NativeKind

  /// The number of objects up to which ids are fetched without further division.
  private static let fewObjects = 1000
  /// The number of ids per page.
  private static let idPageSize = 10_000
  private static let everything = ModifiedTime(since: nil, before: nil)

  private var cache: EntityStore { sync.setting.cache }

  /// Returns the state after the check.
  ///
  /// The cursor is saved with each page of ids, so that an interrupted check is resumed.
  func checked(_ before: SyncState) async throws -> SyncState {
    guard sync.mapping.shownKinds.contains(kind), !before.replacesAll, before.unfinished?.native != nil else {
      return before
    }
    var state = before
    if let overlap = state.unfinished?.native?.overlap {
      state = try await repaired(overlap, state)
      state.unfinished?.native?.overlap = nil
      state.unfinished?.native?.request = NativePageRequest()
    }
    if state.unfinished?.native?.times == nil {
      if state.unfinished?.isFull == true { state = try await removedMissing(Self.everything, state) }
      // All spaces arrive at once, and a changed list of them makes a sync full.
      let times = kind == .space ? [] : try await differences(&state)
      state.unfinished?.native?.times = times
      if times.isEmpty { return state }
    }
    while let time = state.unfinished?.native?.times?.first {
      state = try await repaired(time, state)
      state.unfinished?.native?.times?.removeFirst()
      state.unfinished?.native?.request = NativePageRequest()
    }
    try await warnOfDifference(state)
    return state
  }

  // MARK: Counting

  /// Returns the time ranges in which the server and the cache count different numbers of objects.
  private func differences(_ state: inout SyncState) async throws -> [ModifiedTime] {
    guard let total = try await sync.service.count(kind) else {
      // Without counts only the ids show differences.
      return hasAdditionsOrDeletions(state) ? [Self.everything] : []
    }
    let cached = try await cache.objectCount(kind)
    if total == 0, cached > 0, !isWithdrawn(state) {
      sync.setting.warn(
        Diagnostic(
          .warning, code: "openbis.kind-empty",
          "the server no longer lists any \(kind.plural); the cached ones are kept",
          advice: "if they were deleted, delete the cache with 'workbench openbis logout --forget'"))
      state.unfinished?.keepsUnreported = true
      return []
    }
    if !sync.mapping.showsAll(kind) {
      defer { state.totals[kind] = total }
      let isSame = state.totals[kind] == total && !hasAdditionsOrDeletions(state)
      return isSame || state.unfinished?.isFull == true ? [] : [Self.everything]
    }
    if state.unfinished?.isFull == true, cached + (state.unfinished?.native?.lacking ?? 0) == total { return [] }
    var (times, differing) = ([ModifiedTime](), 0)
    for part in try await parts(total, cached, state) where part.onServer != part.cached {
      for found in try await divided(part) {
        times.append(found.time)
        differing += max(found.onServer, found.cached)
      }
    }
    // If most objects differ, one pass costs less than many pieces.
    return differing > total / 2 && times.count > 4 ? [Self.everything] : times
  }

  /// A time range with its numbers of objects.
  private struct Part {
    var time: ModifiedTime
    var onServer: Int
    var cached: Int
  }

  /// Divides the whole time into parts, to find changes that leave the total number unchanged.
  ///
  /// A transaction dates its changes at its beginning, and may end much later: then an object is missing in the part of
  /// its former change, and is new in a later part.
  private func parts(_ total: Int, _ cached: Int, _ state: SyncState) async throws -> [Part] {
    var begins: [Int] = []
    if let full = state.fullTimes[kind], let latest = sync.mark(kind, state)?.latest, latest >= full {
      let (hour, day) = (3_600_000, 86_400_000)
      begins = Set([full - day, latest - day, latest - hour]).sorted()
    }
    var parts = [Part(time: Self.everything, onServer: total, cached: cached)]
    for begin in begins {
      guard let onServer = try await sync.service.count(kind, since: begin), var last = parts.popLast() else { break }
      let cached = try await cache.objectCount(kind, since: begin)
      last.time.before = begin
      parts.append(Part(time: last.time, onServer: last.onServer - onServer, cached: last.cached - cached))
      parts.append(Part(time: ModifiedTime(since: begin, before: nil), onServer: onServer, cached: cached))
    }
    return parts
  }

  /// Divides a part into the pieces that differ, each with few objects or of a single time.
  private func divided(_ part: Part) async throws -> [Part] {
    var (found, remaining): ([Part], [Part]) = ([], [part])
    while let next = remaining.popLast() {
      if next.onServer == next.cached { continue }
      let isSmall = max(next.onServer, next.cached) <= Self.fewObjects || next.cached == 0
      guard !isSmall,
        let middle = try await cache.middleTime(
          kind, since: next.time.since, before: next.time.before, count: next.cached),
        let onServer = try await sync.service.count(kind, since: next.time.since, before: middle)
      else {
        found.append(next)
        continue
      }
      let cached = try await cache.objectCount(kind, since: next.time.since, before: middle)
      let times = (
        ModifiedTime(since: next.time.since, before: middle), ModifiedTime(since: middle, before: next.time.before)
      )
      remaining.append(Part(time: times.0, onServer: onServer, cached: cached))
      remaining.append(Part(time: times.1, onServer: next.onServer - onServer, cached: next.cached - cached))
    }
    return found
  }

  private func hasAdditionsOrDeletions(_ state: SyncState) -> Bool {
    let known = state.marks.first { $0.kind == kind }
    return sync.mark(kind, state)?.createdOrDeletedAt != known?.createdOrDeletedAt
  }

  /// Returns true if the user may see fewer spaces than before, but still some.
  ///
  /// A kind may become empty then. A server without any spaces is more likely broken than right, so the cached objects
  /// are kept.
  private func isWithdrawn(_ state: SyncState) -> Bool {
    guard let spaces = state.unfinished?.spaces, let known = state.spaces else { return false }
    return !spaces.isEmpty && !Set(known).subtracting(spaces).isEmpty
  }

  // MARK: Repair

  /// Fetches the objects of a time range that the cache lacks, and removes those that the server no longer has.
  private func repaired(_ time: ModifiedTime, _ before: SyncState) async throws -> SyncState {
    var state = before
    var first = state.unfinished?.native?.request ?? NativePageRequest()
    if first.modifiedSince == nil, first.from == 0 { first.modifiedSince = time.since }
    first.count = Self.idPageSize
    let pager = NativePager(
      sync.service, kind, from: first, end: time.before, horizon: sync.mark(kind, state)?.latest, idsOnly: true)
    while let page = try await sync.fetch(pager) {
      sync.setting.report(Progress("comparing \(kind.plural) with the server"))
      sync.noteUnusable(page.summary, &state)
      state = try await fetched(try await cache.changedObjects(page.objects), state).state
      state.unfinished?.native?.request = pager.request
      try await cache.touch(page.objects, generation: state.generation, state: state.encoded)
    }
    try await sync.noteMissing(pager, kind, &state)
    return try await removedMissing(time, state)
  }

  /// Fetches objects by their ids.
  ///
  /// - Returns: The state, and the ids of the objects received.
  private func fetched(_ permIDs: [String], _ before: SyncState) async throws -> (state: SyncState, found: Set<String>)
  {
    var (state, found) = (before, Set<String>())
    for start in stride(from: 0, to: permIDs.count, by: NativeSync.pageSize) {
      let chunk = Array(permIDs[start..<min(permIDs.count, start + NativeSync.pageSize)])
      let objects = try await sync.service.objects(kind, chunk)
      if objects.isEmpty { continue }
      found.formUnion(objects.map(\.permID))
      state = try await sync.applied(objects, kind, state)
      // Objects below these may have arrived earlier, without the one that lists them.
      for edge in sync.mapping.listed(below: kind) where [.parents, .container].contains(edge.relation) {
        state = try await sync.appliedBelonging(edge, to: objects.map(\.permID), state)
      }
    }
    return (state, found)
  }

  /// Removes objects of a time range that were not reported and that the server does not return on request either.
  private func removedMissing(_ time: ModifiedTime, _ before: SyncState) async throws -> SyncState {
    guard before.completedAt != nil, let cursor = before.unfinished?.native, cursor.lacking == 0 else { return before }
    let unreported = try await cache.untouchedObjects(
      kind, since: time.since, before: time.before, generation: before.generation)
    if unreported.isEmpty { return before }
    // A kind that is suddenly empty is kept, and the counts show it.
    if unreported.count == (try await cache.objectCount(kind)), !isWithdrawn(before) {
      var state = before
      state.unfinished?.keepsUnreported = true
      return state
    }
    var (state, found) = try await fetched(unreported, before)
    let gone = unreported.filter { !found.contains($0) }
    state.unfinished?.totals.removed += try await cache.removeObjects(kind, gone)
    return state
  }

  private func warnOfDifference(_ state: SyncState) async throws {
    guard sync.mapping.showsAll(kind), let total = try await sync.service.count(kind) else { return }
    let cached = try await cache.objectCount(kind)
    // Objects that were unusable or not received were reported already.
    if cached == total || state.unfinished?.native?.lacking != 0 { return }
    sync.setting.warn(
      Diagnostic(
        .warning, code: "openbis.count-differs", "the server counts \(total) \(kind.plural), the cache has \(cached)",
        advice: "others may be changing them; the next sync compares again"))
  }
}
