import PluginAPI
import Synchronization

/// Refreshes a cache from the objects of V3, which a mapping makes entities of.
///
/// First the server is asked when anything changed last: one question, and the only one if nothing did. Kinds that changed
/// are fetched page by page, those objects first that are unchanged for longest; each page is one transaction together
/// with the place of the next one. What was deleted is found by fetching all ids, and only if something was.
struct NativeSync: Sendable {
  let service: NativeService
  let mapping: Mapping
  let setting: SyncSetting

  /// Refreshes the cache.
  ///
  /// - Parameter isFull: Whether everything is fetched, not only what changed.
  func run(isFull: Bool) async throws -> SyncTotals {
    setting.report(Progress("asking for what changed"))
    let marks = try await marks()
    var state = try await setting.begun(isFull: isFull)
    if state.unfinished?.native == nil {
      var cursor = NativeCursor(kinds: kinds(marks, state), marks: marks)
      if let first = cursor.kinds.first { cursor.request = request(for: first, state) }
      state.unfinished?.native = cursor
    }
    if let kinds = state.unfinished?.native?.kinds, !kinds.isEmpty {
      let surroundings = try await surroundings(kinds)
      while let kind = state.unfinished?.native?.kinds.first {
        do {
          state = try await took(kind, state, surroundings)
        } catch let error as RPCError where error.isNotAllowed {
          state = try await passedOver(kind, error, state)
        }
      }
    }
    if state.replacesAll { try await setting.replaceAll(&state) } else { try await removeOthers(&state) }
    state.marks = state.unfinished?.native?.marks ?? marks
    return try await setting.complete(state)
  }

  // MARK: What is to be done

  private func marks() async throws -> [NativeMark] {
    var marks: [NativeMark] = []
    for change in try await service.modifications(mapping.kinds) {
      guard let kind = NativeKind(rawValue: change.kind) else { continue }
      let index = marks.firstIndex { $0.kind == kind } ?? marks.count
      if index == marks.count { marks.append(NativeMark(kind: kind)) }
      switch change.operation {
      case .update: marks[index].updatedAt = change.at
      case .createOrDelete: marks[index].createdOrDeletedAt = change.at
      }
    }
    return marks
  }

  /// The kinds of which something changed.
  private func kinds(_ marks: [NativeMark], _ state: SyncState) -> [NativeKind] {
    // What is only taken into others comes with them.
    if state.unfinished?.isFull != false { return mapping.shownKinds }
    return mapping.kinds.filter { kind in
      marks.first { $0.kind == kind } != state.marks.first { $0.kind == kind }
    }
  }

  /// The first page of a kind: what changed since shortly before the last change that is known.
  private func request(for kind: NativeKind, _ state: SyncState) -> NativePageRequest {
    guard state.unfinished?.isFull == false, let known = state.marks.first(where: { $0.kind == kind }),
      let last = [known.updatedAt, known.createdOrDeletedAt].compactMap({ $0 }).max()
    else { return NativePageRequest() }
    return NativePageRequest(modifiedSince: max(0, last - Int(SyncSetting.overlapInSeconds * 1000)))
  }

  private func surroundings(_ kinds: [NativeKind]) async throws -> MappingSurroundings {
    var surroundings = MappingSurroundings()
    let isTaking = mapping.rules.contains { !$0.takes.isEmpty }
    for kind in isTaking ? mapping.kinds : kinds where kind.hasTypes {
      surroundings.propertyTypes[kind] = try await service.propertyTypes(kind)
    }
    return surroundings
  }

  // MARK: A kind

  private func took(
    _ kind: NativeKind, _ before: SyncState, _ surroundings: MappingSurroundings
  ) async throws -> SyncState {
    var state = before
    if state.unfinished?.native?.phase == .objects {
      state = try await fetched(kind, state, surroundings)
      // Of the others, ids are what tells who is there.
      if state.unfinished?.isFull == false, kind != .space { state.unfinished?.native?.told = 0 }
      state.unfinished?.native?.phase = .ids
      state.unfinished?.native?.request = NativePageRequest()
      try await setting.cache.saveState(state.encoded)
    }
    state = try await removedGone(kind, state)
    try await beginNextKind(&state)
    return state
  }

