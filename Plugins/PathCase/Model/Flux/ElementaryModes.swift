/// An elementary flux mode: a minimal set of reactions whose fluxes are in balance.
struct ElementaryMode: Sendable, Hashable {
  /// The reactions in it with their fluxes, in the order of reactions; negative if backward, without a common divisor.
  var fluxes: [ModeEntry]
  /// A Boolean value indicating whether it runs in both directions; it is listed once, with its first reaction forward.
  var isReversible: Bool
}

/// All elementary modes of a network, computed exactly.
///
/// Reversible reactions are split into two irreversible ones. The extreme rays of the resulting cone are found by
/// adding one species at a time; two rays give a new one only if no third ray lies between them.
///
/// - Source: S. Schuster, C. Hilgetag, J. Biol. Syst. 2, 165 (1994), for the modes; K. Fukuda, A. Prodon, LNCS 1120, 91
///   (1996), for the double description method with its combinatorial test.
struct ElementaryModes: Sendable {
  /// Limits on the computation.
  struct Limits: Sendable {
    /// The maximum number of rays at once, intermediate rays included.
    var rays = 1_000_000
    var sizeInBytes = 1 << 30
    /// The allowed time in seconds, for the error's text only; ``isLate`` decides.
    var seconds = 60
    /// Returns true when the time is over; called every few thousand steps.
    var isLate: @Sendable () -> Bool = { false }
    var isCancelled: @Sendable () -> Bool = { false }
  }

  /// The modes, shortest first, then by their reactions.
  let modes: [ElementaryMode]
  /// The number of reactions left after compression.
  let compressedCount: Int

  /// Finds all modes or throws.
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

  /// Returns the reactions in no mode: they have no flux at steady state.
  func unused(of problem: ModeProblem) -> [Int] {
    var isUsed = Array(repeating: false, count: problem.columns.count)
    for mode in modes { for entry in mode.fluxes { isUsed[entry.index] = true } }
    return isUsed.indices.filter { !isUsed[$0] }
  }

  /// Returns a ray of split columns as fluxes of the reactions.
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
