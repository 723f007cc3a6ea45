/// The flux balance problem of a model in numbers only: steady-state constraints, bounds and objective.
///
/// The stoichiometric matrix is stored by columns: reaction by reaction.
struct FluxProblem: Sendable, Hashable {
  /// The number of species that must balance.
  private(set) var rows = 0
  /// The offset of each reaction's first entry, and the end of the last: one more than there are reactions.
  private(set) var starts: [Int32] = [0]
  /// The balanced species of each entry, counted from 0 in the model's order, without those that need not balance.
  private(set) var indices: [Int32] = []
  private(set) var amounts: [Double] = []
  /// The bounds of the fluxes; infinite if there is no bound.
  var lower: [Double] = []
  var upper: [Double] = []
  /// The contribution of a unit flux to the objective.
  var weights: [Double] = []
  var isMaximized = true

  var reactionCount: Int { lower.count }

  /// A Boolean value indicating whether all weights of the objective are 0.
  var hasEmptyObjective: Bool { weights.allSatisfy { $0 == 0 } }

  /// Creates the problem of a model.
  ///
  /// Species at the boundary need not balance. Stoichiometries of 0 are left out.
  ///
  /// - Parameter objective: The objective to use, by index; nil for the active one.
  init(_ model: ReactionModel, objective: Int? = nil) {
    var row = [Int32](repeating: -1, count: model.species.count)
    for (index, species) in model.species.enumerated() where !species.isBoundary {
      row[index] = Int32(rows)
      rows += 1
    }
    for reaction in model.reactions {
      for part in reaction.stoichiometry where row[part.species] >= 0 && part.amount != 0 {
        indices.append(row[part.species])
        amounts.append(part.amount)
      }
      starts.append(Int32(indices.count))
      lower.append(reaction.lowerBound)
      upper.append(reaction.upperBound)
    }
    weights = [Double](repeating: 0, count: model.reactions.count)
    guard let chosen = objective ?? model.activeObjective, model.objectives.indices.contains(chosen) else { return }
    isMaximized = model.objectives[chosen].isMaximized
    for term in model.objectives[chosen].terms { weights[term.reaction] += term.weight }
  }

  /// Creates a problem from columns of rows and amounts.
  init(
    rows: Int, columns: [[(row: Int, amount: Double)]], lower: [Double], upper: [Double], weights: [Double],
    isMaximized: Bool
  ) {
    self.rows = rows
    (self.lower, self.upper, self.weights, self.isMaximized) = (lower, upper, weights, isMaximized)
    for column in columns {
      for entry in column {
        indices.append(Int32(entry.row))
        amounts.append(entry.amount)
      }
      starts.append(Int32(indices.count))
    }
  }

  /// The first reaction whose bounds allow no flux.
  var impossibleReaction: Int? { lower.indices.first { Self.isImpossible(lower[$0], upper[$0]) } }

  /// Returns true if bounds allow no flux: the lower bound is above the upper, or one is not a number.
  static func isImpossible(_ lower: Double, _ upper: Double) -> Bool {
    !(lower <= upper) || lower == .infinity || upper == -.infinity
  }

  /// The smallest bound that may stand for no limit: models write 1000, 99999 or 999999 for it.
  private static let leastNoLimit = 1000.0

  /// The size of the largest finite bound; 0 if there is none.
  var largestBound: Double {
    zip(lower, upper).reduce(0) { largest, bounds in
      [bounds.0, bounds.1].reduce(largest) { $1.isFinite ? max($0, abs($1)) : $0 }
    }
  }

  /// The problem without its largest bounds, which usually stand for no limit; nil if they are too small for that.
  ///
  /// Every solution of this problem is a solution of the result. Exchanges with the environment keep their bounds,
  /// because these add up over everything that takes part. Reactions with a fixed flux keep theirs too.
  var withoutLargestBounds: FluxProblem? {
    let largest = largestBound
    if largest < Self.leastNoLimit { return nil }
    var wider = self
    for reaction in lower.indices where lower[reaction] < upper[reaction] {
      if starts[reaction + 1] - starts[reaction] < 2 { continue }
      if lower[reaction] == -largest { wider.lower[reaction] = -.infinity }
      if upper[reaction] == largest { wider.upper[reaction] = .infinity }
    }
    return wider
  }
}

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
