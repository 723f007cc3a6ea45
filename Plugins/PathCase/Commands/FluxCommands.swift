import PluginAPI

/// Commands that compute fluxes of models.
enum FluxCommands {
  static let all = [fba, pfba, fva, blocked, deletions, ModesCommand.command]

  private static let maximize = Option(
    "maximize", String.self, "the reaction whose flux is to be largest; the model's own objective by default"
  ).completedByProcesses()
  private static let minimize = Option("minimize", String.self, "the reaction whose flux is to be smallest")
    .completedByProcesses()

  // MARK: Best fluxes

  private struct BestFluxes: Model {
    var solution: FluxSolution
    var model: ReactionModel

    static let typeName = "pathcase.fluxes"
    static let fields = Fields<Self> {
      Field("status", \.solution.status.rawValue, "optimal, infeasible, unbounded or why there is no answer")
      Field("objective", \.solution.objective, "the best value; null without one")
      Field("fluxes", \.fluxes, "the flux of each reaction, in the model's unit")
    }

    private var fluxes: NamedValues<Double> {
      NamedValues(zip(model.reactions, solution.fluxes).lazy.map { ($0.id.text, $1 == 0 ? 0 : $1) })
    }
  }

  private static let fba = PathCaseCommand(
    CommandDescription("fba", "finds the best steady-state fluxes of a model", output: .model(BestFluxes.self))
      .taking(PathCaseCommand.network, maximize, minimize).explained(
        "Of all best solutions one is given; 'pfba' gives the one with the least total flux. Without a best solution the "
          + "status says why, and no number is given.",
        examples: [
          .init("fba model.xml", "by the model's objective"), .init("fba model.xml --maximize ATPM", "another"),
        ])
  ) { call, shelf in
    try await emitBest(call, shelf) { try FluxAnalysis.solve($0) }
  }

  private static let pfba = PathCaseCommand(
    CommandDescription("pfba", "finds the best fluxes with the least total", output: .model(BestFluxes.self))
      .taking(PathCaseCommand.network, maximize, minimize).explained(
        "The objective is as good as with 'fba'; the sum of all fluxes' sizes is the smallest possible.",
        examples: [.init("pfba model.xml", "parsimonious fluxes")])
  ) { call, shelf in
    try await emitBest(call, shelf) { try FluxAnalysis.leastTotal($0) }
  }

  /// Emits a solution; if it is not optimal, emits its status first and then throws an error.
  private static func emitBest(
    _ call: CommandCall, _ shelf: PathwayShelf, _ solve: @escaping @Sendable (FluxProblem) throws -> FluxSolution
  ) async throws {
    let (model, problem) = try problem(call, shelf)
    warn(ofEmpty: problem, call)
    let solution = try await call.compute("computing fluxes") { _ in try solve(problem) }
    try await call.emit(BestFluxes(solution: solution, model: model))
    if solution.status != .optimal { throw PathwayError.noOptimum(solution.status, problem, model) }
  }

  // MARK: Ranges

  private struct ReactionRange: Model {
    var reaction: Identifier
    var range: FluxRange?

    // The zero flux is not added up, so that no zero is written as -0.
    static let typeName = "pathcase.flux-range"
    static let fields = Fields<Self> {
      Field("reaction", \.reaction.text, "the id", heading: "Reaction")
      Field("minimum", { $0.range.map { $0.least + 0 } }, "the least flux", heading: "Least")
      Field("maximum", { $0.range.map { $0.largest + 0 } }, "the largest flux", heading: "Largest")
    }
  }

  private static let fraction = Option("fraction", in: 0...1, "how much of the best objective is kept", default: 1.0)

