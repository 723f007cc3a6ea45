import PluginAPI
import Synchronization

/// Decides by a linear program whether fluxes can have the directions of a scenario.
final class ScenarioFluxes: FluxFeasibility {
  private let processes: Int
  private let program: Mutex<LinearProgram>

  /// Creates the linear program of a network.
  ///
  /// - Throws: ``FluxError``.
  init(_ network: ScenarioNetwork) throws(ErrorReport) {
    processes = network.processes.count
    program = Mutex(try LinearProgram(FluxAnalysis.setup(FluxProblem(network))))
  }

  func hasFlux(_ scenario: Scenario) throws -> Bool {
    guard scenario.states.count == processes else { return false }
    return program.withLock { program in
      for (process, state) in scenario.states.enumerated() {
        switch state {
        case .idle: program.setBounds(process, 0, 0)
        case .forward: program.setBounds(process, 1, .infinity)
        case .backward: program.setBounds(process, -.infinity, -1)
        }
      }
      return program.solve(isMaximized: true) == .optimal
    }
  }
}

extension FluxProblem {
  /// Creates the problem of a scenario network, without bounds and objective.
  init(_ network: ScenarioNetwork) {
    var model = ReactionModel()
    model.species = network.pools.map { ModelSpecies(id: $0.id, isBoundary: $0.isBoundary) }
    model.reactions = network.processes.map { process in
      let parts = process.changes.sorted { $0.key < $1.key }.map { SpeciesAmount(species: $0.key, amount: $0.value) }
      return ModelReaction(id: process.id, stoichiometry: parts)
    }
    self.init(model)
  }
}
