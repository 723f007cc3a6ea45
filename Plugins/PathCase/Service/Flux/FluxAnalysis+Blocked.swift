import PluginAPI
import PluginStore

extension FluxAnalysis {
  /// The largest flux that counts as zero, in the model's unit: COBRApy's tolerance.
  ///
  /// Ranges that are exactly 0 are computed as up to 1e-8, and intended fluxes are above 1e-6.
  static let blockedTolerance = 1e-7

  /// Finds the blocked reactions, which have no flux at any steady state within the bounds.
  ///
  /// Only bounds and balances count; the objective is ignored. Computes on several threads.
  ///
  /// - Parameter tolerance: The largest absolute value of both ends of a range that counts as no flux.
  /// - Returns: The reactions by index, with the status `failed` if the solver found no range for one of them.
  /// - Throws: ``FluxError``.
  /// - Source: A. P. Burgard, E. V. Nikolaev, C. H. Schilling, C. D. Maranas, Genome Research 14 (2004) 301 (blocked
  ///   reactions); COBRApy 0.32, `find_blocked_reactions`.
  static func blocked(
    _ problem: FluxProblem, tolerance: Double = blockedTolerance, threads: Int = Processors.count,
    isCancelled: @escaping Cancellation = { false }
  ) throws(ErrorReport) -> BlockedReactions {
    var free = problem
    free.weights = [Double](repeating: 0, count: problem.reactionCount)
    let found = try ranges(free, fraction: 0, threads: threads, isCancelled: isCancelled)
    if found.status != .optimal { return BlockedReactions(status: found.status) }
    var blocked = BlockedReactions(status: .optimal)
    for (reaction, range) in found.ranges.enumerated() {
      guard let range else { return BlockedReactions(status: .failed) }
      if abs(range.least) <= tolerance, abs(range.largest) <= tolerance { blocked.reactions.append(reaction) }
    }
    return blocked
  }
}
