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
  /// - Parameter points: x, y and z; the fourth number does not count; all finite.
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
    var places = stride(from: 0, to: starts.count - 1, by: count).map { starts[$0] }
    places.append(starts[starts.count - 1])
    return places
  }

  /// Returns the points in short, compact runs.
  private static func groups(_ points: [SIMD4<Float>]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    groups.reserveCapacity(points.count / 6)
    var start = 0
    for index in points.indices.dropFirst() {
      var way = points[index] - points[start]
      way.w = 0
      if index - start < groupLength, (way * way).sum() <= groupReach * groupReach { continue }
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
  private static func select(_ points: UnsafeMutableBufferPointer<SIMD4<Float>>, _ place: Int, axis: Int) {
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
      if place <= right { high = right } else if place >= left { low = left } else { return }
    }
  }
}
