import PluginText
import Testing

@testable import Host

struct ShardPlannerTests {
  @Test func `shards have about equal costs, and the largest items come first, alone`() {
    let shards = ShardPlanner.shards(ofCosts: [1, 100, 2, 3, 4, 5, 6, 90], count: 4)
    #expect(shards[1] == 1 && shards[7] == 2)
    #expect(!shards.indices.contains { ![1, 7].contains($0) && shards[$0] <= 2 })
    var random = SplitMix64(seed: 24)
    let costs = (0..<1000).map { _ in Double.random(in: 1...1000, using: &random) }
    let many = ShardPlanner.shards(ofCosts: costs, count: 16)
    var sums = [Double](repeating: 0, count: 17)
    for (shard, cost) in zip(many, costs) { sums[Int(shard)] += cost }
    // The last item of the largest shard is not larger than the difference.
    #expect((sums.dropFirst().max() ?? 0) - (sums.dropFirst().min() ?? 0) <= 1000)
    #expect(Set(ShardPlanner.shards(ofCosts: [1, 1], count: 1)) == [1])
  }

  @Test func `one machine has sixteen shards per worker, at most one per item`() {
    #expect(ShardPlanner.shardCount(seconds: 100, itemCount: 1000, for: .threads(2)) == 32)
    #expect(ShardPlanner.shardCount(seconds: nil, itemCount: 1000, for: .threads(2)) == 32)
    #expect(ShardPlanner.shardCount(seconds: 100, itemCount: 7, for: .threads(2)) == 7)
    #expect(ShardPlanner.shardCount(seconds: 1e9, itemCount: 1 << 40, for: .threads(1 << 20)) == 100_000)
  }

  @Test func `jobs take at least a minute and at most half their time limit`() {
    func count(_ seconds: Double?, _ jobs: Int, limit: Double? = nil) -> Int {
      ShardPlanner.shardCount(seconds: seconds, itemCount: 1_000_000, for: .jobs(jobs, timeLimitInSeconds: limit))
    }
    // An hour for a thousand jobs: sixty of a minute.
    #expect(count(3600, 1000) == 60)
    #expect(count(3600, 10) == 10)
    #expect(count(30, 10) == 1)
    #expect(count(nil, 10) == 10)
    // Ten hours in jobs of an hour: twenty of half an hour, even for two workers.
    #expect(count(36_000, 2, limit: 3600) == 20)
    #expect(count(36_000, 100, limit: 3600) == 100)
    #expect(count(1e12, 2, limit: 3600) == 100_000)
  }

  @Test func `no job with many items exceeds its time limit`() {
    var random = SplitMix64(seed: 7)
    for _ in 0..<50 {
      let limit = Double.random(in: 120...3600, using: &random)
      let seconds = (0..<300).map { _ in Double.random(in: 0.1...limit, using: &random) }
      let count = ShardPlanner.shardCount(
        seconds: seconds.reduce(0, +), itemCount: seconds.count, for: .jobs(1, timeLimitInSeconds: limit))
      let shards = ShardPlanner.shards(ofCosts: seconds, count: count)
      var sums = [Double](repeating: 0, count: count + 1)
      for (shard, time) in zip(shards, seconds) { sums[Int(shard)] += time }
      #expect((sums.max() ?? 0) <= limit)
    }
  }

  @Test func `shards are claimed by number, and those held by others are retried later`() {
    var order = ClaimOrder(1...3)
    var claimed: [Int] = []
    while let shard = order.next() {
      claimed.append(shard)
      if shard != 3 { order.postpone(shard) }
    }
    #expect(claimed == [1, 2, 3])
    let hasMore = order.reconsider()
    while let shard = order.next() { claimed.append(shard) }
    let hasEvenMore = order.reconsider()
    #expect(hasMore && claimed == [1, 2, 3, 1, 2] && !hasEvenMore)
  }
}
