import PluginAPI

/// The command that refreshes the cache.
enum SyncCommand {
  private static let full = Option(flag: "full", "Fetch everything, and remove what was deleted on the server")
  private static let ifDue = Option(
    flag: "if-due", "Sync only if the refresh interval is over or the last sync was interrupted")
  private static let noIndex = Option(flag: "no-index", "Do not update the substring index")

  static let command = OpenBISCommand(
    CommandDescription(
      "sync", "Download changes from the server into the cache",
      output: .model(SyncResult.self), effects: [.reads, .writes, .network]
    ).taking(full, ifDue, noIndex, LabInputs.account).explained(
      """
      An interrupted sync resumes where it stopped, unless '--full' starts over. A sync is full if your access to \
      spaces changed, or if the last full sync was seven or more days ago (setting 'openbis.full-refresh-days'). If \
      some rows of the server cannot be used, the sync does not remove missing entities. The substring index is \
      updated last, after the result is shown.
      """,
      examples: [
        .init("sync", "Changes since the last sync"), .init("sync --full", "Everything"),
        .init("sync --if-due --json", "For a timer"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    guard laboratory.beginSync(of: browser.account.id) else {
      throw LabError.alreadySyncing(
        "a sync of '\(browser.account.id)' is already running", advice: "wait until it ends", isRetryable: true
      ).sanitized
    }
    defer { laboratory.endSync(of: browser.account.id) }
    let state = try await browser.cache.syncState()
    let isDue = !call[ifDue] || state.isDue(at: browser.clock())
    let result =
      isDue
      ? try await browser.notingReach { try await browser.sync(isFull: call[full]) }
      : SyncResult(counts: try await browser.cache.counts(), totals: SyncTotals(), milliseconds: 0)
    try await call.emit(result)
    if isDue, let warning = try await LabToken.warning(try await browser.session(), at: call.context.now()) {
      call.warn(warning)
    }
    if !call[noIndex] { try await browser.index() }
  }
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
