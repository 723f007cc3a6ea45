import PluginAPI

/// The outcome of a refresh.
struct SyncResult: Sendable, Hashable {
  var counts: EntityCounts
  var totals: SyncTotals
  var milliseconds: Int
}

extension LabBrowser {
  /// Refreshes the cache from the server; resumes a refresh that was interrupted.
  ///
  /// - Parameter isFull: True to fetch everything, not only changes.
  func sync(isFull: Bool) async throws -> SyncResult {
    let begin = clock()
    let setting = self.setting
    let totals: SyncTotals
    if let tables = try await tables() {
      let service = try await native()
      totals = try await TableSync(tables: tables, setting: setting, spaces: { try await service.spacesIfKnown() })
        .run(isFull: isFull)
    } else {
      let mapping = try await mapping()
      totals = try await NativeSync(service: try await native(), mapping: mapping, setting: setting).run(isFull: isFull)
    }
    if totals.skipped > 0 {
      warn(
        Diagnostic(
          .warning, code: "openbis.rows-skipped",
          "\(totals.skipped) rows could not be used and were left out"))
    }
    try await cache.keepCounts()
    return SyncResult(
      counts: try await cache.counts(), totals: totals,
      milliseconds: Int((clock() - begin) * 1000))
  }

  /// Builds the missing parts of the substring index.
  func index() async throws {
    while try await cache.indexPending() {
      try Task.checkCancellation()
      report(Progress("indexing"))
      if try await !cache.indexSome() { return }
    }
  }
}
