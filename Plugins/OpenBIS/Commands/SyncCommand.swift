import PluginAPI

/// The command that refreshes the cache.
enum SyncCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "sync", "fetches what changed on the server into the cache",
      output: .init(.record(fields), typeName: OpenBISValueType.sync), effects: [.reads, .writes, .network]
    ).taking(options: [
      Parameter("full", .flag, "ask for everything, and remove what the server has no more"),
      Parameter("if-due", .flag, "only if the server's refresh interval is over or the last refresh was interrupted"),
      Parameter("no-index", .flag, "leave the index for parts of words for later"), OpenBISCommand.account,
    ]).explained(
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
    guard laboratory.beginSync(of: browser.account.id) else { throw LabError.alreadySyncing(browser.account.id) }
    defer { laboratory.endSync(of: browser.account.id) }
    let state = try await browser.cache.state().flatMap(SyncState.init(encoded:)) ?? SyncState()
    let isDue = !call.flag("if-due") || state.isDue(at: browser.clock())
    let result =
      isDue
      ? try await browser.notingReach { try await browser.sync(isFull: call.flag("full")) }
      : try await browser.unchanged()
    try await call.emit(value(result))
    if isDue, let warning = try await LabToken.warning(try await browser.session(), at: call.context.now()) {
      call.warn(warning)
    }
    if !call.flag("no-index") { try await browser.index() }
  }

  static let fields: [ValueSchema.Field] = [
    .init("categories", .integer, "navigation entities"), .init("roots", .integer, "entities of the first screen"),
    .init("entities", .integer, "all that is cached"), .init("added", .integer, "entities that are new"),
    .init("changed", .integer, "entities that changed"), .init("removed", .integer, "entities that are gone"),
    .init("skipped", .integer, "rows that could not be used"),
    .init("milliseconds", .integer, "the time it took, without the index for parts of words"),
  ]

  private static func value(_ result: SyncResult) -> Value {
    let record: Value = [
      "categories": .integer(result.counts.navigation), "roots": .integer(result.counts.roots),
      "entities": .integer(result.counts.entities), "added": .integer(result.totals.added),
      "changed": .integer(result.totals.changed), "removed": .integer(result.totals.removed),
      "skipped": .integer(result.totals.skipped), "milliseconds": .integer(result.milliseconds),
    ]
    return record.typed(OpenBISValueType.sync)
  }
}

extension LabBrowser {
  /// Returns the state of the cache without a refresh.
  fileprivate func unchanged() async throws -> SyncResult {
    SyncResult(
      counts: try await cache.counts(), totals: SyncTotals(),
      milliseconds: 0)
  }
}
