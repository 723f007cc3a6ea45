import CLinear
import PluginAPI
import Synchronization

/// A linear program solved by CLP, starting from the last basis if it was solved before.
///
/// Not thread-safe.
final class LinearProgram {
  /// The coefficients of a program, by columns.
  struct Setup {
    var rows: Int
    var starts: [Int32]
    var indices: [Int32]
    var values: [Double]
    /// One lower bound per column.
    var lower: [Double]
    var upper: [Double]
    var weights: [Double]
    /// One lower bound per row.
    var rowLower: [Double]
    var rowUpper: [Double]

    /// A Boolean value indicating whether the lengths of the lists are consistent.
    fileprivate var fits: Bool {
      let columns = lower.count
      return starts.count == columns + 1 && upper.count == columns && weights.count == columns
        && rowLower.count == rows && rowUpper.count == rows && indices.count == values.count
        && Int(starts[columns]) == indices.count
    }
  }

  private let program: OpaquePointer
  private let columns: Int

  /// Creates a program.
  ///
  /// - Throws: ``FluxError``.
  init(_ setup: Setup) throws(ErrorReport) {
    if let problem = linear_open() { throw FluxError.libraryMissing(reason: String(cString: problem)) }
    columns = setup.lower.count
    guard setup.fits, columns < 1 << 28, let made = Self.make(setup) else {
      throw FluxError.unusableNumbers(
        "the model has bounds, amounts or weights that are not numbers", advice: "search its file for 'NaN'")
    }
    program = made
  }

  deinit { linear_free(program) }

  private static func make(_ setup: Setup) -> OpaquePointer? {
    var raw = linear_setup()
    (raw.rows, raw.columns) = (Int32(setup.rows), Int32(setup.lower.count))
    return setup.starts.withUnsafeBufferPointer { starts in
      setup.indices.withUnsafeBufferPointer { indices in
        setup.values.withUnsafeBufferPointer { values in
          (raw.starts, raw.indices, raw.values) = (starts.baseAddress, indices.baseAddress, values.baseAddress)
          return makeBounds(setup, raw)
        }
      }
    }
  }

  private static func makeBounds(_ setup: Setup, _ matrix: linear_setup) -> OpaquePointer? {
    var raw = matrix
    return setup.lower.withUnsafeBufferPointer { lower in
      setup.upper.withUnsafeBufferPointer { upper in
        setup.weights.withUnsafeBufferPointer { weights in
          (raw.lower, raw.upper, raw.weights) = (lower.baseAddress, upper.baseAddress, weights.baseAddress)
          return setup.rowLower.withUnsafeBufferPointer { rowLower in
            setup.rowUpper.withUnsafeBufferPointer { rowUpper in
              (raw.row_lower, raw.row_upper) = (rowLower.baseAddress, rowUpper.baseAddress)
              return linear_create(raw)
            }
          }
        }
      }
    }
  }

  func setBounds(_ column: Int, _ lower: Double, _ upper: Double) {
    linear_set_bounds(program, Int32(clamping: column), lower, upper)
  }

  func setWeight(_ column: Int, _ weight: Double) { linear_set_weight(program, Int32(clamping: column), weight) }

  func setRow(_ row: Int, _ lower: Double, _ upper: Double) {
    linear_set_row(program, Int32(clamping: row), lower, upper)
  }

  /// Solves the program.
  ///
  /// - Parameter seconds: The time limit; 0 for none.
  func solve(isMaximized: Bool, seconds: Double = 0) -> FluxStatus {
    Self.status(linear_solve(program, isMaximized ? 1 : 0, seconds))
  }

  /// Solves the program by the interior point method, which is faster than pivoting for a single large program.
  ///
  /// - Source: CLP's predictor-corrector method with crossover; S. Mehrotra, SIAM J. Optim. 2 (1992) 575.
  func solveByBarrier(isMaximized: Bool) -> FluxStatus {
    Self.status(linear_solve_by_barrier(program, isMaximized ? 1 : 0))
  }

