/// Decides whether a flux can have the directions of a scenario.
protocol FluxFeasibility: Sendable {
  /// Returns whether there are fluxes in balance at every internal pool, with at least 1 in the direction of each
  /// active process and 0 in all others.
  func hasFlux(_ scenario: Scenario) throws -> Bool
}
