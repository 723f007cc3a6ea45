import PluginAPI
import Synchronization

/// Computes the optimal fluxes of a model, their ranges, and the effects of deletions.
///
/// All functions are pure: the same problem gives the same result, except for rounding. They run on the calling thread,
/// some on others too, and stop early when canceled.
///
/// - Source: J. D. Orth, I. Thiele, B. Ø. Palsson, Nature Biotechnology 28 (2010) 245 (flux balance analysis);
///   N. E. Lewis et al., Molecular Systems Biology 6 (2010) 390 (the least total flux); R. Mahadevan, C. H. Schilling,
///   Metabolic Engineering 5 (2003) 264 (ranges).
enum FluxAnalysis {
  /// Returns true if the caller has canceled; called from any thread.
  typealias Cancellation = @Sendable () -> Bool

  /// Finds fluxes with the optimal objective.
  ///
  /// - Throws: ``FluxError``.
  static func solve(_ problem: FluxProblem, seconds: Double = 0) throws(ErrorReport) -> FluxSolution {
    if problem.impossibleReaction != nil { return .without(.infeasible) }
    let (program, status) = try solved(problem, seconds: seconds)
    return status == .optimal ? .optimal(objective(problem, program), program.values) : .without(status)
  }

  /// Solves the linear program of a problem, first without its largest bounds.
  ///
  /// With bounds of 999999, for instance, fluxes around cycles reach them, and rounding exceeds the solver's tolerance.
  /// The basis is then factorized every few pivots. Without these bounds, such fluxes stay small. An optimal solution
  /// without them that satisfies them is an optimal solution of the problem.
  private static func solved(_ problem: FluxProblem, seconds: Double = 0) throws(ErrorReport) -> (
    LinearProgram, FluxStatus
  ) {
    if let wider = problem.withoutLargestBounds {
      let program = try LinearProgram(setup(wider))
      let status = program.solve(isMaximized: problem.isMaximized, seconds: seconds)
      switch status {
      case .optimal where isWithinLargestBound(program.values, of: problem): return (program, status)
      case .infeasible, .limit, .cancelled: return (program, status)
      case .optimal, .unbounded, .failed: break
      }
    }
    let program = try LinearProgram(setup(problem))
    return (program, program.solve(isMaximized: problem.isMaximized, seconds: seconds))
  }

  /// Returns true if no flux is larger than the largest bound.
  private static func isWithinLargestBound(_ fluxes: [Double], of problem: FluxProblem) -> Bool {
    let largest = problem.largestBound
    return fluxes.allSatisfy { abs($0) <= largest }
  }

  /// Returns the linear program of a problem, with a last row for its objective if requested.
  static func setup(_ problem: FluxProblem, objectiveRow: Bool = false) -> LinearProgram.Setup {
    var starts: [Int32] = [0]
    var indices: [Int32] = []
    var amounts: [Double] = []
    for reaction in 0..<problem.reactionCount {
      let entries = Int(problem.starts[reaction])..<Int(problem.starts[reaction + 1])
      indices += problem.indices[entries]
      amounts += problem.amounts[entries]
      if objectiveRow, problem.weights[reaction] != 0 {
        indices.append(Int32(problem.rows))
        amounts.append(problem.weights[reaction])
      }
      starts.append(Int32(indices.count))
    }
    let rows = problem.rows + (objectiveRow ? 1 : 0)
    var lowest = [Double](repeating: 0, count: rows)
    var highest = lowest
    if objectiveRow { (lowest[problem.rows], highest[problem.rows]) = (-.infinity, .infinity) }
    return LinearProgram.Setup(
      rows: rows, starts: starts, indices: indices, values: amounts, lower: problem.lower, upper: problem.upper,
      weights: problem.weights, rowLower: lowest, rowUpper: highest)
  }

  /// Returns the bounds of the objective for a fraction of the optimum.
  static func goal(_ best: Double, _ fraction: Double, _ problem: FluxProblem) -> ClosedRange<Double> {
    // A fraction of a negative maximum, or of a positive minimum, would be better than the optimum. So the fraction
    // limits the loss. The optimum is only as accurate as its computation.
    let loss = abs(best) * (1 - fraction) + 1e-9 * max(1, abs(best))
    return problem.isMaximized ? (best - loss)...Double.infinity : -Double.infinity...(best + loss)
  }

  /// Returns the objective of the fluxes.
  static func objective(_ problem: FluxProblem, _ program: LinearProgram) -> Double {
    program.withValues { values in zip(values, problem.weights).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}

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
