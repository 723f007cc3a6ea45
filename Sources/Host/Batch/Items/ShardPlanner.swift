/// Divides items among shards of about equal cost.
enum ShardPlanner {
  /// The cost of an item beside that of its bytes: starting it takes about as long as reading this much.
  static let itemCost = 1 << 14

  /// Returns the shard of each item, counted from 1: the largest item goes into the lightest shard.
  ///
  /// - Complexity: O(n log n).
  static func shards(ofCosts costs: [Int], count: Int) -> [Int32] {
    var shards = [Int32](repeating: 1, count: costs.count)
    guard count > 1 else { return shards }
    // Equal costs stay in order, so that the result is the same everywhere.
    let order = costs.indices.sorted { costs[$0] != costs[$1] ? costs[$0] > costs[$1] : $0 < $1 }
    var heap = (1...count).map { Load(cost: 0, shard: Int32($0)) }
    for item in order {
      shards[item] = heap[0].shard
      heap[0].cost += costs[item]
      sink(&heap)
    }
    return shards
  }

  private struct Load: Comparable {
    var cost: Int
    var shard: Int32

    static func < (left: Load, right: Load) -> Bool { (left.cost, left.shard) < (right.cost, right.shard) }
  }

  /// Moves the first load down a heap to its position.
  private static func sink(_ heap: inout [Load]) {
    var parent = 0
    while true {
      let left = 2 * parent + 1
      guard left < heap.count else { return }
      let child = left + 1 < heap.count && heap[left + 1] < heap[left] ? left + 1 : left
      guard heap[child] < heap[parent] else { return }
      heap.swapAt(child, parent)
      parent = child
    }
  }
}
