import PluginAPI
import PluginStore
import Synchronization

extension FluxAnalysis {
  /// Finds the minimum and maximum of fluxes while the objective stays near its optimum.
  ///
  /// Computes on several threads.
  ///
  /// - Parameters:
  ///   - fraction: The fraction of the optimal objective to reach, 0 to 1; 0 leaves the objective free.
  ///   - reactions: The reactions to compute, by index; nil for all.
  /// - Throws: ``FluxError``.
  static func ranges(
    _ problem: FluxProblem, fraction: Double = 1, reactions: [Int]? = nil, threads: Int = Processors.count,
    isCancelled: @escaping Cancellation = { false }
  ) throws(ErrorReport) -> FluxRanges {
    let asked = reactions ?? Array(0..<problem.reactionCount)
    for index in asked where !(0..<problem.reactionCount).contains(index) {
      throw FluxError.unknownReaction(index, count: problem.reactionCount)
    }
    if problem.impossibleReaction != nil { return FluxRanges(status: .infeasible) }
    let compression = FluxCompression(problem)
    let columns = Array(Set(asked.compactMap { compression.columns[$0] })).sorted()
    let best = try solve(compression.problem)
    guard let objective = best.objective else { return FluxRanges(status: best.status) }
    let limits = fraction > 0 ? goal(objective, fraction, problem) : -Double.infinity...Double.infinity
    let found = try ranges(of: columns, compression.problem, limits, threads, isCancelled)
    if isCancelled() { return FluxRanges(status: .cancelled) }
    let byColumn = Dictionary(uniqueKeysWithValues: zip(columns, found))
    let ranges = asked.map { reaction -> FluxRange? in
      guard let column = compression.columns[reaction] else { return FluxRange(least: 0, largest: 0) }
      return byColumn[column].flatMap { $0 }.map { compression.range(of: reaction, $0) }
    }
    return FluxRanges(status: .optimal, objective: objective, ranges: ranges)
  }

  /// The maximum number of pieces into which the work is divided, however many threads there are.
  ///
  /// The last digits of a solution depend on the earlier ones, but must be the same on every machine; so each piece
  /// starts afresh.
  private static let mostPieces = 4

  /// Returns the ranges of some columns, computed on several threads.
  private static func ranges(
    of columns: [Int], _ problem: FluxProblem, _ limits: ClosedRange<Double>, _ threads: Int,
    _ isCancelled: @escaping Cancellation
  ) throws(ErrorReport) -> [FluxRange?] {
    let pieces = max(1, min(mostPieces, (columns.count + 15) / 16))
    let workers = max(1, min(threads, pieces))
    let shared = Mutex(SharedRanges(ranges: [FluxRange?](repeating: nil, count: columns.count)))
    FluxThreads.run(workers) { thread in
      for piece in stride(from: thread, to: pieces, by: workers) {
        do throws(ErrorReport) {
          let work = try RangeWork(problem, limits)
          // Neighbors are similar: each piece is a contiguous sequence of them.
          let mine = (columns.count * piece / pieces)..<(columns.count * (piece + 1) / pieces)
          let found = work.ranges(of: Array(columns[mine]), isCancelled)
          shared.withLock { $0.take(found, at: mine) }
        } catch {
          shared.withLock { $0.error = error }
        }
      }
    }
    let (ranges, error) = shared.withLock { ($0.ranges, $0.error) }
    if let error { throw error }
    return ranges
  }
}

/// The results of the threads.
private struct SharedRanges {
  var ranges: [FluxRange?]
  var error: ErrorReport?

  mutating func take(_ found: [FluxRange?], at places: Range<Int>) {
    for (place, range) in zip(places, found) { ranges[place] = range }
  }
}

/// The work of one thread on ranges.
private final class RangeWork {
  private let problem: FluxProblem
  private let program: LinearProgram
  private let isPossible: Bool
  /// The smallest and largest fluxes in any solution so far.
  private var least: [Double]
  private var largest: [Double]

  init(_ problem: FluxProblem, _ limits: ClosedRange<Double>) throws(ErrorReport) {
    self.problem = problem
    program = try LinearProgram(FluxAnalysis.setup(problem, objectiveRow: true))
    least = [Double](repeating: .infinity, count: problem.reactionCount)
    largest = [Double](repeating: -.infinity, count: problem.reactionCount)
    isPossible = program.solve(isMaximized: problem.isMaximized) == .optimal
    note()
    program.setRow(problem.rows, limits.lowerBound, limits.upperBound)
    for (index, weight) in problem.weights.enumerated() where weight != 0 { program.setWeight(index, 0) }
  }

  func ranges(of reactions: [Int], _ isCancelled: FluxAnalysis.Cancellation) -> [FluxRange?] {
    if !isPossible { return reactions.map { _ in nil } }
    var found = [FluxRange?](repeating: nil, count: reactions.count)
    for (place, reaction) in reactions.enumerated() {
      if isCancelled() { break }
      guard let largest = end(of: reaction, isLargest: true), let least = end(of: reaction, isLargest: false)
      else { continue }
      found[place] = FluxRange(least: min(least, largest), largest: max(least, largest))
    }
    return found
  }

  private func end(of reaction: Int, isLargest: Bool) -> Double? {
    // No flux exceeds its bound, so a bound that was reached need not be solved for again.
    if isLargest, largest[reaction] >= problem.upper[reaction] { return problem.upper[reaction] }
    if !isLargest, least[reaction] <= problem.lower[reaction] { return problem.lower[reaction] }
    program.setWeight(reaction, 1)
    defer { program.setWeight(reaction, 0) }
    switch program.solve(isMaximized: isLargest) {
    case .optimal:
      note()
      return program.withValues { $0[reaction] }
    case .unbounded: return isLargest ? .infinity : -.infinity
    default: return nil
    }
  }

  /// Updates the extremes with the fluxes of the last solution.
  private func note() {
    program.withValues { values in
      for index in 0..<values.count {
        least[index] = min(least[index], values[index])
        largest[index] = max(largest[index], values[index])
      }
    }
  }
}
