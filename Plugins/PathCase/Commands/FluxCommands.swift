import PluginAPI

/// Commands that compute fluxes of models.
enum FluxCommands {
  static let all = [fba, pfba, fva, blocked, deletions, ModesCommand.command]

  private static let maximize = Option(
    "maximize", String.self, "Reaction whose flux to maximize; the model's own objective by default"
  ).completedByProcesses()
  private static let minimize = Option("minimize", String.self, "Reaction whose flux to minimize")
    .completedByProcesses()

  // MARK: Best fluxes

  private struct BestFluxes: Model {
    var solution: FluxSolution
    var model: ReactionModel

    static let typeName = "pathcase.fluxes"
    static let fields = Fields<Self> {
      Field(
        "status", \.solution.status.rawValue, "Status: optimal, infeasible, unbounded or another reason for no solution"
      )
      Field("objective", \.solution.objective, "Optimal value; null without one")
      Field("fluxes", \.fluxes, "Flux of each reaction, in the model's unit")
    }

    private var fluxes: NamedValues<Double> {
      NamedValues(zip(model.reactions, solution.fluxes).lazy.map { ($0.id.text, $1 == 0 ? 0 : $1) })
    }
  }

  private static let fba = PathCaseCommand(
    CommandDescription("fba", "Find the optimal steady-state fluxes of a model", output: .model(BestFluxes.self))
      .taking(NetworkInputs.network, maximize, minimize).explained(
        "The result is one of all optimal solutions; 'pfba' gives the one with the smallest total flux. Without an optimal "
          + "solution, the status shows the reason and there are no fluxes. A lower bound above the upper bound is an "
          + "error.",
        examples: [
          .init("fba model.xml", "For the model's objective"),
          .init("fba model.xml --maximize ATPM", "For another objective"),
        ])
  ) { call, shelf in
    try await emitBest(call, shelf) { try FluxAnalysis.solve($0) }
  }

  private static let pfba = PathCaseCommand(
    CommandDescription("pfba", "Find the optimal fluxes with the smallest total", output: .model(BestFluxes.self))
      .taking(NetworkInputs.network, maximize, minimize).explained(
        "The objective has the same value as with 'fba'. The sum of the absolute values of all fluxes is as small as possible.",
        examples: [.init("pfba model.xml", "Parsimonious fluxes")])
  ) { call, shelf in
    try await emitBest(call, shelf) { try FluxAnalysis.leastTotal($0) }
  }

  /// Emits a solution; if it is not optimal, emits its status first and then throws an error.
  private static func emitBest(
    _ call: CommandCall, _ shelf: PathwayShelf, _ solve: @escaping @Sendable (FluxProblem) throws -> FluxSolution
  ) async throws {
    let (model, problem) = try await problem(call, shelf)
    warn(ofEmpty: problem, call)
    let solution = try await call.compute("computing fluxes") { _ in try solve(problem) }
    try await call.emit(BestFluxes(solution: solution, model: model))
    if solution.status != .optimal { throw PathwayError.noOptimum(solution.status) }
  }

  // MARK: Ranges

  private struct ReactionRange: Model {
    var reaction: Identifier
    var range: FluxRange?

    // The zero flux is not added up, so that no zero is written as -0.
    static let typeName = "pathcase.flux-range"
    static let fields = Fields<Self> {
      Field("reaction", \.reaction.text, "Id", heading: "Reaction")
      Field("minimum", { $0.range.map { $0.least + 0 } }, "Smallest flux", heading: "Least")
      Field("maximum", { $0.range.map { $0.largest + 0 } }, "Largest flux", heading: "Largest")
    }
  }

  private static let part = Option(
    "part", String.self, "Part of the rows, such as 3/100; parts 1/N to N/N are the whole")
  private static let fraction = Option("fraction", in: 0...1, "Fraction of the optimum to keep", default: 1.0)

