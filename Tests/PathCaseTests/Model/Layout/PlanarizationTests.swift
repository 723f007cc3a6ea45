import Testing

@testable import PathCase

struct PlanarizationTests {
  private static func complete(_ count: Int) -> ReactionGraph {
    SampleGraphs.graph(count, allPairs(count))
  }

  private static func allPairs(_ count: Int) -> [(Int, Int)] {
    var pairs: [(Int, Int)] = []
    for first in 0..<count { for second in first + 1..<count { pairs.append((first, second)) } }
    return pairs
  }

  private static var petersen: ReactionGraph {
    var pairs: [(Int, Int)] = []
    for corner in 0..<5 {
      pairs.append((corner, (corner + 1) % 5))
      pairs.append((corner, corner + 5))
      pairs.append((corner + 5, (corner + 2) % 5 + 5))
    }
    return SampleGraphs.graph(10, pairs)
  }

  private static func grid(_ side: Int) -> ReactionGraph {
    var pairs: [(Int, Int)] = []
    for row in 0..<side {
      for column in 0..<side {
        if column + 1 < side { pairs.append((row * side + column, row * side + column + 1)) }
        if row + 1 < side { pairs.append((row * side + column, row * side + side + column)) }
      }
    }
    return SampleGraphs.graph(side * side, pairs)
  }

  /// Returns the planar drawing of a graph, with lines inserted in the order of a walk from the first node.
  private static func planarization(_ graph: ReactionGraph, rounds: Int) -> Planarization {
    let net = LayoutNet(graph, options: LayoutOptions())
    let pairs = net.lines.map { ($0.source, $0.target) }
    let list = net.neighbors()
    var (reached, order, isTree) = (Set([0]), [Int](), Set<Int>())
    var queue = [0]
    while !queue.isEmpty {
      let vertex = queue.removeFirst()
      for index in list.range(vertex) where reached.insert(list.ends[index]).inserted {
        order.append(list.lines[index])
        isTree.insert(list.lines[index])
        queue.append(list.ends[index])
      }
    }
    order += pairs.indices.filter { !isTree.contains($0) }
    var planar = Planarization(vertexCount: net.vertices.count, lines: pairs, order: order, effort: 1 << 30)
    planar.improve(rounds: rounds, fixed: pairs.map { _ in false }, shouldStop: { false })
    return planar
  }

  @Test func `known graphs are drawn with near-minimal crossings`() {
    #expect(LayeredLayout.layout(Self.complete(5)).crossings == 1)
    #expect(LayeredLayout.layout(Self.complete(6)).crossings <= 4)
    #expect(LayeredLayout.layout(Self.petersen).crossings <= 3)
    #expect(LayeredLayout.layout(Self.grid(6)).crossings == 0)
  }

  @Test func `vertices, edges and faces satisfy Euler's formula`() {
    for graph in [Self.complete(7), Self.petersen, Self.grid(5), SampleGraphs.tangle(50)] {
      for rounds in [0, 4] {
        let planar = Self.planarization(graph, rounds: rounds)
        var embedding = planar.embedding
        let edges = embedding.isUsed.count { $0 }
        let vertices = embedding.first.count { $0 >= 0 }
        embedding.findFaces()
        #expect(vertices - edges + embedding.faceCount == 2)
        #expect(vertices == graph.nodes.count + planar.crossings)
      }
    }
  }

  @Test func `each edge is a path from one of its ends to the other`() {
    let planar = Self.planarization(SampleGraphs.tangle(60), rounds: 3)
    for (line, darts) in planar.darts.enumerated() {
      #expect(darts.first.map { planar.embedding.origin[$0] } == planar.lines[line].0)
      #expect(darts.last.map { planar.embedding.target($0) } == planar.lines[line].1)
      for (first, second) in zip(darts, darts.dropFirst()) {
        #expect(planar.embedding.target(first) == planar.embedding.origin[second])
      }
    }
  }

  @Test func `layers of a planar drawing cross no more than the planar drawing`() throws {
    for graph in [Self.grid(5), Self.petersen, SampleGraphs.tangle(40)] {
      let planar = Self.planarization(graph, rounds: 4)
      let layers = PlanarLayers(planar, realCount: graph.nodes.count)
      let all = layers.ends(ranks: Array(0..<graph.nodes.count), count: 4)
      #expect(!all.isEmpty)
      for ends in all {
        var next = layers
        next.place(ends)
        #expect(next.stack(isUpsideDown: false).crossings() <= planar.crossings)
        #expect(next.stack(isUpsideDown: true).crossings() <= planar.crossings)
      }
    }
  }

  @Test func `a planarization with too many crossings is abandoned`() {
    let pairs = Self.allPairs(12)
    let planar = Planarization(vertexCount: 12, lines: pairs, order: Array(pairs.indices), effort: 1 << 20, limit: 3)
    #expect(planar.isGivenUp)
  }
}
