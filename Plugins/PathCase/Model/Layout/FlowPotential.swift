/// Which way reversible steps run, by what drives them: from where one-way steps bring matter to where they take it away.
///
/// The reversible lines of the main flow are a network of equal resistors, into which each one-way line that ends there
/// feeds a current, and out of which each that begins there draws one. Lines run from the higher potential to the lower.
struct FlowPotential {
  /// Smaller drops say nothing: the lines run as they are told.
  private static let least = 1e-3
  /// Larger parts are left as they are told.
  private static let limit = 600
  private static let sweeps = 400

  /// Whether each line runs from its target to its source.
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

  /// Takes the mean of the currents of each part away, so that as much flows in as out.
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
