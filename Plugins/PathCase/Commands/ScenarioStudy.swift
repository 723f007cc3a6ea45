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
    let fluxes = mode == .realizable ? try ScenarioFluxes(network) : nil
    return try ScenarioSet(analysis, mode: mode, feasibility: fluxes)
  }
}
