extension ReactionGraph {
  /// Returns the compartment on whose wall each transport sits, keyed by the index of the process.
  ///
  /// A process with molecules in several compartments sits on the wall of the innermost of them; of compartments side
  /// by side, on the wall of the one further right. A wall with very many processes is ignored: stacked vertically,
  /// they would make the picture a tower.
  ///
  /// - Parameter parents: The compartment around each compartment, without cycles.
  func membranes(_ parents: [Int?]) -> [Int: Int] {
    let ranks = Self.ranks(parents)
    var found: [Int: Int] = [:]
    let transports = transports
    for edge in edges where edge.kind == .flow && !transports.isEmpty {
      for (process, pool) in [(edge.source, edge.target), (edge.target, edge.source)] where transports.contains(process)
      {
        guard let room = nodes[pool].compartment, parents.indices.contains(room), nodes[pool].kind == .pool else {
          continue
        }
        if found[process].map({ ranks[$0] < ranks[room] }) ?? true { found[process] = room }
      }
    }
    var counts: [Int: Int] = [:]
    for compartment in found.values { counts[compartment, default: 0] += 1 }
    return found.filter { counts[$0.value, default: 0] <= Self.mostOnWall }
  }

  private static let mostOnWall = 20

  /// Returns the position of each compartment from the left: each before those nested in it.
  private static func ranks(_ parents: [Int?]) -> [Int] {
    var children: [Int: [Int]] = [:]
    for (index, parent) in parents.enumerated() { children[parent ?? -1, default: []].append(index) }
    var (ranks, next) = ([Int](repeating: 0, count: parents.count), 0)
    var waiting = Array(children[-1, default: []].reversed())
    while let one = waiting.popLast() {
      ranks[one] = next
      next += 1
      waiting += children[one, default: []].reversed()
    }
    return ranks
  }
}
