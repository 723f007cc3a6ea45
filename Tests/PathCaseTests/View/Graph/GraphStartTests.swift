import PluginAPI
import Testing

@testable import PathCase

/// The start of a graph, which its first view shows.
struct GraphStartTests {
  private func picture(_ graph: ReactionGraph) -> GraphPicture {
    GraphPicture(graph, LayeredLayout.layout(graph), zoom: .full, isASCII: false, words: GraphWords(graph))
  }

  private func starts(_ picture: GraphPicture) -> [String] { picture.starts.map { picture.node($0).label } }

  @Test func `the first view of an SBGN map shows its substrate, not the ATP above it`() throws {
    let picture = picture(try MapReader.read(Array(Self.map.utf8)).graph)
    #expect(picture.layout.isFrozen)
    #expect(starts(picture) == ["glucose"])
    var state = GraphState(GraphPlace())
    state.size = Size(width: 30, height: 8)
    state.show(picture)
    let start = try #require(picture.starts.first)
    #expect(state.isSeen(start))
  }

  @Test func `if every molecule is a product, the first view shows one that is not a carrier`() throws {
    var graph = try MapReader.read(Array(Self.map.utf8)).graph
    graph.edges.append(GraphEdge(source: 5, target: 2))
    #expect(starts(picture(graph)).sorted() == ["fructose 6P", "glucose", "glucose 6P"])
  }

  @Test func `the first view of a map with a legend does not show the legend`() throws {
    func label(_ id: String, _ x: Int) -> String {
      "<Label TextLabel='' GraphId='\(id)'><Graphics CenterX='\(x)' CenterY='10' Width='30' Height='20'/></Label>"
    }
    let map =
      "<Pathway xmlns='http://pathvisio.org/GPML/2013a' Name='m'>" + Self.node("A", 900, 800)
      + Self.node("B", 900, 500) + Self.conversion("A", "B") + label("k", 10) + label("l", 200)
      + Self.conversion("k", "l") + "</Pathway>"
    #expect(starts(picture(try MapReader.read(Array(map.utf8)).graph)) == ["A"])
  }

  @Test func `the first view moves sideways to avoid cutting off neighbors of its start`() throws {
    let (left, right) = ("Phosphoribosylglycine", "Phosphoribosylaminate")
    let map =
      "<Pathway xmlns='http://pathvisio.org/GPML/2013a' Name='m'>" + Self.node(left, 100, 100)
      + Self.node("Alpha", 400, 100) + Self.node(right, 700, 100) + Self.node("Beta", 400, 400)
      + Self.conversion("Alpha", "Beta") + Self.conversion("Beta", left) + Self.conversion("Beta", right)
      + "</Pathway>"
    let picture = picture(try MapReader.read(Array(map.utf8)).graph)
    #expect(starts(picture) == ["Alpha"])
    let start = try #require(picture.starts.first)
    let rect = picture.rect(ofPlace: start, in: Size(width: 0, height: 0))
    // The window ends just behind the start, so that it can begin at the left of the picture.
    var state = GraphState(GraphPlace())
    state.size = Size(width: rect.x + rect.width + 1, height: 20)
    state.show(picture)
    #expect(state.isSeen(start) && state.origin.x == 0)
    // A window with the start in its middle would cut the box beside it.
    var window = TextDrawing.Window(row: rect.y, width: state.window.width, height: 1)
    window.column = rect.x + rect.width / 2 - window.width / 2
    #expect(window.column > 0 && picture.drawing.cuts(of: window) == 1)
  }

  @Test func `a cut box counts like a cut line, and is the worse of the two`() {
    let (line, box) = (TextDrawing.Cuts(lines: 1, boxes: 0), TextDrawing.Cuts(lines: 0, boxes: 1))
    #expect(line < box && box < TextDrawing.Cuts(lines: 2, boxes: 0))
    var drawing = TextDrawing(options: TextDrawing.Options())
    (drawing.width, drawing.height) = (60, 8)
    drawing.boxes = [
      .init(place: 0, kind: .pool, lines: ["A"], window: .init(column: 4, row: 1, width: 10, height: 3)),
      .init(place: 1, kind: .pool, lines: ["B"], window: .init(column: 40, row: 1, width: 10, height: 3)),
    ]
    drawing.wires = [.init(route: 0, column: 14, row: 2, length: 26, isVertical: false)]
    drawing.index = DrawingIndex(drawing)
    let window = TextDrawing.Window(row: 0, width: 20, height: 8)
    let cuts = drawing.cutsAtLeft(of: window, columns: 0...45)
    #expect(cuts[4] == .init(lines: 0, boxes: 0) && cuts[5] == box && cuts[13] == box)
    #expect(cuts[14].count == 0 && cuts[15] == line && cuts[39] == line && cuts[41] == box)
  }

