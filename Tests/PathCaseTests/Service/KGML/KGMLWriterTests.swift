import PluginAPI
import Testing

@testable import PathCase

// All maps here are synthetic; none is from KEGG.
struct KGMLWriterTests {
  private static let text = """
    <?xml version="1.0"?>
    <!DOCTYPE pathway SYSTEM "https://www.kegg.jp/kegg/xml/KGML_v0.7.2_.dtd">
    <pathway name="path:xx00001" org="xx" number="00001" title="made &amp; up">
    <entry id="7" name="cpd:X1" type="compound"><graphics name="N1" type="circle" x="10" y="20" width="8" height="8"/></entry>
    <entry id="8" name="cpd:X2" type="compound"><graphics name="N2" type="circle" x="90" y="20" width="8" height="8"/></entry>
    <entry id="9" name="ko:Y1 ko:Y2" type="ortholog" reaction="rn:R1"><graphics name="N3" type="rectangle" x="50" y="20"
    width="46" height="17"/></entry>
    <entry id="10" name="path:xx00002" type="map"><graphics name="Other" type="roundrectangle" x="90" y="80" width="60"
    height="25"/></entry>
    <entry id="11" name="ko:Y3" type="ortholog"><graphics name="N5" type="rectangle" x="50.5" y="60" width="46" height="17"/>
    </entry>
    <entry id="12" name="undefined" type="group"><graphics type="rectangle" x="50" y="40" width="50" height="60"/>
    <component id="11"/></entry>
    <entry id="13" name="ko:Y4" type="ortholog"><graphics name="N6" fgcolor="#7070CC" bgcolor="#FFEE99" type="line"
    coords="10,20,50.5,40,90,20"/><graphics name="N6" fgcolor="#7070CC" bgcolor="#FFEE99" type="line" coords="0,0,5,5"/>
    </entry>
    <relation entry1="9" entry2="10" type="maplink"><subtype name="compound" value="8"/></relation>
    <relation entry1="11" entry2="9" type="PPrel"><subtype name="inhibition" value="--|"/></relation>
    <reaction id="9" name="rn:R1" type="reversible"><substrate id="7" name="cpd:X1"/><product id="8" name="cpd:X2"/></reaction>
    </pathway>
    """

  @Test func `a map read from KGML is written and read back unchanged`() throws {
    let document = try MapReader.read(Array(Self.text.utf8))
    let written = try KGMLWriter.write(document)
    #expect(written.warnings.isEmpty)
    let again = try MapReader.read(written.bytes)
    #expect(again.graph.nodes == document.graph.nodes)
    #expect(again.graph.figures == document.graph.figures && again.graph.figures.count == 2)
    #expect(Set(again.graph.edges) == Set(document.graph.edges))
    #expect(again.graph.relations == document.graph.relations)
    #expect(again.title == "made & up" && again.organism == "xx" && again.graph.id == document.graph.id)
    #expect(again.counts == document.counts)
    #expect(try KGMLWriter.write(again).bytes == written.bytes)
  }

  @Test func `translucent colors are written as they appear on white`() throws {
    var document = try MapReader.read(Array(Self.text.utf8))
    document.graph.nodes[0].style = GraphStyle(
      stroke: PictureColor(255, 0, 0, cover: 0.2), fill: PictureColor(0, 0, 0, cover: 0))
    let bytes = try KGMLWriter.write(document).bytes
    let text = String(decoding: bytes, as: UTF8.self)
    #expect(text.contains("name=\"N1\" fgcolor=\"#ffcccc\" bgcolor=\"#ffffff\""), "\(text)")
    let style = try MapReader.read(bytes).graph.nodes[0].style
    #expect(style == GraphStyle(stroke: PictureColor(255, 204, 204)))
  }

  @Test func `a map with a new layout has no lines at the positions of its file`() throws {
    var document = try MapReader.read(Array(Self.text.utf8))
    #expect(document.graph.figures.count == 2)
    var options = LayoutOptions()
    options.usesFrozenPlaces = false
    document.graph = document.graph.placed(by: LayeredLayout.layout(document.graph, options: options))
    #expect(document.graph.figures.isEmpty)
    let bytes = try KGMLWriter.write(document).bytes
    #expect(!String(decoding: bytes, as: UTF8.self).contains("coords="))
    let again = try MapReader.read(bytes).graph
    #expect(again.nodes.first { $0.id == "13" }?.frame != nil)
  }

  @Test func `a new layout keeps the group of each node`() {
    func node(_ id: Identifier, in parent: Int? = nil) -> GraphNode {
      var node = GraphNode(id: id, label: id.text, kind: .pool)
      node.parent = parent
      return node
    }
    let graph = ReactionGraph(
      id: "g", nodes: [node("atp"), node("undrawn"), node("complex"), node("member", in: 2), node("loose", in: 1)],
      edges: [])
    let frame = GraphFrame(x: 0, y: 0, width: 1, height: 1)
    let places = [(0, 0), (0, 1), (2, 0), (3, 0), (4, 0)].map { node, clone in
      GraphLayout.Place(node: node, clone: clone, frame: frame)
    }
    let placed = graph.placed(by: GraphLayout(places: places))
    #expect(placed.nodes.map { $0.parent.map { placed.nodes[$0].id } } == [nil, nil, nil, "complex", nil])
  }

  @Test func `networks of other formats become compounds and reactions, and losses are reported`() throws {
    let graph = PictureFileTests.graph
    var options = LayoutOptions()
    options.common = .asOthers
    let layout = LayeredLayout.layout(graph, options: options)
    let document = MapDocument(format: .contract, graph: graph.placed(by: layout), title: "a <b>")
    let written = try KGMLWriter.write(document)
    #expect(written.warnings.count == 1)
    let again = try MapReader.read(written.bytes)
    #expect(again.graph.nodes.count { $0.kind == .process } == 2)
    // Modifiers may be drawn twice.
    #expect(Set(again.graph.nodes.filter { $0.kind == .pool }.map(\.subject)) == ["a", "atp", "b", "c", "h+"])
    #expect(again.graph.edges.count { $0.kind == .flow } == 6)
    #expect(again.title == "a <b>" && again.warnings.isEmpty)
  }

  @Test func `a node without a position is named in the error`() {
    let document = MapDocument(format: .contract, graph: PictureFileTests.graph)
    #expect(throws: MapError.notPlaced(node: "a", format: .kgml)) { try KGMLWriter.write(document) }
  }
}
