import Testing

@testable import PathCase

struct GraphWalkTests {
  /// Returns a graph of processes written as `name: a b > c d`, with `=` for reversible ones.
  private func graph(_ processes: String..., labels: [String: String] = [:]) -> ReactionGraph {
    var graph = ReactionGraph()
    var known: [String: Int] = [:]
    func pool(_ name: String) -> Int {
      if let number = known[name] { return number }
      known[name] = graph.nodes.count
      graph.nodes.append(GraphNode(id: Identifier(name), label: labels[name] ?? name, kind: .pool))
      return graph.nodes.count - 1
    }
    for text in processes {
      let parts = text.split(separator: ":").map(String.init)
      let process = graph.nodes.count
      graph.nodes.append(GraphNode(id: Identifier(parts[0]), label: parts[0], kind: .process))
      let isReversible = parts[1].contains("=")
      let sides = parts[1].split { $0 == ">" || $0 == "=" }.map { $0.split(separator: " ").map { pool(String($0)) } }
      for source in sides[0] {
        graph.edges.append(GraphEdge(source: source, target: process, kind: .flow, isReversible: isReversible))
      }
      for target in sides[1] {
        graph.edges.append(GraphEdge(source: process, target: target, kind: .flow, isReversible: isReversible))
      }
    }
    return graph
  }

  private func way(_ graph: ReactionGraph, _ from: String, _ to: String) -> String? {
    let walk = GraphWalk(graph)
    return walk.path(from: walk.nodes(from), to: walk.nodes(to))?.map { graph.nodes[$0].id.text }.joined(separator: " ")
  }

  @Test func `a path leads from pool to pool through processes`() {
    let chain = graph("r: a > b", "s: b > c")
    #expect(way(chain, "a", "c") == "a r b s c")
    #expect(way(chain, "c", "a") == nil)
    #expect(way(chain, "a", "a") == "a")
    #expect(way(chain, "r", "c") == "r b s c" && way(chain, "a", "s") == "a r b s")
    #expect(way(chain, "s", "r") == nil)
  }

  @Test func `ids of SBML are found without their prefixes`() {
    let chain = graph("R_r: M_a > M_b", "R_s: M_b > M_c", labels: ["M_b": "a"])
    #expect(way(chain, "a", "c") == "M_a R_r M_b R_s M_c", "an id comes before a label")
    #expect(way(chain, "r", "M_c") == "R_r M_b R_s M_c" && way(chain, "R_r", "s") == "R_r M_b R_s")
    let both = graph("R_x: M_x > x", "R_y: x > M_y")
    #expect(way(both, "x", "y") == "x R_y M_y", "an id as written comes before one with a prefix")
  }

  @Test func `products of the same process are not on a path to each other`() {
    let pair = graph("r: a = b c")
    #expect(way(pair, "b", "a") == "b r a" && way(pair, "a", "c") == "a r c")
    #expect(way(pair, "b", "c") == nil)
    // The path continues with another process, because the first one only leads back.
    let other = graph("r: a = b c", "q: b > d", "s: d > e", "t: e > a")
    #expect(way(other, "b", "c") == "b q d s e t a r c")
  }

  @Test func `an irreversible process is followed in one direction`() {
    #expect(way(graph("r: a > b", "s: b = c"), "c", "a") == nil)
    #expect(way(graph("r: a = b", "s: b = c"), "c", "a") == "c s b r a")
  }

  @Test func `a path through a carrier stays with the carried molecule`() {
    let labels = ["x1": "x", "x2": "x", "y1": "y", "y2": "y"]
    let carrier = graph("t: x1 y2 = x2 y1", labels: labels)
    #expect(way(carrier, "x1", "x2") == "x1 t x2" && way(carrier, "y1", "y2") == "y1 t y2")
    #expect(way(carrier, "x1", "y1") == nil)
  }

  @Test func `a longer path through rare pools is preferred to a shorter one through a hub`() {
    let busy = graph(
      "r: a > hub", "s: hub > z", "o1: hub > p", "o2: hub > q", "o3: hub > o", "k: a > b", "l: b > c", "m: c > z")
    #expect(way(busy, "a", "z") == "a k b l c m z")
    #expect(way(busy, "a", "hub") == "a r hub")
  }

  @Test func `a name matches all its pools, and clones of a node are one`() {
    let two = graph("r: a1 > z", "s: y > a2", labels: ["a1": "a", "a2": "a"])
    #expect(way(two, "a", "z") == "a1 r z" && way(two, "y", "a") == "y s a2")
    var clones = graph("r: a > b", "s: b2 > c")
    for number in clones.nodes.indices where clones.nodes[number].label.hasPrefix("b") {
      clones.nodes[number].entity = "b"
    }
    #expect(way(clones, "a", "c") == "a r b s c")
  }

  @Test func `a sugar is found without its anomer and handedness, a beta amino acid only by its whole name`() {
    let labels = ["a": "beta-D-glucose 6-phosphate", "b": "L-lactate", "c": "beta-alanine"]
    let walk = GraphWalk(graph("r: a > b", "s: b > c", labels: labels))
    #expect(walk.nodes("Glucose 6-phosphate") == [1] && walk.nodes("lactate") == [2])
    #expect(walk.nodes("alanine").isEmpty && walk.nodes("beta-alanine") == [4])
  }
}