  private static let fva = PathCaseCommand(
    CommandDescription("fva", "finds how small and how large each flux can be", output: .table(of: ReactionRange.self))
      .taking(PathCaseCommand.network, maximize, minimize, fraction).explained(
        "With a fraction of 0.9 the objective may be worse than the best by a tenth of it. Without a best solution it ends "
          + "with an error. 'blocked' lists the reactions that never have a flux.",
        examples: [.init("fva model.xml --fraction 0.9", "near the best")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    let fraction = call[fraction]
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.ranges(problem, fraction: fraction) { progress.isCancelled }
    }
    try Task.checkCancellation()
    guard found.status == .optimal else { throw PathwayError.noOptimum(found.status, problem, model) }
    try await call.emit(
      table: zip(model.reactions, found.ranges).map { ReactionRange(reaction: $0.id, range: $1) })
  }

  // MARK: Blocked reactions

  private struct BlockedReaction: Model {
    var reaction: ModelReaction

    static let typeName = "pathcase.blocked-reaction"
    static let fields = Fields<Self> {
      Field("reaction", \.reaction.id.text, "the id", heading: "Reaction")
      Field("name", \.reaction.name, "the reaction's name; empty without one", heading: "Name")
    }
  }

  private static let tolerance = Option(
    "tolerance", in: 0...1, "largest flux that counts as none, in the model's unit",
    default: FluxAnalysis.blockedTolerance)

  private static let blocked = PathCaseCommand(
    CommandDescription(
      "blocked", "lists the reactions that can never have a flux at steady state",
      output: .table(of: BlockedReaction.self)
    ).taking(PathCaseCommand.network, tolerance).explained(
      "A reaction is blocked if its smallest and its largest flux are both 0 within the tolerance, by the model's bounds "
        + "and balances alone: no objective has to be reached. COBRApy's find_blocked_reactions means the same.",
      examples: [.init("blocked model.xml", "with the model's own exchanges")])
  ) { call, shelf in
    let model = try shelf.network(call).model()
    let problem = FluxProblem(model)
    let tolerance = call[tolerance]
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.blocked(problem, tolerance: tolerance) { progress.isCancelled }
    }
    try Task.checkCancellation()
    guard found.status == .optimal else { throw PathwayError.noOptimum(found.status, problem, model) }
    try await call.emit(table: found.reactions.map { BlockedReaction(reaction: model.reactions[$0]) })
  }

  // MARK: Deletions

  private struct Deletion: Model {
    var id: Identifier
    var result: DeletionResult

    static let typeName = "pathcase.deletion"
    static let fields = Fields<Self> {
      Field("id", \.id.text, "the reaction or gene", heading: "Reaction")
      Field("status", \.result.status.rawValue, "what came of it", heading: "Status")
      Field("objective", \.result.objective, "the best value without it; null without one", heading: "Objective")
    }
  }

  private static let genes = Option(flag: "genes", "genes instead of reactions")

  private static let deletions = PathCaseCommand(
    CommandDescription(
      "deletions", "finds what is left of the objective without each reaction or gene",
      output: .table(of: Deletion.self)
    ).taking(PathCaseCommand.network, maximize, minimize, genes).explained(
      "A gene takes the reactions with it that cannot run without it.",
      examples: [.init("deletions model.xml --genes", "gene by gene")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    var (ids, deleted) = (model.reactions.map(\.id), model.reactions.indices.map { [$0] })
    if call[genes] {
      let rules = GeneDeletions(model)
      (ids, deleted) = (model.genes.map(\.id), model.genes.indices.map { rules.stoppedReactions(without: [$0]) })
    }
    warn(ofEmpty: problem, call)
    let found = try await call.compute("computing fluxes") { [deleted] progress in
      try FluxAnalysis.deletions(problem, of: deleted) { progress.isCancelled }
    }
    try Task.checkCancellation()
    var columns = Deletion.fields.table(of: zip(ids, found).map { Deletion(id: $0, result: $1) }).columns
    if call[genes] { columns[0].title = "Gene" }
    try await call.emit(.table(Table(columns: columns)))
  }

  // MARK: Shared code

  private static func problem(_ call: CommandCall, _ shelf: PathwayShelf) throws -> (ReactionModel, FluxProblem) {
    let model = try shelf.network(call).model()
    var problem = FluxProblem(model)
    let (maximized, minimized) = (call.filled(maximize), call.filled(minimize))
    if maximized != nil, minimized != nil {
      throw PathwayError.twoObjectives(
        "'--maximize' and '--minimize' cannot be given together", advice: "give one of them")
    }
    if let word = maximized ?? minimized {
      let reaction = try AskedReaction.index(word, in: model.reactions.map(\.id))
      problem.weights = [Double](repeating: 0, count: problem.reactionCount)
      problem.weights[reaction] = 1
      problem.isMaximized = maximized != nil
    }
    return (model, problem)
  }

  private static func warn(ofEmpty problem: FluxProblem, _ call: CommandCall) {
    if problem.hasEmptyObjective { call.warn(emptyObjective) }
  }

  /// A note for an empty objective, for which all fluxes are equally good.
  static let emptyObjective = Diagnostic(
    .warning, code: "pathcase.no-objective", "the model has no objective: all fluxes in balance are as good",
    advice: "name a reaction with '--maximize'")
}
