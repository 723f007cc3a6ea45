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
  private let words: Int
  private var nodes: [Node] = []
  /// The columns common to all supports below each node, `words` per node.
  private var common: [UInt64] = []
  /// The supports by slot, `words` each.
  private var slots: [UInt64]
  /// The ray of each slot.
  private var rays: [Int32]

  /// Creates the tree.
  ///
  /// - Parameter supports: `words` per ray, one bit per column.
  init(_ supports: [UInt64], words: Int) {
    self.words = words
    slots = supports
    rays = (0..<Int32(supports.count / words)).map { $0 }
    if rays.isEmpty { return }
    nodes = [Node(first: 0, last: Int32(rays.count))]
    common = [UInt64](repeating: 0, count: words)
    var next = 0
    while next < nodes.count {
      grow(next, supports)
      next += 1
    }
    slots = rays.flatMap { ray in supports[Int(ray) * words..<(Int(ray) + 1) * words] }
  }

  /// Measures a node, and splits it if it has too many supports for a leaf.
  private mutating func grow(_ index: Int, _ supports: [UInt64]) {
    let (first, last) = (Int(nodes[index].first), Int(nodes[index].last))
    var counts = [Int32](repeating: 0, count: 64 * words)
    for slot in first..<last {
      for word in 0..<words {
        var bits = supports[Int(rays[slot]) * words + word]
        while bits != 0 {
          counts[64 * word + bits.trailingZeroBitCount] += 1
          bits &= bits - 1
        }
      }
    }
    let all = Int32(last - first)
    for (column, count) in counts.enumerated() where count == all {
      common[index * words + column / 64] |= 1 << UInt64(column % 64)
    }
    guard last - first > Self.leafSize else { return }
    // The column that splits them most evenly.
    guard
      let column = counts.indices.filter({ counts[$0] > 0 && counts[$0] < all }).min(by: { left, right in
        abs(2 * counts[left] - all) < abs(2 * counts[right] - all)
      })
    else { return }
    let (word, bit) = (column / 64, UInt64(1) << UInt64(column % 64))
    let middle = rays[first..<last].partition { supports[Int($0) * words + word] & bit == 0 }
    nodes[index].child = Int32(nodes.count)
    nodes.append(Node(first: Int32(first), last: Int32(middle)))
    nodes.append(Node(first: Int32(middle), last: Int32(last)))
    common += [UInt64](repeating: 0, count: 2 * words)
  }

  /// Calls a function with a finder for many queries.
  func withFinder<Result>(_ use: (Finder) throws -> Result) rethrows -> Result {
    try nodes.withUnsafeBufferPointer { nodes in
      try common.withUnsafeBufferPointer { common in
        try slots.withUnsafeBufferPointer { slots in
          try rays.withUnsafeBufferPointer { rays in
            try use(Finder(words: words, nodes: nodes, common: common, slots: slots, rays: rays))
          }
        }
      }
    }
  }

  /// A view of the tree for queries, valid only during a call of ``withFinder(_:)``.
  struct Finder {
    fileprivate let words: Int
    fileprivate let nodes: UnsafeBufferPointer<Node>
    fileprivate let common: UnsafeBufferPointer<UInt64>
    fileprivate let slots: UnsafeBufferPointer<UInt64>
    fileprivate let rays: UnsafeBufferPointer<Int32>

    /// Returns whether a ray other than the two given has all its columns in a set.
    ///
    /// - Parameter set: `words` words, one bit per column.
    func hasRay(in set: UnsafePointer<UInt64>, except first: Int, _ second: Int) -> Bool {
      nodes.isEmpty ? false : hasRay(in: set, Int32(first), Int32(second), below: 0)
    }

    /// Calls a function with each ray whose union with a set passes a test, and with that union.
    ///
    /// - Parameters:
    ///   - set: `words` words, one bit per column.
    ///   - isPossible: The test. If a set fails, all its supersets must fail too, so a subtree whose common columns
    ///     fail is skipped.
    func forEachUnion(
      with set: [UInt64], where isPossible: (UnsafePointer<UInt64>) -> Bool,
      _ body: (_ ray: Int, _ union: UnsafePointer<UInt64>) -> Void
    ) {
      if nodes.isEmpty { return }
      withUnsafeTemporaryAllocation(of: UInt64.self, capacity: words) { union in
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
      for word in 0..<words { union[word] = set[word] | others[index * words + word] }
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
      for word in 0..<words { outside |= sets[index * words + word] & ~set[word] }
      return outside == 0
    }
  }
}
