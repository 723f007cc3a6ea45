import Testing

@testable import PathCase

struct FrozenPlacementTests {
  /// Returns a chain whose nodes are at the given positions; nil for no position.
  private static func graph(_ places: [(Double, Double)?]) -> ReactionGraph {
    var graph = SampleGraphs.chain(places.count)
    for (node, place) in places.enumerated() {
      graph.nodes[node].frame = place.map { GraphFrame(x: $0.0, y: $0.1, width: 40, height: 20) }
    }
    return graph
  }

  @Test func `positions in a graph are kept relative to each other`() {
    let layout = LayeredLayout.layout(Self.graph([(-500, -300), (-400, 0), (100, 200)]))
    #expect(layout.isFrozen)
    #expect(layout.places.map(\.frame.x) == [20, 120, 620])
    #expect(layout.places.map(\.frame.y) == [10, 310, 510])
    #expect(layout.width == 640 && layout.height == 520)
  }

  @Test func `edges pass through the bends of the graph`() {
    var graph = Self.graph([(0, 0), (100, 100)])
    graph.edges[0].bends = [.init(x: 100, y: 0)]
    let points = LayeredLayout.layout(graph).routes[0].points
    #expect(points == [.init(x: 40, y: 10), .init(x: 120, y: 10), .init(x: 120, y: 100)])
  }

  @Test func `distant positions are moved closer and need a small drawing`() {
    let graph = Self.graph([(-1e9, 1e9), (1e9, -1e9), (0, 0)])
    let layout = LayeredLayout.layout(graph)
    #expect(layout.isFrozen && layout.width <= 100_100 && layout.height <= 100_100)
    #expect(TextDrawing(graph, layout).cellCount < 2000)
  }

  @Test func `missing nodes are placed below the others`() {
    let layout = LayeredLayout.layout(Self.graph([(0, 0), nil, (300, 100), (.nan, 5), (.infinity, 5)]))
    #expect(layout.isFrozen && SampleGraphs.overlaps(layout).isEmpty)
    for place in [1, 3, 4] { #expect(layout.places[place].frame.y > layout.places[2].frame.y + 20) }
  }

  @Test func `nodes that share one point or have no position are laid out`() {
    #expect(!LayeredLayout.layout(Self.graph([(7, 7), (7, 7), (7, 7)])).isFrozen)
    #expect(!LayeredLayout.layout(Self.graph([nil, nil])).isFrozen)
    var options = LayoutOptions()
    options.usesFrozenPlaces = false
    #expect(!LayeredLayout.layout(Self.graph([(0, 0), (9, 9)]), options: options).isFrozen)
  }

  @Test func `overlapping nodes become adjacent boxes in text`() {
    let graph = Self.graph([(0, 0), (0, 0), (5, 3), (200, 0)])
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    let windows = drawing.boxes.map(\.window)
    #expect(windows.count == graph.nodes.count)
    for (index, first) in windows.enumerated() {
      for second in windows.dropFirst(index + 1) {
        let isApart =
          first.column + first.width <= second.column || second.column + second.width <= first.column
          || first.row + first.height <= second.row || second.row + second.height <= first.row
        #expect(isApart)
      }
    }
  }
}
