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
  /// With bounds of 999999, for instance, fluxes around cycles reach them, and rounding exceeds the solver's tolerance:
  /// the basis is factorized every few pivots. Without these bounds, such fluxes stay small. An optimal solution
  /// without them that satisfies them is an optimal solution of the problem.
  static func solved(_ problem: FluxProblem, seconds: Double = 0) throws(ErrorReport) -> (LinearProgram, FluxStatus) {
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
  static func isWithinLargestBound(_ fluxes: [Double], of problem: FluxProblem) -> Bool {
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
    // A fraction of a negative maximum, or of a positive minimum, would be better than the optimum; so the fraction
    // limits the loss. The optimum is no more accurate than its computation.
    let loss = abs(best) * (1 - fraction) + 1e-9 * max(1, abs(best))
    return problem.isMaximized ? (best - loss)...Double.infinity : -Double.infinity...(best + loss)
  }

  /// Returns the objective of the fluxes.
  static func objective(_ problem: FluxProblem, _ program: LinearProgram) -> Double {
    program.withValues { values in zip(values, problem.weights).reduce(0) { $0 + $1.0 * $1.1 } }
  }
}
