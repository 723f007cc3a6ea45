import PluginAPI
import PluginStore
import Synchronization

extension FluxAnalysis {
  /// Finds the objective that remains without some reactions.
  ///
  /// Computes on several threads.
  ///
  /// - Parameter deletions: The reactions to delete together for each result, by index.
  /// - Returns: One result per deletion, in the same order.
  /// - Throws: ``FluxError``.
  static func deletions(
    _ problem: FluxProblem, of deletions: [[Int]], threads: Int = Processors.count,
    isCancelled: @escaping Cancellation = { false }
  ) throws(ErrorReport) -> [DeletionResult] {
    for index in deletions.joined() where !(0..<problem.reactionCount).contains(index) {
      throw FluxError.unknownReaction(index, count: problem.reactionCount)
    }
    // If bounds cross, the deletions decide whether that matters; so the problem is not compressed.
    guard problem.impossibleReaction == nil else {
      return try results(problem, deletions, threads, isCancelled)
    }
    let compression = FluxCompression(problem)
    let columns = deletions.map { Array(Set($0.compactMap { compression.columns[$0] })).sorted() }
    var found = try results(compression.problem, columns, threads, isCancelled)
    // A reaction that only runs together with one that must run cannot be deleted alone.
    var forced: [Int: [Int]] = [:]
    for (reaction, column) in compression.columns.enumerated() where !admitsNoFlux(problem, reaction) {
      if let column { forced[column, default: []].append(reaction) }
    }
    for (index, deletion) in deletions.enumerated() {
      let isImpossible = columns[index].contains { forced[$0]?.contains { !deletion.contains($0) } == true }
      if isImpossible { found[index] = DeletionResult(status: .infeasible) }
    }
    return found
  }

  private static func results(
    _ problem: FluxProblem, _ deletions: [[Int]], _ threads: Int, _ isCancelled: @escaping Cancellation
  ) throws(ErrorReport) -> [DeletionResult] {
    let whole = try solve(problem)
    let shared = Mutex(
      SharedDeletions(results: [DeletionResult](repeating: DeletionResult(status: .cancelled), count: deletions.count)))
    // Deleting a reaction without flux changes nothing; without an optimum, every deletion has to be solved.
    let open = deletions.indices.filter { index in
      whole.objective == nil || deletions[index].contains { whole.fluxes[$0] != 0 || !admitsNoFlux(problem, $0) }
    }
    let kept = DeletionResult(status: whole.status, objective: whole.objective)
    shared.withLock { shared in for index in deletions.indices { shared.results[index] = kept } }
    let count = max(1, min(threads, (open.count + 15) / 16))
    FluxThreads.run(count) { thread in
      let mine = open[(open.count * thread / count)..<(open.count * (thread + 1) / count)]
      do throws(ErrorReport) {
        let program = try LinearProgram(setup(problem))
        if problem.impossibleReaction == nil { _ = program.solve(isMaximized: problem.isMaximized) }
        program.keepBasis()
        for index in mine {
          let result =
            isCancelled() ? DeletionResult(status: .cancelled) : result(problem, program, without: deletions[index])
          shared.withLock { $0.results[index] = result }
        }
      } catch {
        shared.withLock { $0.error = error }
      }
    }
    let (results, error) = shared.withLock { ($0.results, $0.error) }
    if let error { throw error }
    return results
  }

  private static func admitsNoFlux(_ problem: FluxProblem, _ reaction: Int) -> Bool {
    problem.lower[reaction] <= 0 && problem.upper[reaction] >= 0
  }

  private static func result(
    _ problem: FluxProblem, _ program: LinearProgram, without reactions: [Int]
  ) -> DeletionResult {
    // The path from the whole model is short, from one deletion to another long.
    program.returnToBasis()
    for reaction in reactions { program.setBounds(reaction, 0, 0) }
    defer {
      for reaction in reactions { program.setBounds(reaction, problem.lower[reaction], problem.upper[reaction]) }
    }
    let status = program.solve(isMaximized: problem.isMaximized)
    if status != .optimal { return DeletionResult(status: status) }
    let objective = program.withValues { values in zip(values, problem.weights).reduce(0) { $0 + $1.0 * $1.1 } }
    return DeletionResult(status: .optimal, objective: objective)
  }
}

/// The results of the threads.
private struct SharedDeletions {
  var results: [DeletionResult]
  var error: ErrorReport?
}
