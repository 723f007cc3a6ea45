import Testing

@testable import PathCase

struct DrawingTextTests {
  private static func drawing(_ width: Int, _ height: Int) -> TextDrawing {
    var drawing = TextDrawing(options: .init())
    drawing.width = width
    drawing.height = height
    return drawing
  }

  @Test func `the text is that of the whole drawing`() throws {
    var graph = ReactionGraph()
    for number in 0..<120 {
      graph.nodes.append(GraphNode(id: Identifier("n\(number)"), label: "node \(number)", kind: .pool))
      if number > 0 { graph.edges.append(GraphEdge(source: number - 1, target: number)) }
    }
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    #expect(drawing.height > 200)
    #expect(try DrawingText.text(drawing, columns: drawing.width) + "\n" == drawing.text)
  }

  @Test func `what is too large is refused with the size it needs`() throws {
    #expect(throws: PathwayError.tooLargeToShow(columns: 46_227, rows: 12_523)) {
      try DrawingText.text(Self.drawing(46_227, 12_523), columns: 46_227)
    }
    #expect(throws: PathwayError.tooLargeToShow(columns: Int.max, rows: 3)) {
      try DrawingText.text(Self.drawing(Int.max, 3), columns: Int.max)
    }
    #expect(try DrawingText.text(Self.drawing(46_227, 12_523), columns: 80).count > 12_000)
    #expect(try DrawingText.text(Self.drawing(0, 0), columns: 0).isEmpty)
  }
}
