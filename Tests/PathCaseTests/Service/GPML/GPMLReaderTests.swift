import Foundation
import PluginAPI
import PluginCompression
import Testing

@testable import PathCase

struct GPMLReaderTests {
  @Test(arguments: MapTruth.files("gpml", ending: [".gpml"]))
  func `real maps have the known counts`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    try expectTruth(of: document, try MapTruth.truth(of: file))
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `eighty maps of WikiPathways are all read`() throws {
    let file = "gpml/wikipathways-80.tar.gz"
    let members = MapTruth.members(ofTar: try Gzip.uncompress(try #require(MapTruth.bytes(file))))
    let truth = try MapTruth.truth(of: file)
    #expect(members.count == 80)
    for member in members {
      let known = try #require(truth[member.name] as? [String: Any], "\(member.name)")
      try expectTruth(of: try MapReader.read(member.bytes), known)
    }
  }

  private func expectTruth(of document: MapDocument, _ truth: [String: Any]) throws {
    let name = document.title
    #expect(document.format == .gpml)
    #expect(document.version == truth["ns"] as? String)
    #expect(name == truth["name"] as? String)
    #expect(document.organism == truth["organism"] as? String)
    let counts = MapTruth.counts(truth).merging(["dangling_point_refs": 0]) { known, _ in known }
    #expect(document.counts == counts, "\(name)")
    let graph = document.graph
    let isSound = graph.edges.allSatisfy {
      graph.nodes.indices.contains($0.source) && graph.nodes.indices.contains($0.target)
    }
    #expect(isSound, "\(name)")
    let drawn = graph.nodes.filter { ["GeneProduct", "Metabolite", "Protein"].contains($0.category) }
    #expect(drawn.allSatisfy { $0.frame != nil }, "\(name)")
  }

  @Test func `an enzyme's edge ends at the anchor of the reaction's edge`() throws {
    let document = try GPMLReader.read(Array(Self.anchored.utf8))
    let graph = document.graph
    let anchor = try #require(graph.nodes.firstIndex { $0.id == "anchor" })
    #expect(graph.nodes[anchor].kind == .process)
    #expect(graph.nodes[anchor].frame == GraphFrame(x: 100, y: 10, width: 0, height: 0))
    let ends = graph.edges.map { "\(graph.nodes[$0.source].label)>\(graph.nodes[$0.target].label) \($0.kind)" }
    #expect(ends == ["A> flow", ">B flow", "E> catalysis"])
    #expect(graph.edges[0].start == FrozenPath.Point(x: 20, y: 10) && graph.edges[0].end == nil)
    #expect(graph.edges[1].end == FrozenPath.Point(x: 180, y: 10))
    #expect(document.warnings.isEmpty)
  }

  @Test func `the anchor of an edge that is not a reaction is a point and not a process`() throws {
    let text = Self.anchored.replacing("mim-conversion", with: "mim-stimulation")
    let graph = try GPMLReader.read(Array(text.utf8)).graph
    let anchor = try #require(graph.nodes.first { $0.id == "anchor" })
    #expect(anchor.kind == .other && anchor.isPoint)
    #expect(graph.edges.map(\.kind) == [.activation, .activation, .catalysis])
    #expect(graph.model.reactions.isEmpty)
  }

  @Test func `an edge with unused anchors stays whole and keeps its bends`() throws {
    let text = Self.map(
      Self.node("a", "A", "Metabolite", 10, 10), Self.node("b", "B", "Metabolite", 190, 10),
      """
      <Interaction GraphId='r'><Graphics><Point X='20' Y='10' GraphRef='a'/><Point X='100' Y='50'/>
      <Point X='180' Y='10' GraphRef='b' ArrowHead='Arrow'/><Anchor Position='0.5' Shape='Circle'/>
      <Anchor Position='0.7' GraphId='free'/></Graphics></Interaction>
      """)
    let document = try GPMLReader.read(Array(text.utf8))
    #expect(document.counts["Anchor"] == 2 && document.graph.nodes.map(\.label) == ["A", "B"])
    #expect(document.graph.edges.map(\.bends) == [[FrozenPath.Point(x: 100, y: 50)]])
  }

  @Test func `groups contain their members, and edges end at them`() throws {
    let graph = try GPMLReader.read(Array(Self.grouped.utf8)).graph
    let group = try #require(graph.nodes.firstIndex { $0.id == "g" })
    #expect(graph.nodes[group].kind == .macromolecule)
    #expect(graph.nodes[group].frame == GraphFrame(x: 30, y: 10, width: 60, height: 20))
    #expect(graph.nodes.filter { $0.parent == group }.map(\.label) == ["one", "two"])
    #expect(graph.edges.map { $0.target } == [group])
    #expect(graph.edges[0].bends == [FrozenPath.Point(x: 50, y: 60)])
    #expect(graph.nodes.first { $0.id == "n1" }?.decorations.map(\.text) == ["P"])
    #expect(graph.nodes.first { $0.id == "n1" }?.decorations[0].frame?.x == 20)
  }

  @Test func `shapes that are cell components become compartments`() throws {
    let graph = try GPMLReader.read(Array(Self.compartments.utf8)).graph
    #expect(graph.compartments.map(\.name) == ["Cell", "Nucleus"])
    #expect(graph.compartments.map(\.parent) == [nil, 0])
    #expect(graph.nodes.map(\.compartment) == [1, 0, nil])
    #expect(graph.figures.map(\.category) == ["text", "Brace", "line"])
  }

  @Test(
    arguments: [
      ("Cell", "Cell", nil), ("Nucleus", "Nucleus", .oval), ("Vesicle", "Vesicle", .oval),
      ("Mitochondria", "Mitochondria", .oval), ("EndoplasmicReticulum", "Endoplasmic Reticulum", nil),
      ("Golgi Apparatus", "Golgi Apparatus", nil), ("ExtracellularRegion", "Extracellular region", nil),
    ] as [(String, String, GraphStyle.Outline?)])
  func `shapes whose type is a cell component become compartments too`(
    type: String, name: String, outline: GraphStyle.Outline?
  ) throws {
    func shape(_ id: String, _ label: String, _ size: Int) -> String {
      "<Shape elementId='\(id)' \(label)><Graphics centerX='100' centerY='80' width='\(size)' height='\(size)' "
        + "shapeType='\(type)'/></Shape>"
    }
    let text =
      "<Pathway xmlns='http://pathvisio.org/GPML/2021'><Shapes>" + shape("a", "", 90)
      + shape("b", "textLabel='named'", 40) + "</Shapes></Pathway>"
    let graph = try GPMLReader.read(Array(text.utf8)).graph
    #expect(graph.compartments.map(\.name) == [name, "named"])
    #expect(graph.compartments.map { $0.style?.outline } == [outline, outline])
    #expect(graph.figures.isEmpty)
  }

  @Test func `the elements of GPML 2021 are read under their new names`() throws {
    let document = try GPMLReader.read(Array(Self.newer.utf8))
    #expect(document.title == "new" && document.organism == "Mus musculus")
    #expect(document.graph.nodes.map(\.label) == ["A", "B", ""])
    #expect(document.graph.nodes[0].references == ["chebi:17855"])
    #expect(document.graph.edges.map(\.kind) == [.flow, .flow, .catalysis])
    #expect(document.graph.nodes[0].decorations.map(\.text) == ["ac"])
  }

  @Test func `an edge with two arrowheads is reversible, and one with its arrowhead at the start runs backward`() throws
  {
    func edge(_ first: String, _ last: String) throws -> GraphEdge {
      let text = """
        <Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="x">
        <DataNode TextLabel="A" GraphId="a" Type="Metabolite"><Graphics CenterX="1" CenterY="1" Width="2" Height="2"/></DataNode>
        <DataNode TextLabel="B" GraphId="b" Type="Metabolite"><Graphics CenterX="9" CenterY="9" Width="2" Height="2"/></DataNode>
        <Interaction GraphId="i"><Graphics><Point X="1" Y="1" GraphRef="a" \(first)/><Point X="9" Y="9" GraphRef="b" \(last)/>
        </Graphics></Interaction></Pathway>
        """
      return try #require(try GPMLReader.read(Array(text.utf8)).graph.edges.first)
    }
    let both = try edge("ArrowHead=\"Arrow\"", "ArrowHead=\"Arrow\"")
    #expect(both.isReversible && both.source == 0)
    let backwards = try edge("ArrowHead=\"mim-conversion\"", "")
    #expect(backwards.source == 1 && backwards.kind == .flow && !backwards.isReversible)
    #expect(try edge("", "").kind == .association)
    #expect(try edge("", "ArrowHead=\"TBar\"").kind == .inhibition)
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `an end with a dangling reference becomes a free end`() throws {
    let document = try MapReader.read(try #require(MapTruth.bytes("bad/57-gpml-dangling-graphref.gpml")))
    let end = try #require(document.graph.nodes.last)
    #expect(end.category == "free end")
    #expect(end.frame == GraphFrame(x: 90, y: 90, width: 0, height: 0))
    #expect(document.graph.edges.map(\.target) == [1])
    #expect(document.counts["dangling_point_refs"] == 1)
    #expect(document.warnings.map(\.code) == ["pathcase.ref-002"])
    #expect(document.warnings[0].message.contains("'zzz'"))
  }

  @Test func `self-containing groups, edges of one point and stray states are left out with a warning`() throws {
    let document = try GPMLReader.read(Array(Self.odd.utf8))
    #expect(document.warnings.count == 4)
    #expect(
      document.graph.nodes.allSatisfy {
        $0.parent != $0.parent.flatMap { document.graph.nodes[$0].parent } || $0.parent == nil
      })
    #expect(document.graph.edges.isEmpty)
  }

  @Test func `other namespaces, malformed numbers and duplicate ids are refused`() {
    func code(_ text: String) -> String? { mapErrorCode { _ = try GPMLReader.read(Array(text.utf8)) } }
    #expect(code("<Pathway xmlns='http://genmapp.org/GPML/2008a'/>") == "pathcase.str-002")
    #expect(code("<map xmlns='http://pathvisio.org/GPML/2013a'/>") == "pathcase.str-001")
    let start = "<Pathway xmlns='http://pathvisio.org/GPML/2013a'>"
    let node = "<DataNode GraphId='a' TextLabel='a'><Graphics CenterX='1' CenterY='%' Width='1' Height='1'/></DataNode>"
    #expect(code(start + node.replacing("%", with: "0x10") + "</Pathway>") == "pathcase.typ-001")
    #expect(code(start + node.replacing("%", with: "nan") + "</Pathway>") == "pathcase.typ-001")
    #expect(
      code(start + node.replacing("%", with: "1") + node.replacing("%", with: "2") + "</Pathway>") == "pathcase.id-001")
    #expect(code(start + node.replacing("%", with: "1")) == "pathcase.xml-001")
  }
}

extension GPMLReaderTests {
  private static func node(_ id: String, _ label: String, _ type: String, _ x: Int, _ y: Int, _ more: String = "")
    -> String
  {
    "<DataNode TextLabel='\(label)' GraphId='\(id)' Type='\(type)' \(more)>"
      + "<Graphics CenterX='\(x)' CenterY='\(y)' Width='20' Height='20'/></DataNode>"
  }

  private static func map(_ parts: String...) -> String {
    "<Pathway xmlns='http://pathvisio.org/GPML/2013a' Name='x'>" + parts.joined() + "</Pathway>"
  }

  fileprivate static let anchored = map(
    node("a", "A", "Metabolite", 10, 10), node("b", "B", "Metabolite", 190, 10), node("e", "E", "Protein", 100, 90),
    """
    <Interaction GraphId='r'><Graphics><Point X='20' Y='10' GraphRef='a'/>
    <Point X='180' Y='10' GraphRef='b' ArrowHead='mim-conversion'/><Anchor Position='0.5' GraphId='anchor'/></Graphics>
    </Interaction>
    <Interaction GraphId='c'><Graphics><Point X='100' Y='80' GraphRef='e'/>
    <Point X='100' Y='10' GraphRef='anchor' ArrowHead='mim-catalysis'/></Graphics></Interaction>
    """)

  fileprivate static let grouped = map(
    node("n1", "one", "Protein", 10, 10, "GroupRef='G'"), node("n2", "two", "Protein", 50, 10, "GroupRef='G'"),
    node("n3", "three", "Protein", 100, 100),
    """
    <State GraphRef='n1' TextLabel='P' GraphId='s'><Graphics RelX='1.0' RelY='-1.0' Width='5' Height='5'/></State>
    <Interaction GraphId='i'><Graphics><Point X='100' Y='90' GraphRef='n3'/><Point X='50' Y='60'/>
    <Point X='30' Y='20' GraphRef='g' ArrowHead='Arrow'/></Graphics></Interaction>
    <Group GroupId='G' GraphId='g' Style='Complex'/>
    """)

  private static func shape(_ id: String, _ size: Int, _ component: String, _ type: String) -> String {
    "<Shape GraphId='\(id)'><Attribute Key='org.pathvisio.CellularComponentProperty' Value='\(component)'/>"
      + "<Graphics CenterX='100' CenterY='100' Width='\(size)' Height='\(size)' ShapeType='\(type)'/></Shape>"
  }

  fileprivate static let compartments = map(
    node("a", "A", "Metabolite", 100, 100), node("b", "B", "Metabolite", 160, 100),
    node("c", "C", "Metabolite", 300, 100),
    "<Label TextLabel='text' GraphId='t'><Graphics CenterX='1' CenterY='1' Width='5' Height='5'/></Label>",
    shape("inner", 40, "Nucleus", "Oval"), shape("outer", 160, "Cell", "RoundedRectangle"),
    "<Shape GraphId='s'><Graphics CenterX='1' CenterY='1' Width='5' Height='5' ShapeType='Brace'/></Shape>",
    "<GraphicalLine><Graphics><Point X='1' Y='1'/><Point X='5' Y='5'/></Graphics></GraphicalLine>")

  fileprivate static let newer = """
    <Pathway xmlns="http://pathvisio.org/GPML/2021" title="new" organism="Mus musculus"><DataNodes>
    <DataNode elementId="a" textLabel="A" type="Metabolite"><Xref identifier="17855" dataSource="chebi"/>
    <States><State elementId="s" textLabel="ac"><Graphics relX="1.0" relY="1.0" width="4" height="4"/></State></States>
    <Graphics centerX="1" centerY="1" width="2" height="2"/></DataNode>
    <DataNode elementId="b" textLabel="B" type="Metabolite"><Graphics centerX="9" centerY="9" width="2" height="2"/></DataNode>
    </DataNodes><Interactions><Interaction elementId="i"><Waypoints>
    <Point elementId="p" arrowHead="Undirected" x="1" y="1" elementRef="a"/>
    <Point elementId="q" arrowHead="Conversion" x="9" y="9" elementRef="b"/><Anchor elementId="h" position="0.4"/></Waypoints>
    </Interaction><Interaction elementId="j"><Waypoints><Point elementId="r" x="1" y="1" elementRef="a"/>
    <Point elementId="t" arrowHead="Catalysis" x="4" y="4" elementRef="h"/></Waypoints></Interaction></Interactions></Pathway>
    """

  fileprivate static let odd = map(
    node("a", "A", "Protein", 1, 1, "GroupRef='nowhere'"), "<Group GroupId='g' GraphId='gg' GroupRef='h'/>",
    "<Group GroupId='h' GraphId='hh' GroupRef='g'/>",
    "<State GraphRef='zz' TextLabel='P'><Graphics RelX='1' RelY='1'/></State>",
    "<Interaction GraphId='i'><Graphics><Point X='1' Y='1' GraphRef='a'/></Graphics></Interaction>")
}
