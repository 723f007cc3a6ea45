/// Finds the extreme rays of the cone of nonnegative steady-state fluxes, species by species.
struct RaySearch {
  /// Intermediate rays, with their fluxes and supports in flat lists.
  private struct Rays {
    var count = 0
    /// One bit per split column, for each ray.
    var supports: [UInt64] = []
    /// One flux per split column, for each ray.
    var fluxes: [Int] = []
  }

  /// The reaction of each split column, and whether the column is its backward direction.
  ///
  /// The two directions of a reversible reaction are adjacent, the first at an even index.
  private var origins: [(column: Int, isBackward: Bool)] = []
  /// The entries of each row in split columns.
  private var rows: [[ModeEntry]] = []
  /// The bits of the forward directions of reversible reactions.
  private var forwards: [UInt64] = []
  private let wordCount: Int
  private let reactions: Int
  private let limits: ElementaryModes.Limits

  init(_ columns: [ModeCompression.Column], limits: ElementaryModes.Limits) {
    self.limits = limits
    reactions = columns.count
    var found: [Int: [ModeEntry]] = [:]
    let order =
      columns.indices.filter { columns[$0].isReversible } + columns.indices.filter { !columns[$0].isReversible }
    for index in order {
      for isBackward in columns[index].isReversible ? [false, true] : [false] {
        for entry in columns[index].entries {
          found[entry.index, default: []].append(
            ModeEntry(index: origins.count, amount: isBackward ? -entry.amount : entry.amount))
        }
        origins.append((index, isBackward))
      }
    }
    rows = found.sorted { $0.key < $1.key }.map(\.value)
    wordCount = max(1, (origins.count + 63) / 64)
    forwards = [UInt64](repeating: 0, count: wordCount)
    for (index, origin) in origins.enumerated() where columns[origin.column].isReversible && !origin.isBackward {
      forwards[index / 64] |= 1 << UInt64(index % 64)
    }
  }

  /// Returns the rays, each as its columns with fluxes, negative if backward.
  ///
  /// - Throws: ``ModeError``, `CancellationError`.
  func rays() throws -> [[ModeEntry]] {
    var rays = unitRays()
    var remaining = rows
    var done = 0
    while !remaining.isEmpty {
      try checkTime()
      // The species with the fewest pairs of rays is next, because it creates the fewest new rays.
      let costs = remaining.map { row in cost(row, rays) }
      let cheapest = costs.indices.min { costs[$0] < costs[$1] } ?? 0
      let row = remaining.remove(at: cheapest)
      let values = try values(of: row, rays)
      // A species that all rays balance follows from the earlier ones, and does not change the dimension of faces.
      if values.allSatisfy({ $0 == 0 }) { continue }
      rays = try step(rays, values, done: done)
      done += 1
    }
    return (0..<rays.count).map { ray in
      origins.indices.compactMap { index in
        let flux = rays.fluxes[ray * origins.count + index]
        if flux == 0 { return nil }
        return ModeEntry(index: origins[index].column, amount: origins[index].isBackward ? -flux : flux)
      }.sorted { $0.index < $1.index }
    }
  }

  /// Returns one ray per split column: the rays without any balance.
  private func unitRays() -> Rays {
    var rays = Rays(
      count: origins.count, supports: [UInt64](repeating: 0, count: origins.count * wordCount),
      fluxes: [Int](repeating: 0, count: origins.count * origins.count))
    for index in origins.indices {
      rays.supports[index * wordCount + index / 64] = 1 << UInt64(index % 64)
      rays.fluxes[index * origins.count + index] = 1
    }
    return rays
  }

  private func cost(_ row: [ModeEntry], _ rays: Rays) -> Int {
    var (producers, consumers) = (0, 0)
    for ray in 0..<rays.count {
      // Signs are enough here; a value too large for this sum is detected exactly in the step itself.
      var value = 0.0
      for entry in row { value += Double(rays.fluxes[ray * origins.count + entry.index]) * Double(entry.amount) }
      if value > 0 { producers += 1 } else if value < 0 { consumers += 1 }
    }
    return producers * consumers
  }

