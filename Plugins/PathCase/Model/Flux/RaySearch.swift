/// The extreme rays of the fluxes that are in balance, none of them below 0, found species by species.
struct RaySearch {
  /// A ray on the way: its support as bits and its fluxes, one for each split column.
  private struct Ray {
    var support: [UInt64]
    var fluxes: [Int]
  }

  /// For each split column the reaction it is of, and whether it is that one backwards.
  private var origins: [(column: Int, isBackward: Bool)] = []
  /// For each row its entries in split columns.
  private var rows: [[ModeEntry]] = []
  /// For each split column the one of the other direction; nil if there is none.
  private var partners: [Int?] = []
  private let words: Int
  private let reactions: Int
  private let limits: ElementaryModes.Limits

  init(_ columns: [ModeCompression.Column], limits: ElementaryModes.Limits) {
    self.limits = limits
    reactions = columns.count
    var found: [Int: [ModeEntry]] = [:]
    for (index, column) in columns.enumerated() {
      for isBackward in column.isReversible ? [false, true] : [false] {
        partners.append(column.isReversible ? origins.count + (isBackward ? -1 : 1) : nil)
        for entry in column.entries {
          found[entry.index, default: []].append(
            ModeEntry(index: origins.count, amount: isBackward ? -entry.amount : entry.amount))
        }
        origins.append((index, isBackward))
      }
    }
    rows = found.sorted { $0.key < $1.key }.map(\.value)
    words = (origins.count + 63) / 64
  }

  /// The rays, each as its columns with fluxes, backwards below 0.
  ///
  /// - Throws: ``ModeError``, `CancellationError`.
  func rays() throws -> [[ModeEntry]] {
    var rays = origins.indices.map { index in
      var ray = Ray(support: Array(repeating: 0, count: words), fluxes: Array(repeating: 0, count: origins.count))
      ray.support[index / 64] |= 1 << UInt64(index % 64)
      ray.fluxes[index] = 1
      return ray
    }
    var left = rows
    var done = 0
    while !left.isEmpty {
      try checkTime()
      // The species with the fewest pairs of rays goes next, as few new rays come of it.
      let costs = left.map { row in cost(row, rays) }
      let place = costs.indices.min { costs[$0] < costs[$1] } ?? 0
      rays = try step(rays, left.remove(at: place), done: done)
      done += 1
    }
    return rays.map { ray in
      ray.fluxes.enumerated().filter { $0.element != 0 }.map { place, flux in
        ModeEntry(index: origins[place].column, amount: origins[place].isBackward ? -flux : flux)
      }
    }
  }

  private func cost(_ row: [ModeEntry], _ rays: [Ray]) -> Int {
    var (makers, takers) = (0, 0)
    for ray in rays {
      // Signs are enough here; a value too large for this sum shows up exactly in the step itself.
      let value = row.reduce(0.0) { $0 + Double(ray.fluxes[$1.index]) * Double($1.amount) }
      if value > 0 { makers += 1 } else if value < 0 { takers += 1 }
    }
    return makers * takers
  }

  /// The rays that are in balance at one more species.
  private func step(_ rays: [Ray], _ row: [ModeEntry], done: Int) throws -> [Ray] {
    var values: [Int] = []
    for ray in rays {
      var value = 0
      for entry in row { value = try ModeArithmetic.sum(1, value, entry.amount, ray.fluxes[entry.index]) }
      values.append(value)
    }
    var kept = rays.indices.filter { values[$0] == 0 }.map { rays[$0] }
    let makers = rays.indices.filter { values[$0] > 0 }
    let takers = rays.indices.filter { values[$0] < 0 }
    let supports = rays.flatMap(\.support)
    var tests = 0
    for maker in makers {
      for taker in takers {
        tests += 1
        if tests % 256 == 0 { try checkTime() }
        guard let union = union(rays[maker], rays[taker], rank: done) else { continue }
        if isBetween(union, maker, taker, supports) { continue }
        kept.append(try combination(rays[maker], values[maker], rays[taker], values[taker], union))
        try check(count: kept.count)
      }
    }
    return kept
  }

  /// The support of both; nil if it is too large to be that of a ray, or has a reaction in both directions.
  private func union(_ left: Ray, _ right: Ray, rank: Int) -> [UInt64]? {
    var union = left.support
    var size = 0
    for word in union.indices {
      union[word] |= right.support[word]
      size += union[word].nonzeroBitCount
    }
    // A face of two dimensions has at most two columns more than there are balances so far.
    guard size <= rank + 2 else { return nil }
    for (word, bits) in union.enumerated() {
      var rest = bits & ~left.support[word]
      while rest != 0 {
        let column = 64 * word + rest.trailingZeroBitCount
        if let partner = partners[column], union[partner / 64] & 1 << UInt64(partner % 64) != 0 { return nil }
        rest &= rest - 1
      }
    }
    return union
  }

  /// Whether a third ray lies in the face of two, so that they do not make a new one.
  private func isBetween(_ union: [UInt64], _ first: Int, _ second: Int, _ supports: [UInt64]) -> Bool {
    supports.withUnsafeBufferPointer { supports in
      union.withUnsafeBufferPointer { union in
        for ray in 0..<supports.count / words where ray != first && ray != second {
          var outside: UInt64 = 0
          for word in 0..<words { outside |= supports[ray * words + word] & ~union[word] }
          if outside == 0 { return true }
        }
        return false
      }
    }
  }

  private func combination(
    _ maker: Ray, _ made: Int, _ taker: Ray, _ taken: Int, _ union: [UInt64]
  ) throws(ModeError) -> Ray {
    var ray = Ray(support: union, fluxes: maker.fluxes)
    let divisor = ModeArithmetic.divisor(made, taken)
    let (first, second) = (-(taken / divisor), made / divisor)
    var common = 0
    for column in ray.fluxes.indices {
      let flux = try ModeArithmetic.sum(first, maker.fluxes[column], second, taker.fluxes[column])
      ray.fluxes[column] = flux
      common = ModeArithmetic.divisor(common, flux)
    }
    if common > 1 { for column in ray.fluxes.indices { ray.fluxes[column] /= common } }
    return ray
  }

  private func check(count: Int) throws(ModeError) {
    guard count <= limits.rays else { throw .tooMany(limit: limits.rays, reactions: reactions) }
    guard count <= limits.sizeInBytes / (8 * (words + origins.count) + 64) else {
      throw .tooLarge(limitInBytes: limits.sizeInBytes, reactions: reactions)
    }
  }

  private func checkTime() throws {
    if limits.isCancelled() { throw CancellationError() }
    if limits.isLate() { throw ModeError.tooSlow(seconds: limits.seconds, reactions: reactions) }
  }
}
