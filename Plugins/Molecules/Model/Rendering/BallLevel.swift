/// Balls in spatial order, stored in columns and grouped into runs that can be skipped as a whole.
struct BallLevel: Sendable {
  /// The center and radius of each ball, in ångström.
  private(set) var balls: [SIMD4<Float>] = []
  /// Colors as numbers of the form 0xBBGGRR.
  private(set) var colors: [UInt32] = []
  /// The indices of the atoms shown (0-based), -1 if there is none.
  private(set) var atoms: [Int32] = []
  /// A bounding ball of each run.
  private(set) var runs: [SIMD4<Float>] = []
  /// The start index of each run, and the end of the last one.
  private var starts: [Int] = [0]
  /// The mean radius of the groups of atoms merged into one ball, in ångström; 0 if each ball is a single atom.
  private(set) var extent: Float = 0
  /// The mean radius of the atoms merged into the balls, in ångström; infinite if each ball is a single atom.
  private(set) var atomRadius = Float.infinity

  /// The most balls in a run.
  private static let runLength = 64

  /// Creates the finest level: every drawable ball, in spatial order.
  ///
  /// - Returns: The level and, if there is more than one run of balls, their groups.
  static func finest(_ spheres: [Sphere]) -> (level: BallLevel, order: SpatialOrder?) {
    let drawable = spheres.allSatisfy(\.isDrawable) ? spheres : spheres.filter(\.isDrawable)
    let balls = drawable.map { SIMD4($0.center, $0.radius) }
    var level = BallLevel()
    guard drawable.count > runLength else {
      level.balls = balls
      level.colors = drawable.map(\.color.packed)
      level.atoms = drawable.map(\.atom)
      level.makeRuns(balls.isEmpty ? [0] : [0, balls.count])
      return (level, nil)
    }
    let order = SpatialOrder(balls)
    level.balls = order.order.map { balls[Int($0)] }
    level.colors = order.order.map { drawable[Int($0)].color.packed }
    level.atoms = order.order.map { drawable[Int($0)].atom }
    level.makeRuns(order.blocks(of: runLength / SpatialOrder.groupLength))
    return (level, order)
  }

  private init() {}

  /// Creates a coarser level in which one ball replaces a group of neighbors of a finer one.
  ///
  /// It has their mean position and color and their total volume.
  init(_ finer: BallLevel, merging groups: [Range<Int>]) {
    var (spread, radii) = (0.0, 0.0)
    balls.reserveCapacity(groups.count)
    colors.reserveCapacity(groups.count)
    atoms.reserveCapacity(groups.count)
    for group in groups {
      var (sum, cubes, color) = (SIMD4<Float>.zero, Float(0), SIMD4<UInt32>.zero)
      for index in group {
        let ball = finer.balls[index]
        sum += ball
        cubes += ball.w * ball.w * ball.w
        color &+= RGBColor.channels(ofPacked: finer.colors[index])
      }
      let center = sum / Float(group.count)
      var squares: Float = 0
      for index in group {
        var delta = finer.balls[index] - center
        delta.w = 0
        squares += (delta * delta).sum()
      }
      spread += Double(squares)
      radii += Double(sum.w)
      balls.append(SIMD4(center.x, center.y, center.z, Self.cubeRoot(cubes)))
      colors.append(RGBColor.packed(color / UInt32(truncatingIfNeeded: max(1, group.count))))
      atoms.append(finer.atoms[group.lowerBound])
    }
    // A filled ball whose points have this mean square distance from the center has √(5/3) times it as radius.
    extent = Float((spread / Double(max(1, finer.balls.count))).squareRoot() * 1.291)
    atomRadius = Float(radii / Double(max(1, finer.balls.count)))
    makeRuns(Array(stride(from: 0, to: balls.count, by: Self.runLength)) + [balls.count])
  }

  /// Returns the balls of a run.
  @inline(__always)
  func range(ofRun run: Int) -> Range<Int> {
    starts[run]..<starts[run + 1]
  }

  private mutating func makeRuns(_ starts: [Int]) {
    self.starts = starts
    runs = zip(starts, starts.dropFirst()).map { start, end in BoundingBall.around(balls[start..<end]) }
  }

  /// Returns the cube root of a positive number, by Newton's method; identical on every machine.
  private static func cubeRoot(_ number: Float) -> Float {
    guard number > 0, number.isFinite else { return 0 }
    // A third of the exponent is a first guess within a factor of two.
    var root = Float(sign: .plus, exponent: number.exponent / 3, significand: 1)
    for _ in 0..<8 { root = (2 * root + number / (root * root)) / 3 }
    return root
  }
}

/// Balls around balls.
enum BoundingBall {
  /// Returns a ball around others, centered on their bounding box and slightly too large rather than too small.
  static func around(_ balls: ArraySlice<SIMD4<Float>>) -> SIMD4<Float> {
    guard let start = balls.first else { return .zero }
    var (low, high) = (start - start.w, start + start.w)
    for ball in balls {
      let (from, to) = (ball - ball.w, ball + ball.w)
      low.replace(with: from, where: from .< low)
      high.replace(with: to, where: to .> high)
    }
    var result = (low + high) / 2
    result.w = 0
    var radius: Float = 0
    for ball in balls {
      var delta = ball - result
      delta.w = 0
      radius = max(radius, (delta * delta).sum().squareRoot() + ball.w)
    }
    result.w = radius * 1.0001
    return result
  }

