/// Makes a network smaller that has the same elementary modes: what must run together becomes one reaction.
///
/// Where a species has two reactions, these run in a fixed ratio; where it has one, that one never runs.
///
/// - Source: J. Gagneur, S. Klamt, BMC Bioinformatics 5, 175 (2004), section "Preprocessing".
struct ModeCompression {
  /// A reaction of the small network.
  struct Column {
    var entries: [ModeEntry]
    /// The reactions it stands for, with their ratio.
    var members: [ModeEntry]
    var isReversible: Bool
  }

  private(set) var columns: [Column?]
  /// The columns of each row, while the row has any.
  private var users: [Int: Set<Int>] = [:]

  /// Compresses a problem.
  ///
  /// - Throws: ``ModeError/numbersTooLarge``.
  init(_ problem: ModeProblem) throws(ModeError) {
    columns = problem.columns.enumerated().map { index, column in
      problem.stopped.contains(index)
        ? nil
        : Column(
          entries: column.entries, members: [ModeEntry(index: index, amount: 1)], isReversible: column.isReversible)
    }
    for (index, column) in columns.enumerated() {
      for entry in column?.entries ?? [] { users[entry.index, default: []].insert(index) }
    }
    var pending = users.keys.filter { (users[$0]?.count ?? 0) <= 2 || isOneSided($0) }.sorted()
    while let row = pending.popLast() {
      guard let members = users[row]?.sorted(), !members.isEmpty else { continue }
      var touched: Set<Int> = []
      if members.count == 1 || isOneSided(row) {
        // What is only made or only taken by reactions of one direction cannot be in balance.
        for member in members { touched.formUnion(remove(member)) }
      } else if members.count == 2 {
        touched = try merge(members[0], members[1], at: row)
      }
      pending += touched.filter { (users[$0]?.count ?? 0) <= 2 || isOneSided($0) }.sorted()
    }
  }

  /// Whether no reaction can take, or none can make, what a row stands for.
  private func isOneSided(_ row: Int) -> Bool {
    var (makes, takes) = (false, false)
    for user in users[row] ?? [] {
      guard let column = columns[user], let entry = column.entries.first(where: { $0.index == row }) else { continue }
      makes = makes || column.isReversible || entry.amount > 0
      takes = takes || column.isReversible || entry.amount < 0
    }
    return !(makes && takes)
  }

  /// Takes a column out, and gives its rows.
  private mutating func remove(_ index: Int) -> Set<Int> {
    let rows = Set((columns[index]?.entries ?? []).map(\.index))
    for row in rows {
      users[row]?.remove(index)
      if users[row]?.isEmpty ?? true { users[row] = nil }
    }
    columns[index] = nil
    return rows
  }

  /// Makes one of two columns that alone share a row, and gives the rows it touches.
  private mutating func merge(_ first: Int, _ second: Int, at row: Int) throws(ModeError) -> Set<Int> {
    guard let left = columns[first], let right = columns[second],
      let a = left.entries.first(where: { $0.index == row })?.amount,
      let b = right.entries.first(where: { $0.index == row })?.amount
    else { return [] }
    let divisor = ModeArithmetic.divisor(a, b)
    var factors = (left: b / divisor, right: -a / divisor)
    if factors.left < 0 { factors = (-factors.left, -factors.right) }
    let touched = remove(first).union(remove(second))
    // A direction that one of them lacks is lacking for both.
    let canForward = (factors.right > 0 || right.isReversible)
    let canBackward = left.isReversible && (factors.right < 0 || right.isReversible)
    guard canForward || canBackward else { return touched }
    if !canForward { factors = (-factors.left, -factors.right) }
    var column = Column(
      entries: try ModeArithmetic.sum(factors.left, left.entries, factors.right, right.entries),
      members: try ModeArithmetic.sum(factors.left, left.members, factors.right, right.members),
      isReversible: canForward && canBackward)
    let common = (column.entries + column.members).reduce(0) { ModeArithmetic.divisor($0, $1.amount) }
    if common > 1 {
      for index in column.entries.indices { column.entries[index].amount /= common }
      for index in column.members.indices { column.members[index].amount /= common }
    }
    columns[first] = column
    for entry in column.entries { users[entry.index, default: []].insert(first) }
    return touched
  }
}
