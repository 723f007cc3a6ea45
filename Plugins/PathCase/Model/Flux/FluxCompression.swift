/// A smaller problem with the same solutions, in which coupled reactions are merged into one.
///
/// If a species has two reactions left, the flux of one determines that of the other; if it has one, that reaction
/// never runs. Both rules are applied until neither matches. Genome-scale networks lose more than half of their
/// species.
///
/// - Source: J. Gagneur, S. Klamt, BMC Bioinformatics 5 (2004) 175, the lossless steps of network compression.
struct FluxCompression: Sendable {
  private(set) var problem: FluxProblem
  /// The reaction of the smaller problem that represents each reaction; nil for those that never run.
  private(set) var columns: [Int?]
  /// The ratio of each flux to that of the reaction that represents it.
  private(set) var factors: [Double]

  init(_ whole: FluxProblem) {
    var work = CompressionWork(whole)
    work.run()
    (problem, columns, factors) = work.result()
  }

  /// Returns the fluxes of the whole problem.
  func fluxes(_ small: [Double]) -> [Double] {
    zip(columns, factors).map { column, factor in column.map { small[$0] * factor } ?? 0 }
  }

  /// Returns the range of a flux of the whole problem.
  func range(of reaction: Int, _ small: FluxRange) -> FluxRange {
    let factor = factors[reaction]
    let (one, other) = (small.least * factor, small.largest * factor)
    return FluxRange(least: min(one, other), largest: max(one, other))
  }
}

/// The state of a problem during compression.
private struct CompressionWork {
  private typealias Entry = (row: Int, amount: Double)

  private let whole: FluxProblem
  /// The entries of each column by row; empty for removed columns.
  private var entries: [[Entry]]
  private var isGone: [Bool]
  /// The columns that have or had an entry in each row.
  private var users: [[Int]]
  private var lower: [Double]
  private var upper: [Double]
  private var weights: [Double]
  /// The reactions that each column represents, with the ratios of their fluxes.
  private var members: [[(reaction: Int, factor: Double)]]
  private var counts: [Int]
  private var waiting: [Int] = []

  /// The maximum ratio between merged fluxes; larger ratios would amplify rounding errors.
  private static let largestFactor = 1e4

  init(_ whole: FluxProblem) {
    self.whole = whole
    (lower, upper, weights) = (whole.lower, whole.upper, whole.weights)
    isGone = [Bool](repeating: false, count: whole.reactionCount)
    users = [[Int]](repeating: [], count: whole.rows)
    counts = [Int](repeating: 0, count: whole.rows)
    members = (0..<whole.reactionCount).map { [($0, 1)] }
    entries = []
    for column in 0..<whole.reactionCount {
      let places = Int(whole.starts[column])..<Int(whole.starts[column + 1])
      let own = places.map { (row: Int(whole.indices[$0]), amount: whole.amounts[$0]) }
      for entry in own {
        users[entry.row].append(column)
        counts[entry.row] += 1
      }
      entries.append(own.sorted { $0.row < $1.row })
    }
  }

  mutating func run() {
    for column in lower.indices where lower[column] == 0 && upper[column] == 0 { remove(column) }
    waiting = Array(counts.indices.reversed())
    while let row = waiting.popLast() {
      guard (1...2).contains(counts[row]) else { continue }
      let left = Array(Set(users[row].filter { !isGone[$0] && amount($0, row) != 0 })).sorted()
      if left.count == 1, lower[left[0]] <= 0, upper[left[0]] >= 0 { remove(left[0]) }
      if left.count == 2 { join(left[0], left[1], in: row) }
    }
  }

  private func amount(_ column: Int, _ row: Int) -> Double {
    entries[column].first { $0.row == row }?.amount ?? 0
  }

  /// Removes a column that never has a flux.
  private mutating func remove(_ column: Int) {
    isGone[column] = true
    members[column] = []
    for entry in entries[column] { lose(entry.row) }
    entries[column] = []
  }

  private mutating func lose(_ row: Int) {
    counts[row] -= 1
    if counts[row] <= 2 { waiting.append(row) }
  }

  /// Merges a column into another one whose flux determines its own.
  private mutating func join(_ column: Int, _ other: Int, in row: Int) {
    let factor = -amount(column, row) / amount(other, row)
    guard factor.magnitude <= Self.largestFactor, factor.magnitude >= 1 / Self.largestFactor else { return }
    // Crossing bounds are kept: the solver is to find them.
    let bounds = (lower[other] / factor, upper[other] / factor)
    lower[column] = max(lower[column], factor > 0 ? bounds.0 : bounds.1)
    upper[column] = min(upper[column], factor > 0 ? bounds.1 : bounds.0)
    // Values that are equal but for rounding are treated as equal.
    let gap = lower[column] - upper[column]
    if gap > 0, gap <= 1e-9 * max(1, abs(lower[column])) { lower[column] = upper[column] }
    weights[column] += weights[other] * factor
    members[column] += members[other].map { ($0.reaction, $0.factor * factor) }
    let sum = summed(entries[column], entries[other], factor, without: row)
    for entry in entries[column] + entries[other] { counts[entry.row] -= 1 }
    for entry in sum {
      counts[entry.row] += 1
      users[entry.row].append(column)
    }
    for entry in entries[column] + entries[other] where counts[entry.row] <= 2 { waiting.append(entry.row) }
    entries[column] = sum
    entries[other] = []
    members[other] = []
    isGone[other] = true
  }

  private func summed(_ one: [Entry], _ other: [Entry], _ factor: Double, without row: Int) -> [Entry] {
    var sum: [Entry] = []
    var (left, right) = (one[...], other[...])
    while let next = [left.first?.row, right.first?.row].compactMap({ $0 }).min() {
      let first = left.first?.row == next ? left.removeFirst().amount : 0
      let second = right.first?.row == next ? right.removeFirst().amount * factor : 0
      let isNothing = abs(first + second) <= 1e-12 * max(abs(first), abs(second))
      if next != row, !isNothing { sum.append((next, first + second)) }
    }
    return sum
  }

  func result() -> (FluxProblem, [Int?], [Double]) {
    var places = [Int?](repeating: nil, count: lower.count)
    var factors = [Double](repeating: 0, count: lower.count)
    let kept = lower.indices.filter { !isGone[$0] }
    var rows = [Int](repeating: -1, count: counts.count)
    var rowCount = 0
    for row in counts.indices where counts[row] > 0 {
      rows[row] = rowCount
      rowCount += 1
    }
    for (index, column) in kept.enumerated() {
      for member in members[column] { (places[member.reaction], factors[member.reaction]) = (index, member.factor) }
    }
    let problem = FluxProblem(
      rows: rowCount, columns: kept.map { column in entries[column].map { (rows[$0.row], $0.amount) } },
      lower: kept.map { lower[$0] }, upper: kept.map { upper[$0] }, weights: kept.map { weights[$0] },
      isMaximized: whole.isMaximized)
    return (problem, places, factors)
  }
}
