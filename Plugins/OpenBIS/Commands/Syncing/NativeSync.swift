import PluginAPI
import Synchronization

/// Refreshes a cache from the objects of V3, which a mapping makes entities of.
///
/// First the server is asked when each kind changed last, and which spaces the user may see. Objects of the kinds that
/// changed are fetched page by page, those first that are unchanged for longest; each page is one transaction together
/// with the place of the next one. Then the number of objects of each kind is compared with the cache: only where they
/// differ are ids fetched, to find what was deleted, or committed so late that no time of change tells of it.
struct NativeSync: Sendable {
  let service: NativeService
  let mapping: Mapping
  let setting: SyncSetting
  private let types = TypeCollector()
  private let silent = SilentStores()

  init(service: NativeService, mapping: Mapping, setting: SyncSetting) {
    (self.service, self.mapping, self.setting) = (service, mapping, setting)
  }

  /// Refreshes the cache.
  ///
  /// - Parameter isFull: True to fetch everything, not only what changed.
  func run(isFull: Bool) async throws -> SyncTotals {
    setting.report(Progress("asking for what changed"))
    let marks = try await marks()
    var state = try await setting.begun(isFull: isFull, spaces: try await spaces())
    if state.unfinished?.native == nil {
      let kinds = state.unfinished?.isFull == false ? mapping.kinds : mapping.shownKinds
      state.unfinished?.native = NativeCursor(kinds: kinds, marks: marks)
      try await begin(&state)
    }
    while let kind = state.unfinished?.native?.kinds.first {
      do {
        state = try await refreshed(kind, state)
      } catch let error as RPCError where error.isNotAllowed {
        passOver(kind, error, &state)
      }
      state.unfinished?.native?.kinds.removeFirst()
      try await begin(&state)
      try await setting.cache.saveState(state.encoded)
    }
    if state.replacesAll { try await setting.replaceAll(&state) } else { try await removeOthers(&state) }
    state.marks = state.unfinished?.native?.marks ?? marks
    if state.unfinished?.isFull == true {
      state.fullTimes = Dictionary(
        uniqueKeysWithValues: state.marks.compactMap { mark in mark.latest.map { (mark.kind, $0) } })
    }
    // Data sets whose files are unknown are fetched once more.
    if state.unfinished?.lacksFiles == true { state.marks.removeAll { $0.kind == .dataSet } }
    return try await setting.complete(state)
  }

  // MARK: What is to be done

  /// The codes of the spaces that the user may see; nil if the user may not list them.
  private func spaces() async throws -> [String]? {
    do {
      return try await service.spaceCodes()
    } catch let error as RPCError where error.isNotAllowed {
      return nil
    }
  }

  private func marks() async throws -> [NativeMark] {
    let (changes, serverTime) = try await service.modifications(mapping.kinds)
    var marks: [NativeMark] = []
    for change in changes {
      guard let kind = NativeKind(rawValue: change.kind) else { continue }
      let index = marks.firstIndex { $0.kind == kind } ?? marks.count
      if index == marks.count {
        // A clock of our own may be ahead of the server's.
        let readAt = serverTime ?? setting.clock() - SyncSetting.overlapInSeconds
        marks.append(NativeMark(kind: kind, readAt: Int(readAt * 1000)))
      }
      switch change.operation {
      case .update: marks[index].updatedAt = change.at
      case .createOrDelete: marks[index].createdOrDeletedAt = change.at
      }
    }
    return marks
  }

  private static let overlapInMilliseconds = Int(SyncSetting.overlapInSeconds * 1000)

  /// A Boolean value indicating whether objects of a kind must be fetched.
  ///
  /// They must if something changed, or may not have been committed yet at the last refresh.
  private func hasChanged(_ kind: NativeKind, _ state: SyncState) -> Bool {
    guard let unfinished = state.unfinished, !unfinished.isFull else { return true }
    let known = state.marks.first { $0.kind == kind }
    guard let mark = unfinished.native?.marks.first(where: { $0.kind == kind }) else { return known != nil }
    return !mark.isSame(as: known) || known?.isSettled(overlapInMilliseconds: Self.overlapInMilliseconds) == false
  }

