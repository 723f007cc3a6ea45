import PluginAPI

extension FluxAnalysis {
  /// Finds optimal fluxes whose absolute values have the smallest sum.
  ///
  /// - Parameter fraction: The fraction of the optimal objective to reach, 0 to 1.
  /// - Returns: The objective reached, and the fluxes.
  /// - Throws: ``FluxError``.
  static func leastTotal(_ problem: FluxProblem, fraction: Double = 1) throws(ErrorReport) -> FluxSolution {
    if problem.impossibleReaction != nil { return .without(.infeasible) }
    let (program, status) = try solved(problem)
    guard status == .optimal else { return .without(status) }
    let best = objective(problem, program)
    if fraction == 1 {
      let found = try leastTotal(bestFace(of: problem, program), goal: nil)
      if let reached = found.objective, abs(reached - best) <= largestLoss * max(1, abs(best)) { return found }
    }
    return try leastTotal(problem, goal: goal(best, fraction, problem))
  }

  /// The smallest reduced weight that is distinguished from rounding, for objectives of weight 1.
  private static let leastReducedWeight = 1e-9

  /// The maximum difference between two optimal objectives, relative to them if above 1.
  ///
  /// The solver's tolerance of 1e-9 per balance adds up to a few of these.
  private static let largestLoss = 1e-8

  /// Returns the problem whose solutions are the optimal ones of another.
  ///
  /// A flux with a nonzero reduced weight is at its bound in all optimal solutions. The remaining problem has no row
  /// that couples all reactions, as the objective would, and far fewer reactions.
  private static func bestFace(of problem: FluxProblem, _ program: LinearProgram) -> FluxProblem {
    var face = problem
    let (fluxes, reduced) = (program.values, program.reducedWeights)
    let least = leastReducedWeight * problem.weights.reduce(1) { max($0, abs($1)) }
    for reaction in fluxes.indices where abs(reduced[reaction]) > least {
      let (lower, upper) = (problem.lower[reaction], problem.upper[reaction])
      let bound = fluxes[reaction] - lower < upper - fluxes[reaction] ? lower : upper
      // A flux without bounds cannot be at a bound: its weight is a rounding error.
      guard bound.isFinite, abs(fluxes[reaction] - bound) <= 1e-6 * max(1, abs(bound)) else { continue }
      (face.lower[reaction], face.upper[reaction]) = (bound, bound)
    }
    return face
  }

  /// Finds the fluxes with the smallest sum of absolute values, among those that reach a goal if there is one.
  private static func leastTotal(_ problem: FluxProblem, goal: ClosedRange<Double>?) throws(ErrorReport) -> FluxSolution
  {
    if let wider = problem.withoutLargestBounds {
      let found = try splitLeastTotal(wider, goal: goal)
      if found.status == .optimal, isWithinLargestBound(found.fluxes, of: problem) { return found }
    }
    return try splitLeastTotal(problem, goal: goal)
  }

  /// Finds them with each reversible flux split in two.
  private static func splitLeastTotal(
    _ problem: FluxProblem, goal: ClosedRange<Double>?
  ) throws(ErrorReport) -> FluxSolution {
    let compression = FluxCompression(problem)
    let split = SplitProblem(compression, goal: goal)
    if split.isImpossible { return .without(.infeasible) }
    let program = try LinearProgram(split.setup)
    let status = program.solveByBarrier(isMaximized: false)
    if status != .optimal { return .without(status) }
    let fluxes = compression.fluxes(program.withValues { split.fluxes($0) })
    return .optimal(zip(fluxes, problem.weights).reduce(0) { $0 + $1.0 * $1.1 }, fluxes)
  }
}

/// A compressed problem in which each reversible flux is split into two irreversible ones, so that absolute values can
/// be summed.
private struct SplitProblem {
  /// The column of the compressed problem for each column, and its direction.
  private var columns: [(column: Int, sign: Double)] = []
  private(set) var setup: LinearProgram.Setup
  private let columnCount: Int
  let isImpossible: Bool

  init(_ compression: FluxCompression, goal: ClosedRange<Double>?) {
    let problem = compression.problem
    columnCount = problem.reactionCount
    isImpossible = problem.impossibleReaction != nil
    setup = LinearProgram.Setup(
      rows: problem.rows + 1, starts: [0], indices: [], values: [], lower: [], upper: [], weights: [],
      rowLower: [Double](repeating: 0, count: problem.rows), rowUpper: [Double](repeating: 0, count: problem.rows))
    if let goal {
      setup.rowLower.append(goal.lowerBound)
      setup.rowUpper.append(goal.upperBound)
    } else {
      setup.rows = problem.rows
    }
    if isImpossible { return }
    // A column counts as often as the fluxes that it represents.
    var sizes = [Double](repeating: 0, count: columnCount)
    for case (let column?, let factor) in zip(compression.columns, compression.factors) { sizes[column] += abs(factor) }
    for column in 0..<columnCount {
      let (lower, upper) = (problem.lower[column], problem.upper[column])
      if upper > 0 || lower >= 0 { add(problem, column, 1, max(0, lower)...upper, sizes[column]) }
      if lower < 0 { add(problem, column, -1, max(0, -upper)...(-lower), sizes[column]) }
    }
  }

  private mutating func add(
    _ problem: FluxProblem, _ column: Int, _ sign: Double, _ bounds: ClosedRange<Double>, _ size: Double
  ) {
    for entry in Int(problem.starts[column])..<Int(problem.starts[column + 1]) {
      setup.indices.append(problem.indices[entry])
      setup.values.append(sign * problem.amounts[entry])
    }
    if setup.rows > problem.rows, problem.weights[column] != 0 {
      setup.indices.append(Int32(problem.rows))
      setup.values.append(sign * problem.weights[column])
    }
    setup.starts.append(Int32(setup.indices.count))
    setup.lower.append(bounds.lowerBound)
    setup.upper.append(bounds.upperBound)
    setup.weights.append(size)
    columns.append((column, sign))
  }

  /// Returns the fluxes of the compressed problem.
  func fluxes(_ values: UnsafeBufferPointer<Double>) -> [Double] {
    var fluxes = [Double](repeating: 0, count: columnCount)
    for (column, value) in zip(columns, values) { fluxes[column.column] += column.sign * value }
    return fluxes
  }
}
