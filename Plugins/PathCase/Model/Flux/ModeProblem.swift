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
      if process.inputs.isEmpty, process.outputs.isEmpty { stopped.insert(index) }
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
