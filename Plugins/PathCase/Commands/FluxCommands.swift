import PluginAPI

/// Commands that compute fluxes of models.
enum FluxCommands {
  static let all = [fba, pfba, fva, blocked, deletions, ModesCommand.command]

  private static let options = [
    Parameter("maximize", .text, "the reaction whose flux is to be largest; the model's own objective by default")
      .completedByProcesses(),
    Parameter("minimize", .text, "the reaction whose flux is to be smallest").completedByProcesses(),
  ]
  private static let fluxFields: [ValueSchema.Field] = [
    .init("status", .text, "optimal, infeasible, unbounded or why there is no answer"),
    .init("objective", .optional(.number), "the best value; null without one"),
    .init("fluxes", .map(.number), "the flux of each reaction, in the model's unit"),
  ]

  private static let fba = PathCaseCommand(
    CommandDescription(
      "fba", "finds the best steady-state fluxes of a model", output: .init(.record(fluxFields)), effects: [.reads]
    ).taking([PathCaseCommand.network], options: options).explained(
      "Of all best solutions one is given; 'pfba' gives the one with the least total flux. Without a best solution the "
        + "status says why, and no number is given.",
      examples: [.init("fba model.xml", "by the model's objective"), .init("fba model.xml --maximize ATPM", "another")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    warn(ofEmpty: problem, call)
    try await emit(
      try await call.compute("computing fluxes") { _ in try FluxAnalysis.solve(problem) }, problem, model, call)
  }

  private static let pfba = PathCaseCommand(
    CommandDescription(
      "pfba", "finds the best fluxes with the least total", output: .init(.record(fluxFields)), effects: [.reads]
    ).taking([PathCaseCommand.network], options: options).explained(
      "The objective is as good as with 'fba'; the sum of all fluxes' sizes is the smallest possible.",
      examples: [.init("pfba model.xml", "parsimonious fluxes")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    warn(ofEmpty: problem, call)
    try await emit(
      try await call.compute("computing fluxes") { _ in try FluxAnalysis.leastTotal(problem) }, problem, model, call)
  }

  private static let fva = PathCaseCommand(
    CommandDescription(
      "fva", "finds how small and how large each flux can be",
      output: .init(
        .table([
          .init("reaction", .text, "the id"), .init("minimum", .optional(.number), "the least flux"),
          .init("maximum", .optional(.number), "the largest flux"),
        ])), effects: [.reads]
    ).taking(
      [PathCaseCommand.network],
      options: options + [
        Parameter(
          "fraction", .number(minimum: 0, maximum: 1), "how much of the best objective is kept", defaultValue: 1)
      ]
    ).explained(
      "With a fraction of 0.9 the objective may be worse than the best by a tenth of it. Without a best solution it ends "
        + "with an error. 'blocked' lists the reactions that never have a flux.",
      examples: [.init("fva model.xml --fraction 0.9", "near the best")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    let fraction = call["fraction"].number ?? 1
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.ranges(problem, fraction: fraction) { progress.isCancelled }
    }
    try Task.checkCancellation()
    guard found.status == .optimal else { throw PathwayError.noOptimum(found.status, problem, model) }
    // The zero flux is not added up, so that no zero is written as -0.
    try await call.emit(
      .table(
        Table(columns: [
          .init("reaction", title: "Reaction", .texts(model.reactions.map(\.id.text))),
          .init("minimum", title: "Least", .values(found.ranges.map { .optional($0.map { $0.least + 0 }) })),
          .init("maximum", title: "Largest", .values(found.ranges.map { .optional($0.map { $0.largest + 0 }) })),
        ])))
  }

  private static let blocked = PathCaseCommand(
    CommandDescription(
      "blocked", "lists the reactions that can never have a flux at steady state",
      output: .init(
        .table([.init("reaction", .text, "the id"), .init("name", .text, "the reaction's name; empty without one")])),
      effects: [.reads]
    ).taking(
      [PathCaseCommand.network],
      options: [
        Parameter(
          "tolerance", .number(minimum: 0, maximum: 1), "largest flux that counts as none, in the model's unit",
          defaultValue: .number(FluxAnalysis.blockedTolerance))
      ]
    ).explained(
      "A reaction is blocked if its smallest and its largest flux are both 0 within the tolerance, by the model's bounds "
        + "and balances alone: no objective has to be reached. COBRApy's find_blocked_reactions means the same.",
      examples: [.init("blocked model.xml", "with the model's own exchanges")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    let tolerance = call["tolerance"].number ?? FluxAnalysis.blockedTolerance
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.blocked(problem, tolerance: tolerance) { progress.isCancelled }
    }
    try Task.checkCancellation()
    guard found.status == .optimal else { throw PathwayError.noOptimum(found.status, problem, model) }
    let reactions = found.reactions.map { model.reactions[$0] }
    try await call.emit(
      .table(
        Table(columns: [
          .init("reaction", title: "Reaction", .texts(reactions.map(\.id.text))),
          .init("name", title: "Name", .texts(reactions.map(\.name))),
        ])))
  }

  private static let deletions = PathCaseCommand(
    CommandDescription(
      "deletions", "finds what is left of the objective without each reaction or gene",
      output: .init(
        .table([
          .init("id", .text, "the reaction or gene"), .init("status", .text, "what came of it"),
          .init("objective", .optional(.number), "the best value without it; null without one"),
        ])), effects: [.reads]
    ).taking([PathCaseCommand.network], options: options + [Parameter("genes", .flag, "genes instead of reactions")])
      .explained(
        "A gene takes the reactions with it that cannot run without it.",
        examples: [.init("deletions model.xml --genes", "gene by gene")])
  ) { call, shelf in
    let (model, problem) = try problem(call, shelf)
    let genes = GeneDeletions(model)
    let asked: [[Int]] =
      call.flag("genes")
      ? model.genes.indices.map { genes.stoppedReactions(without: [$0]) } : model.reactions.indices.map { [$0] }
    warn(ofEmpty: problem, call)
    let found = try await call.compute("computing fluxes") { progress in
      try FluxAnalysis.deletions(problem, of: asked) { progress.isCancelled }
    }
    try Task.checkCancellation()
    let names = call.flag("genes") ? model.genes.map(\.id.text) : model.reactions.map(\.id.text)
    try await call.emit(
      .table(
        Table(columns: [
          .init("id", title: call.flag("genes") ? "Gene" : "Reaction", .texts(names)),
          .init("status", title: "Status", .texts(found.map(\.status.rawValue))),
          .init("objective", title: "Objective", .values(found.map { .optional($0.objective) })),
        ])))
  }

  // MARK: Shared code

  private static func problem(_ call: CommandCall, _ shelf: PathwayShelf) throws -> (ReactionModel, FluxProblem) {
    let network = try shelf.network(call.text("network"), call.context)
    for warning in network.warnings { call.warn(warning) }
    let model = try network.model()
    var problem = FluxProblem(model)
    if !call.text("maximize").isEmpty, !call.text("minimize").isEmpty { throw PathwayError.twoObjectives }
    for (option, isMaximized) in [("maximize", true), ("minimize", false)] where !call.text(option).isEmpty {
      let reaction = try AskedReaction.index(call.text(option), in: model.reactions.map(\.id))
      problem.weights = [Double](repeating: 0, count: problem.reactionCount)
      problem.weights[reaction] = 1
      problem.isMaximized = isMaximized
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

  /// Emits a solution; if it is not optimal, emits its status first and then throws an error.
  private static func emit(
    _ solution: FluxSolution, _ problem: FluxProblem, _ model: ReactionModel, _ call: CommandCall
  ) async throws {
    try await call.emit(value(solution, model))
    if solution.status != .optimal { throw PathwayError.noOptimum(solution.status, problem, model) }
  }

  private static func value(_ solution: FluxSolution, _ model: ReactionModel) -> Value {
    [
      "status": .text(solution.status.rawValue), "objective": .optional(solution.objective),
      "fluxes": .record(
        Record(
          zip(model.reactions, solution.fluxes).map { Record.Field($0.id.text, .number($1 == 0 ? 0 : $1)) })),
    ]
  }
}
