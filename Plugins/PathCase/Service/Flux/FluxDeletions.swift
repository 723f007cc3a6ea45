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
    try check(deletions.joined(), in: problem)
    return try DeletionSolver(problem, threads: threads).solve(deletions, isCancelled).map(\.result)
  }
}

/// The objectives that remain without each pair of reactions or genes.
///
/// Few pairs are solved. Deleting reactions without flux in an optimal solution changes nothing, so most pairs have the
/// objective of one of their two single deletions.
struct PairDeletions: Sendable {
  /// The objective that remains without a pair.
  struct Result: Sendable, Hashable {
    /// The smaller index of the two.
    var one: Int
    var other: Int
    var result: DeletionResult
  }

  /// The order of the pairs.
  let order: PairOrder
  private let singles: [KnownDeletion]
  private let deleted: [[Int]]
  private let rules: GeneDeletions?
  /// The columns of each single deletion; nil if one of them has a reaction that must run.
  private let columns: [[Int]?]
  private let solver: DeletionSolver

  /// Solves the single deletions, on several threads.
  ///
  /// - Parameters:
  ///   - deleted: The reactions that each single deletion stops, by index.
  ///   - rules: The gene rules if genes are deleted: a pair may stop more reactions than the two genes alone.
  /// - Throws: ``FluxError``.
  init(
    _ problem: FluxProblem, of deleted: [[Int]], rules: GeneDeletions? = nil, threads: Int = Processors.count,
    isCancelled: @escaping FluxAnalysis.Cancellation = { false }
  ) throws(ErrorReport) {
    try FluxAnalysis.check(deleted.joined(), in: problem)
    solver = try DeletionSolver(problem, threads: threads)
    singles = try solver.solve(deleted, isCancelled)
    columns = deleted.map(solver.freeColumns(of:))
    order = PairOrder(size: deleted.count)
    (self.deleted, self.rules) = (deleted, rules)
  }

  /// Returns the objective that remains without one reaction or gene.
  func single(_ index: Int) -> DeletionResult { singles[index].result }

  /// Finds the objectives of the pairs at some indices of the order, on several threads.
  ///
  /// - Throws: ``FluxError``.
  func results(
    of indices: Range<Int>, isCancelled: @escaping FluxAnalysis.Cancellation = { false }
  ) throws(ErrorReport) -> [Result] {
    var found: [Result] = []
    var (open, openColumns): ([Int], [[Int]]) = ([], [])
    found.reserveCapacity(indices.count)
    order.forEach(indices) { one, other in
      var result = DeletionResult(status: .infeasible)
      if let columns = columns(one, other) {
        if let known = [one, other].first(where: { singles[$0].isUnchanged(without: columns) }) {
          result = singles[known].result
        } else {
          open.append(found.count)
          openColumns.append(columns)
        }
      }
      found.append(Result(one: one, other: other, result: result))
    }
    for (index, known) in zip(open, try solver.solve(columns: openColumns, isCancelled)) {
      found[index].result = known.result
    }
    return found
  }

  /// Returns the columns that a pair deletes; nil if a reaction that must run cannot.
  private func columns(_ one: Int, _ other: Int) -> [Int]? {
    if let rules, rules.shareRule(one, other) {
      return solver.columns(of: rules.stoppedReactions(without: [one, other]))
    }
    if let left = columns[one], let right = columns[other] { return left + right }
    return solver.columns(of: deleted[one] + deleted[other])
  }
}

extension PairDeletions {
  /// The fraction of the optimum below which a deletion is lethal.
  ///
  /// - Source: COBRApy 0.32, `find_essential_reactions`.
  private static let lethalFraction = 0.01

  /// Returns true if the deletion of a pair is lethal though neither single deletion is.
  func isSyntheticLethal(_ pair: Result) -> Bool {
    isLethal(pair.result) && !isLethal(single(pair.one)) && !isLethal(single(pair.other))
  }

  private func isLethal(_ result: DeletionResult) -> Bool {
    switch result.status {
    case .infeasible: return true
    case .unbounded, .limit, .failed, .cancelled: return false
    case .optimal:
      // A fraction of an optimum below 0 is above it.
      guard solver.isMaximized, let best = solver.best, best > 0, let objective = result.objective else { return false }
      return objective < Self.lethalFraction * best
    }
  }
}

/// The result of a deletion, and the columns whose deletion in addition would not change it.
private struct KnownDeletion: Sendable {
  var result: DeletionResult
  /// True for each column whose deletion changes nothing; the deleted columns are among them.
  var isIdle: [Bool]

  /// Returns true if the result is the same without the columns too.
  func isUnchanged(without columns: [Int]) -> Bool { columns.allSatisfy { isIdle[$0] } }
}

/// A solver of deletions in one problem.
private final class DeletionSolver: Sendable {
  /// The compressed problem.
  private let problem: FluxProblem
  /// The column of each reaction; nil for those that never run.
  private let columns: [Int?]
  /// The reactions that must run, by column.
  private let forced: [Int: [Int]]
  private let whole: KnownDeletion
  /// One program per thread.
  private let programs: [DeletionProgram]

  var isMaximized: Bool { problem.isMaximized }

  /// The optimum of the whole problem; nil if there is none.
  var best: Double? { whole.result.objective }

  init(_ problem: FluxProblem, threads: Int) throws(ErrorReport) {
    // If bounds cross, the deletions decide whether that matters; so the problem is not compressed.
    if problem.impossibleReaction == nil {
      let compression = FluxCompression(problem)
      (self.problem, columns) = (compression.problem, compression.columns)
    } else {
      (self.problem, columns) = (problem, Array(0..<problem.reactionCount))
    }
    var forced: [Int: [Int]] = [:]
    for (reaction, column) in columns.enumerated() where !problem.admitsNoFlux(reaction) {
      if let column { forced[column, default: []].append(reaction) }
    }
    self.forced = forced
    whole = KnownDeletion(try FluxAnalysis.solve(self.problem), self.problem)
    let shared = self.problem
    programs = (0..<max(1, threads)).map { _ in DeletionProgram(shared) }
  }

