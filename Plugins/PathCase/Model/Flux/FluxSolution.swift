/// What came of a search for the best fluxes.
enum FluxStatus: String, Sendable, Hashable, CaseIterable {
  /// There is a best one, and it was found.
  case optimal
  /// No fluxes keep within all bounds and balances.
  case infeasible
  /// The objective can grow without end.
  case unbounded
  /// It took longer than allowed.
  case limit
  /// Rounding errors kept it from an answer.
  case failed
  /// It was ended from outside.
  case cancelled
}

/// The best fluxes of a model, or why there are none.
///
/// There are numbers only with the status `optimal`.
struct FluxSolution: Sendable, Hashable {
  let status: FluxStatus
  /// The best value of the objective; nil if there is none.
  let objective: Double?
  /// The flux of each reaction; empty if there is no best one.
  let fluxes: [Double]
  /// The sum of all fluxes' sizes.
  var totalFlux: Double? { objective == nil ? nil : fluxes.reduce(0) { $0 + abs($1) } }

  static func optimal(_ objective: Double, _ fluxes: [Double]) -> FluxSolution {
    // What is not a number is no answer, whatever the solver says.
    if !objective.isFinite || !fluxes.allSatisfy(\.isFinite) { return without(.failed) }
    return FluxSolution(status: .optimal, objective: objective, fluxes: fluxes)
  }

  static func without(_ status: FluxStatus) -> FluxSolution {
    FluxSolution(status: status == .optimal ? .failed : status, objective: nil, fluxes: [])
  }

  private init(status: FluxStatus, objective: Double?, fluxes: [Double]) {
    (self.status, self.objective, self.fluxes) = (status, objective, fluxes)
  }
}

/// The least and the largest flux of a reaction; infinite where nothing limits it.
struct FluxRange: Sendable, Hashable {
  var least: Double
  var largest: Double
}

/// The ranges of the fluxes of a model, or why there are none.
struct FluxRanges: Sendable, Hashable {
  var status: FluxStatus
  /// The best value of the objective; nil if there is none.
  var objective: Double?
  /// One for each reaction that was asked for, in that order; nil where the solver found none.
  ///
  /// Empty if the status is not `optimal`.
  var ranges: [FluxRange?] = []
}

/// The reactions that no steady state gives a flux, or why they are not known.
struct BlockedReactions: Sendable, Hashable {
  /// `optimal` if they are known.
  var status: FluxStatus
  /// Their indices, ascending, from 0; empty if the status is not `optimal`.
  var reactions: [Int] = []
}

/// What is left of the objective when something is taken away.
struct DeletionResult: Sendable, Hashable {
  var status: FluxStatus
  /// Nil if the status is not `optimal`.
  var objective: Double?
}
