import Synchronization

/// Finds the best fluxes of a model, their ranges, and what is left when parts are missing.
///
/// All are pure: the same problem gives the same answer but for rounding. They compute on the thread they are called on,
/// those that say so on others too, and end early when they are cancelled.
///
/// - Source: J. D. Orth, I. Thiele, B. Ø. Palsson, Nature Biotechnology 28 (2010) 245 (flux balance analysis);
///   N. E. Lewis et al., Molecular Systems Biology 6 (2010) 390 (the least total flux); R. Mahadevan, C. H. Schilling,
///   Metabolic Engineering 5 (2003) 264 (ranges).
enum FluxAnalysis {
  /// Whether whoever asked has lost interest; called from any thread.
  typealias Cancellation = @Sendable () -> Bool

  /// Finds fluxes with the best objective.
  ///
  /// - Throws: ``FluxError``.
  static func solve(_ problem: FluxProblem, seconds: Double = 0) throws(FluxError) -> FluxSolution {
    if problem.impossibleReaction != nil { return .without(.infeasible) }
    let program = try LinearProgram(setup(problem))
    let status = program.solve(isMaximized: problem.isMaximized, seconds: seconds)
    return status == .optimal ? .optimal(objective(problem, program), program.values) : .without(status)
  }

  /// Finds the fluxes with the best objective whose sizes add up to least.
  ///
  /// - Parameter fraction: how much of the best objective is to be reached, 0 to 1.
  /// - Returns: the objective that is reached, and the fluxes.
  /// - Throws: ``FluxError``.
  static func leastTotal(_ problem: FluxProblem, fraction: Double = 1) throws(FluxError) -> FluxSolution {
    let best = try solve(problem)
    guard let objective = best.objective else { return best }
    let split = SplitProblem(problem, least: goal(objective, fraction, problem))
    let program = try LinearProgram(split.setup)
    let status = program.solve(isMaximized: false)
    if status != .optimal { return .without(status) }
    let fluxes = program.withValues { split.fluxes($0) }
    return .optimal(zip(fluxes, problem.weights).reduce(0) { $0 + $1.0 * $1.1 }, fluxes)
  }

  /// The program of a problem, with a last row for its objective if that is asked for.
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

  /// The bounds of the objective when a part of the best is to be reached.
  static func goal(_ best: Double, _ fraction: Double, _ problem: FluxProblem) -> ClosedRange<Double> {
    // A part of a best one below 0, or of a smallest one above it, would be better than the best: what may be lost counts.
    // What the best is worth is known no better than it was computed.
    let loss = abs(best) * (1 - fraction) + 1e-9 * max(1, abs(best))
    return problem.isMaximized ? (best - loss)...Double.infinity : -Double.infinity...(best + loss)
  }

  /// The objective as the fluxes give it.
  private static func objective(_ problem: FluxProblem, _ program: LinearProgram) -> Double {
    program.withValues { values in zip(values, problem.weights).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}

/// A problem in which each flux of two directions is two of one, so that their sizes can be added.
private struct SplitProblem {
  /// The reaction of each column, and its direction.
  private var columns: [(reaction: Int, sign: Double)] = []
  private(set) var setup: LinearProgram.Setup

  init(_ problem: FluxProblem, least goal: ClosedRange<Double>) {
    setup = LinearProgram.Setup(
      rows: problem.rows + 1, starts: [0], indices: [], values: [], lower: [], upper: [], weights: [],
      rowLower: [Double](repeating: 0, count: problem.rows) + [goal.lowerBound],
      rowUpper: [Double](repeating: 0, count: problem.rows) + [goal.upperBound])
    for reaction in 0..<problem.reactionCount {
      let (lower, upper) = (problem.lower[reaction], problem.upper[reaction])
      if upper > 0 || lower >= 0 { add(problem, reaction, 1, max(0, lower), upper) }
      if lower < 0 { add(problem, reaction, -1, max(0, -upper), -lower) }
    }
  }

  private mutating func add(_ problem: FluxProblem, _ reaction: Int, _ sign: Double, _ lower: Double, _ upper: Double) {
    for entry in Int(problem.starts[reaction])..<Int(problem.starts[reaction + 1]) {
      setup.indices.append(problem.indices[entry])
      setup.values.append(sign * problem.amounts[entry])
    }
    if problem.weights[reaction] != 0 {
      setup.indices.append(Int32(problem.rows))
      setup.values.append(sign * problem.weights[reaction])
    }
    setup.starts.append(Int32(setup.indices.count))
    setup.lower.append(lower)
    setup.upper.append(upper)
    setup.weights.append(1)
    columns.append((reaction, sign))
  }

  func fluxes(_ values: UnsafeBufferPointer<Double>) -> [Double] {
    var fluxes = [Double](repeating: 0, count: (columns.last?.reaction ?? -1) + 1)
    for (column, value) in zip(columns, values) { fluxes[column.reaction] += column.sign * value }
    return fluxes
  }
}
