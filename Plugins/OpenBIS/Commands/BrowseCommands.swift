import PluginAPI

/// Commands that show entities: categories, roots, entities, data-sets, drill, detail, tree, export.
enum BrowseCommands {
  static let all = [
    categories, roots, entities, dataSets, drill, detail, TreeCommand.command, ExportCommand.command,
  ]

  /// The output of commands that list entities.
  static let listing = CommandDescription.Output(
    .list(EntityFamily.schema), typeName: OpenBISValueType.entities)

  private static let offset = Option("offset", in: 0...Int.max, "Number of entities to skip", default: 0)
  private static let limit = Option(
    "limit", Int.self, kind: .integer(minimum: 1, maximum: .max), "Maximum number of entities to list; all by default")

  static let categories = OpenBISCommand(
    CommandDescription("categories", "List the categories of the first screen", output: listing).taking(
      LabInputs.account
    ).explained(
      "Navigation entities are the top level of a server. Servers and mappings without them have roots only.",
      examples: [
        .init("categories", "Categories at the server used last"), .init("categories --json", "As JSON, for scripts"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let ids = try await browser.cache.navigation().map(\.permID)
    if ids.isEmpty { try await browser.noteNeverSynced() }
    try await call.emit(.list(browser.values(of: ids)).typed(OpenBISValueType.entities))
  }

  private static let category = Argument(
    "category", optional: String.self, "Id or label of a category; or the id of an entity, to list its children"
  ).completed(by: "categories", column: "permId", summaryColumn: "summaryHeader")

  static let roots = OpenBISCommand(
    CommandDescription("roots", "List the top entities, of all categories or of one", output: listing)
      .taking(category, offset, limit, LabInputs.account).explained(examples: [
        .init("roots", "The first screen"), .init("roots PROBES --limit 50", "The first 50 of a category"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let word = call[category] ?? ""
    var page = try await browser.cache.roots(in: word.isEmpty ? nil : word, Self.range(call))
    if page.total == 0, word.isEmpty { try await browser.noteNeverSynced() }
    if page.total == 0, !word.isEmpty {
      guard try await browser.cache.entity(word) != nil else { throw try await browser.unknown(word) }
      page = try await browser.cache.children(of: word, Self.range(call))
    }
    try await Self.emit(page, call, browser)
  }

  static let entities = ids(
    "entities", "List the ids of cached entities", beginningWith: "", "Ids that are new in the cache come first.")

  static let dataSets = ids(
    "data-sets", "List the codes of cached data sets", beginningWith: NativeObject.entityID(.dataSet, ""),
    "Data sets that are new in the cache come first. Accounts that use tables have none.")

  private static let mostListed = Option(
    "limit", in: 1...100_000, "Maximum number of entities to list", default: 5000)

  /// Returns the command that lists the cached entities whose ids begin with a text.
  private static func ids(
    _ name: String, _ summary: String, beginningWith prefix: String, _ explanation: String
  ) -> OpenBISCommand {
    OpenBISCommand(
      CommandDescription(name, summary, output: .table(of: ListedEntity.self))
        .taking(mostListed, LabInputs.account).explained(
          explanation,
          examples: [
            .init(name, "Of the server used last"), .init("\(name) --limit 100000 --csv", "As CSV, for scripts"),
          ])
    ) { call, laboratory in
      let browser = try await LabBrowser(call, laboratory)
      let limit = call[mostListed]
      let found = try await browser.cache.latest(prefix: prefix, limit: limit + 1)
      if found.isEmpty { try await browser.noteNeverSynced() }
      if found.count > limit {
        call.warn(Diagnostic(.note, code: "openbis.more", "more than \(limit) entities are cached"))
      }
      try await call.emit(table: found.prefix(limit).map(ListedEntity.init))
    }
  }

  static let drill = OpenBISCommand(
    CommandDescription(
      "drill", "List the children of an entity", output: listing, effects: [.reads, .writes, .network]
    ).taking(LabInputs.entity, offset, limit, LabInputs.cached, LabInputs.account).explained(
      """
      The command requests the children from the server first. If you are not logged in, or the server cannot be \
      reached or fails, it lists the cached children with a warning.
      """,
      examples: [
        .init("drill PROBES", "The entities of a category"), .init("drill PROBES --cached", "Without the network"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let id = call[LabInputs.entity]
    if !call[LabInputs.cached] { try await browser.unlessOffline { try await browser.drill(id) } }
    guard let entity = try await browser.cache.entity(id) else { throw try await browser.unknown(id) }
    var page = try await browser.cache.children(of: id, Self.range(call))
    // Some servers do not list a category's entities as its children.
    if page.total == 0, entity.flags.contains(.navigation) {
      page = try await browser.cache.roots(in: id, Self.range(call))
    }
    try await Self.emit(page, call, browser)
  }

  static let detail = OpenBISCommand(
    CommandDescription(
      "detail", "Show the details of an entity",
      output: .model(EntityFamily.self), effects: [.reads, .writes, .network]
    ).taking(LabInputs.entity, LabInputs.cached, LabInputs.account).explained(
      """
      The command requests the details from the server first. If you are not logged in, or the server cannot be \
      reached or fails, it shows the cached details with a warning.
      """,
      examples: [.init("detail 20130115-1", "An entity"), .init("detail 20130115-1 --json", "As JSON, for scripts")])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let id = call[LabInputs.entity]
    if !call[LabInputs.cached] { try await browser.unlessOffline { try await browser.details([id]) } }
    guard let value = try await browser.values(of: [id]).first else { throw try await browser.unknown(id) }
    try await call.emit(value.typed(EntityFamily.typeName))
  }

  /// Returns the part of a list that a call requests.
  private static func range(_ call: CommandCall) -> Range<Int> {
    let start = call[offset]
    let (end, isTooFar) = start.addingReportingOverflow(call[limit] ?? Int.max)
    return start..<(isTooFar ? Int.max : end)
  }

  private static func emit(_ page: EntityPage, _ call: CommandCall, _ browser: LabBrowser) async throws {
    let values = try await browser.values(of: page.rows.map(\.permID))
    let left = page.total - range(call).lowerBound - page.rows.count
    // On a screen the list itself shows them.
    if left > 0, !call.presentation.isInteractive {
      call.warn(Diagnostic(.note, code: "openbis.more", "\(left) more are not listed"))
    }
    try await call.emit(.list(values).typed(OpenBISValueType.entities))
  }
}

extension LabBrowser {
  /// Returns entities as command output, without those that are unknown.
  func values(of permIDs: [String]) async throws -> [Value] {
    var values: [Value] = []
    values.reserveCapacity(permIDs.count)
    try await forEachPart(of: permIDs) { values += $0 }
    return values
  }

  /// Calls `body` with entities as command output, some hundred at a time, without those that are unknown.
  func forEachPart(
    of permIDs: some RandomAccessCollection<String> & Sendable, _ body: ([Value]) async throws -> Void
  ) async throws {
    var rest = permIDs[...]
    while !rest.isEmpty {
      let families = try await cache.families(Array(rest.prefix(Self.partSize)))
      rest = rest.dropFirst(Self.partSize)
      try await body(families.compactMap { $0?.fieldValue })
      try Task.checkCancellation()
    }
  }

  /// The number of entities held as values at once.
  private static let partSize = 1000
}

/// The command that shows the entities below or above an entity as a tree.
enum TreeCommand {
  private static let depth = Option("depth", in: 0...Int.max, "Number of levels", default: 3)
  private static let isUpward = Option(flag: "parents", "Show parents instead of children")
  private static let rows = Option("rows", in: 1...10_000_000, "Maximum number of rows", default: 10_000)

  static let command = OpenBISCommand(
    CommandDescription(
      "tree", "Show the entities below an entity as a tree",
      output: .init(.list(EntityWalk.Step.schema), typeName: OpenBISValueType.tree)
    ).taking(LabInputs.entity, depth, isUpward, rows, LabInputs.account).explained(
      "The tree shows cached entities. An entity that occurs again is marked, and its children are not repeated.",
      examples: [
        .init("tree PROBES --depth 2", "Two levels below a category"),
        .init("tree 20130115-1 --parents", "The parents of an entity"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let id = call[LabInputs.entity]
    guard try await browser.cache.entity(id) != nil else { throw try await browser.unknown(id) }
    let limits = EntityWalk.Limits(depth: call[depth], steps: call[rows])
    let (values, isCut) = try await call.compute("reading the tree") { progress in
      var values: [Value] = []
      let traversal = StoredTraversal(EntityWalk(from: id, limits: limits), isUpward: call[isUpward])
      while let steps = try browser.cache.blockingRead({ try traversal.nextSteps($0) }) {
        try progress.checkCancellation()
        values += steps.map(\.fieldValue)
      }
      return (values, traversal.counts.isCut)
    }
    if isCut {
      call.warn(
        Diagnostic(
          .note, code: "openbis.more", "the tree ends after \(values.count) rows", advice: "show more with '--rows'"))
    }
    try await call.emit(.list(values).typed(OpenBISValueType.tree))
  }
}