  /// Begins the next kind.
  private func begin(_ state: inout SyncState) async throws {
    guard let kind = state.unfinished?.native?.kinds.first else { return }
    state.unfinished?.native?.phase = .objects
    state.unfinished?.native?.times = nil
    state.unfinished?.native?.overlap = nil
    state.unfinished?.native?.lacking = 0
    state.unfinished?.native?.request = NativePageRequest()
    guard state.unfinished?.isFull == false, let known = state.marks.first(where: { $0.kind == kind }),
      let latest = known.latest
    else { return }
    var since = known.openSince(overlapInMilliseconds: Self.overlapInMilliseconds) ?? latest
    // As far back as costs next to nothing: clocks differ, and some transactions take longer.
    let wide = latest - Self.overlapInMilliseconds
    if try await setting.cache.objectCount(kind, since: wide, before: since) <= Self.fewObjects { since = wide }
    if mapping.showsAll(kind),
      try await setting.cache.objectCount(kind, since: since, before: latest + 1) > Self.pageSize
    {
      state.unfinished?.native?.overlap = ModifiedTime(since: since, before: latest + 1)
      since = latest + 1
    }
    state.unfinished?.native?.request.modifiedSince = max(0, since)
  }

  /// The number of cached objects that are fetched again without need.
  private static let fewObjects = 200

  // MARK: A kind

  /// The number of objects of a page: while one is written the next one is on its way.
  static let pageSize = 1000

  /// The state after the objects of a kind that changed were fetched, and the cache was compared with the server.
  private func refreshed(_ kind: NativeKind, _ before: SyncState) async throws -> SyncState {
    var state = before
    if state.unfinished?.native?.phase == .objects {
      if hasChanged(kind, state) {
        state = try await fetched(kind, state)
      } else {
        state.unfinished?.native?.overlap = nil
      }
      state.unfinished?.native?.phase = .ids
      state.unfinished?.native?.request = NativePageRequest()
    }
    return try await NativeCheck(sync: self, kind: kind).checked(state)
  }

  /// Leaves a kind out that the user may not see; the next refresh asks for it again.
  private func passOver(_ kind: NativeKind, _ error: RPCError, _ state: inout SyncState) {
    setting.warn(
      Diagnostic(
        .warning, code: "openbis.kind-not-allowed", "no permission to read \(kind.plural): \(error.report.message)",
        advice: error.report.advice))
    state.unfinished?.keepsUntold = true
    let known = state.marks.first { $0.kind == kind }
    state.unfinished?.native?.marks.removeAll { $0.kind == kind }
    if let known { state.unfinished?.native?.marks.append(known) }
  }

  /// Fetches the pages of a kind; while one is written, the next one is requested.
  private func fetched(_ kind: NativeKind, _ before: SyncState) async throws -> SyncState {
    var state = before
    var first = state.unfinished?.native?.request ?? NativePageRequest()
    first.count = Self.pageSize
    let pager = NativePager(service, kind, from: first, horizon: mark(kind, state)?.latest)
    var page = try await fetch(pager)
    while let current = page {
      let next = pager.isFinished ? nil : pager.request
      async let upcoming = next == nil ? nil : fetch(pager)
      noteUnusable(current.summary, &state)
      state = try await applied(current.objects, kind, state, next: next)
      page = try await upcoming
    }
    try await noteMissing(pager, kind, &state)
    return state
  }

  /// The next page; nil if there is none.
  func fetch(_ pager: NativePager) async throws -> NativeFetchedPage? {
    let objects = ObjectCollector()
    return try await pager.next { objects.add($0) }.map { NativeFetchedPage(objects: objects.all, summary: $0) }
  }

  /// Counts the objects of a page that could not be used, which forbids removing any.
  func noteUnusable(_ page: NativePageSummary, _ state: inout SyncState) {
    guard page.unusableCount > 0 else { return }
    state.unfinished?.totals.skipped += page.unusableCount
    state.unfinished?.native?.lacking += page.unusableCount
    state.unfinished?.keepsUntold = true
  }

  /// Says that the server sent fewer objects than it counts, which forbids removing any.
  func noteMissing(_ pager: NativePager, _ kind: NativeKind, _ state: inout SyncState) async throws {
    let missing = pager.missingCount
    if missing == 0 { return }
    state.unfinished?.native?.lacking += missing
    state.unfinished?.keepsUntold = true
    setting.warn(
      Diagnostic(
        .warning, code: "openbis.listing-incomplete",
        "the server counts \(missing) more \(kind.plural) than it sent, after \(NativePaging.mostPasses) attempts",
        advice: "none were removed from the cache; the next refresh asks again"))
  }

