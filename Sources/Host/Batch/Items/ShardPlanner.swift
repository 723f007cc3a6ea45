/// Divides items among shards of about equal cost.
enum ShardPlanner {
  /// The workers that run the shards.
  enum Workers: Sendable, Equatable {
    /// Threads of one machine, which begin a shard at once.
    case threads(Int)
    /// Jobs of a scheduler, which begin after seconds and may have a time limit.
    case jobs(Int, timeLimitInSeconds: Double?)

    var count: Int {
      switch self {
      case .threads(let count), .jobs(let count, _): count
      }
    }
  }

  /// The cost of an item in addition to its input, in bytes: starting it takes about as long as reading this much.
  static let itemCost = 16384.0
  /// Shards for each worker of one machine: enough that all workers end at about the same time.
  static let shardsPerThread = 16
  /// The time of a job below which waiting for its start takes too large a share.
  static let leastJobSeconds = 60.0
  /// The maximum number of shards of a run, each of which has its own files.
  static let mostShards = 100_000

  /// Returns the number of shards.
  ///
  /// Jobs have a shard each, of at least a minute, and of about half the time limit at most. As no shard of many items
  /// takes more than twice the mean, it ends within the limit.
  /// - Parameter seconds: The predicted time of all items on one worker; nil without a prediction.
  static func shardCount(seconds: Double?, itemCount: Int, for workers: Workers) -> Int {
    var count: Int
    switch workers {
    case .threads(let threads): count = shardsPerThread * threads
    case .jobs(let jobs, let timeLimit):
      count = jobs
      if let seconds {
        count = min(count, Int(min(seconds / leastJobSeconds, Double(mostShards))))
        if let timeLimit { count = max(count, Int(min((seconds / (timeLimit / 2)).rounded(.up), Double(mostShards)))) }
      }
    }
    return shardCount(given: count, itemCount: itemCount)
  }

  /// Returns the number of shards for which a number was given; no shard is empty.
  static func shardCount(given count: Int, itemCount: Int) -> Int { max(1, min(count, itemCount, mostShards)) }

  /// Returns the shard of each item, counted from 1: the largest item goes into the lightest shard.
  ///
  /// An item that costs more than the mean of the shards is alone, and such shards are first.
  /// - Complexity: O(n log n).
  static func shards(ofCosts costs: [Double], count: Int) -> [Int32] {
    var shards = [Int32](repeating: 1, count: costs.count)
    guard count > 1 else { return shards }
    // Equal costs stay in order, so that the result is the same everywhere.
    let order = costs.indices.sorted { costs[$0] != costs[$1] ? costs[$0] > costs[$1] : $0 < $1 }
    var loads = BalancedLoads(count: count)
    for item in order { shards[item] = loads.add(costs[item]) }
    return shards
  }
}

/// The loads of shards or workers; an addition goes to the lightest one.
struct BalancedLoads {
  private struct Load: Comparable {
    var cost: Double
    var number: Int32

    static func < (left: Load, right: Load) -> Bool { (left.cost, left.number) < (right.cost, right.number) }
  }

  private var heap: [Load]

  init(count: Int) { heap = (1...max(1, count)).map { Load(cost: 0, number: Int32($0)) } }

  /// Adds a cost to the lightest load and returns its number, counted from 1.
  mutating func add(_ cost: Double) -> Int32 {
    let number = heap[0].number
    heap[0].cost += cost
    sink()
    return number
  }

  /// The largest load.
  var largest: Double { heap.reduce(0) { max($0, $1.cost) } }

  /// Moves the first load down the heap to its position.
  private mutating func sink() {
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
