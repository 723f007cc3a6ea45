import PluginAPI

/// The command that shows the entities below or above an entity as a tree.
enum TreeCommand {
  private static let depth = Option("depth", in: 0...Int.max, "how deep it goes", default: 3)
  private static let isUpward = Option(flag: "parents", "what lists the entity, and what lists that")
  private static let rows = Option("rows", in: 1...10_000_000, "how many rows at most", default: 10_000)

  static let command = OpenBISCommand(
    CommandDescription(
      "tree", "shows what lies below an entity as a tree",
      output: .init(.list(EntityWalk.Step.schema), typeName: OpenBISValueType.tree)
    ).taking(OpenBISCommand.entity, depth, isUpward, rows, OpenBISCommand.account).explained(
      "Of what is cached. Each entity is followed once: where it is met again, the tree says so and goes no further.",
      examples: [
        .init("tree PROBES --depth 2", "two levels below a category"),
        .init("tree 20130115-1 --parents", "what an entity comes from"),
      ])
  ) { call, laboratory in
    let browser = try await LabBrowser(call, laboratory)
    let id = call[OpenBISCommand.entity]
    guard try await browser.cache.entity(id) != nil else { throw try await browser.unknown(id) }
    let limits = EntityWalk.Limits(depth: call[depth], steps: call[rows])
    let (values, isCut) = try await call.compute("walking") { progress in
      var values: [Value] = []
      let graph = browser.cache.graph(isUpward: call[isUpward])
      let counts = try EntityWalk.from(id, graph, limits: limits) { step in
        if values.count % 256 == 0 { try progress.checkCancellation() }
        values.append(step.fieldValue)
      }
      return (values, counts.isCut)
    }
    if isCut {
      call.warn(
        Diagnostic(
          .note, code: "openbis.more", "the tree is cut after \(values.count) rows", advice: "'--rows' gives more"))
    }
    try await call.emit(.list(values).typed(OpenBISValueType.tree))
  }
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