  private static func status(_ status: linear_status) -> FluxStatus {
    switch status {
    case LINEAR_OPTIMAL: .optimal
    case LINEAR_INFEASIBLE: .infeasible
    case LINEAR_UNBOUNDED: .unbounded
    case LINEAR_LIMIT: .limit
    default: .failed
    }
  }

  /// Stores the basis of the last solution, if there was one.
  func keepBasis() { linear_keep_basis(program) }

  /// Starts the next solution from the stored basis, if there is one.
  func returnToBasis() { linear_return_to_basis(program) }

  /// The value of the objective in the last solution.
  var objective: Double { linear_objective(program) }

  /// The number of pivots in the last solution.
  var steps: Int { Int(linear_steps(program)) }

  /// The growth of the objective per unit by which each column's bound is relaxed, in the last solution.
  var reducedWeights: [Double] { Array(UnsafeBufferPointer(start: linear_reduced_weights(program), count: columns)) }

  /// The values of the columns in the last solution.
  var values: [Double] { withValues { Array($0) } }

  /// Calls a function with the values of the columns in the last solution, valid only during the call.
  func withValues<Result>(_ use: (UnsafeBufferPointer<Double>) -> Result) -> Result {
    use(UnsafeBufferPointer(start: linear_solution(program), count: columns))
  }
}

/// Decides by a linear program whether fluxes can have the directions of a scenario.
final class ScenarioFluxes: FluxFeasibility {
  private let processes: Int
  private let program: Mutex<LinearProgram>

  /// Creates the linear program of a network.
  ///
  /// - Throws: ``FluxError``.
  init(_ network: ScenarioNetwork) throws(ErrorReport) {
    processes = network.processes.count
    program = Mutex(try LinearProgram(FluxAnalysis.setup(FluxProblem(network))))
  }

  func hasFlux(_ scenario: Scenario) throws -> Bool {
    guard scenario.states.count == processes else { return false }
    return program.withLock { program in
      for (process, state) in scenario.states.enumerated() {
        switch state {
        case .idle: program.setBounds(process, 0, 0)
        case .forward: program.setBounds(process, 1, .infinity)
        case .backward: program.setBounds(process, -.infinity, -1)
        }
      }
      return program.solve(isMaximized: true) == .optimal
    }
  }
}

extension FluxProblem {
  /// Creates the problem of a scenario network, without bounds and objective.
  init(_ network: ScenarioNetwork) {
    var model = ReactionModel()
    model.species = network.pools.map { ModelSpecies(id: $0.id, isBoundary: $0.isBoundary) }
    model.reactions = network.processes.map { process in
      let parts = process.changes.sorted { $0.key < $1.key }.map { SpeciesAmount(species: $0.key, amount: $0.value) }
      return ModelReaction(id: process.id, stoichiometry: parts)
    }
    self.init(model)
  }
}

/// The errors of computing fluxes.
enum FluxError {
  static let all: [DeclaredError] = [libraryMissing, unusableNumbers, unknownReaction]

  static let libraryMissing = DeclaredError(
    "pathcase.solver-missing", .failure, "the library that solves linear programs is not installed")

  static func libraryMissing(reason: String) -> ErrorReport {
    libraryMissing(
      "COIN-OR CLP cannot be used: \(reason)", advice: "install it with 'sudo apt-get install coinor-libclp1'")
  }

  static let unusableNumbers = DeclaredError(
    "pathcase.unusable-numbers", .unusableInput, "the model has bounds, amounts or weights that are not numbers")

  static let unknownReaction = DeclaredError(
    "pathcase.unknown-reaction", .notFound, "the model has no reaction with this id")

  static func unknownReaction(_ index: Int, count: Int) -> ErrorReport {
    unknownReaction(
      "there is no reaction \(index)", advice: "the model has \(count) reactions, counted from 0")
  }
}