  /// Writes objects into the cache, after those that change with them though their own times do not.
  ///
  /// These come first, so that an interrupted refresh finds once more what is to be done.
  ///
  /// - Parameters:
  ///   - next: The page to resume from when the objects are written; nil to leave that as it is.
  ///   - above: The permIds of the objects by which these were found, so that rings end.
  func applied(
    _ objects: [NativeObject], _ kind: NativeKind, _ before: SyncState, next: NativePageRequest? = nil,
    above: Set<String> = []
  ) async throws -> SyncState {
    var state = before
    // A full refresh comes to all of them.
    if before.unfinished?.isFull == false, !objects.isEmpty {
      for way in mapping.takers(of: kind) {
        state = try await appliedBelonging(way, to: objects.map(\.permID), state, above: above)
      }
      let moved = try await setting.cache.movedObjects(objects).filter { !above.contains($0) }
      for way in mapping.placed(in: kind) where !moved.isEmpty {
        state = try await appliedBelonging(way, to: moved, state, above: above.union(moved))
      }
    }
    let mapped = try await rows(of: objects)
    if let next { state.unfinished?.native?.request = next }
    if !silent.isEmpty { state.unfinished?.lacksFiles = true }
    let known = state
    return try await setting.take(.objects, kind.plural, generation: state.generation) {
      // Groups first: they are what the others are listed below.
      $0.push(mapped.groups)
      $0.push(mapped.rows)
    } next: { applied, _ in
      known.adding(applied)
    }
  }

  /// Writes the objects into the cache that belong to others by a relation.
  func appliedBelonging(
    _ way: Mapping.Way, to permIDs: [String], _ before: SyncState, above: Set<String> = []
  ) async throws -> SyncState {
    var state = before
    var (from, hasMore) = (0, true)
    while hasMore {
      let page = try await service.belonging(way, to: permIDs, from: from, count: Self.pageSize)
      if page.objects.isEmpty { break }
      state = try await applied(page.objects, way.kind, state, above: above)
      (from, hasMore) = (from + Self.pageSize, page.hasMore)
    }
    return state
  }

  /// Returns the rows of objects, mapped with those they take properties of and the files that become entities.
  private func rows(of objects: [NativeObject]) async throws -> MappedRows {
    var surroundings = MappingSurroundings()
    let isTaking = mapping.rules.contains { !$0.takes.isEmpty }
    let kinds = isTaking ? mapping.kinds : NativeKind.allCases.filter { kind in objects.contains { $0.kind == kind } }
    for kind in kinds where kind.hasTypes {
      surroundings.propertyTypes[kind] = try await propertyTypes(kind)
    }
    let complete = try await NativeContext(service: service, mapping: mapping, warn: setting.warn, silent: silent)
      .completed(surroundings, for: objects, wantsFiles: .pages)
    return mapping.rows(of: objects, complete)
  }

  private func propertyTypes(_ kind: NativeKind) async throws -> [String: [NativePropertyType]] {
    if let known = types.known.withLock({ $0[kind] }) { return known }
    let all = try await service.propertyTypes(kind)
    types.known.withLock { $0[kind] = all }
    return all
  }

  // MARK: What the server has no more

  /// Removes entities of kinds that the mapping has no more, groups and files' pages, after a full refresh.
  private func removeOthers(_ state: inout SyncState) async throws {
    guard let unfinished = state.unfinished, state.completedAt != nil else { return }
    let skipped = unfinished.totals.skipped
    if skipped > 0 { setting.warnOfKept(skipped: skipped) }
    guard unfinished.isFull else { return }
    let hidden = NativeKind.allCases.filter { !mapping.shownKinds.contains($0) }.map(\.rawValue)
    // Groups and files are those of objects: if some of these were kept untold, so are they.
    let others = unfinished.keepsUntold || skipped > 0 ? [] : ["GROUP"] + (unfinished.lacksFiles ? [] : ["FILE"])
    for prefix in hidden + others {
      state.unfinished?.totals.removed += try await setting.cache.removeUntouched(
        prefix: prefix + ".", before: state.generation)
    }
  }

  /// The mark of a kind at the beginning of this refresh.
  func mark(_ kind: NativeKind, _ state: SyncState) -> NativeMark? {
    state.unfinished?.native?.marks.first { $0.kind == kind }
  }
}

/// A page that came.
struct NativeFetchedPage: Sendable {
  /// Those that are new or changed since the pages before.
  var objects: [NativeObject]
  var summary: NativePageSummary
}

/// Keeps the property types of kinds for the length of a refresh.
private final class TypeCollector: Sendable {
  let known = Mutex<[NativeKind: [String: [NativePropertyType]]]>([:])
}

/// Keeps the objects of a page while they arrive.
private final class ObjectCollector: Sendable {
  private let state = Mutex<[NativeObject]>([])
  var all: [NativeObject] { state.withLock { $0 } }
  func add(_ objects: [NativeObject]) { state.withLock { $0 += objects } }
}

extension NativeKind {
  /// A Boolean value indicating whether its objects have types with properties.
  var hasTypes: Bool { self != .space && self != .project }
}
