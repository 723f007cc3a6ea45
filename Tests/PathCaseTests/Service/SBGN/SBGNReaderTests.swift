import Foundation
import PluginAPI
import Testing

@testable import PathCase

struct SBGNReaderTests {
  @Test(arguments: MapTruth.files("sbgn", ending: [".sbgn"]).filter { !$0.contains("AF_") })
  func `real maps have the known counts`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    let truth = try MapTruth.truth(of: file)
    #expect(document.format == .sbgn)
    #expect(document.version == truth["ns"] as? String)
    #expect(document.warnings.isEmpty)
    #expect(MapTruth.nonZero(document.counts) == MapTruth.nonZero(MapTruth.counts(truth)))
    let arcs = ([document.graph] + document.submaps).map(\.edges.count).reduce(0, +)
    #expect(arcs == truth["arc"] as? Int)
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `an activity flow map is refused by its name`() throws {
    let bytes = try #require(MapTruth.bytes("sbgn/AF_Reference_Card.sbgn"))
    #expect(throws: MapError.language(seen: "an SBGN activity flow map", read: "a process description map")) {
      try MapReader.read(bytes)
    }
  }

  @Test func `an entity relationship map is refused by its name, in either version`() {
    for attribute in ["language='entity relationship'", "version='http://x/sbgn.er.level-1.version-2'"] {
      #expect(throws: MapError.language(seen: "an SBGN entity relationship map", read: "a process description map")) {
        try SBGNReader.read(Array("<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map \(attribute)/></sbgn>".utf8))
      }
    }
  }

  private static func map(_ text: String) -> [UInt8] {
    Array(
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map id='m' language='process description'>\(text)</map></sbgn>".utf8)
  }

  private static func glyph(_ id: String, _ kind: String, _ inner: String = "", _ more: String = "") -> String {
    "<glyph id='\(id)' class='\(kind)' \(more)><label text='\(id.uppercased())'/><bbox x='10' y='20' w='40' h='60'/>\(inner)</glyph>"
  }

  @Test func `nested glyphs become parts, and glyphs on their border decorations`() throws {
    let state =
      "<glyph id='s' class='state variable'><state value='P' variable='S1'/><bbox x='0' y='0' w='2' h='2'/></glyph>"
    let part = Self.glyph("p", "macromolecule", state)
    let graph = try SBGNReader.read(
      Self.map(Self.glyph("c", "complex", part + Self.glyph("q", "simple chemical", "<clone/>")))
    )
    .graph
    #expect(graph.nodes.map(\.id) == ["c", "p", "q"])
    #expect(graph.nodes.map(\.parent) == [nil, 0, 0])
    #expect(graph.nodes.map(\.kind) == [.macromolecule, .macromolecule, .pool])
    #expect(graph.nodes.map(\.isClone) == [false, false, true])
    #expect(graph.nodes.map(\.entity) == [nil, nil, "Q"])
    #expect(graph.nodes[1].decorations.map(\.text) == ["P@S1"])
    #expect(graph.nodes[0].frame == GraphFrame(x: 30, y: 50, width: 40, height: 60))
    #expect(graph.nodes[0].label == "C")
  }

  @Test func `arcs end at ports and glyphs, and have bends and cardinalities`() throws {
    let arc = """
      <arc id='x' class='consumption' source='a' target='r.1'><glyph id='n' class='cardinality'><label text='2'/>
      <bbox x='0' y='0' w='2' h='2'/></glyph><start x='1' y='2'/><next x='3' y='4'/><end x='5' y='6'><point x='7' y='8'/></end></arc>
      <arc id='y' class='inhibition' source='a' target='r'><start x='1' y='2'/><end x='5' y='6'/></arc>
      """
    let port = "<port id='r.1' x='1' y='1'/>"
    let graph = try SBGNReader.read(
      Self.map(Self.glyph("a", "simple chemical") + Self.glyph("r", "process", port) + arc)
    ).graph
    #expect(graph.edges.map(\.kind) == [.flow, .inhibition])
    #expect(graph.edges.map(\.targetPort) == ["r.1", nil])
    #expect(graph.edges.map(\.target) == [1, 1])
    #expect(graph.edges[0].stoichiometry == 2)
    #expect(graph.edges[0].bends == [FrozenPath.Point(x: 3, y: 4)])
    #expect(graph.edges[0].curves == [GraphCurve(), GraphCurve(first: FrozenPath.Point(x: 7, y: 8))])
    #expect(graph.edges[1].curves.isEmpty && graph.edges[1].end == FrozenPath.Point(x: 5, y: 6))
  }

  @Test func `nested compartments may be in any order in the file`() throws {
    let text =
      Self.glyph("inner", "compartment", "", "compartmentRef='outer'") + Self.glyph("outer", "compartment")
      + Self.glyph("a", "simple chemical", "", "compartmentRef='inner'")
    let graph = try SBGNReader.read(Self.map(text)).graph
    #expect(graph.compartments.map(\.id) == ["outer", "inner"])
    #expect(graph.compartments.map(\.parent) == [nil, 0])
    #expect(graph.nodes.map(\.compartment) == [1])
  }

  @Test func `dangling references of arcs and glyphs and cyclic compartments are refused`() {
    func error(_ text: String) -> ErrorReport? {
      #expect(throws: ErrorReport.self) { try SBGNReader.read(Self.map(text)) }
    }
    // The position of the element follows the message.
    func expect(_ text: String, _ expected: ErrorReport) {
      let error = error(text)
      #expect(error?.code == expected.code && error?.message.hasPrefix(expected.message) == true)
    }
    let arc = "<arc id='x' class='production' source='a' target='zz'><start x='1' y='2'/><end x='5' y='6'/></arc>"
    expect(Self.glyph("a", "process") + arc, MapError.dangling(from: "the production 'x'", to: "the glyph 'zz'"))
    expect(
      Self.glyph("a", "process", "", "compartmentRef='c'"),
      MapError.dangling(from: "the glyph 'a'", to: "the compartment 'c'"))
    let ring =
      Self.glyph("c", "compartment", "", "compartmentRef='d'")
      + Self.glyph("d", "compartment", "", "compartmentRef='c'")
    expect(ring, MapError.ring(["c", "d", "c"]))
    expect(Self.glyph("a", "process") + Self.glyph("a", "process"), MapError.duplicate(id: "a", what: "the glyph"))
    expect("<glyph class='process'/>", MapError.missingID(what: "the glyph"))
    #expect(
      error("<glyph id='a' class='process'><bbox x='1' y='2' w='inf' h='1'/></glyph>")?.code
        == "pathcase.typ-001")
  }

  @Test func `maps referenced by submaps are read too`() throws {
    let text = """
      <sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map id='m1' language='process description'>
      <glyph id='s' class='submap' mapRef='m2'><bbox x='1' y='1' w='1' h='1'/></glyph></map>
      <map id='m2' language='process description'><glyph id='t' class='process'><bbox x='1' y='1' w='1' h='1'/></glyph></map></sbgn>
      """
    let document = try SBGNReader.read(Array(text.utf8))
    #expect(document.graph.nodes.map(\.subject) == ["m2"])
    #expect(document.graph.nodes.map(\.kind) == [.pathway])
    #expect(document.submaps.map(\.id) == ["m2"] && document.submaps[0].nodes.map(\.id) == ["t"])
    #expect(document.counts["map"] == 2 && document.counts["glyph"] == 2)
  }
}
