import PluginAPI

/// A query for scenarios, with everything that its result depends on.
struct ScenarioStudy: Sendable {
  var network: ScenarioNetwork
  var mode = ScenarioMode.necessary
  var restriction = ScenarioRestriction()
  /// A Boolean value indicating whether only scenarios with as few active processes as possible count.
  var isSimplest = false

  /// Computes the scenarios.
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

  /// Returns a check by elementary modes if there are few, which is a hundred times as fast; otherwise by linear
  /// programs.
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

  /// The maximum number of modes; beyond it a linear program is as fast.
  private static let mostModes = 1_000
}
