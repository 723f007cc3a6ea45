import PluginText

/// Points sorted into nested boxes, for finding out whether any point is near.
///
/// Unlike with a grid of cells, large radii and overlapping points cost no more.
/// - Source: k-d tree with tight boxes, halved at the median of the longest side (Friedman, Bentley and Finkel 1977).
struct ProximityTree {
  private struct Node {
    var low: SIMD3<Double>
    var high: SIMD3<Double>
    /// The first of its points.
    var start: Int32
    var end: Int32
    /// The node of the second half, 0 for a leaf; the node of the first half follows the node itself.
    var second: Int32
  }

  private static let leafSize = 8
  private var points: [SIMD3<Double>] = []
  /// The atoms of the points.
  private var atoms: [Int32] = []
  private var nodes: [Node] = []

  /// Sorts the atoms of a table; atoms without a finite position are near nothing.
  init(_ table: AtomTable, _ list: [Int]) {
    points.reserveCapacity(list.count)
    atoms.reserveCapacity(list.count)
    for atom in list {
      let position = table.position(atom)
      guard abs(position.x) < 1e150, abs(position.y) < 1e150, abs(position.z) < 1e150 else { continue }
      points.append(position)
      atoms.append(Int32(truncatingIfNeeded: atom))
    }
    guard !points.isEmpty else { return }
    nodes.reserveCapacity(points.count / 3 + 1)
    var random = SplitMix64(seed: UInt64(points.count))
    build(0, points.count, &random)
  }

  private mutating func build(_ start: Int, _ end: Int, _ random: inout SplitMix64) {
    var (low, high) = (points[start], points[start])
    for index in start + 1..<max(end, start + 1) {
      low = pointwiseMin(low, points[index])
      high = pointwiseMax(high, points[index])
    }
    let node = nodes.count
    nodes.append(Node(low: low, high: high, start: Int32(start), end: Int32(end), second: 0))
    guard end - start > Self.leafSize else { return }
    let size = high - low
    let axis = size.x >= size.y ? (size.x >= size.z ? 0 : 2) : (size.y >= size.z ? 1 : 2)
    let middle = (start + end) / 2
    select(start, end, middle, axis, &random)
    build(start, middle, &random)
    nodes[node].second = Int32(nodes.count)
    build(middle, end, &random)
  }

  /// Moves the point with a given rank by one coordinate to its index, with smaller ones before and greater ones after
  /// it.
  ///
  /// - Complexity: linear on average for any order of the points: the pivot is random.
  /// - Source: Hoare's quickselect.
  private mutating func select(_ start: Int, _ end: Int, _ rank: Int, _ axis: Int, _ random: inout SplitMix64) {
    var (left, right) = (start, end - 1)
    while left < right {
      let pivot = points[left + Int(random.next() % UInt64(right - left + 1))][axis]
      var (i, j) = (left, right)
      while i <= j {
        while points[i][axis] < pivot { i += 1 }
        while points[j][axis] > pivot { j -= 1 }
        if i <= j {
          points.swapAt(i, j)
          atoms.swapAt(i, j)
          i += 1
          j -= 1
        }
      }
      if rank <= j { right = j } else if rank >= i { left = i } else { return }
    }
  }

  /// Returns true if a point lies within a distance.
  func hasPoint(near position: SIMD3<Double>, radius: Double) -> Bool {
    nodes.isEmpty ? false : hasPoint(near: position, square: radius * radius, in: 0)
  }

  private func hasPoint(near position: SIMD3<Double>, square: Double, in index: Int) -> Bool {
    let node = nodes[index]
    let outside = pointwiseMax(pointwiseMax(node.low - position, position - node.high), .zero)
    if !((outside * outside).sum() <= square) { return false }
    let farthest = pointwiseMax(position - node.low, node.high - position)
    if (farthest * farthest).sum() <= square { return true }
    if node.second == 0 {
      for point in Int(node.start)..<Int(node.end) {
        let step = points[point] - position
        if (step * step).sum() <= square { return true }
      }
      return false
    }
    // The half with the nearer box first.
    let (first, second) = (index + 1, Int(node.second))
    let isFirstNearer = distance(position, first) <= distance(position, second)
    return hasPoint(near: position, square: square, in: isFirstNearer ? first : second)
      || hasPoint(near: position, square: square, in: isFirstNearer ? second : first)
  }

  /// Returns the atom nearest to a position and its squared distance in Å²; any of equally near ones, nil if none is
  /// within the limit.
  func nearest(to position: SIMD3<Double>, within limit: Double) -> (atom: Int, square: Double)? {
    var best: (atom: Int, square: Double)?
    if !nodes.isEmpty { findNearest(to: position, limit, in: 0, &best) }
    return best
  }

  private func findNearest(
    to position: SIMD3<Double>, _ limit: Double, in index: Int, _ best: inout (atom: Int, square: Double)?
  ) {
    guard distance(position, index) < best?.square ?? limit else { return }
    let node = nodes[index]
    if node.second == 0 {
      for point in Int(node.start)..<Int(node.end) {
        let step = points[point] - position
        let square = (step * step).sum()
        if square < best?.square ?? limit { best = (Int(atoms[point]), square) }
      }
      return
    }
    let (first, second) = (index + 1, Int(node.second))
    let isFirstNearer = distance(position, first) <= distance(position, second)
    findNearest(to: position, limit, in: isFirstNearer ? first : second, &best)
    findNearest(to: position, limit, in: isFirstNearer ? second : first, &best)
  }

  private func distance(_ position: SIMD3<Double>, _ index: Int) -> Double {
    let outside = pointwiseMax(pointwiseMax(nodes[index].low - position, position - nodes[index].high), .zero)
    return (outside * outside).sum()
  }
}