  /// Returns the amount of a species that each ray produces.
  private func values(of row: [ModeEntry], _ rays: Rays) throws(ModeError) -> [Int] {
    var values: [Int] = []
    for ray in 0..<rays.count {
      var value = 0
      for entry in row {
        value = try ModeArithmetic.sum(1, value, entry.amount, rays.fluxes[ray * origins.count + entry.index])
      }
      values.append(value)
    }
    return values
  }

  /// Returns the rays that also balance one more species.
  ///
  /// - Parameters:
  ///   - values: The amount of the species that each ray produces.
  ///   - done: The number of independent species in balance so far.
  private func step(_ rays: Rays, _ values: [Int], done: Int) throws -> Rays {
    var kept = Rays()
    for ray in values.indices where values[ray] == 0 {
      kept.supports += rays.supports[ray * wordCount..<(ray + 1) * wordCount]
      kept.fluxes += rays.fluxes[ray * origins.count..<(ray + 1) * origins.count]
      kept.count += 1
    }
    for pair in try adjacentPairs(rays, values, done: done, kept: kept.count) {
      try combine(rays, values, pair, into: &kept)
    }
    return kept
  }

  /// Returns the adjacent pairs of rays: one produces a species, the other consumes it, and no third ray lies between
  /// them.
  ///
  /// - Parameters:
  ///   - values: The amount of the species that each ray produces.
  ///   - done: The number of independent species in balance so far.
  ///   - kept: The number of rays that stay unchanged.
  private func adjacentPairs(
    _ rays: Rays, _ values: [Int], done: Int, kept: Int
  ) throws -> [(producer: Int, consumer: Int)] {
    let producers = values.indices.filter { values[$0] > 0 }
    let consumers = values.indices.filter { values[$0] < 0 }
    var pairs: [(producer: Int, consumer: Int)] = []
    if producers.isEmpty || consumers.isEmpty { return pairs }
    let consumerTree = SupportTree(
      consumers.flatMap { rays.supports[$0 * wordCount..<($0 + 1) * wordCount] }, wordCount: wordCount)
    // A two-dimensional face has at most two columns more than there are independent balances so far.
    let isPossible = { (union: UnsafePointer<UInt64>) in isFace(union, most: done + 2) }
    try SupportTree(rays.supports, wordCount: wordCount).withFinder { finder in
      try consumerTree.withFinder { partners in
        for producer in producers {
          try checkTime()
          let own = Array(rays.supports[producer * wordCount..<(producer + 1) * wordCount])
          partners.forEachUnion(with: own, where: isPossible) { index, union in
            let consumer = consumers[index]
            if !finder.hasRay(in: union, except: producer, consumer) { pairs.append((producer, consumer)) }
          }
          try check(count: kept + pairs.count)
        }
      }
    }
    return pairs
  }

  /// Returns true if a set of columns may contain a two-dimensional face.
  ///
  /// The result is false for too many columns and for both directions of a reaction; it is then false for all supersets
  /// too.
  @inline(__always)
  private func isFace(_ union: UnsafePointer<UInt64>, most: Int) -> Bool {
    var size = 0
    var twoWays: UInt64 = 0
    for word in 0..<wordCount {
      size += union[word].nonzeroBitCount
      twoWays |= union[word] & (union[word] >> 1) & forwards[word]
    }
    return size <= most && twoWays == 0
  }