  /// Begins the next kind.
  private func beginNextKind(_ state: inout SyncState) async throws {
    state.unfinished?.native?.kinds.removeFirst()
    state.unfinished?.native?.phase = .objects
    state.unfinished?.native?.told = 0
    if let next = state.unfinished?.native?.kinds.first {
      let first = request(for: next, state)
      state.unfinished?.native?.request = first
    }
    try await setting.cache.saveState(state.encoded)
  }

  /// Leaves a kind out that the user may not see; the next refresh asks for it again.
  private func passedOver(_ kind: NativeKind, _ error: RPCError, _ before: SyncState) async throws -> SyncState {
    var state = before
    setting.warn(
      Diagnostic(
        .warning, code: "openbis.kind-not-allowed", "the \(kind.plural) may not be seen: \(error.report.message)",
        advice: error.report.advice))
    let old = mark(kind, before.marks)
    state.unfinished?.native?.marks.removeAll { $0.kind == kind }
    if let old { state.unfinished?.native?.marks.append(old) }
    try await beginNextKind(&state)
    return state
  }

  /// How many objects may be fetched twice after an interruption.
  private static let batchSize = 500
  /// How many objects a page has: while one is written the next one is on its way, and the two are a batch.
  private static let pageSize = batchSize / 2

  /// Fetches the pages of a kind; while one is written, the next one is asked for.
  private func fetched(
    _ kind: NativeKind, _ before: SyncState, _ surroundings: MappingSurroundings
  ) async throws -> SyncState {
    var state = before
    var first = state.unfinished?.native?.request ?? NativePageRequest()
    first.count = Self.pageSize
    let pager = NativePager(service, kind, from: first)
    var page = try await fetch(pager)
    while let current = page {
      // All spaces come at once.
      let next = pager.isFinished || kind == .space ? nil : pager.request
      async let upcoming = next == nil ? nil : fetch(pager)
      state = try await tookTakers(of: current.objects, kind, surroundings, state)
      let rows = try await rows(of: current.objects, surroundings)
      state = try await take(rows, kind, current.summary, next: next, state)
      page = try await upcoming
    }
    return state
  }

  /// The next page; nil if there is none.
  private func fetch(_ pager: NativePager) async throws -> NativeFetchedPage? {
    let objects = ObjectCollector()
    return try await pager.next { objects.add($0) }.map { NativeFetchedPage(objects: objects.all, summary: $0) }
  }

  private func take(
    _ mapped: MappedRows, _ kind: NativeKind, _ summary: NativePageSummary, next: NativePageRequest?,
    _ before: SyncState
  ) async throws -> SyncState {
    try await setting.take(.objects, kind.plural, generation: before.generation) {
      // Groups first: they are what the others are listed below.
      $0.push(mapped.groups)
      $0.push(mapped.rows)
    } next: { applied, _ in
      var state = before.adding(applied)
      state.unfinished?.totals.skipped += summary.unusableCount
      state.unfinished?.native?.told += summary.count
      if let next { state.unfinished?.native?.request = next }
      return state
    }
  }

  /// Maps those anew that take properties of objects which changed: they themselves did not.
  private func tookTakers(
    of changed: [NativeObject], _ kind: NativeKind, _ surroundings: MappingSurroundings, _ before: SyncState
  ) async throws -> SyncState {
    var state = before
    // Of a full refresh they come by themselves.
    guard state.unfinished?.isFull == false else { return state }
    let permIDs = changed.map(\.permID)
    for way in mapping.takers(of: kind) {
      var (from, hasMore) = (0, true)
      while hasMore {
        let page = try await service.belonging(way, to: permIDs, from: from, count: Self.pageSize)
        if page.objects.isEmpty { break }
        let mapped = try await rows(of: page.objects, surroundings)
        let known = state
        state = try await setting.take(.objects, way.kind.plural, generation: state.generation) {
          $0.push(mapped.groups)
          $0.push(mapped.rows)
        } next: { applied, _ in
          known.adding(applied)
        }
        (from, hasMore) = (from + Self.pageSize, page.hasMore)
      }
    }
    return state
  }

  /// What the mapping makes of objects, with those they take properties of and the files that become entities.
  private func rows(
    of objects: [NativeObject], _ surroundings: MappingSurroundings
  ) async throws -> MappedRows {
    let complete = try await NativeContext(service: service, mapping: mapping)
      .completed(surroundings, for: objects, wantsFiles: .pages)
    return mapping.rows(of: objects, complete)
  }