  private static let fva = PathCaseCommand(
    CommandDescription(
      "fva", "Find the smallest and largest flux of each reaction", output: .table(of: ReactionRange.self)
    )
    .taking(NetworkInputs.network, maximize, minimize, fraction, part).explained(
      "With a fraction of 0.9, the objective may be up to a tenth below the optimum. Without an optimal solution the "
        + "command fails. To list the reactions that never have a flux, use 'blocked'.",
      examples: [
        .init("fva model.xml --fraction 0.9", "Near the optimum"),
        .init("fva model.xml --part 1/4", "The first quarter of the reactions"),
      ])
  ) { call, shelf in
    let (model, problem) = try await problem(call, shelf)
    let fraction = call[fraction]
    let rows = try part(call).rows(of: model.reactions.count)
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.ranges(problem, fraction: fraction, reactions: Array(rows)) { progress.isCancelled }
    }
    try Task.checkCancellation()
    guard found.status == .optimal else { throw PathwayError.noOptimum(found.status) }
    try await call.emit(
      table: zip(model.reactions[rows], found.ranges).map { ReactionRange(reaction: $0.id, range: $1) })
  }

  // MARK: Blocked reactions

  private struct BlockedReaction: Model {
    var reaction: ModelReaction

    static let typeName = "pathcase.blocked-reaction"
    static let fields = Fields<Self> {
      Field("reaction", \.reaction.id.text, "Id", heading: "Reaction")
      Field("name", \.reaction.name, "Name; empty without one", heading: "Name")
    }
  }

  private static let tolerance = Option(
    "tolerance", in: 0...1, "Largest flux that counts as 0, in the model's unit",
    default: FluxAnalysis.blockedTolerance)

  private static let blocked = PathCaseCommand(
    CommandDescription(
      "blocked", "List the reactions that cannot have a flux at steady state",
      output: .table(of: BlockedReaction.self)
    ).taking(NetworkInputs.network, tolerance).explained(
      "A reaction is blocked if its smallest and largest fluxes are both 0 within the tolerance. This depends on "
        + "the bounds and balances of the model, not on its objective. COBRApy's find_blocked_reactions uses the same "
        + "definition.",
      examples: [.init("blocked model.xml", "With the model's own exchanges")])
  ) { call, shelf in
    let model = try await shelf.network(call).model()
    let problem = FluxProblem(model)
    let tolerance = call[tolerance]
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.blocked(problem, tolerance: tolerance) { progress.isCancelled }
    }
    try Task.checkCancellation()
    guard found.status == .optimal else { throw PathwayError.noOptimum(found.status) }
    try await call.emit(table: found.reactions.map { BlockedReaction(reaction: model.reactions[$0]) })
  }

  // MARK: Deletions

  private struct Deletion: Model {
    var id: Identifier
    var result: DeletionResult
    var pair: Pair?

    /// The second of a pair, and the results of deleting each alone.
    struct Pair {
      var second: Identifier
      var first: DeletionResult
      var other: DeletionResult
    }

    static let typeName = "pathcase.deletion"
    static let fields = Fields<Self> {
      Field("id", \.id.text, "Id of the reaction or gene", heading: "Reaction")
      Field("status", \.result.status.rawValue, "Status of the solution", heading: "Status")
      Field("objective", \.result.objective, "Optimal value without it; null if there is none", heading: "Objective")
      Field("second", \.pair?.second.text, "Id of the second of a pair; null without '--pairs'", heading: "Second")
      Field(
        "firstObjective", \.pair?.first.objective, "Optimal value without the first alone; null without '--pairs'",
        heading: "Without first")
      Field(
        "secondObjective", \.pair?.other.objective, "Optimal value without the second alone; null without '--pairs'",
        heading: "Without second")
    }
  }

  private static let genes = Option(flag: "genes", "Delete genes instead of reactions")
  private static let pairs = Option(flag: "pairs", "Delete each pair of reactions or genes, once")
  private static let syntheticLethal = Option(
    flag: "synthetic-lethal", "List only lethal pairs of which neither member alone is lethal; implies '--pairs'")

  private static let deletions = PathCaseCommand(
    CommandDescription(
      "deletions", "Compute the optimum without each reaction, gene or pair of them",
      output: .init(.table(Deletion.fields.columns), isStream: true)
    ).taking(NetworkInputs.network, maximize, minimize, genes, pairs, syntheticLethal, part).explained(
      "Deleting a gene also deletes the reactions that cannot run without it. '--pairs' deletes each reaction or gene "
        + "together with each later one. A deletion is lethal if it leaves no solution or less than 1 % of the optimum. "
        + "If the model has no optimal solution itself, the command fails. The rows of parts 1/N to N/N, in this order, "
        + "are those of the command without '--part'.",
      examples: [
        .init("deletions model.xml --genes", "Gene by gene"),
        .init("deletions model.xml --genes --synthetic-lethal", "Pairs of genes of which one is needed"),
        .init("deletions model.xml --pairs --part 3/100", "A hundredth of the pairs of reactions"),
      ])
  ) { call, shelf in
    let (model, problem) = try await problem(call, shelf)
    let part = try part(call)
    let rules = call[genes] ? GeneDeletions(model) : nil
    let ids = call[genes] ? model.genes.map(\.id) : model.reactions.map(\.id)
    let deleted = ids.indices.map { rules?.stoppedReactions(without: [$0]) ?? [$0] }
    warn(ofEmpty: problem, call)
    let whole = try await call.compute("computing fluxes") { _ in try FluxAnalysis.solve(problem) }
    guard whole.status == .optimal else { throw PathwayError.noOptimum(whole.status) }
    if call[pairs] || call[syntheticLethal] {
      let work = try await call.compute("computing fluxes") { progress in
        try PairDeletions(problem, of: deleted, rules: rules) { progress.isCancelled }
      }
      return try await emit(work, part.rows(of: work.order.count), ids, call)
    }
    let rows = part.rows(of: ids.count)
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.deletions(problem, of: Array(deleted[rows])) { progress.isCancelled }
    }
    try Task.checkCancellation()
    try await emit(zip(ids[rows], found).map { Deletion(id: $0, result: $1) }, call)
  }

  /// The number of pairs that are computed before they are emitted.
  private static let pairsAtOnce = 10_000

  /// Emits the pairs at some indices of their order, in tables that are parts of one.
  private static func emit(
    _ work: PairDeletions, _ indices: Range<Int>, _ ids: [Identifier], _ call: CommandCall
  ) async throws {
    var isFirst = true
    for start in stride(from: indices.lowerBound, to: indices.upperBound, by: pairsAtOnce) {
      try Task.checkCancellation()
      let end = min(start + pairsAtOnce, indices.upperBound)
      var found = try await call.compute("computing fluxes") { progress in
        try work.results(of: start..<end) { progress.isCancelled }
      }
      try Task.checkCancellation()
      if call[syntheticLethal] { found.removeAll { !work.isSyntheticLethal($0) } }
      call.report(Progress("computing fluxes", fraction: Double(end - indices.lowerBound) / Double(indices.count)))
      if found.isEmpty { continue }
      isFirst = false
      try await emit(
        found.map { pair in
          Deletion(
            id: ids[pair.one], result: pair.result,
            pair: .init(second: ids[pair.other], first: work.single(pair.one), other: work.single(pair.other)))
        }, call)
    }
    if isFirst { try await emit([], call) }
  }

  private static func emit(_ deletions: [Deletion], _ call: CommandCall) async throws {
    var columns = Deletion.fields.table(of: deletions).columns
    if call[genes] { columns[0].title = "Gene" }
    try await call.emit(.table(Table(columns: columns)))
  }

  // MARK: Shared code

  private static func problem(_ call: CommandCall, _ shelf: PathwayShelf) async throws -> (ReactionModel, FluxProblem) {
    let network = try await shelf.network(call)
    let model = try network.model()
    var problem = FluxProblem(model)
    let (maximized, minimized) = (call.filled(maximize), call.filled(minimize))
    if maximized != nil, minimized != nil {
      throw PathwayError.twoObjectives(
        "'--maximize' and '--minimize' cannot be given together", advice: "give one of them")
    }
    if let word = maximized ?? minimized {
      let reaction = try ReactionLookup.index(word, in: model.reactions.map(\.id), of: network)
      problem.weights = [Double](repeating: 0, count: problem.reactionCount)
      problem.weights[reaction] = 1
      problem.isMaximized = maximized != nil
    }
    return (model, problem)
  }

  /// Returns the part of the rows to compute.
  private static func part(_ call: CommandCall) throws -> WorkPart {
    guard let text = call.filled(part) else { return .whole }
    guard let part = WorkPart(text) else { throw PathwayError.badPart(text) }
    return part
  }

  private static func warn(ofEmpty problem: FluxProblem, _ call: CommandCall) {
    if problem.hasEmptyObjective { call.warn(emptyObjective) }
  }

  /// A note for an empty objective, for which all fluxes are equally good.
  static let emptyObjective = Diagnostic(
    .warning, code: "pathcase.no-objective", "the model has no objective: all balanced fluxes are equally good",
    advice: "choose a reaction with '--maximize'")
}

