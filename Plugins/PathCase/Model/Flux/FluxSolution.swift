/// The outcome of a flux optimization.
enum FluxStatus: String, Sendable, Hashable, CaseIterable {
  /// An optimum exists and was found.
  case optimal
  /// No fluxes satisfy all bounds and balances.
  case infeasible
  /// The objective can grow without bound.
  case unbounded
  /// The time limit was exceeded.
  case limit
  /// Rounding errors prevented a result.
  case failed
  /// The computation was canceled.
  case cancelled
}

/// The optimal fluxes of a model, or the reason why there are none.
///
/// Numbers are present only if the status is `optimal`.
struct FluxSolution: Sendable, Hashable {
  let status: FluxStatus
  /// The optimal value of the objective; nil if there is none.
  let objective: Double?
  /// The flux of each reaction; empty if there is no optimum.
  let fluxes: [Double]
  /// The sum of the absolute values of all fluxes.
  var totalFlux: Double? { objective == nil ? nil : fluxes.reduce(0) { $0 + abs($1) } }

  static func optimal(_ objective: Double, _ fluxes: [Double]) -> FluxSolution {
    // A value that is not a number is not a result, whatever status the solver reports.
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

/// The minimum and maximum flux of a reaction; infinite where nothing limits it.
struct FluxRange: Sendable, Hashable {
  var least: Double
  var largest: Double
}

/// The flux ranges of a model, or the reason why there are none.
struct FluxRanges: Sendable, Hashable {
  var status: FluxStatus
  /// The optimal value of the objective; nil if there is none.
  var objective: Double?
  /// The ranges of the requested reactions, in the order of the request; nil where the solver found none.
  ///
  /// Empty if the status is not `optimal`.
  var ranges: [FluxRange?] = []
}

/// The blocked reactions, which have no flux at any steady state, or the reason why they are not known.
struct BlockedReactions: Sendable, Hashable {
  /// `optimal` if they are known.
  var status: FluxStatus
  /// The indices of the reactions, ascending, from 0; empty if the status is not `optimal`.
  var reactions: [Int] = []
}

/// The objective that remains after a deletion.
struct DeletionResult: Sendable, Hashable {
  var status: FluxStatus
  /// The objective; nil if the status is not `optimal`.
  var objective: Double?
}
