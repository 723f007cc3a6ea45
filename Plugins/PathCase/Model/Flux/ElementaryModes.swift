import PluginAPI

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

/// The input of the elementary mode search: integer stoichiometries, and the set of reversible reactions.
///
/// Only the directions that bounds allow count here, not the bounds themselves. Indices count from 0.
struct ModeProblem: Sendable, Hashable {
  /// One reaction.
  struct Column: Sendable, Hashable {
    /// The rows with the amounts that a unit flux produces (above 0) or consumes (below 0), by row, none of them 0.
    var entries: [ModeEntry] = []
    var isReversible = false
  }

  var ids: [Identifier] = []
  var columns: [Column] = []
  /// The reactions whose bounds allow no flux; their columns are empty and are left out.
  var stopped: Set<Int> = []
  /// The reactions that can only run backward; their columns are reversed.
  var turned: Set<Int> = []
}

/// An integer at an index of a sparse list.
struct ModeEntry: Sendable, Hashable {
  var index: Int
  var amount: Int
}

extension ModeProblem {
  /// Creates the problem of a model; species at the boundary need not balance.
  ///
  /// - Throws: ``ModeError/amountTooFine(species:)``.
  init(_ model: ReactionModel) throws(ModeError) {
    ids = model.reactions.map(\.id)
    var amounts: [[Int: Double]] = []
    for (index, reaction) in model.reactions.enumerated() {
      columns.append(Column(isReversible: reaction.lowerBound < 0 && reaction.upperBound > 0))
      let isTurned = reaction.lowerBound < 0 && reaction.upperBound <= 0
      if isTurned { turned.insert(index) }
      if reaction.lowerBound >= 0, reaction.upperBound <= 0 { stopped.insert(index) }
      var changes: [Int: Double] = [:]
      for part in reaction.stoichiometry where !stopped.contains(index) && !model.species[part.species].isBoundary {
        changes[part.species, default: 0] += isTurned ? -part.amount : part.amount
      }
      amounts.append(changes)
    }
    try fill(amounts, species: model.species.map(\.id))
  }

  /// Creates the problem of a scenario network from its directions and amounts.
  ///
  /// - Throws: ``ModeError/amountTooFine(species:)``.
  init(_ network: ScenarioNetwork) throws(ModeError) {
    ids = network.processes.map(\.id)
    var amounts: [[Int: Double]] = []
    for (index, process) in network.processes.enumerated() {
      if process.movesNothing { stopped.insert(index) }
      columns.append(Column(isReversible: process.isReversible))
      amounts.append(process.changes.filter { !network.pools[$0.key].isBoundary })
    }
    try fill(amounts, species: network.pools.map(\.id))
  }

  /// Fills the columns with integers: the amounts of each species times one power of ten.
  private mutating func fill(_ amounts: [[Int: Double]], species: [Identifier]) throws(ModeError) {
    var scales = [Int](repeating: 1, count: species.count)
    for changes in amounts {
      for (row, amount) in changes.sorted(by: { $0.key < $1.key }) {
        guard let scale = Self.scale(of: amount) else { throw .amountTooFine(species: species[row].text) }
        scales[row] = max(scales[row], scale)
      }
    }
    for (column, changes) in amounts.enumerated() {
      columns[column].entries = changes.sorted { $0.key < $1.key }.compactMap { row, amount in
        let whole = Int((amount * Double(scales[row])).rounded())
        return whole == 0 ? nil : ModeEntry(index: row, amount: whole)
      }
    }
  }

  /// Returns the power of ten that turns an amount into an integer; nil if it has more than nine digits after the
  /// decimal point.
  private static func scale(of amount: Double) -> Int? {
    guard amount.isFinite, abs(amount) < 1e6 else { return nil }
    var scale = 1
    while scale <= 1_000_000_000 {
      let scaled = amount * Double(scale)
      // Decimal fractions are not exact in binary; the rounding error is far below this.
      if abs(scaled - scaled.rounded()) <= 1e-12 * max(1, abs(scaled)) { return scale }
      scale *= 10
    }
    return nil
  }
}

/// The reasons for which elementary modes cannot be computed; the result is all modes or an error.
enum ModeError: Error, Equatable, ReportableError {
  /// There are more rays than the limit, perhaps only as intermediate results.
  case tooMany(limit: Int, reactions: Int)
  /// The rays need more memory than the limit.
  case tooLarge(limitInBytes: Int, reactions: Int)
  /// The computation takes longer than the limit.
  case tooSlow(seconds: Int, reactions: Int)
  /// The amounts exceed the range of exact numbers.
  case numbersTooLarge
  /// An amount is not a decimal fraction of few digits.
  case amountTooFine(species: String)

  var report: ErrorReport {
    switch self {
    case .tooMany(let limit, let reactions):
      limitReport("there are more than \(limit) elementary modes, including intermediate ones", reactions, "--limit")
    case .tooLarge(let limit, let reactions):
      limitReport("elementary modes would need more than \(limit >> 20) MB", reactions, nil)
    case .tooSlow(let seconds, let reactions):
      limitReport("could not find all elementary modes in \(seconds) s", reactions, "--seconds")
    case .numbersTooLarge:
      Code.numbers(
        "amounts of the elementary modes exceed 64 bits, the limit of exact numbers",
        advice: "leave out reactions with many decimals, such as the biomass reaction")
    case .amountTooFine(let species):
      ErrorReport(
        code: Code.numbers.code, kind: .unusableInput,
        "an amount of '\(species)' is not a decimal number of at most nine digits; modes would not be exact",
        advice: "round the amount")
    }
  }

  private func limitReport(_ text: String, _ reactions: Int, _ option: String?) -> ErrorReport {
    let take = option.map { ", or raise '\($0)'" } ?? ""
    return Code.limit(
      "\(text); none is reported, because a partial result is not meaningful",
      advice:
        "\(reactions) reactions remain after compression; use a smaller network or leave some out with '--stop'\(take)",
      details: ["reactions": .integer(reactions)])
  }

  private enum Code {
    static let limit = DeclaredError(
      "pathcase.modes-limit", .failure, "elementary modes exceed a limit of time, memory or number")
    static let numbers = DeclaredError(
      "pathcase.modes-numbers", .failure, "elementary modes cannot be computed with exact numbers")
    static let all = [limit, numbers]
  }

  /// The stable codes.
  static let errorCodes = Code.all.map(\.catalogueEntry)
}
