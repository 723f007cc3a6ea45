import PluginAPI
import Synchronization

/// A refresh of a cache from V3 objects, from which a mapping makes entities.
///
/// First the server reports when each kind changed last, and which spaces the user may see. Objects of the changed
/// kinds are fetched page by page, those with the oldest changes first; each page is one transaction together with the
/// position of the next page. Then the number of objects of each kind is compared with the cache. Only where they
/// differ are ids fetched, to find objects that were deleted, or committed so late that their time of change does not
/// reveal them.
///
/// A kind whose search the server refuses is removed from the cache; every other failure keeps the cached objects.
struct NativeSync: Sendable {
  let service: NativeService
  let mapping: Mapping
  let setting: SyncSetting
  private let types = PropertyTypes()
  private let silent = SilentStores()
  private let refused = RefusedKinds()

  init(service: NativeService, mapping: Mapping, setting: SyncSetting) {
    (self.service, self.mapping, self.setting) = (service, mapping, setting)
  }

  /// Refreshes the cache.
  ///
  /// - Parameter isFull: True to fetch everything, not only what changed.
  func run(isFull: Bool) async throws -> SyncTotals {
    setting.report(Progress("requesting changes"))
    let marks: [NativeMark]
    do {
      marks = try await self.marks()
    } catch let error as RPCError where error.isNotAllowed {
      try await removeWithdrawnKinds()
      throw error
    }
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
        try await skip(kind, error, &state)
      }
      state.unfinished?.native?.kinds.removeFirst()
      try await begin(&state)
      try await setting.cache.save(state)
    }
    if state.replacesAll { try await setting.replaceAll(&state) } else { try await removeOthers(&state) }
    state.marks = state.unfinished?.native?.marks ?? marks
    if state.unfinished?.isFull == true {
      state.fullTimes = Dictionary(
        uniqueKeysWithValues: state.marks.compactMap { mark in mark.latest.map { (mark.kind, $0) } })
    }
    // Data sets with unknown files are fetched again next time.
    if state.unfinished?.lacksFiles == true { state.marks.removeAll { $0.kind == .dataSet } }
    return try await setting.complete(state)
  }

  // MARK: Planning

  /// Returns the codes of the spaces that the user may see; nil if the user may not list them.
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
        // The client's clock may be ahead of the server's.
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

  /// Returns true if objects of a kind must be fetched.
  ///
  /// They must if something changed, or if a change may not have been committed yet at the last refresh.
  private func hasChanged(_ kind: NativeKind, _ state: SyncState) -> Bool {
    guard let unfinished = state.unfinished, !unfinished.isFull else { return true }
    // Without their list, only a request shows whether the user may still see spaces.
    if kind == .space, unfinished.spaces == nil { return true }
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
    // The range reaches back as far as it costs next to nothing: clocks differ, and some transactions take longer.
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

  /// The number of cached objects that may be fetched again without need.
  private static let fewObjects = 200

  // MARK: One kind

  /// The number of objects per page: while one page is written the next one is on its way.
  static let pageSize = 1000

  /// Fetches the changed objects of a kind, compares the cache with the server, and returns the new state.
  private func refreshed(_ kind: NativeKind, _ before: SyncState) async throws -> SyncState {
    var state = before
    if state.unfinished?.native?.phase == .objects {
      if hasChanged(kind, state) {
        state = try await fetched(kind, state)
      } else {
        state.unfinished?.native?.overlap = nil
        // The number of a hidden kind is not compared: the request only shows that the user may still read it.
        if !mapping.shownKinds.contains(kind) { _ = try await service.count(kind) }
      }
      state.unfinished?.native?.phase = .ids
      state.unfinished?.native?.request = NativePageRequest()
    }
    return try await NativeCheck(sync: self, kind: kind).checked(state)
  }

  /// Skips a kind that the server refuses to list or complete; removes it if its search was refused.
  ///
  /// The next refresh requests it again.
  private func skip(_ kind: NativeKind, _ error: RPCError, _ state: inout SyncState) async throws {
    let known = state.marks.first { $0.kind == kind }
    dropMark(kind, error, &state)
    if error.isWithdrawal(of: kind) {
      try await withdraw(kind, wasKnown: known != nil, &state)
    } else {
      // Another request was refused, such as one for files: the cached objects stay.
      state.unfinished?.keepsUnreported = true
      if let known { state.unfinished?.native?.marks.append(known) }
    }
  }

  /// Warns that a kind is refused, and drops its mark.
  ///
  /// Without its mark a kind is fetched again next time, and with it the objects that take its properties.
  private func dropMark(_ kind: NativeKind, _ error: RPCError, _ state: inout SyncState) {
    setting.warn(
      Diagnostic(
        .warning, code: "openbis.kind-not-allowed", "no permission to read \(kind.plural): \(error.report.message)",
        advice: error.report.advice))
    state.unfinished?.native?.marks.removeAll { $0.kind == kind }
  }

  /// Removes a kind from the cache, and marks the kinds listed below it or taking its properties to be fetched again.
  private func withdraw(_ kind: NativeKind, wasKnown: Bool, _ state: inout SyncState) async throws {
    let removed = try await setting.cache.removeAll(kind)
    state.unfinished?.totals.removed += removed
    state.totals[kind] = nil
    // A later list of spaces then differs, so that all of them are fetched.
    if kind == .space { state.spaces = [] }
    guard wasKnown || removed > 0 else { return }
    let edges = mapping.listed(below: kind) + mapping.takers(of: kind)
    for dependent in NativeKind.allCases where edges.contains(where: { $0.kind == dependent }) {
      state.marks.removeAll { $0.kind == dependent }
      state.marks.append(NativeMark(kind: dependent))
    }
  }

  /// Removes every kind whose search is refused, and warns of it, even if a later request fails.
  ///
  /// Called if the server refuses even the times of changes; the next refresh is full.
  private func removeWithdrawnKinds() async throws {
    // First: if a request below fails, the marks must not hide what was removed.
    try await setting.cache.startOver()
    let knownCount = try await setting.cache.counts().entities
    do {
      var withdrawnCount = 0
      for kind in NativeKind.allCases {
        do {
          _ = try await service.count(kind)
        } catch let error as RPCError where error.isWithdrawal(of: kind) {
          withdrawnCount += 1
          _ = try await setting.cache.removeAll(kind)
        }
      }
      // Entities of tables belong to no kind.
      if withdrawnCount == NativeKind.allCases.count { try await setting.cache.sweep(before: .max) }
    } catch {
      try await setting.warnOfLostRights(before: knownCount)
      throw error
    }
    try await setting.warnOfLostRights(before: knownCount)
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

  /// Fetches the next page; returns nil if there is none.
  func fetch(_ pager: NativePager) async throws -> NativeFetchedPage? {
    let objects = ObjectCollector()
    return try await pager.next { objects.add($0) }.map { NativeFetchedPage(objects: objects.all, summary: $0) }
  }

  /// Counts the unusable objects of a page, which prevent removals.
  func noteUnusable(_ page: NativePageSummary, _ state: inout SyncState) {
    guard page.unusableCount > 0 else { return }
    state.unfinished?.totals.skipped += page.unusableCount
    state.unfinished?.native?.lacking += page.unusableCount
    state.unfinished?.keepsUnreported = true
  }

  /// Warns that the server sent fewer objects than it counts, which prevents removals.
  func noteMissing(_ pager: NativePager, _ kind: NativeKind, _ state: inout SyncState) async throws {
    let missing = pager.missingCount
    if missing == 0 { return }
    state.unfinished?.native?.lacking += missing
    state.unfinished?.keepsUnreported = true
    setting.warn(
      Diagnostic(
        .warning, code: "openbis.listing-incomplete",
        "the server counts \(missing) more \(kind.plural) than it sent, after \(NativePaging.mostPasses) attempts",
        advice: "none were removed from the cache; the next sync tries again"))
  }

  /// Writes objects into the cache, after the objects that change with them although their own times do not.
  ///
  /// These come first, so that a refresh resumed after an interruption finds the remaining work again.
  ///
  /// - Parameters:
  ///   - next: The page to resume from when the objects are written; nil to leave it unchanged.
  ///   - above: The permIds of the objects through which these were found, so that cycles end.
  func applied(
    _ objects: [NativeObject], _ kind: NativeKind, _ before: SyncState, next: NativePageRequest? = nil,
    above: Set<String> = []
  ) async throws -> SyncState {
    var state = before
    // A full refresh reaches all of them.
    if before.unfinished?.isFull == false, !objects.isEmpty {
      for edge in mapping.takers(of: kind) {
        state = try await appliedBelonging(edge, to: objects.map(\.permID), state, above: above)
      }
      let moved = try await setting.cache.movedObjects(objects).filter { !above.contains($0) }
      for edge in mapping.placed(in: kind) where !moved.isEmpty {
        state = try await appliedBelonging(edge, to: moved, state, above: above.union(moved))
      }
    }
    let mapped = try await rows(of: objects)
    for (kind, error) in refused.inOrder where mark(kind, state) != nil { dropMark(kind, error, &state) }
    if let next { state.unfinished?.native?.request = next }
    if !silent.isEmpty { state.unfinished?.lacksFiles = true }
    let known = state
    return try await setting.take(.objects, kind.plural, generation: state.generation) {
      // Groups come first: the other entities are listed below them.
      $0.push(mapped.groups)
      $0.push(mapped.rows)
    } next: { applied, _ in
      known.adding(applied)
    }
  }

  /// Writes into the cache the objects that belong to others by a relation.
  func appliedBelonging(
    _ edge: Mapping.Edge, to permIDs: [String], _ before: SyncState, above: Set<String> = []
  ) async throws -> SyncState {
    var state = before
    var (from, hasMore) = (0, true)
    while hasMore {
      let page: (objects: [NativeObject], hasMore: Bool)
      do {
        page = try await service.belonging(edge, to: permIDs, from: from, count: Self.pageSize)
      } catch let error as RPCError where error.isWithdrawal(of: edge.kind) {
        // The kind is removed in its own turn.
        break
      }
      if page.objects.isEmpty { break }
      state = try await applied(page.objects, edge.kind, state, above: above)
      (from, hasMore) = (from + Self.pageSize, page.hasMore)
    }
    return state
  }

  /// Returns the rows of objects, mapped with the objects they take properties from and the files that become entities.
  private func rows(of objects: [NativeObject]) async throws -> MappedRows {
    let context = NativeContext(
      service: service, mapping: mapping, warn: setting.warn, types: types, silent: silent, refused: refused)
    return mapping.rows(of: objects, try await context.surroundings(of: objects, wantsFiles: .pages))
  }

  // MARK: Removed on the server

  /// Removes entities of kinds that the mapping no longer shows, groups and file pages, after a full refresh.
  private func removeOthers(_ state: inout SyncState) async throws {
    guard let unfinished = state.unfinished, state.completedAt != nil else { return }
    let skipped = unfinished.totals.skipped
    if skipped > 0 { setting.warnOfKept(skipped: skipped) }
    guard unfinished.isFull else { return }
    let hidden = NativeKind.allCases.filter { !mapping.shownKinds.contains($0) }.map(\.rawValue)
    // Groups and files belong to objects: if unreported objects were kept, so are their groups and files.
    let others = unfinished.keepsUnreported || skipped > 0 ? [] : ["GROUP"] + (unfinished.lacksFiles ? [] : ["FILE"])
    for prefix in hidden + others {
      state.unfinished?.totals.removed += try await setting.cache.removeUntouched(
        prefix: prefix + ".", before: state.generation)
    }
  }

  /// Returns the mark of a kind at the beginning of this refresh.
  func mark(_ kind: NativeKind, _ state: SyncState) -> NativeMark? {
    state.unfinished?.native?.marks.first { $0.kind == kind }
  }
}

/// A page that was received.
struct NativeFetchedPage: Sendable {
  /// The objects that are new or changed since the pages before.
  var objects: [NativeObject]
  var summary: NativePageSummary
}

/// The property types of each kind, requested once.
final class PropertyTypes: Sendable {
  private let known = Mutex<[NativeKind: [String: [NativePropertyType]]]>([:])

  /// Returns the property types of a kind, by the code of the entity type.
  func of(_ kind: NativeKind, _ service: NativeService) async throws -> [String: [NativePropertyType]] {
    if let known = known.withLock({ $0[kind] }) { return known }
    let all = try await service.propertyTypes(kind)
    known.withLock { $0[kind] = all }
    return all
  }
}

/// A collector of a page's objects while they arrive.
private final class ObjectCollector: Sendable {
  private let state = Mutex<[NativeObject]>([])
  var all: [NativeObject] { state.withLock { $0 } }
  func add(_ objects: [NativeObject]) { state.withLock { $0 += objects } }
}

/// A source of the data that a mapping needs in addition to the objects themselves.
struct NativeContext: Sendable {
  let service: NativeService
  let mapping: Mapping
  let warn: @Sendable (Diagnostic) -> Void
  var types = PropertyTypes()
  /// The data stores that did not respond and are not asked again.
  var silent = SilentStores()
  /// The kinds that the server refused, so that the properties taken from them are missing.
  var refused = RefusedKinds()

  /// The selection of files to fetch.
  enum Files {
    /// Files that become entities of their own.
    case pages
    /// Files that become entities, and images.
    case all
  }

  /// Fetches the objects that others take properties from, the property types of both, and files of data sets.
  func surroundings(of objects: [NativeObject], wantsFiles: Files) async throws -> MappingSurroundings {
    var complete = MappingSurroundings()
    let wanted = objects.flatMap { object in
      mapping.rule(for: object)?.takes.flatMap { object.related($0) } ?? []
    }
    for (kind, permIDs) in Self.grouped(wanted) {
      do {
        for object in try await service.objects(kind, permIDs) { complete.related[object.entityID] = object }
      } catch let error as RPCError where error.isNotAllowed {
        // The object itself is readable without the properties of others.
        refused.insert(kind, error)
      }
    }
    let kinds = Set((objects + complete.related.values).map(\.kind))
    for kind in NativeKind.allCases where kinds.contains(kind) {
      complete.propertyTypes[kind] = try await types.of(kind, service)
    }
    let withFiles = objects.filter { object in
      guard object.kind == .dataSet, let rule = mapping.rule(for: object) else { return false }
      return rule.pages != nil || (wantsFiles == .all && rule.images.contains { $0.isOfFiles })
    }
    if withFiles.isEmpty { return complete }
    let stores = try await service.dataStores()
    for object in withFiles {
      guard let store = stores.first(where: { $0.code == object.dataStore }) ?? stores.first,
        !silent.contains(store.code)
      else { continue }
      do {
        complete.files[object.permID] = try await service.files(of: object.permID, at: store.downloadAddress)
      } catch let error as RPCError where error.isOfDataStore {
        // The response of the application server is usable without files; the files known before are kept.
        silent.insert(store.code)
        warn(Self.filesUnknown(store.code, error))
      }
    }
    return complete
  }

  private static func filesUnknown(_ store: String, _ error: RPCError) -> Diagnostic {
    Diagnostic(
      .warning, code: "openbis.files-unknown", "the data store '\(store)' did not list files: \(error.report.message)",
      advice: "the cached files are kept; everything else is up to date")
  }

  /// Groups the ids of objects by kind, each id once, kinds in a fixed order.
  private static func grouped(_ entityIDs: [String]) -> [(NativeKind, [String])] {
    var byKind: [NativeKind: [String]] = [:]
    var seen: Set<String> = []
    for id in entityIDs where seen.insert(id).inserted {
      if let object = Refcon.object(of: id) { byKind[object.kind, default: []].append(object.permID) }
    }
    return NativeKind.allCases.compactMap { kind in byKind[kind].map { (kind, $0) } }
  }
}

/// The codes of data stores that did not respond.
final class SilentStores: Sendable {
  private let codes = Mutex<Set<String>>([])

  var isEmpty: Bool { codes.withLock { $0.isEmpty } }
  func contains(_ code: String) -> Bool { codes.withLock { $0.contains(code) } }
  func insert(_ code: String) { codes.withLock { _ = $0.insert(code) } }
}

/// The kinds whose objects the server refused to return by id, with its errors.
final class RefusedKinds: Sendable {
  private let errors = Mutex<[NativeKind: RPCError]>([:])

  var isEmpty: Bool { errors.withLock { $0.isEmpty } }
  var inOrder: [(NativeKind, RPCError)] {
    errors.withLock { errors in NativeKind.allCases.compactMap { kind in errors[kind].map { (kind, $0) } } }
  }
  func insert(_ kind: NativeKind, _ error: RPCError) { errors.withLock { $0[kind] = error } }
}

extension MappingRule.Image {
  /// A Boolean value indicating whether the image is found among the files of a data set.
  var isOfFiles: Bool { if case .files = source { true } else { false } }
}
