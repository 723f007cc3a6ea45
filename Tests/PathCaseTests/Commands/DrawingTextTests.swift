import PluginAPI
import Testing

@testable import PathCase

struct DrawingTextTests {
  private static func drawing(_ width: Int, _ height: Int) -> TextDrawing {
    var drawing = TextDrawing(options: .init())
    drawing.width = width
    drawing.height = height
    return drawing
  }

  @Test func `the text shows the whole drawing`() throws {
    var graph = ReactionGraph()
    for number in 0..<120 {
      graph.nodes.append(GraphNode(id: Identifier("n\(number)"), label: "node \(number)", kind: .pool))
      if number > 0 { graph.edges.append(GraphEdge(source: number - 1, target: number)) }
    }
    let drawing = TextDrawing(graph, LayeredLayout.layout(graph))
    #expect(drawing.height > 200)
    #expect(try DrawingText.text(drawing, columns: drawing.width) + "\n" == drawing.text)
  }

  private func report(_ width: Int, _ height: Int, zoom: TextDrawing.Zoom = .full) -> ErrorReport? {
    var drawing = TextDrawing(options: .init(zoom: zoom))
    (drawing.width, drawing.height) = (width, height)
    do {
      _ = try DrawingText.text(drawing, columns: width)
      return nil
    } catch {
      return error.report
    }
  }

  @Test func `a drawing that is too large is refused with its size and options that help`() throws {
    let tall = try #require(report(46_227, 12_523))
    #expect(tall.code == "pathcase.too-large-to-show" && tall.message.contains("46227 columns and 12523 rows"))
    #expect(tall.advice == "show only the first columns with '--width 200'")
    #expect(report(8_000, 4_000)?.advice?.hasPrefix("make it smaller with '--zoom overview'") == true)
    #expect(report(8_000, 4_000, zoom: .overview)?.advice == "show only the first columns with '--width 200'")
    #expect(report(Int.max, 3)?.code == "pathcase.too-large-to-show")
    #expect(report(100_000, 100_000)?.advice == DrawingText.partAdvice)
    #expect(try DrawingText.text(Self.drawing(46_227, 12_523), columns: 80).count > 12_000)
    #expect(try DrawingText.text(Self.drawing(0, 0), columns: 0).isEmpty)
  }

  @Test func `a drawing with columns left out is reported with advice to use a smaller zoom`() {
    func advice(_ zoom: TextDrawing.Zoom) -> String?? {
      var drawing = TextDrawing(options: .init(zoom: zoom))
      drawing.width = 300
      return DrawingText.note(ofCut: drawing, columns: 200).map(\.advice)
    }
    #expect(advice(.full) == "make it smaller with '--zoom names'")
    #expect(advice(.names) == "make it smaller with '--zoom overview'")
    #expect(advice(.overview) == .some(nil))
    #expect(DrawingText.note(ofCut: Self.drawing(200, 3), columns: 200) == nil)
    // A drawing that no zoom makes small enough: iND750.
    let large = DrawingText.note(ofCut: Self.drawing(22_599, 2_952), columns: 200)
    #expect(large?.advice == DrawingText.partAdvice)
  }

  /// Returns a ladder: two chains with a rung between each pair of their nodes, and a cycle between each pair of rungs.
  private func ladder(_ rungs: Int) -> ReactionGraph {
    var graph = ReactionGraph()
    for number in 0..<2 * rungs {
      graph.nodes.append(GraphNode(id: Identifier("n\(number)"), label: "n", kind: .pool))
      if number > 1 { graph.edges.append(GraphEdge(source: number - 2, target: number)) }
      if number % 2 == 1 { graph.edges.append(GraphEdge(source: number - 1, target: number)) }
    }
    return graph
  }

  @Test func `a network with too many cycles is refused before it is laid out`() throws {
    func refusal(_ cycles: Int, isCut: Bool) -> ErrorReport? {
      return #expect(throws: ErrorReport.self) {
        try DrawingText.check(ladder(cycles + 1), LayoutOptions(), isCut: isCut)
      }
    }
    try DrawingText.check(ladder(DrawingText.mostCycles + 1), LayoutOptions(), isCut: true)
    try DrawingText.check(ladder(DrawingText.mostWholeCycles + 1), LayoutOptions(), isCut: false)
    let whole = try #require(refusal(DrawingText.mostWholeCycles + 1, isCut: false))
    #expect(whole.code == "pathcase.too-large-to-show" && whole.message.contains("1001 independent cycles"))
    #expect(whole.advice == "show only the first columns with '--width 200'")
    let start = ContinuousClock.now
    for isCut in [true, false] { #expect(refusal(30_000, isCut: isCut)?.advice == DrawingText.partAdvice) }
    #expect(.now - start < .seconds(20))
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `a genome-scale model is refused by its cycles, and its first columns are not`() throws {
    let graph = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/iJO1366.xml.gz"))).model.graph
    let options = LayoutOptions(common: .beside)
    #expect(throws: ErrorReport.self) { try DrawingText.check(graph, options, isCut: false) }
    try DrawingText.check(graph, options, isCut: true)
  }
}
