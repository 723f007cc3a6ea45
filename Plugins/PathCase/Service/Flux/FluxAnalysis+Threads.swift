import Glibc
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
    let requested = reactions ?? Array(0..<problem.reactionCount)
    try check(requested, in: problem)
    if problem.impossibleReaction != nil { return FluxRanges(status: .infeasible) }
    let compression = FluxCompression(problem)
    let columns = Array(Set(requested.compactMap { compression.columns[$0] })).sorted()
    let best = try solve(compression.problem)
    guard let objective = best.objective else { return FluxRanges(status: best.status) }
    let limits = fraction > 0 ? goal(objective, fraction, problem) : -Double.infinity...Double.infinity
    let found = try ranges(of: columns, compression.problem, limits, threads, isCancelled)
    if isCancelled() { return FluxRanges(status: .cancelled) }
    let byColumn = Dictionary(uniqueKeysWithValues: zip(columns, found))
    let ranges = requested.map { reaction -> FluxRange? in
      guard let column = compression.columns[reaction] else { return FluxRange(least: 0, largest: 0) }
      return byColumn[column].flatMap { $0 }.map { compression.range(of: reaction, $0) }
    }
    return FluxRanges(status: .optimal, objective: objective, ranges: ranges)
  }

  /// Checks that a problem has some reactions, by index.
  ///
  /// - Throws: ``FluxError/unknownReaction(_:count:)``.
  static func check(_ reactions: some Sequence<Int>, in problem: FluxProblem) throws(ErrorReport) {
    for index in reactions where !(0..<problem.reactionCount).contains(index) {
      throw FluxError.unknownReaction(index, count: problem.reactionCount)
    }
  }

  /// The maximum number of pieces into which the work is divided, however many threads there are.
  ///
  /// The last digits of a solution depend on the earlier ones, but must be the same on every machine. So each piece
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
    for (index, range) in zip(places, found) { ranges[index] = range }
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
    for (index, reaction) in reactions.enumerated() {
      if isCancelled() { break }
      guard let largest = end(of: reaction, isLargest: true), let least = end(of: reaction, isLargest: false)
      else { continue }
      found[index] = FluxRange(least: min(least, largest), largest: max(least, largest))
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
    case .infeasible, .limit, .cancelled, .failed: return nil
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

extension FluxAnalysis {
  /// The largest flux that counts as zero, in the model's unit: COBRApy's tolerance.
  ///
  /// Ranges that are exactly 0 are computed as up to 1e-8, and intended fluxes are above 1e-6.
  static let blockedTolerance = 1e-7

  /// Finds the blocked reactions, which have no flux at any steady state within the bounds.
  ///
  /// Only bounds and balances are used; the objective is ignored. Computes on several threads.
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

/// Dedicated threads for computations, which end with the work.
enum FluxThreads {
  /// Runs a function once for each number below a count, each on its own thread, the first on the calling thread.
  static func run(_ count: Int, _ body: @escaping @Sendable (Int) -> Void) {
    var threads: [pthread_t] = []
    for index in 1..<max(count, 1) {
      var thread = pthread_t()
      let piece = Unmanaged.passRetained(FluxPiece { body(index) })
      if pthread_create(&thread, nil, entry, piece.toOpaque()) == 0 {
        threads.append(thread)
      } else {
        piece.takeRetainedValue().work()
      }
    }
    body(0)
    for thread in threads { pthread_join(thread, nil) }
  }

  private static let entry: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { piece in
    // Signals are handled on the main thread, except for those that report a fault of the thread itself.
    var signals = sigset_t()
    sigfillset(&signals)
    for fault in [SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGABRT] { sigdelset(&signals, fault) }
    pthread_sigmask(SIG_BLOCK, &signals, nil)
    if let piece { Unmanaged<FluxPiece>.fromOpaque(piece).takeRetainedValue().work() }
    return nil
  }
}

/// The work passed to a thread.
private final class FluxPiece: Sendable {
  let work: @Sendable () -> Void

  init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