  // MARK: What the server has no more

  /// Removes entities of objects the server has no more.
  private func removedGone(_ kind: NativeKind, _ before: SyncState) async throws -> SyncState {
    var state = before
    guard let unfinished = state.unfinished, before.completedAt != nil, !before.replacesAll else { return state }
    guard mapping.shownKinds.contains(kind) else { return state }
    let (old, new) = (mark(kind, state.marks), mark(kind, unfinished.native?.marks ?? []))
    // All spaces come at once, so they tell by themselves; of a full refresh every object was spoken of.
    if !unfinished.isFull, kind != .space {
      guard old?.createdOrDeletedAt != new?.createdOrDeletedAt else { return state }
      state = try await touchedAll(kind, state)
    }
    let isSure = state.unfinished?.totals.skipped == 0
    let hasAny = try await setting.cache.hasAny(prefix: kind.rawValue + ".")
    if !isSure || hasAny && state.unfinished?.native?.told == 0 {
      if isSure { setting.warnOfEmpty(kind) }
      // The next refresh looks once more.
      let index = state.unfinished?.native?.marks.firstIndex { $0.kind == kind }
      if let index { state.unfinished?.native?.marks[index].createdOrDeletedAt = old?.createdOrDeletedAt }
      return state
    }
    state.unfinished?.totals.removed += try await setting.cache.removeUntouched(
      prefix: kind.rawValue + ".", before: state.generation)
    return state
  }

  /// Removes entities of kinds that the mapping has no more, groups and files' pages, after a full refresh.
  private func removeOthers(_ state: inout SyncState) async throws {
    guard let unfinished = state.unfinished, state.completedAt != nil else { return }
    let skipped = unfinished.totals.skipped
    if skipped > 0 { setting.warnOfKept(skipped: skipped) }
    guard unfinished.isFull else { return }
    let hidden = NativeKind.allCases.filter { !mapping.shownKinds.contains($0) }.map(\.rawValue)
    // Groups and files are those of objects: if some of these were kept untold, so are they.
    let others = skipped == 0 ? ["GROUP", "FILE"] : []
    for prefix in hidden + others {
      state.unfinished?.totals.removed += try await setting.cache.removeUntouched(
        prefix: prefix + ".", before: state.generation)
    }
  }

  private func mark(_ kind: NativeKind, _ marks: [NativeMark]) -> NativeMark? { marks.first { $0.kind == kind } }

  /// Marks all entities of a kind that the server still has; each page with the place of the next one.
  private func touchedAll(_ kind: NativeKind, _ before: SyncState) async throws -> SyncState {
    var state = before
    var first = state.unfinished?.native?.request ?? NativePageRequest()
    first.count = 10_000
    let pager = NativePager(service, kind, from: first, idsOnly: true)
    while let page = try await fetch(pager) {
      setting.report(Progress("looking for deleted \(kind.plural)"))
      state.unfinished?.totals.skipped += page.summary.unusableCount
      state.unfinished?.native?.told += page.summary.count
      state.unfinished?.native?.request = pager.request
      try await setting.cache.touch(
        PackedTexts(page.objects.map(\.entityID)), generation: state.generation, state: state.encoded)
    }
    return state
  }
}

/// A page that came.
private struct NativeFetchedPage: Sendable {
  /// Those that are new or changed since the pages before.
  var objects: [NativeObject]
  var summary: NativePageSummary
}

/// Keeps the objects of a page while they arrive.
private final class ObjectCollector: Sendable {
  private let state = Mutex<[NativeObject]>([])
  var all: [NativeObject] { state.withLock { $0 } }
  func add(_ objects: [NativeObject]) { state.withLock { $0 += objects } }
}

extension NativeKind {
  /// Whether its objects have types with properties.
  var hasTypes: Bool { self != .space && self != .project }
}

extension SyncSetting {
  /// Says that a kind was kept of which the server suddenly has nothing.
  fileprivate func warnOfEmpty(_ kind: NativeKind) {
    warn(
      Diagnostic(
        .warning, code: "openbis.kind-empty", "the server has no \(kind.plural) any more; those cached were kept",
        advice: "if that is right, 'workbench openbis logout --forget' removes the cache"))
  }
}