  /// Returns the columns of some reactions; nil if a reaction that must run only runs together with one of them.
  func columns(of reactions: [Int]) -> [Int]? {
    let found = Set(reactions.compactMap { columns[$0] })
    let isImpossible = found.contains { forced[$0]?.contains { !reactions.contains($0) } == true }
    return isImpossible ? nil : found.sorted()
  }

  /// Returns the columns of some reactions; nil if a reaction in these columns must run.
  func freeColumns(of reactions: [Int]) -> [Int]? {
    let found = Set(reactions.compactMap { columns[$0] })
    return found.contains { forced[$0] != nil } ? nil : found.sorted()
  }

  /// Solves deletions, each of some reactions.
  ///
  /// - Throws: ``FluxError``.
  func solve(
    _ deletions: [[Int]], _ isCancelled: @escaping FluxAnalysis.Cancellation
  ) throws(ErrorReport) -> [KnownDeletion] {
    let impossible = KnownDeletion(
      result: DeletionResult(status: .infeasible), isIdle: [Bool](repeating: false, count: problem.reactionCount))
    var found = [KnownDeletion](repeating: impossible, count: deletions.count)
    var (open, openColumns): ([Int], [[Int]]) = ([], [])
    for (index, reactions) in deletions.enumerated() {
      guard let columns = columns(of: reactions) else { continue }
      if whole.isUnchanged(without: columns) {
        found[index] = whole
      } else {
        open.append(index)
        openColumns.append(columns)
      }
    }
    for (index, known) in zip(open, try solve(columns: openColumns, isCancelled)) { found[index] = known }
    return found
  }

  /// Solves the problem without each of some groups of columns, on several threads.
  ///
  /// - Throws: ``FluxError``.
  func solve(
    columns groups: [[Int]], _ isCancelled: @escaping FluxAnalysis.Cancellation
  ) throws(ErrorReport) -> [KnownDeletion] {
    let cancelled = KnownDeletion(.without(.cancelled), problem)
    let shared = Mutex(SharedDeletions(found: [KnownDeletion](repeating: cancelled, count: groups.count)))
    let count = max(1, min(programs.count, (groups.count + 15) / 16))
    FluxThreads.run(count) { [programs] thread in
      for index in (groups.count * thread / count)..<(groups.count * (thread + 1) / count) where !isCancelled() {
        do throws(ErrorReport) {
          let known = try programs[thread].solve(without: groups[index])
          shared.withLock { $0.found[index] = known }
        } catch {
          shared.withLock { $0.error = error }
        }
      }
    }
    let (found, error) = shared.withLock { ($0.found, $0.error) }
    if let error { throw error }
    return found
  }
}

/// The results of the threads.
private struct SharedDeletions {
  var found: [KnownDeletion]
  var error: ErrorReport?
}

/// The linear program of one thread, made when it is first needed.
private final class DeletionProgram: Sendable {
  private let problem: FluxProblem
  private let program = Mutex<LinearProgram?>(nil)

  init(_ problem: FluxProblem) { self.problem = problem }

  /// Solves the problem without some columns.
  ///
  /// - Throws: ``FluxError``.
  func solve(without columns: [Int]) throws(ErrorReport) -> KnownDeletion {
    try program.withLock { (made) throws(ErrorReport) in
      if made == nil { made = try start() }
      guard let program = made else { return KnownDeletion(.without(.failed), problem) }
      // The path from the whole model is short, from one deletion to another long.
      program.returnToBasis()
      for column in columns { program.setBounds(column, 0, 0) }
      defer { for column in columns { program.setBounds(column, problem.lower[column], problem.upper[column]) } }
      let status = program.solve(isMaximized: problem.isMaximized)
      let solution: FluxSolution =
        status == .optimal
        ? .optimal(FluxAnalysis.objective(problem, program), program.values) : .without(status)
      return KnownDeletion(solution, problem, without: columns)
    }
  }

  private func start() throws(ErrorReport) -> LinearProgram {
    let program = try LinearProgram(FluxAnalysis.setup(problem))
    if problem.impossibleReaction == nil { _ = program.solve(isMaximized: problem.isMaximized) }
    program.keepBasis()
    return program
  }
}

extension KnownDeletion {
  /// Creates the result of a solution of a problem without some columns.
  ///
  /// A deletion replaces the bounds of a flux by 0, so it only takes fluxes away if the bounds admit 0. An optimum stays
  /// optimal if its fluxes stay, and an infeasible problem stays infeasible.
  fileprivate init(_ solution: FluxSolution, _ problem: FluxProblem, without deleted: [Int] = []) {
    result = DeletionResult(status: solution.status, objective: solution.objective)
    switch solution.status {
    case .optimal: isIdle = solution.fluxes.enumerated().map { $1 == 0 && problem.admitsNoFlux($0) }
    case .infeasible: isIdle = problem.lower.indices.map(problem.admitsNoFlux)
    case .unbounded, .limit, .failed, .cancelled:
      isIdle = [Bool](repeating: false, count: problem.reactionCount)
      return
    }
    for column in deleted { isIdle[column] = true }
  }
}

extension FluxProblem {
  /// Returns true if the bounds of a reaction allow a flux of 0.
  fileprivate func admitsNoFlux(_ reaction: Int) -> Bool { lower[reaction] <= 0 && upper[reaction] >= 0 }
}