/// The command that finds elementary modes.
enum ModesCommand {
  private static let limit = Option(
    "limit", in: 1...10_000_000, "Maximum number of modes, including intermediate ones", default: 1_000_000)
  private static let seconds = Option("seconds", in: 1...86_400, "Time limit", unit: "second", default: 60)
  private static let stop = Option("stop", list: String.self, "Reaction to leave out").completedByProcesses()

  static let command = PathCaseCommand(
    CommandDescription("modes", "Find all elementary modes of a network", output: .model(ModesReport.self))
      .taking(NetworkInputs.network, limit, seconds, ScenarioQuery.closed, stop).explained(
        "An elementary mode is a minimal set of reactions that can run at steady state: none can be left out. The "
          + "command finds all modes, in exact integers, or fails. Networks with more than about 60 reactions often "
          + "have millions of modes, unless they are chains. The number of modes, the time and the memory (1 GB) are "
          + "limited. Only the directions of the bounds matter; a lower bound above the upper bound is an error.",
        examples: [
          .init("modes glycolysis --closed", "A pathway without its neighbors"),
          .init("modes model.xml --stop ATPM --json", "As JSON, for scripts"),
        ])
  ) { call, shelf in
    let network = try await shelf.network(call)
    var problem = try problem(network, isClosed: call[ScenarioQuery.closed])
    for word in call[stop] {
      let reaction = try ReactionLookup.index(word, in: problem.ids, of: network)
      problem.stopped.insert(reaction)
      problem.columns[reaction].entries = []
    }
    let (limit, seconds) = (call[limit], call[seconds])
    // The value of millions of modes is made on the thread of the search.
    let value = try await call.compute("finding elementary modes") { [problem] progress in
      let end = ContinuousClock.now + .seconds(seconds)
      var limits = ElementaryModes.Limits()
      (limits.rays, limits.seconds) = (limit, seconds)
      limits.isCancelled = { progress.isCancelled }
      limits.isLate = { ContinuousClock.now > end }
      return ModesReport(problem: problem, found: try ElementaryModes(problem, limits: limits)).value
    }
    try await call.emit(value)
  }

