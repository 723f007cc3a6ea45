import PluginAPI

/// The command that refreshes the cache.
enum SyncCommand {
  private static let full = Option(flag: "full", "ask for everything, and remove what the server has no more")
  private static let ifDue = Option(
    flag: "if-due", "only if the server's refresh interval is over or the last refresh was interrupted")
  private static let noIndex = Option(flag: "no-index", "leave the index for parts of words for later")

  static let command = OpenBISCommand(
    CommandDescription(
      "sync", "fetches what changed on the server into the cache",
      output: .model(SyncResult.self), effects: [.reads, .writes, .network]
    ).taking(full, ifDue, noIndex, OpenBISCommand.account).explained(
      """
      Each answer of the server is kept as a whole or not at all, together with the place where the refresh is: what is \
      interrupted goes on there the next time, unless '--full' asks for a new beginning. Nothing is removed for not being \
      told after a refresh in which rows could not be used. Everything is fetched, as with '--full', when the last time was \
      seven days ago (setting 'openbis.full-refresh-days') or when the spaces you may see have changed. The index that finds parts of words is made last, when the result is out.
      """,
      examples: [
        .init("sync", "what changed since the last time"), .init("sync --full", "everything"),
        .init("sync --if-due --json", "for a timer"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    guard laboratory.beginSync(of: browser.account.id) else {
      throw LabError.alreadySyncing(
        "a refresh of '\(browser.account.id)' runs already", advice: "wait until it ends", isRetryable: true
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

/// The outcome of a refresh.
struct SyncResult: Model, Hashable {
  var counts: EntityCounts
  var totals: SyncTotals
  var milliseconds: Int

  static let typeName = OpenBISValueType.sync
  static let fields = Fields<SyncResult> {
    Field("categories", \.counts.navigation, "navigation entities")
    Field("roots", \.counts.roots, "entities of the first screen")
    Field("entities", \.counts.entities, "all that is cached")
    Field("added", \.totals.added, "entities that are new")
    Field("changed", \.totals.changed, "entities that changed")
    Field("removed", \.totals.removed, "entities that are gone")
    Field("skipped", \.totals.skipped, "rows that could not be used")
    Field("milliseconds", \.milliseconds, "the time it took, without the index for parts of words")
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
