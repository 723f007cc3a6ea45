/// The order in which workers claim shards: by number, then those that other processes held.
struct ClaimOrder {
  /// The shards to try, last first.
  private var waiting: [Int]
  /// The shards that other processes work on.
  private var busy: [Int] = []

  init(_ shards: some Sequence<Int>) { waiting = shards.reversed() }

  /// Takes the next shard to try; nil if there is none now.
  mutating func next() -> Int? { waiting.popLast() }

  /// Notes that another process works on a shard, which may be lost.
  mutating func postpone(_ shard: Int) { busy.append(shard) }

  /// Makes the postponed shards the next ones.
  ///
  /// - Returns: False if there are none.
  mutating func reconsider() -> Bool {
    defer { busy = [] }
    waiting += busy.reversed()
    return !busy.isEmpty
  }
}
