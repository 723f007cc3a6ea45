import PluginAPI
import Testing

@testable import PathCase

struct GraphMapNamesTests {
  private func picture(_ graph: ReactionGraph, isASCII: Bool = false) -> GraphPicture {
    GraphPicture(graph, LayeredLayout.layout(graph), zoom: .map, isASCII: isASCII, words: GraphWords(graph))
  }

  @Test(arguments: [(100, 30), (60, 16), (24, 8)])
  func `no dot covers the name of a compartment, and no names overlap`(width: Int, height: Int) throws {
    let database = try BundledDatabase.linked.get()
    let window = Size(width: width, height: height)
    for pathway in database.pathways.indices {
      let picture = picture(database.graph(ofPathway: pathway))
      let names = GraphMapNames(picture, window: window).names
      var taken: Set<Int> = []
      for place in picture.layout.places.indices {
        let point = picture.rect(ofPlace: place, in: window)
        taken.insert(point.y * width + point.x)
      }
      for name in names {
        let cells = name.place.x..<name.place.x + TextWidth.columns(name.text)
        #expect(cells.upperBound <= width && name.place.y < height)
        #expect(cells.allSatisfy { taken.insert(name.place.y * width + $0).inserted }, "\(picture.graph.id) \(name)")
      }
      if width == 100 { #expect(names.count == picture.layout.compartments.count { $0 != nil }) }
    }
  }

  @Test func `a name that fits its row is complete, and others end with an ellipsis`() {
    var graph = SampleGraphs.compartments
    graph.compartments[0].name = "Cells of the intestine wall"
    for (width, isASCII, shown) in [
      (100, false, "Cells of the intestine wall"), (20, false, "Cells of the intest…"),
      (20, true, "Cells of the intes.."),
    ] {
      let names = GraphMapNames(picture(graph, isASCII: isASCII), window: Size(width: width, height: 30)).names
      #expect(names.first { $0.compartment == 0 }?.text == shown)
    }
  }

  @Test func `ten thousand overlapping compartments are named as far as there is room`() {
    var graph = SampleGraphs.compartments
    graph.compartments = (0..<10_000).map {
      GraphCompartment(id: Identifier("c\($0)"), name: "room \($0)", parent: nil)
    }
    for node in graph.nodes.indices { graph.nodes[node].compartment = node * 800 }
    var layout = LayeredLayout.layout(graph)
    layout.compartments = layout.compartments.map { _ in GraphFrame(x: 50, y: 50, width: 80, height: 80) }
    let picture = GraphPicture(graph, layout, zoom: .map, isASCII: false, words: GraphWords(graph))
    let names = GraphMapNames(picture, window: Size(width: 80, height: 20)).names
    #expect(!names.isEmpty && names.count <= 48)
    #expect(GraphMapNames(picture, window: Size(width: 0, height: 0)).names.isEmpty)
  }
}