  /// Adds the combination of two rays that is in balance.
  private func combine(
    _ rays: Rays, _ values: [Int], _ pair: (producer: Int, consumer: Int), into kept: inout Rays
  ) throws(ModeError) {
    let divisor = ModeArithmetic.divisor(values[pair.producer], values[pair.consumer])
    let (first, second) = (-(values[pair.consumer] / divisor), values[pair.producer] / divisor)
    let start = kept.fluxes.count
    var common = 0
    for column in origins.indices {
      let flux = try ModeArithmetic.sum(
        first, rays.fluxes[pair.producer * origins.count + column], second,
        rays.fluxes[pair.consumer * origins.count + column])
      kept.fluxes.append(flux)
      if flux != 0, common != 1 { common = ModeArithmetic.divisor(common, flux) }
    }
    if common > 1 { for index in start..<kept.fluxes.count { kept.fluxes[index] /= common } }
    for word in 0..<wordCount {
      kept.supports.append(
        rays.supports[pair.producer * wordCount + word] | rays.supports[pair.consumer * wordCount + word])
    }
    kept.count += 1
  }

  private func check(count: Int) throws(ModeError) {
    guard count <= limits.rays else { throw .tooMany(limit: limits.rays, reactions: reactions) }
    guard count <= limits.sizeInBytes / (8 * (wordCount + origins.count) + 64) else {
      throw .tooLarge(limitInBytes: limits.sizeInBytes, reactions: reactions)
    }
  }

  private func checkTime() throws {
    if limits.isCancelled() { throw CancellationError() }
    if limits.isLate() { throw ModeError.tooSlow(seconds: limits.seconds, reactions: reactions) }
  }
}

/// A binary tree of ray supports that finds a support within a given set of columns.
///
/// Each node stores the columns common to all supports below it: if the set lacks one of them, nothing below fits.
///
/// - Source: M. Terzer, J. Stelling, Bioinformatics 24 (2008) 2229 (bit pattern trees).
struct SupportTree {
  /// A node: two child nodes, or the slots of a leaf.
  fileprivate struct Node {
    /// The index of the first of two adjacent child nodes; -1 for a leaf.
    var child: Int32 = -1
    var first: Int32
    var last: Int32
  }

  private static let leafSize = 8
  private let wordCount: Int
  private var nodes: [Node] = []
  /// The columns common to all supports below each node, `wordCount` per node.
  private var common: [UInt64] = []
  /// The supports by slot, `wordCount` each.
  private var slots: [UInt64]
  /// The ray of each slot.
  private var rays: [Int32]

  /// Creates the tree.
  ///
  /// - Parameter supports: `wordCount` per ray, one bit per column.
  init(_ supports: [UInt64], wordCount: Int) {
    self.wordCount = wordCount
    slots = supports
    rays = (0..<Int32(supports.count / wordCount)).map { $0 }
    if rays.isEmpty { return }
    nodes = [Node(first: 0, last: Int32(rays.count))]
    common = [UInt64](repeating: 0, count: wordCount)
    var next = 0
    while next < nodes.count {
      grow(next, supports)
      next += 1
    }
    slots = rays.flatMap { ray in supports[Int(ray) * wordCount..<(Int(ray) + 1) * wordCount] }
  }

  /// Measures a node, and splits it if it has too many supports for a leaf.
  private mutating func grow(_ index: Int, _ supports: [UInt64]) {
    let (first, last) = (Int(nodes[index].first), Int(nodes[index].last))
    var counts = [Int32](repeating: 0, count: 64 * wordCount)
    for slot in first..<last {
      for word in 0..<wordCount {
        var bits = supports[Int(rays[slot]) * wordCount + word]
        while bits != 0 {
          counts[64 * word + bits.trailingZeroBitCount] += 1
          bits &= bits - 1
        }
      }
    }
    let all = Int32(last - first)
    for (column, count) in counts.enumerated() where count == all {
      common[index * wordCount + column / 64] |= 1 << UInt64(column % 64)
    }
    guard last - first > Self.leafSize else { return }
    // The column that splits them most evenly.
    guard
      let column = counts.indices.filter({ counts[$0] > 0 && counts[$0] < all }).min(by: { left, right in
        abs(2 * counts[left] - all) < abs(2 * counts[right] - all)
      })
    else { return }
    let (word, bit) = (column / 64, UInt64(1) << UInt64(column % 64))
    let middle = rays[first..<last].partition { supports[Int($0) * wordCount + word] & bit == 0 }
    nodes[index].child = Int32(nodes.count)
    nodes.append(Node(first: Int32(first), last: Int32(middle)))
    nodes.append(Node(first: Int32(middle), last: Int32(last)))
    common += [UInt64](repeating: 0, count: 2 * wordCount)
  }

