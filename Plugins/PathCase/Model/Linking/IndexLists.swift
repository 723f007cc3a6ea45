/// A list of indices for each of many things, kept in two arrays.
struct IndexLists: Sendable, Hashable {
  /// Where each list begins, and behind them where the last one ends.
  private var starts: [Int] = [0]
  private var members: [Int] = []

  init() {}

  /// Lists given one after the other.
  init(_ lists: some Sequence<[Int]>) {
    for list in lists { append(list) }
  }

  /// Turns lists around: to each member the lists it is in, in rising order and once.
  ///
  /// - Parameter count: How many members there may be.
  /// - Complexity: linear.
  init(inverseOf lists: IndexLists, count: Int) {
    var counts = [Int](repeating: 0, count: count + 1)
    var last = [Int](repeating: -1, count: count)
    lists.forEachMember { list, member in
      if last[member] == list { return }
      last[member] = list
      counts[member + 1] += 1
    }
    for index in 0..<count { counts[index + 1] += counts[index] }
    starts = counts
    members = [Int](repeating: 0, count: counts[count])
    last = [Int](repeating: -1, count: count)
    var ends = counts
    lists.forEachMember { list, member in
      if last[member] == list { return }
      last[member] = list
      members[ends[member]] = list
      ends[member] += 1
    }
  }

  /// How many lists there are.
  var count: Int { starts.count - 1 }

  subscript(list: Int) -> ArraySlice<Int> { members[starts[list]..<starts[list + 1]] }

  /// Adds a list behind the others.
  mutating func append(_ list: [Int]) {
    members += list
    starts.append(members.count)
  }

  private func forEachMember(_ body: (_ list: Int, _ member: Int) -> Void) {
    for list in 0..<count { for member in self[list] { body(list, member) } }
  }
}
