import PluginText

/// Finds an order of processes in which few pools are open at a time.
///
/// A pool is open from its first to its last process. The search is exponential in the number of open pools, so the
/// order is decisive. Several greedy orders are tried; if even the best is expensive, it is improved by moving single
/// processes. Nothing is random or depends on time: the same network has the same order in every run.
struct EliminationOrder {
  /// The pools that each process touches.
  private let pools: [[Int]]
  /// The processes of each pool.
  private let processes: [[Int]]
  /// The cost of each pool while it is open, in bits.
  private let bits: [Double]
  private let limits: SearchLimits

  /// Creates a finder for some processes.
  ///
  /// - Parameters:
  ///   - pools: The pools that each process touches, numbered from 0.
  ///   - bits: The approximate number of bits in each pool's state.
  ///   - limits: The limits, which include cancellation.
  init(pools: [[Int]], bits: [Double], limits: SearchLimits) {
    self.limits = limits
    self.pools = pools
    self.bits = bits
    var processes: [[Int]] = Array(repeating: [], count: bits.count)
    for (process, touched) in pools.enumerated() {
      for pool in touched { processes[pool].append(process) }
    }
    self.processes = processes
  }

  /// Returns the best order found, one connected component after the other.
  ///
  /// - Throws: `CancellationError`.
  func best() throws -> [Int] {
    try parts().flatMap(best)
  }

  /// Returns the connected components, each with its processes in order; that of the lowest process first.
  private func parts() -> [[Int]] {
    var part = Array(repeating: -1, count: pools.count)
    var parts: [[Int]] = []
    for start in pools.indices where part[start] < 0 {
      var members = [start]
      part[start] = parts.count
      var next = 0
      while next < members.count {
        for pool in pools[members[next]] {
          for process in processes[pool] where part[process] < 0 {
            part[process] = parts.count
            members.append(process)
          }
        }
        next += 1
      }
      parts.append(members.sorted())
    }
    return parts
  }

  private func best(of part: [Int]) throws -> [Int] {
    guard part.count > 2 else { return part }
    var best = part
    var least = Double.infinity
    func consider(_ order: [Int]) {
      let cost = self.cost(of: order)
      if cost < least { (best, least) = (order, cost) }
    }
    consider(byPools(part))
    let starts = part.sorted { (startCost($0), $0) < (startCost($1), $1) }
    for start in starts.prefix(max(2, min(8, 2_000 / part.count))) {
      consider(try byProcesses(part, from: start))
    }
    // About a tenth of the estimated states occur; each takes as long as a few trial moves.
    guard least >= 3_000 else { return best }
    var mender = OrderMender(order: best, pools: pools, processes: processes, bits: bits)
    try mender.mend(limits, tries: Int(min(Double(Self.tryLimit), least / 2)))
    return mender.order
  }

  private func startCost(_ process: Int) -> Int {
    pools[process].reduce(0) { $0 + processes[$1].count }
  }

  /// Returns the approximate total number of states for a component in some order.
  private func cost(of order: [Int]) -> Double {
    var cost = 0.0
    var open = 0.0
    var seen = Array(repeating: 0, count: bits.count)
    for process in order {
      for pool in pools[process] {
        if seen[pool] == 0 { open += bits[pool] }
        seen[pool] += 1
        if seen[pool] == processes[pool].count { open -= bits[pool] }
      }
      cost += Self.power(open)
    }
    return cost
  }

  /// The maximum number of trial moves of single processes.
  private static let tryLimit = 60_000

  /// Returns two to a power that may be half-integral, capped at a maximum.
  fileprivate static func power(_ bits: Double) -> Double {
    let halves = Int(2 * bits + 0.5)
    let whole = Double(UInt64(1) << UInt64(min(62, halves / 2)))
    return halves % 2 == 0 ? whole : whole * 1.414
  }
}

// MARK: - Greedy orders

extension EliminationOrder {
  /// Returns an order that always closes the pool with the fewest remaining processes.
  private func byPools(_ part: [Int]) -> [Int] {
    var left = processes.map(\.count)
    var isTaken = Array(repeating: true, count: pools.count)
    for process in part { isTaken[process] = false }
    var order: [Int] = []
    var candidates = Set(part.flatMap { pools[$0] }).sorted()
    while order.count < part.count {
      candidates.removeAll { left[$0] == 0 }
      let next = candidates.min { (closing($0, left), $0) < (closing($1, left), $1) }
      guard let next else { break }
      for process in processes[next] where !isTaken[process] {
        isTaken[process] = true
        order.append(process)
        for pool in pools[process] { left[pool] -= 1 }
      }
    }
    return order + part.filter { !isTaken[$0] }
  }

  /// Returns the cost of closing a pool: its remaining processes, then whether it is untouched.
  private func closing(_ pool: Int, _ left: [Int]) -> Int {
    2 * left[pool] + (left[pool] == processes[pool].count ? 1 : 0)
  }

  /// Returns an order that always takes the process after which the fewest bits are open.
  private func byProcesses(_ part: [Int], from start: Int) throws -> [Int] {
    var left = processes.map(\.count)
    var remaining = part
    var order: [Int] = []
    var next = start
    while true {
      if order.count % 64 == 0 { try limits.check() }
      order.append(next)
      remaining.removeAll { $0 == next }
      for pool in pools[next] { left[pool] -= 1 }
      guard var best = remaining.first else { return order }
      var least = Double.infinity
      for process in remaining {
        let cost = opening(process, left)
        if cost < least { (best, least) = (process, cost) }
      }
      next = best
    }
  }

  /// Returns the change in open bits after a process, plus a small cost for the work that it leaves.
  private func opening(_ process: Int, _ left: [Int]) -> Double {
    var change = 0.0
    for pool in pools[process] {
      let isOpen = left[pool] < processes[pool].count
      if left[pool] == 1 {
        if isOpen { change -= bits[pool] }
      } else {
        if !isOpen { change += bits[pool] }
        change += 0.001 * Double(left[pool])
        if isOpen { change -= 0.01 }
      }
    }
    return change
  }
}

/// Improves an order by moving processes as long as that pays.
///
/// The trial moves are drawn by a generator with a fixed seed. A move changes only what is open between the old and the
/// new position, so only that range is evaluated.
private struct OrderMender {
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
    for (index, process) in order.enumerated() { places[process] = index }
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
    visit(segment, from: first, upTo: before) { _, cost, _ in after += cost }
    if after <= before { accept(segment, from: first) }
  }

  /// Visits processes from an index and passes the index, the cost and the open bits after each.
  ///
  /// - Parameter limit: The total cost at which the visit stops.
  private mutating func visit(
    _ segment: [Int], from first: Int, upTo limit: Double = .infinity, _ visit: (Int, Double, Double) -> Void
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
      visit(index, cost, open)
      total += cost
      if total > limit { return }
    }
  }

  private mutating func accept(_ segment: [Int], from first: Int) {
    var visited: [(cost: Double, open: Double)] = []
    visit(segment, from: first) { visited.append(($1, $2)) }
    for (index, process) in segment.enumerated() {
      order[first + index] = process
      places[process] = first + index
      costs[first + index] = visited[index].cost
      openBits[first + index + 1] = visited[index].open
    }
  }
}