  /// Calls a function with a finder for many queries.
  func withFinder<Result>(_ use: (Finder) throws -> Result) rethrows -> Result {
    try nodes.withUnsafeBufferPointer { nodes in
      try common.withUnsafeBufferPointer { common in
        try slots.withUnsafeBufferPointer { slots in
          try rays.withUnsafeBufferPointer { rays in
            try use(Finder(wordCount: wordCount, nodes: nodes, common: common, slots: slots, rays: rays))
          }
        }
      }
    }
  }

  /// A view of the tree for queries, valid only during a call of ``withFinder(_:)``.
  struct Finder {
    fileprivate let wordCount: Int
    fileprivate let nodes: UnsafeBufferPointer<Node>
    fileprivate let common: UnsafeBufferPointer<UInt64>
    fileprivate let slots: UnsafeBufferPointer<UInt64>
    fileprivate let rays: UnsafeBufferPointer<Int32>

    /// Returns true if a ray other than the two given has all its columns in a set.
    ///
    /// - Parameter set: `wordCount` words, one bit per column.
    func hasRay(in set: UnsafePointer<UInt64>, except first: Int, _ second: Int) -> Bool {
      nodes.isEmpty ? false : hasRay(in: set, Int32(first), Int32(second), below: 0)
    }

    /// Calls a function with each ray whose union with a set passes a test, and with that union.
    ///
    /// - Parameters:
    ///   - set: `wordCount` words, one bit per column.
    ///   - isPossible: The test. If a set fails, all its supersets must fail too, so a subtree whose common columns
    ///     fail is skipped.
    func forEachUnion(
      with set: [UInt64], where isPossible: (UnsafePointer<UInt64>) -> Bool,
      _ body: (_ ray: Int, _ union: UnsafePointer<UInt64>) -> Void
    ) {
      if nodes.isEmpty { return }
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: wordCount) { union in
        guard let union = union.baseAddress else { return }
        var open: [Int32] = [0]
        while let index = open.popLast() {
          unite(set, common, Int(index), union)
          if !isPossible(union) { continue }
          let node = nodes[Int(index)]
          if node.child >= 0 {
            open.append(node.child)
            open.append(node.child + 1)
            continue
          }
          for slot in Int(node.first)..<Int(node.last) {
            unite(set, slots, slot, union)
            if isPossible(union) { body(Int(rays[slot]), union) }
          }
        }
      }
    }

    @inline(__always)
    private func unite(
      _ set: [UInt64], _ others: UnsafeBufferPointer<UInt64>, _ index: Int, _ union: UnsafeMutablePointer<UInt64>
    ) {
      for word in 0..<wordCount { union[word] = set[word] | others[index * wordCount + word] }
    }

    private func hasRay(in set: UnsafePointer<UInt64>, _ first: Int32, _ second: Int32, below index: Int) -> Bool {
      if !isWithin(common, index, set) { return false }
      let node = nodes[index]
      if node.child >= 0 {
        return hasRay(in: set, first, second, below: Int(node.child))
          || hasRay(in: set, first, second, below: Int(node.child) + 1)
      }
      for slot in Int(node.first)..<Int(node.last) where isWithin(slots, slot, set) {
        if rays[slot] != first, rays[slot] != second { return true }
      }
      return false
    }

    @inline(__always)
    private func isWithin(_ sets: UnsafeBufferPointer<UInt64>, _ index: Int, _ set: UnsafePointer<UInt64>) -> Bool {
      var outside: UInt64 = 0
      for word in 0..<wordCount { outside |= sets[index * wordCount + word] & ~set[word] }
      return outside == 0
    }
  }
}
