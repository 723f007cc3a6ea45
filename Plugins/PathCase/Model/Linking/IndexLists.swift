/// A list of index lists, stored in two arrays.
struct IndexLists: Sendable, Hashable {
  /// The offset of each list, followed by the end of the last one.
  private var starts: [Int] = [0]
  private var members: [Int] = []

  init() {}

  /// Creates lists from a sequence of arrays.
  init(_ lists: some Sequence<[Int]>) {
    for list in lists { append(list) }
  }

  /// Creates the inverse of lists: for each member the lists that contain it, ascending and without duplicates.
  ///
  /// - Parameter count: The number of possible members.
  /// - Complexity: Linear.
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

  /// The number of lists.
  var count: Int { starts.count - 1 }

  subscript(list: Int) -> ArraySlice<Int> { members[starts[list]..<starts[list + 1]] }

  /// Appends a list.
  mutating func append(_ list: [Int]) {
    members += list
    starts.append(members.count)
  }

  private func forEachMember(_ body: (_ list: Int, _ member: Int) -> Void) {
    for list in 0..<count { for member in self[list] { body(list, member) } }
  }
}