  @Test(.enabled(if: FoundFiles.has("WP5064_gpml2021.gpml"), "the shared data are absent"))
  func `the first view of a real map begins beside a box instead of inside it`() throws {
    let picture = picture(try MapReader.read(try #require(FoundFiles.bytes("WP5064_gpml2021.gpml"))).graph)
    for height in 24...30 {
      var state = GraphState(GraphPlace())
      state.size = Size(width: 100, height: height)
      state.show(picture)
      let cuts = picture.drawing.cutsAtLeft(
        of: .init(row: state.origin.y, width: state.window.width, height: state.window.height),
        columns: state.origin.x...state.origin.x)
      #expect(cuts.map(\.boxes) == [0] && state.origin.x > 0, "\(height) rows")
    }
  }

  @Test func `a computed layout starts with the metabolites of its first row`() {
    let picture = picture(SampleGraphs.ring(8))
    #expect(!picture.layout.isFrozen)
    #expect(starts(picture).sorted() == ["node 0", "node 2", "node 4", "node 6"])
  }

  @Test(
    .enabled(if: MapTruth.folder != nil, "the shared data are absent"),
    arguments: [("glycolysis.sbgn", ["glucose"]), ("mapk_cascade.sbgn", ["ERK", "MEK", "RAF"])])
  func `the first view of real maps shows their first substrates`(file: String, labels: [String]) throws {
    let picture = picture(try MapReader.read(try #require(MapTruth.bytes("sbgn/" + file))).graph)
    #expect(starts(picture).sorted() == labels)
  }

  /// Returns a metabolite in GPML, whose id is its name.
  private static func node(_ name: String, _ x: Int, _ y: Int) -> String {
    "<DataNode TextLabel='\(name)' GraphId='\(name)' Type='Metabolite'>"
      + "<Graphics CenterX='\(x)' CenterY='\(y)' Width='80' Height='20'/></DataNode>"
  }

  /// Returns a conversion in GPML.
  private static func conversion(_ from: String, _ to: String) -> String {
    "<Interaction GraphId='\(from)-\(to)'><Graphics><Point X='0' Y='0' GraphRef='\(from)'/>"
      + "<Point X='1' Y='1' GraphRef='\(to)' ArrowHead='mim-conversion'/></Graphics></Interaction>"
  }

  private static func glyph(_ id: String, _ kind: String, _ label: String, _ x: Int, _ y: Int) -> String {
    "<glyph id='\(id)' class='\(kind)'><label text='\(label)'/><bbox x='\(x)' y='\(y)' w='80' h='30'/></glyph>"
  }

  private static func arc(_ kind: String, _ source: String, _ target: String) -> String {
    "<arc id='\(source)-\(target)' class='\(kind)' source='\(source)' target='\(target)'>"
      + "<start x='0' y='0'/><end x='1' y='1'/></arc>"
  }

  /// A chain that runs up from glucose, with ATP and ADP at the top left and the empty set below.
  private static let map =
    "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map id='m' language='process description'>"
    + glyph("atp", "simple chemical", "ATP", 0, 0) + glyph("adp", "simple chemical", "ADP", 200, 0)
    + glyph("glc", "simple chemical", "glucose", 900, 800) + glyph("r1", "process", "", 900, 650)
    + glyph("g6p", "simple chemical", "glucose 6P", 900, 500) + glyph("r2", "process", "", 900, 350)
    + glyph("f6p", "simple chemical", "fructose 6P", 900, 200) + glyph("void", "empty set", "", 500, 800)
    + arc("consumption", "glc", "r1") + arc("consumption", "atp", "r1") + arc("production", "r1", "g6p")
    + arc("production", "r1", "adp") + arc("consumption", "g6p", "r2") + arc("production", "r2", "f6p")
    + arc("consumption", "void", "r2") + "</map></sbgn>"
}
