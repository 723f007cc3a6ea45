/// Says whether a flux can have the directions of a scenario.
protocol FluxFeasibility: Sendable {
  /// Whether there are fluxes in balance at every pool inside the network, those of active processes at least 1 in their
  /// directions, all others 0.
  func hasFlux(_ scenario: Scenario) throws -> Bool
}
