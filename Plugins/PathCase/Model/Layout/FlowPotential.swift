/// The directions of reversible steps, derived from a potential: from where irreversible steps supply matter to where
/// they consume it.
///
/// The reversible lines of the main flow form a network of equal resistors. Each irreversible line that ends in it
/// feeds a current, and each that starts in it draws one. Lines run from the higher potential to the lower.
struct FlowPotential {
  /// The smallest significant drop; below it lines keep their given direction.
  private static let least = 1e-3
  /// The largest component that is computed; larger ones keep their given directions.
  private static let limit = 600
  private static let sweeps = 400

  /// True for each line that runs from its target to its source.
  private(set) var isTurned: [Bool]

  init(count: Int, lines: [LayoutNet.Line]) {
    isTurned = [Bool](repeating: false, count: lines.count)
    let both = lines.indices.filter { lines[$0].isMain && lines[$0].isReversible }
    if both.isEmpty || count > Self.limit { return }
    let list = AdjacencyList(count: count, pairs: both.map { (lines[$0].source, lines[$0].target) })
    var current = [Double](repeating: 0, count: count)
    for line in lines where line.isMain && !line.isReversible {
      current[line.target] += 1
      current[line.source] -= 1
    }
    Self.balance(&current, list)
    var potential = [Double](repeating: 0, count: count)
    for _ in 0..<Self.sweeps {
      for vertex in 0..<count where list.degree(vertex) > 0 {
        let sum = list.range(vertex).reduce(current[vertex]) { $0 + potential[list.ends[$1]] }
        potential[vertex] = sum / Double(list.degree(vertex))
      }
    }
    for line in both {
      isTurned[line] = potential[lines[line].target] - potential[lines[line].source] > Self.least
    }
  }

  /// Subtracts the mean current of each component, so that inflow equals outflow.
  private static func balance(_ current: inout [Double], _ list: AdjacencyList) {
    let (part, parts) = list.components()
    var sums = [(sum: Double, count: Double)](repeating: (0, 0), count: parts)
    for vertex in current.indices {
      sums[part[vertex]].sum += current[vertex]
      sums[part[vertex]].count += 1
    }
    for vertex in current.indices { current[vertex] -= sums[part[vertex]].sum / max(1, sums[part[vertex]].count) }
  }
}