  private static func problem(_ network: OpenedNetwork, isClosed: Bool) throws -> ModeProblem {
    switch network {
    case .pathway, .file(_, .scenario): try ModeProblem(try network.scenarioNetwork(isClosed: isClosed))
    case .file: try ModeProblem(try network.model())
    }
  }
}

/// Finds the reactions and processes named by users.
enum ReactionLookup {
  /// Returns the reaction for a word.
  ///
  /// - Returns: The index of the reaction.
  /// - Throws: ``PathwayError/unknownReaction(_:in:advice:)``.
  static func index(_ word: String, in ids: [Identifier], of network: OpenedNetwork) throws(ErrorReport) -> Int {
    for id in Identifier.meant(by: word) {
      if let index = ids.firstIndex(of: id) { return index }
    }
    throw PathwayError.unknownReaction(word, in: network.name, advice: advice(for: word, in: ids))
  }

  /// Returns the advice for a word that is not an id: a similar one, or else the first with that word between its
  /// separators; nil if there is none.
  static func advice(for word: String, in ids: [Identifier]) -> String? {
    let texts = ids.map(\.text)
    if let advice = Suggestion.advice(for: word, in: texts) { return advice }
    let folded = word.lowercased()
    let found = texts.first { text in
      text.lowercased().split(whereSeparator: { $0 == "-" || $0 == "_" }).contains { $0 == folded }
    }
    return found.map { "did you mean '\($0)'?" }
  }
}
