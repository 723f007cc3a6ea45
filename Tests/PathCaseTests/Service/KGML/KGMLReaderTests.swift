import PluginAPI
import Testing

@testable import PathCase

// All maps here are synthetic; none is from KEGG.
struct KGMLReaderTests {
  private static func map(_ text: String) -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?>
      <!DOCTYPE pathway SYSTEM "https://www.kegg.jp/kegg/xml/KGML_v0.7.2_.dtd">
      <pathway name="path:xx00001" org="xx" number="00001" title="made up">
      \(text)
      </pathway>
      """.utf8)
  }

  private static func entry(
    _ id: Int, _ name: String, _ type: String, x: Int = 10, shape: String = "rectangle", _ inner: String = ""
  ) -> String {
    """
    <entry id="\(id)" name="\(name)" type="\(type)"><graphics name="N\(id), other..." type="\(shape)" x="\(x)" y="20"
    width="46" height="17"/>\(inner)</entry>
    """
  }

  private static let chain =
    entry(1, "cpd:X1", "compound", shape: "circle") + entry(2, "cpd:X2 gl:G2", "compound", x: 90, shape: "circle")
    + entry(3, "ko:Y1 ko:Y2", "ortholog", x: 50) + entry(4, "path:xx00002", "map", shape: "roundrectangle")
      + """
      <reaction id="3" name="rn:R1 rn:R2" type="reversible"><substrate id="1" name="cpd:X1"/><product id="2" name="cpd:X2"/>
      </reaction>
      """

  @Test func `the box of a reaction's enzymes becomes its process`() throws {
    let document = try MapReader.read(Self.map(Self.chain))
    let graph = document.graph
    #expect(document.format == .kgml && document.title == "made up" && document.organism == "xx")
    #expect(graph.nodes.map(\.id) == ["1", "2", "3", "4"])
    #expect(graph.nodes.map(\.kind) == [.pool, .pool, .process, .pathway])
    #expect(graph.nodes.map(\.label) == ["N1", "N2", "N3", "N4"])
    #expect(graph.nodes[1].references == ["cpd:X2", "gl:G2"] && graph.nodes[1].subject == "cpd:X2")
    #expect(graph.nodes[2].references == ["ko:Y1", "ko:Y2", "rn:R1", "rn:R2"])
    #expect(graph.nodes[0].frame == GraphFrame(x: 10, y: 20, width: 46, height: 17))
    #expect(graph.edges.map { [$0.source, $0.target] } == [[0, 2], [2, 1]])
    #expect(graph.edges.allSatisfy { $0.isReversible })
    #expect(document.warnings.isEmpty)
  }

  @Test func `all kinds of elements are counted`() throws {
    let counts = try KGMLReader.read(Self.map(Self.chain)).counts
    #expect(
      MapTruth.nonZero(counts) == [
        "entry": 4, "entry_types.compound": 2, "entry_types.ortholog": 1, "entry_types.map": 1, "graphics": 4,
        "graphics_types.circle": 2, "graphics_types.rectangle": 1, "graphics_types.roundrectangle": 1, "reaction": 1,
        "reaction_types.reversible": 1, "substrate": 1, "product": 1,
      ])
    #expect(counts["component"] == 0 && counts["relation"] == 0)
  }

  @Test func `a reaction with the id of another gets a process of its own`() throws {
    let again = """
      <reaction id="3" name="rn:R9" type="irreversible"><substrate id="2" name="cpd:X2"/><product id="1" name="cpd:X1"/>
      </reaction>
      """
    let graph = try KGMLReader.read(Self.map(Self.chain + again)).graph
    #expect(graph.nodes.map(\.id) == ["1", "2", "3", "4", "reaction 3"])
    #expect(graph.edges.map { [$0.source, $0.target] } == [[0, 2], [2, 1], [1, 4], [4, 0]])
    #expect(graph.edges.map(\.isReversible) == [true, true, false, false])
  }

  @Test func `relations are drawn where no reaction covers them`() throws {
    let relations = """
      <relation entry1="3" entry2="4" type="maplink"><subtype name="compound" value="2"/></relation>
      <relation entry1="3" entry2="3" type="ECrel"><subtype name="compound" value="1"/></relation>
      <relation entry1="3" entry2="99" type="ECrel"/>
      """
    let document = try KGMLReader.read(Self.map(Self.chain + relations))
    #expect(document.graph.edges.dropFirst(2).map { [$0.source, $0.target] } == [[1, 3]])
    #expect(document.graph.relations.count == 2)
    #expect(document.warnings.map(\.code) == ["pathcase.ref-002"])

    let signals =
      Self.entry(1, "xx:1", "gene") + Self.entry(2, "xx:2", "gene")
        + """
        <relation entry1="1" entry2="2" type="PPrel"><subtype name="inhibition" value="--|"/></relation>
        <relation entry1="2" entry2="1" type="PPrel"><subtype name="phosphorylation" value="+p"/>
        <subtype name="activation" value="--&gt;"/></relation>
        """
    let graph = try KGMLReader.read(Self.map(signals)).graph
    #expect(graph.edges.map(\.kind) == [.inhibition, .activation])
    #expect(graph.edges.map(\.category) == ["PPrel inhibition", "PPrel phosphorylation activation"])
    #expect(graph.nodes.map(\.kind) == [.macromolecule, .macromolecule])
  }

  @Test func `components are in their group`() throws {
    let group =
      Self.entry(1, "ko:A", "ortholog") + Self.entry(2, "ko:B", "ortholog")
      + Self.entry(3, "undefined", "group", "<component id='1'/><component id='2'/><component id='8'/>")
    let document = try KGMLReader.read(Self.map(group))
    #expect(document.graph.nodes.map(\.parent) == [2, 2, nil])
    #expect(document.graph.nodes[2].entity == nil)
    #expect(document.counts["component"] == 3)
    #expect(document.warnings.count == 1)
  }

  @Test func `a node drawn as lines is placed at the middle of the first`() throws {
    let text = """
      <entry id="5" name="ko:A" type="ortholog"><graphics name="A" type="line" coords="0,0,10,0,10,10"/>
      <graphics name="A" type="line" coords="50,50,60,60"/></entry>
      """
    let graph = try KGMLReader.read(Self.map(text)).graph
    #expect(graph.nodes[0].frame == GraphFrame(x: 10, y: 0, width: 0, height: 0))
    #expect(graph.figures.map(\.points.count) == [3, 2])
  }

  @Test func `a compound without an entry gets a new node`() throws {
    let text = """
      <reaction id="9" name="rn:R1" type="irreversible"><substrate id="7" name="cpd:X7"/><product id="8" name="cpd:X8"/>
      </reaction>
      """
    let document = try KGMLReader.read(Self.map(text))
    #expect(document.graph.nodes.map(\.id) == ["reaction 9", "7", "8"])
    #expect(document.warnings.count == 2)
  }

  @Test func `a map without reactions is read`() throws {
    let document = try MapReader.read(Self.map(""))
    #expect(document.graph.nodes.isEmpty && document.counts["reaction"] == 0 && document.warnings.isEmpty)
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `a real map without reactions is read`() throws {
    let document = try MapReader.read(try #require(MapTruth.bytes("bad/56-kgml-no-reactions.xml")))
    #expect(document.format == .kgml && document.title == "none" && document.graph.id == "path:x00001")
  }

  @Test func `document types with declarations, duplicate ids and malformed numbers are refused`() {
    func code(_ bytes: [UInt8]) -> String? { mapErrorCode { _ = try MapReader.read(bytes) } }
    #expect(code(Array("<!DOCTYPE pathway [<!ELEMENT pathway ANY>]><pathway/>".utf8)) == "pathcase.xml-002")
    #expect(code(Array("<!DOCTYPE pathway [<!ENTITY a 'b'>]><pathway title='&a;'/>".utf8)) == "pathcase.xml-002")
    #expect(code(Self.map(Self.entry(1, "a", "compound") + Self.entry(1, "b", "compound"))) == "pathcase.id-001")
    #expect(code(Self.map("<entry name='a' type='compound'/>")) == "pathcase.id-003")
    #expect(code(Self.map("<entry id='1' type='gene'><graphics x='a' y='1'/></entry>")) == "pathcase.typ-001")
    #expect(
      code(Self.map("<entry id='1' type='gene'><graphics type='line' coords='1,b'/></entry>")) == "pathcase.typ-001")
    #expect(code(Self.map("<entry>")) == "pathcase.xml-001")
  }

  @Test func `entries drawn as lines keep their colors and have no boxes or names`() throws {
    let document = try KGMLReader.read(
      Array(
        """
        <pathway name="path:ko01100" org="ko" number="01100" title="Metabolic pathways">
        <entry id="1" name="ko:K1" type="ortholog" reaction="rn:R1"><graphics name="K1" fgcolor="#7070CC" bgcolor="#FFFFFF"
         type="line" coords="10,10,10,200,300,200"/></entry>
        <entry id="2" name="cpd:C00001" type="compound"><graphics name="C00001" fgcolor="#7070CC" bgcolor="#7070CC"
         type="circle" x="10" y="10" width="14" height="14"/></entry>
        <entry id="3" name="cpd:C00002" type="compound"><graphics name="C00002" type="circle" x="300" y="200" width="14"
         height="14"/></entry>
        <reaction id="1" name="rn:R1" type="irreversible"><substrate id="2" name="cpd:C00001"/>
        <product id="3" name="cpd:C00002"/></reaction></pathway>
        """.utf8))
    let picture = PathwayPicture.picture(document.graph)
    let lines = picture.items.flatMap(\.shapes).compactMap { shape -> (PicturePath, PictureStyle)? in
      if case .path(let path, let style) = shape { (path, style) } else { nil }
    }
    #expect(lines.count { $0.1.stroke == .init(0x70, 0x70, 0xCC) && $0.1.fill == nil && $0.0.steps.count == 3 } == 1)
    #expect(lines.contains { $0.1.fill == .init(0x70, 0x70, 0xCC) })
    #expect(!picture.items.contains { $0.kind == .process })
    let texts = picture.items.flatMap(\.shapes).compactMap { if case .text(let text) = $0 { text.text } else { nil } }
    #expect(texts == ["Metabolic pathways"])
    // The network is unchanged: the reaction leads from compound to compound.
    #expect(document.graph.nodes.map(\.kind) == [.process, .pool, .pool] && document.graph.edges.count == 2)
  }

  @Test func `the background of a line does not fill the area beside it`() throws {
    let entries = """
      <entry id="1" name="ko:K1" type="ortholog"><graphics name="K1" fgcolor="#7070CC" bgcolor="#FF0000" type="line"
       coords="10,10,10,200,300,200"/></entry>
      <entry id="2" name="cpd:C00001" type="compound"><graphics name="C00001" type="circle" x="10" y="10" width="14"
       height="14"/></entry>
      """
    let document = try KGMLReader.read(Self.map(entries))
    let styles = PathwayPicture.picture(document.graph).items.flatMap(\.shapes).compactMap { shape -> PictureStyle? in
      if case .path(_, let style) = shape { style } else { nil }
    }
    #expect(styles.contains { $0.stroke == .init(0x70, 0x70, 0xCC) })
    #expect(!styles.contains { $0.fill == .init(0xFF, 0, 0) })
    // The background is kept for exports.
    #expect(document.graph.figures[0].style?.fill == .init(0xFF, 0, 0))
  }
}
