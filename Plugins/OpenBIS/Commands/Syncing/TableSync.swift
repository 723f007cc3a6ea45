import PluginAPI

/// A refresh of a cache from the tables of `ipad-read-service-v1`: preferences, navigation, the roots of each category.
///
/// Each response is one transaction together with the position of the refresh, so that an interrupted refresh resumes
/// with its current category.
/// - Source: the app's call sequence; the four dialects are those of its server plugins from January to September 2013.
struct TableSync: Sendable {
  let tables: TableService
  let setting: SyncSetting
  /// The codes of the spaces that the user may see; nil if they are unknown.
  var spaces: @Sendable () async throws -> [String]? = { nil }

  /// Refreshes the cache.
  ///
  /// If the server refuses even the preferences, the user has lost every right: the cache is emptied, with a
  /// warning.
  ///
  /// - Parameter isFull: True to request all roots, not only those that changed.
  func run(isFull: Bool) async throws -> SyncTotals {
    setting.report(Progress("requesting preferences"))
    let preferences: ClientPreferences
    do {
      preferences = try await tables.preferences()
    } catch let error as RPCError where error.isNotAllowed {
      // First: if the removal is interrupted, the state must not hide it.
      try await setting.cache.startOver()
      let knownCount = try await setting.cache.counts().entities
      try await setting.cache.sweep(before: .max)
      try await setting.warnOfLostRights(before: knownCount)
      throw error
    }
    var state = try await setting.begun(isFull: isFull, spaces: try await spaces())
    state.preferences = preferences
    var isResumed = state.unfinished?.pending != nil
    if state.unfinished?.pending == nil {
      guard let navigated = try await navigated(state) else { return try await setting.abandoned(state) }
      state = navigated
    }
    while let category = state.unfinished?.pending?.first {
      do {
        state = try await appliedRoots(of: category, state)
      } catch RPCError.remote where isResumed {
        // The list dates from an earlier session: the category may no longer exist.
        isResumed = false
        guard let navigated = try await navigated(state) else { return try await setting.abandoned(state) }
        state = navigated
      }
    }
    try await sweep(&state)
    return try await setting.complete(state)
  }

  // MARK: Navigation

  /// Returns the state with the categories to request; nil if there suddenly are none.
  private func navigated(_ before: SyncState) async throws -> SyncState? {
    setting.report(Progress("requesting categories"))
    var (rows, summary) = try await setting.rows { try await tables.rows(.navigation, into: $0) }
    var state = before
    state.unfinished?.totals.skipped += summary.skippedRows
    setting.pass(summary.warnings)
    if let server = summary.response.serverTimeInSeconds {
      // Changes made during the refresh are requested again next time, whatever the client's clock says.
      state.unfinished?.startedAt += server - setting.clock()
    }
    if rows.isEmpty {
      (rows, summary) = try await setting.rows { try await tables.rows(.categories, into: $0) }
      state.unfinished?.namesCategory = !rows.isEmpty
    }
    if rows.isEmpty, try await !setting.cache.navigation().isEmpty { return nil }
    let living = rows.filter { !$0.isDeleted }
    let references = living.map { EntityReference(permID: $0.permID, refcon: $0.refcon ?? "") }
    // The first servers had no categories: a single request without a category returns all roots.
    state.unfinished?.pending = references.isEmpty ? [EntityReference(permID: "", refcon: "")] : references
    state.unfinished?.categories = references.count
    state.unfinished?.reportsDeletions = summary.hasDeletedColumn
    let (all, next) = (rows, state)
    return try await setting.take(.navigation, "categories", generation: state.generation) { channel in
      channel.push(all)
    } next: { applied, _ in
      var navigated = next.adding(applied)
      // Entities of a removed category may be in others: only a full refresh shows that.
      if applied.lostNavigation > 0 { navigated.unfinished?.isFull = true }
      return navigated
    }
  }

  // MARK: Roots

  /// Requests the roots of the first pending category.
  ///
  /// If the category's list shows changes without their rows, these were committed late: the category stays pending, and
  /// all its roots are requested.
  private func appliedRoots(of category: EntityReference, _ state: SyncState) async throws -> SyncState {
    guard let unfinished = state.unfinished else { return state }
    let number = unfinished.categories - (unfinished.pending?.count ?? 0) + 1
    let name = category.permID.isEmpty ? "roots" : category.permID
    let label = unfinished.categories > 1 ? "\(name) (\(number) of \(unfinished.categories))" : name
    setting.report(
      Progress("requesting \(label)", fraction: Double(number - 1) / Double(max(1, unfinished.categories))))
    let request = TableRequest.roots(
      category.permID.isEmpty ? [] : [category], lastUpdate: state.lastUpdate, namesCategory: unfinished.namesCategory)
    let kind = ResponseKind.roots(of: category.permID.isEmpty ? nil : category.permID)
    let setting = self.setting
    return try await setting.take(kind, label, generation: state.generation) { channel in
      let summary = try await tables.rows(request, into: channel)
      setting.pass(summary.warnings)
      return summary
    } next: { applied, summary in
      var next = state.adding(applied)
      let wantsAllRoots = applied.lacksRows && summary.hasDeletedColumn && !state.requestsAllRoots
      next.unfinished?.wantsAllRoots = wantsAllRoots
      if !wantsAllRoots { next.unfinished?.pending?.removeFirst() }
      next.unfinished?.totals.skipped += summary.skippedRows
      if summary.hasDeletedColumn { next.unfinished?.reportsDeletions = true }
      return next
    }
  }

  // MARK: Removed on the server

  /// Removes entities that no response of this refresh mentioned and nothing leads to, if the server does not report
  /// deletions.
  private func sweep(_ state: inout SyncState) async throws {
    guard let unfinished = state.unfinished else { return }
    if state.replacesAll { return try await setting.replaceAll(&state) }
    guard state.completedAt != nil, unfinished.isFull || !unfinished.reportsDeletions else { return }
    if unfinished.totals.skipped > 0 { return setting.warnOfKept(skipped: unfinished.totals.skipped) }
    setting.report(Progress("removing deleted entities"))
    state.unfinished?.totals.removed += try await setting.cache.sweep(before: state.generation)
  }
}

extension SyncSetting {
  /// Abandons a refresh because the server suddenly has no categories; the cached entities are kept.
  fileprivate func abandoned(_ before: SyncState) async throws -> SyncTotals {
    warn(
      Diagnostic(
        .warning, code: "openbis.no-categories", "the server no longer lists any categories; the cached ones are kept",
        advice: "if they were deleted, delete the cache with 'workbench openbis logout --forget'"))
    var state = before
    state.unfinished = nil
    state.checkedAt = clock()
    try await cache.save(state)
    return SyncTotals()
  }
}

extension SyncState {
  /// True if all roots of the first pending category are requested, not only those that changed.
  var requestsAllRoots: Bool { completedAt == nil || unfinished?.isFull != false || unfinished?.wantsAllRoots == true }

  /// The time since which changes are requested, in the service's format: seconds since 1970 with six decimals.
  ///
  /// It overlaps with the previous refresh, because clocks differ.
  var lastUpdate: String {
    guard let completedAt, !requestsAllRoots else { return "0.000000" }
    let microseconds = Int64(max(0, (completedAt - SyncSetting.overlapInSeconds) * 1e6))
    let fraction = String(microseconds % 1_000_000)
    return "\(microseconds / 1_000_000)." + String(repeating: "0", count: 6 - fraction.count) + fraction
  }
}
