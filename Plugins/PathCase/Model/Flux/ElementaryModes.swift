/// A smallest way for fluxes to be in balance: none of its reactions can be left out.
struct ElementaryMode: Sendable, Hashable {
  /// The reactions in it with their fluxes, in the order of reactions; backwards below 0, no common divisor.
  var fluxes: [ModeEntry]
  /// Whether it runs both ways; it is told once, its first reaction forwards.
  var isReversible: Bool
}

/// All elementary modes of a network, exactly.
///
/// Reactions that run both ways are split into two that run one way. The rays of the cone that is left are found by
/// taking one species after the other into account; two rays give a new one only if no third lies between them.
///
/// - Source: S. Schuster, C. Hilgetag, J. Biol. Syst. 2, 165 (1994), for the modes; K. Fukuda, A. Prodon, LNCS 1120, 91
///   (1996), for the double description method with its combinatorial test.
struct ElementaryModes: Sendable {
  /// How much may be taken.
  struct Limits: Sendable {
    /// How many rays there may be at once, found or on the way.
    var rays = 1_000_000
    var sizeInBytes = 1 << 30
    /// How long it may take, for the words of the error; ``isLate`` decides.
    var seconds = 60
    /// Whether the time is over; asked every few thousand steps.
    var isLate: @Sendable () -> Bool = { false }
    var isCancelled: @Sendable () -> Bool = { false }
  }

  /// The modes: short ones first, then by their reactions.
  let modes: [ElementaryMode]
  /// How many reactions were left after compression.
  let compressedCount: Int

  /// Finds all modes, or none.
  ///
  /// - Throws: ``ModeError``, `CancellationError`.
  init(_ problem: ModeProblem, limits: Limits = Limits()) throws {
    let columns = try ModeCompression(problem).columns.compactMap { $0 }
    compressedCount = columns.count
    let rays = try RaySearch(columns, limits: limits).rays()
    var found: Set<ElementaryMode> = []
    for ray in rays { found.insert(try Self.mode(ray, columns, problem)) }
    modes = found.sorted(by: Self.precedes)
  }

  /// The reactions in no mode: they have no flux at steady state.
  func unused(of problem: ModeProblem) -> [Int] {
    var isUsed = Array(repeating: false, count: problem.columns.count)
    for mode in modes { for entry in mode.fluxes { isUsed[entry.index] = true } }
    return isUsed.indices.filter { !isUsed[$0] }
  }

  /// A ray of split columns as fluxes of the reactions.
  private static func mode(
    _ ray: [ModeEntry], _ columns: [ModeCompression.Column], _ problem: ModeProblem
  ) throws(ModeError) -> ElementaryMode {
    var fluxes: [ModeEntry] = []
    for entry in ray { fluxes = try ModeArithmetic.sum(1, fluxes, entry.amount, columns[entry.index].members) }
    let divisor = fluxes.reduce(0) { ModeArithmetic.divisor($0, $1.amount) }
    let isReversible = ray.allSatisfy { columns[$0.index].isReversible }
    for index in fluxes.indices {
      fluxes[index].amount /= divisor
      if problem.turned.contains(fluxes[index].index) { fluxes[index].amount.negate() }
    }
    if isReversible, let first = fluxes.first, first.amount < 0 {
      for index in fluxes.indices { fluxes[index].amount.negate() }
    }
    return ElementaryMode(fluxes: fluxes, isReversible: isReversible)
  }

  private static func precedes(_ left: ElementaryMode, _ right: ElementaryMode) -> Bool {
    if left.fluxes.count != right.fluxes.count { return left.fluxes.count < right.fluxes.count }
    for (mine, other) in zip(left.fluxes, right.fluxes) where mine != other {
      return mine.index != other.index ? mine.index < other.index : mine.amount > other.amount
    }
    return false
  }
}
