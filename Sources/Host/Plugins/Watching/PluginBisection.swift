/// Finds the plugins that make a command line fail, by bisection.
struct PluginBisection {
  /// Returns true if the command line fails with these plugins enabled, and no others.
  let fails: (Set<String>) throws -> Bool

  /// Returns the plugins that make the command line fail: one, or several that fail only together.
  ///
  /// - Parameters:
  ///   - candidates: The plugins to choose from; with all of them the command line fails.
  ///   - kept: The plugins that stay enabled; with them alone it does not fail.
  /// - Complexity: About twice the logarithm of the number of candidates, in runs per culprit.
  /// - Source: A. Zeller, R. Hildebrandt, Simplifying and Isolating Failure-Inducing Input, IEEE Trans. Softw. Eng. 28
  ///   (2002); the case of interference.
  func culprits(among candidates: [String], with kept: Set<String>) throws -> [String] {
    guard candidates.count > 1 else { return candidates }
    let middle = candidates.count / 2
    let (first, second) = (Array(candidates[..<middle]), Array(candidates[middle...]))
    if try fails(kept.union(first)) { return try culprits(among: first, with: kept) }
    if try fails(kept.union(second)) { return try culprits(among: second, with: kept) }
    // It fails only with plugins of both halves.
    let some = try culprits(among: first, with: kept.union(second))
    return some + (try culprits(among: second, with: kept.union(some)))
  }
}
