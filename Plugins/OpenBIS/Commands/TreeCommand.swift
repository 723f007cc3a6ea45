import PluginAPI

/// The command that shows the entities below or above an entity as a tree.
enum TreeCommand {
  static let command = OpenBISCommand(
    CommandDescription(
      "tree", "shows what lies below an entity as a tree",
      output: .init(.list(.record(fields)), typeName: OpenBISValueType.tree)
    ).taking(
      [OpenBISCommand.entity],
      options: [
        Parameter("depth", .integer(minimum: 0, maximum: .max), "how deep it goes", defaultValue: 3),
        Parameter("parents", .flag, "what lists the entity, and what lists that"),
        Parameter(
          "rows", .integer(minimum: 1, maximum: 10_000_000), "how many rows at most", defaultValue: 10_000),
        OpenBISCommand.account,
      ]
    ).explained(
      "Of what is cached. Each entity is followed once: where it is met again, the tree says so and goes no further.",
      examples: [
        .init("tree PROBES --depth 2", "two levels below a category"),
        .init("tree 20130115-1 --parents", "what an entity comes from"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let id = call.text("perm-id")
    guard try await browser.cache.entity(id) != nil else { throw try await browser.unknown(id) }
    let limits = EntityWalk.Limits(depth: call["depth"].integer, steps: call["rows"].integer)
    let (cache, isUpward) = (browser.cache, call.flag("parents"))
    let walked = try await call.compute("walking") { progress in
      try Walked(id, cache.graph(isUpward: isUpward), limits, progress)
    }
    if walked.counts.isCut {
      call.warn(
        Diagnostic(
          .note, code: "openbis.more", "the tree is cut after \(walked.rows.count) rows", advice: "'--rows' gives more")
      )
    }
    try await call.emit(.list(walked.rows).typed(OpenBISValueType.tree))
  }

  /// The rows of a tree.
  private struct Walked: Sendable {
    var rows: [Value] = []
    var counts = EntityWalk.Counts()

    init(
      _ id: String, _ reading: GraphReading, _ limits: EntityWalk.Limits, _ progress: any WorkProgress
    ) throws {
      var rows: [Value] = []
      counts = try EntityWalk.from(id, reading, limits: limits) { step in
        if rows.count % 256 == 0 { try progress.checkCancellation() }
        rows.append(row(step))
      }
      self.rows = rows
    }
  }

  private static func row(_ step: EntityWalk.Step) -> Value {
    let (kind, count): (String, Int?) =
      switch step.kind {
      case .entity: ("entity", nil)
      case .again: ("again", nil)
      case .notLoaded: ("notLoaded", nil)
      case .left(let count): ("left", count)
      case .deeper(let count): ("deeper", count)
      }
    return [
      "depth": .integer(step.depth), "isLast": .bool(step.isLast), "kind": .text(kind), "permId": .text(step.permID),
      "title": .text(step.summary?.title ?? ""), "summary": .text(step.summary?.summary ?? ""),
      "count": .optional(count),
    ]
  }

  private static let fields: [ValueSchema.Field] = [
    .init("depth", .integer, "0 for the entity it begins with"),
    .init("isLast", .bool, "whether it is the last of its neighbours"),
    .init(
      "kind", .choice(["entity", "again", "notLoaded", "left", "deeper"]),
      "what it is: an entity, one that was met before, an id alone, or a number of neighbours not shown"),
    .init("permId", .text, "the id; empty for a number of neighbours"), .init("title", .text, "what it is called"),
    .init("summary", .text, "its second line"), .init("count", .optional(.integer), "how many are not shown"),
  ]
}

extension EntityStore {
  /// Returns the cache as a graph to traverse, for code with a thread of its own.
  func graph(isUpward: Bool = false) -> GraphReading {
    GraphReading { id in
      isUpward ? PackedTexts(try self.parentsAndWait(of: id).map(\.permID)) : try self.childIDsAndWait(of: id)
    } summaries: { ids in
      try self.summariesAndWait(ids)
    } mayHaveNeighbours: { summary in
      isUpward || summary.childCount != 0
    }
  }
}
