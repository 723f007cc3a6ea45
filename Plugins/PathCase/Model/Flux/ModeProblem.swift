/// What elementary modes are of: whole numbers of what each reaction takes and makes, and which reactions run both ways.
///
/// Only the directions that bounds leave count here, not the bounds themselves. Indices count from 0.
struct ModeProblem: Sendable, Hashable {
  /// One reaction.
  struct Column: Sendable, Hashable {
    /// The rows with what a flux of 1 makes (above 0) and takes (below 0) of each, by row, none 0.
    var entries: [ModeEntry] = []
    var isReversible = false
  }

  var ids: [Identifier] = []
  var columns: [Column] = []
  /// The reactions that can have no flux at all by their bounds; their columns are empty and are left out.
  var stopped: Set<Int> = []
  /// The reactions that can only run backwards; their columns are turned round.
  var turned: Set<Int> = []
}

/// A whole number at a place of a sparse list.
struct ModeEntry: Sendable, Hashable {
  var index: Int
  var amount: Int
}

extension ModeProblem {
  /// The problem of a model: species at the boundary need not balance.
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

  /// The problem of a scenario network: its directions and amounts.
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

  /// Fills the columns with whole numbers: the amounts of each species times the same power of ten.
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

  /// The power of ten that makes a whole number of an amount; nil if it has more than nine digits behind the point.
  private static func scale(of amount: Double) -> Int? {
    guard amount.isFinite, abs(amount) < 1e6 else { return nil }
    var scale = 1
    while scale <= 1_000_000_000 {
      let scaled = amount * Double(scale)
      // Decimal fractions are not exact in binary; what is left of the rounding is far below this.
      if abs(scaled - scaled.rounded()) <= 1e-12 * max(1, abs(scaled)) { return scale }
      scale *= 10
    }
    return nil
  }
}
