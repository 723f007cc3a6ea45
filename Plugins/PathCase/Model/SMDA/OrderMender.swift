import PluginText

/// Improves an order by moving processes as long as that pays.
///
/// The trial moves are drawn by a generator with a fixed seed. A move changes only what is open between the old and the
/// new position, so only that range is evaluated.
struct OrderMender {
  private(set) var order: [Int]
  private let pools: [[Int]]
  private let processes: [[Int]]
  private let bits: [Double]
  /// The index of each process in the order; larger than any index for processes that are not in it.
  private var places: [Int]
  /// The open bits before each index.
  private var openBits: [Double]
  /// The cost at each index.
  private var costs: [Double]
  /// The number of each pool's processes visited so far, valid where ``stamps`` has the current stamp.
  private var seen: [Int]
  private var stamps: [Int]
  private var stamp = 0

  /// Prepares to improve an order of connected processes; the other parameters are those of ``EliminationOrder``.
  init(order: [Int], pools: [[Int]], processes: [[Int]], bits: [Double]) {
    self.order = order
    self.pools = pools
    self.processes = processes
    self.bits = bits
    places = Array(repeating: Int.max, count: pools.count)
    for (place, process) in order.enumerated() { places[process] = place }
    openBits = Array(repeating: 0, count: order.count + 1)
    costs = Array(repeating: 0, count: order.count)
    seen = Array(repeating: 0, count: bits.count)
    stamps = Array(repeating: -1, count: bits.count)
    accept(order, from: 0)
  }

  /// Tries a number of moves.
  ///
  /// - Throws: `CancellationError`.
  mutating func mend(_ limits: SearchLimits, tries: Int) throws {
    var source = SplitMix64(seed: UInt64(order.count))
    for index in 0..<tries {
      if index % 1024 == 0 { try limits.check() }
      let drawn = source.next()
      let from = Int((drawn >> 32) % UInt64(order.count))
      let distance = 1 + Int((drawn & 0x7FFF_FFFF) % UInt64(max(1, order.count / 4)))
      let to = drawn >> 31 & 1 == 0 ? max(0, from - distance) : min(order.count - 1, from + distance)
      if from != to { move(from, to) }
    }
  }

  private mutating func move(_ from: Int, _ to: Int) {
    let first = min(from, to)
    var segment = Array(order[first...max(from, to)])
    segment.insert(segment.remove(at: from - first), at: to - first)
    let before = costs[first...max(from, to)].reduce(0, +)
    var after = 0.0
    goThrough(segment, from: first, upTo: before) { _, cost, _ in after += cost }
    if after <= before { accept(segment, from: first) }
  }

  /// Visits processes from an index and passes the index, the cost and the open bits after each.
  ///
  /// - Parameter limit: The total cost at which the visit stops.
  private mutating func goThrough(
    _ segment: [Int], from first: Int, upTo limit: Double = .infinity, _ tell: (Int, Double, Double) -> Void
  ) {
    stamp += 1
    var open = openBits[first]
    var total = 0.0
    for (index, process) in segment.enumerated() {
      for pool in pools[process] {
        if stamps[pool] != stamp {
          stamps[pool] = stamp
          var count = 0
          for other in processes[pool] where places[other] < first { count += 1 }
          seen[pool] = count
        }
        if seen[pool] == 0 { open += bits[pool] }
        seen[pool] += 1
        if seen[pool] == processes[pool].count { open -= bits[pool] }
      }
      let cost = EliminationOrder.power(open)
      tell(index, cost, open)
      total += cost
      if total > limit { return }
    }
  }

  private mutating func accept(_ segment: [Int], from first: Int) {
    var told: [(cost: Double, open: Double)] = []
    goThrough(segment, from: first) { told.append(($1, $2)) }
    for (index, process) in segment.enumerated() {
      order[first + index] = process
      places[process] = first + index
      costs[first + index] = told[index].cost
      openBits[first + index + 1] = told[index].open
    }
  }
}
