import Glibc
import PluginText

@testable import Host

/// The items of a simulated archive: sizes of a lognormal distribution, and the time of a command.
struct SimulatedArchive: Sendable {
  var itemCount: Int
  /// The mean size of a file.
  var meanKilobytes: Double
  /// The standard deviation of the logarithm of the size.
  var spread = 1.0
  /// The time of an item in milliseconds is `base + slope · size`, but at least one.
  var baseInMilliseconds: Double
  var millisecondsPerKilobyte: Double
  var seed: UInt64 = 24

  /// The surface areas of the Protein Data Bank: 13 core-hours.
  static let surfaces = SimulatedArchive(
    itemCount: 230_000, meanKilobytes: 300, baseInMilliseconds: -14, millisecondsPerKilobyte: 0.71)
  /// The surface areas of the AlphaFold database: about 2,200 core-hours.
  static let predictedSurfaces = SimulatedArchive(
    itemCount: 214_000_000, meanKilobytes: 70, baseInMilliseconds: -14, millisecondsPerKilobyte: 0.71)

  /// Calls a function with the seconds of each item.
  func forEachSeconds(_ body: (Double) -> Void) {
    var random = SplitMix64(seed: seed)
    let mean = log(meanKilobytes) - spread * spread / 2
    for _ in 0..<itemCount {
      let kilobytes = exp(mean + spread * normal(&random))
      body(max(1, baseInMilliseconds + millisecondsPerKilobyte * kilobytes) / 1000)
    }
  }
}

/// The shards of a plan, as sums over their items.
struct SimulatedShards {
  struct Load: Equatable {
    var items = 0
    var seconds = 0.0
    /// The sum of the squares of the items' seconds.
    var squares = 0.0

    mutating func add(_ item: Double) {
      items += 1
      seconds += item
      squares += item * item
    }
  }

  private(set) var loads: [Load]

  /// The longest shard.
  var longest: Double { loads.reduce(0) { max($0, $1.seconds) } }
  /// The time of all items.
  var seconds: Double { loads.reduce(0) { $0 + $1.seconds } }
  var itemCount: Int { loads.reduce(0) { $0 + $1.items } }

  init(_ loads: [Load]) { self.loads = loads }

  /// Plans an archive as a run is planned.
  init(_ archive: SimulatedArchive, for workers: ShardPlanner.Workers) {
    var costs: [Double] = []
    costs.reserveCapacity(archive.itemCount)
    archive.forEachSeconds { costs.append($0) }
    let count = ShardPlanner.shardCount(seconds: costs.reduce(0, +), itemCount: costs.count, for: workers)
    loads = Array(repeating: Load(), count: count)
    for (shard, cost) in zip(ShardPlanner.shards(ofCosts: costs, count: count), costs) {
      loads[Int(shard) - 1].add(cost)
    }
  }

  /// Plans an archive from the distribution of its times, in memory that does not depend on the number of items.
  ///
  /// The planner's greedy division gets the same items, from the largest to the smallest, but those of a class are all
  /// as long as their mean. A class is one percent wide.
  init(_ distribution: TimeDistribution, for workers: ShardPlanner.Workers) {
    let count = ShardPlanner.shardCount(
      seconds: distribution.seconds, itemCount: distribution.itemCount, for: workers)
    loads = Array(repeating: Load(), count: count)
    var balance = BalancedLoads(count: count)
    for entry in distribution.classes.reversed() where entry.items > 0 {
      let mean = entry.seconds / Double(entry.items)
      for _ in 0..<entry.items { loads[Int(balance.add(mean)) - 1].add(mean) }
    }
  }
}

/// The number and time of items in classes of their time, each one percent wide.
struct TimeDistribution {
  private static let width = log(1.01)
  /// The least time of a class, in seconds.
  private static let least = 1e-4

  private(set) var classes: [(items: Int, seconds: Double)] = []
  private(set) var itemCount = 0
  private(set) var seconds = 0.0

  init(of archive: SimulatedArchive) {
    archive.forEachSeconds { add($0) }
  }

  private mutating func add(_ time: Double) {
    let index = max(0, Int(log(time / Self.least) / Self.width))
    while classes.count <= index { classes.append((0, 0)) }
    classes[index].items += 1
    classes[index].seconds += time
    itemCount += 1
    seconds += time
  }
}

/// Returns a number above 0 and up to 1.
func uniform(_ random: inout SplitMix64) -> Double { Double(random.next() >> 11 | 1) * 0x1p-53 }

/// Returns a number of the normal distribution (Box and Muller).
func normal(_ random: inout SplitMix64) -> Double {
  (-2 * log(uniform(&random))).squareRoot() * cos(2 * .pi * uniform(&random))
}