  /// Returns a ball around points.
  static func around(_ points: ArraySlice<SIMD3<Float>>) -> SIMD4<Float> {
    guard let start = points.first else { return .zero }
    var (low, high) = (start, start)
    for point in points {
      low = pointwiseMin(low, point)
      high = pointwiseMax(high, point)
    }
    let middle = (low + high) / 2
    var square: Float = 0
    for point in points {
      let delta = point - middle
      square = max(square, (delta * delta).sum())
    }
    return SIMD4(middle, square.squareRoot() * 1.0001)
  }
}

/// An order of points that keeps neighbors together, built from small groups of the original order.
///
/// Atoms of a file are consecutive along a chain: eight in a row are roughly a residue. Such groups are kept, and
/// sorted in the order of the leaves of a k-d tree.
struct SpatialOrder {
  /// The indices of the points (0-based) in the new order.
  private(set) var order: [Int32] = []
  /// The start of each group in the order, and the end of the last one.
  private(set) var starts: [Int] = [0]

  /// The most points in a group.
  static let groupLength = 8
  /// The largest distance of a point of a group from its first, in ångström.
  private static let groupReach: Float = 5

  /// Orders points.
  ///
  /// - Parameter points: x, y and z, all finite; the fourth number is ignored.
  /// - Complexity: O(n log n) in the number of groups.
  /// - Source: J. L. Bentley, "Multidimensional binary search trees", CACM 18 (1975) 509; C. A. R. Hoare, "Find",
  ///   CACM 4 (1961) 321.
  init(_ points: [SIMD4<Float>]) {
    let groups = Self.groups(points)
    var centers = groups.enumerated().map { index, group in
      var center = points[group].reduce(SIMD4<Float>.zero, +) / Float(group.count)
      center.w = Float(bitPattern: UInt32(truncatingIfNeeded: index))
      return center
    }
    centers.withUnsafeMutableBufferPointer { Self.split($0) }
    order.reserveCapacity(points.count)
    starts.reserveCapacity(groups.count + 1)
    for center in centers {
      for index in groups[Int(center.w.bitPattern)] { order.append(Int32(truncatingIfNeeded: index)) }
      starts.append(order.count)
    }
  }

  /// Returns the start of each block of `count` groups in the order, and the end of the last one.
  func blocks(of count: Int) -> [Int] {
    var blocks = stride(from: 0, to: starts.count - 1, by: count).map { starts[$0] }
    blocks.append(starts[starts.count - 1])
    return blocks
  }

  /// Returns the points in short, compact runs.
  private static func groups(_ points: [SIMD4<Float>]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    groups.reserveCapacity(points.count / 6)
    var start = 0
    for index in points.indices.dropFirst() {
      var delta = points[index] - points[start]
      delta.w = 0
      if index - start < groupLength, (delta * delta).sum() <= groupReach * groupReach { continue }
      groups.append(start..<index)
      start = index
    }
    if start < points.count { groups.append(start..<points.count) }
    return groups
  }

  /// Sorts points in the order of the leaves: those below the median along the longest side first, recursively in
  /// halves.
  private static func split(_ points: UnsafeMutableBufferPointer<SIMD4<Float>>) {
    guard points.count > 2, let base = points.baseAddress else { return }
    var (low, high) = (base[0], base[0])
    for point in points {
      low = low.lower(point)
      high = high.higher(point)
    }
    let size = high - low
    let axis = size.x >= size.y && size.x >= size.z ? 0 : size.y >= size.z ? 1 : 2
    let middle = middle(of: points.count)
    select(points, middle, axis: axis)
    split(UnsafeMutableBufferPointer(rebasing: points[..<middle]))
    split(UnsafeMutableBufferPointer(rebasing: points[middle...]))
  }

  /// Returns the index at which a number of groups is split: near the middle, so that blocks of 32 and of lower powers
  /// of two stay whole.
  private static func middle(of count: Int) -> Int {
    if count > 2 * block { return (count / 2 + block / 2) / block * block }
    var middle = 1
    while middle * 2 < count { middle *= 2 }
    return middle
  }

  /// The number of consecutive groups that stay together.
  private static let block = 32

  /// Partitions the points so that none before an index lies beyond one after it along an axis.
  private static func select(_ points: UnsafeMutableBufferPointer<SIMD4<Float>>, _ index: Int, axis: Int) {
    var (low, high) = (0, points.count - 1)
    while low < high {
      let pivot = points[(low + high) / 2][axis]
      var (left, right) = (low, high)
      while left <= right {
        while points[left][axis] < pivot { left += 1 }
        while points[right][axis] > pivot { right -= 1 }
        if left <= right {
          points.swapAt(left, right)
          left += 1
          right -= 1
        }
      }
      if index <= right { high = right } else if index >= left { low = left } else { return }
    }
  }
}
