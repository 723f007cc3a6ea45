/// Compresses a network to a smaller one with the same elementary modes, by merging coupled reactions.
///
/// If a species has two reactions, they run in a fixed ratio; if it has one, that reaction never runs.
///
/// - Source: J. Gagneur, S. Klamt, BMC Bioinformatics 5, 175 (2004), section "Preprocessing".
struct ModeCompression {
  /// A reaction of the compressed network.
  struct Column {
    var entries: [ModeEntry]
    /// The reactions it represents, with their ratios.
    var members: [ModeEntry]
    var isReversible: Bool
  }

  private(set) var columns: [Column?]
  /// The columns of each row; a row without columns has no entry.
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
        // A species that irreversible reactions only produce or only consume cannot be in balance.
        for member in members { touched.formUnion(remove(member)) }
      } else if members.count == 2 {
        touched = try merge(members[0], members[1], at: row)
      }
      pending += touched.filter { (users[$0]?.count ?? 0) <= 2 || isOneSided($0) }.sorted()
    }
  }

  /// Returns whether no reaction can consume a row's species, or none can produce it.
  private func isOneSided(_ row: Int) -> Bool {
    var (makes, takes) = (false, false)
    for user in users[row] ?? [] {
      guard let column = columns[user], let entry = column.entries.first(where: { $0.index == row }) else { continue }
      makes = makes || column.isReversible || entry.amount > 0
      takes = takes || column.isReversible || entry.amount < 0
    }
    return !(makes && takes)
  }

  /// Removes a column and returns its rows.
  private mutating func remove(_ index: Int) -> Set<Int> {
    let rows = Set((columns[index]?.entries ?? []).map(\.index))
    for row in rows {
      users[row]?.remove(index)
      if users[row]?.isEmpty ?? true { users[row] = nil }
    }
    columns[index] = nil
    return rows
  }

  /// Merges the only two columns of a row and returns the rows affected.
  private mutating func merge(_ first: Int, _ second: Int, at row: Int) throws(ModeError) -> Set<Int> {
    guard let left = columns[first], let right = columns[second],
      let a = left.entries.first(where: { $0.index == row })?.amount,
      let b = right.entries.first(where: { $0.index == row })?.amount
    else { return [] }
    let divisor = ModeArithmetic.divisor(a, b)
    var factors = (left: b / divisor, right: -a / divisor)
    if factors.left < 0 { factors = (-factors.left, -factors.right) }
    let touched = remove(first).union(remove(second))
    // A direction that one of them lacks is unavailable to both.
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

/// Exact integer arithmetic that throws on overflow.
enum ModeArithmetic {
  /// Returns the sum of two products.
  ///
  /// - Throws: ``ModeError/numbersTooLarge``.
  static func sum(_ first: Int, _ left: Int, _ second: Int, _ right: Int) throws(ModeError) -> Int {
    let wide = Int128(first) * Int128(left) + Int128(second) * Int128(right)
    guard let sum = Int(exactly: wide) else { throw .numbersTooLarge }
    return sum
  }

  /// Returns the greatest common divisor, greater than 0; 0 if both are 0.
  static func divisor(_ left: Int, _ right: Int) -> Int {
    var (left, right) = (left.magnitude, right.magnitude)
    while right != 0 { (left, right) = (right, left % right) }
    return Int(left)
  }

  /// Returns the sum of two sparse lists, each multiplied by a factor.
  ///
  /// - Throws: ``ModeError/numbersTooLarge``.
  static func sum(
    _ first: Int, _ left: [ModeEntry], _ second: Int, _ right: [ModeEntry]
  ) throws(ModeError) -> [ModeEntry] {
    var sum: [ModeEntry] = []
    var (i, j) = (0, 0)
    while i < left.count || j < right.count {
      let index = min(i < left.count ? left[i].index : .max, j < right.count ? right[j].index : .max)
      var (a, b) = (0, 0)
      if i < left.count, left[i].index == index { (a, i) = (left[i].amount, i + 1) }
      if j < right.count, right[j].index == index { (b, j) = (right[j].amount, j + 1) }
      let amount = try Self.sum(first, a, second, b)
      if amount != 0 { sum.append(ModeEntry(index: index, amount: amount)) }
    }
    return sum
  }
}
