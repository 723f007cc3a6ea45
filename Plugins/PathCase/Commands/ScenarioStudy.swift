import PluginAPI

/// A question about scenarios, with everything that its answer depends on.
struct ScenarioStudy: Sendable {
  var network: ScenarioNetwork
  var mode = ScenarioMode.necessary
  var restriction = ScenarioRestriction()
  /// Whether only scenarios with as few active processes as possible count.
  var isSimplest = false

  /// The scenarios.
  ///
  /// - Throws: ``ScenarioError``, ``FluxError``, `CancellationError`.
  func scenarios(isCancelled: @escaping @Sendable () -> Bool) throws -> ScenarioSet {
    var limits = SearchLimits()
    limits.isCancelled = isCancelled
    var analysis = try ScenarioAnalysis(network, mode: mode.analysis, restriction: restriction, limits: limits)
    if isSimplest, let fewest = analysis.fewestActive {
      analysis = try analysis.restricted(ScenarioRestriction(maximumActive: fewest))
    }
    let fluxes = mode == .realizable ? try feasibility(isCancelled) : nil
    return try ScenarioSet(analysis, mode: mode, feasibility: fluxes)
  }

  /// By elementary modes where there are few, which is a hundred times as fast; else by linear programs.
  private func feasibility(_ isCancelled: @escaping @Sendable () -> Bool) throws -> any FluxFeasibility {
    var limits = ElementaryModes.Limits()
    limits.rays = Self.mostModes
    limits.isCancelled = isCancelled
    do {
      return ModeCover(
        try ElementaryModes(try ModeProblem(network), limits: limits), processes: network.processes.count)
    } catch is ModeError {
      return try ScenarioFluxes(network)
    }
  }

  /// With more modes than these a linear program is as fast.
  private static let mostModes = 1_000
}
