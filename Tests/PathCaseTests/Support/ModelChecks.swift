@testable import PathCase

extension FluxProblem {
  /// Returns the imbalance of fluxes: the largest net rate of change of a species.
  ///
  /// - Parameter fluxes: One flux per reaction.
  func imbalance(of fluxes: [Double]) -> Double {
    var change = [Double](repeating: 0, count: rows)
    for (reaction, flux) in fluxes.enumerated() where flux != 0 {
      for entry in Int(starts[reaction])..<Int(starts[reaction + 1]) {
        change[Int(indices[entry])] += amounts[entry] * flux
      }
    }
    return change.reduce(0) { max($0, abs($1)) }
  }
}

extension FluxSolution {
  /// The sum of the absolute values of all fluxes.
  var totalFlux: Double? { objective == nil ? nil : fluxes.reduce(0) { $0 + abs($1) } }
}

extension ScenarioFact {
  /// A Boolean value indicating whether no level or state remains, so that there is no scenario.
  var isContradiction: Bool {
    switch subject {
    case .pool(_, let levels): levels.isEmpty
    case .process(_, let states): states.isEmpty
    }
  }
}
