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
        state = try await took(kind, state, surroundings)
      }
    }
    try await removeOthers(&state)
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
    if state.unfinished?.isFull != false { return mapping.kinds }
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
    for kind in NativeKind.allCases where kind.hasTypes {
      guard kinds.contains(kind) || mapping.rules.contains(where: { $0.takes.contains(kind.relation) }) else {
        continue
      }
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
      state.unfinished?.native?.phase = .ids
      state.unfinished?.native?.request = NativePageRequest()
      try await setting.cache.saveState(state.encoded)
    }
    state = try await removedGone(kind, state)
    state.unfinished?.native?.kinds.removeFirst()
    state.unfinished?.native?.phase = .objects
    if let next = state.unfinished?.native?.kinds.first {
      let first = request(for: next, state)
      state.unfinished?.native?.request = first
    }
    try await setting.cache.saveState(state.encoded)
    return state
  }

  /// How many objects a page has.
  ///
  /// While one page is written the next one is on its way: what is fetched twice after an interruption is these two, a
  /// thousand objects.
  private static let pageSize = 500

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
      let rows = try await rows(of: current.objects, kind, surroundings)
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
    var state = before
    if !mapped.groups.isEmpty {
      let known = state
      state = try await setting.take(.objects, "groups", generation: state.generation) {
        $0.push(mapped.groups)
      } next: { applied, _ in
        known.adding(applied)
      }
    }
    let known = state
    let label = kind.title.lowercased() + "s"
    return try await setting.take(.objects, label, generation: state.generation) {
      $0.push(mapped.rows)
    } next: { applied, _ in
      var state = known.adding(applied)
      state.unfinished?.totals.skipped += summary.unusableCount
      if let next { state.unfinished?.native?.request = next }
      return state
    }
  }

  /// What the mapping makes of objects, with those they take properties of and the files that become entities.
  private func rows(
    of objects: [NativeObject], _ kind: NativeKind, _ surroundings: MappingSurroundings
  ) async throws -> MappedRows {
    let complete = try await NativeContext(service: service, mapping: mapping)
      .completed(surroundings, for: objects, wantsFiles: .pages)
    return mapping.rows(of: objects, complete)
  }

  // MARK: What the server has no more

  /// Removes entities of objects the server has no more.
  private func removedGone(_ kind: NativeKind, _ before: SyncState) async throws -> SyncState {
    var state = before
    guard let unfinished = state.unfinished, before.completedAt != nil else { return state }
    let (old, new) = (mark(kind, state.marks), mark(kind, unfinished.native?.marks ?? []))
    // All spaces come at once, so they tell by themselves; of a full refresh every object was spoken of.
    if !unfinished.isFull, kind != .space {
      guard old?.createdOrDeletedAt != new?.createdOrDeletedAt else { return state }
      try await touchAll(kind, state.generation)
    }
    state.unfinished?.totals.removed += try await setting.cache.removeUntouched(
      prefix: kind.rawValue + ".", before: state.generation)
    return state
  }

  /// Removes entities of kinds that the mapping has no more, groups and files' pages, after a full refresh.
  private func removeOthers(_ state: inout SyncState) async throws {
    guard state.unfinished?.isFull == true, state.completedAt != nil else { return }
    let others = NativeKind.allCases.filter { !mapping.kinds.contains($0) }.map(\.rawValue) + ["GROUP", "FILE"]
    for prefix in others {
      state.unfinished?.totals.removed += try await setting.cache.removeUntouched(
        prefix: prefix + ".", before: state.generation)
    }
  }

  private func mark(_ kind: NativeKind, _ marks: [NativeMark]) -> NativeMark? { marks.first { $0.kind == kind } }

  /// Marks all entities of a kind that the server still has.
  private func touchAll(_ kind: NativeKind, _ generation: Int) async throws {
    let pager = NativePager(service, kind, from: NativePageRequest(count: 10_000), idsOnly: true)
    while let page = try await fetch(pager) {
      setting.report(Progress("looking for deleted \(kind.title.lowercased())s"))
      try await setting.cache.touch(PackedTexts(page.objects.map(\.entityID)), generation: generation)
    }
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

  /// The relation by which others belong to an object of the kind.
  var relation: MappingRule.Relation {
    switch self {
    case .space: .space
    case .project: .project
    case .experiment: .experiment
    case .sample: .sample
    case .dataSet: .container
    }
  }
}
