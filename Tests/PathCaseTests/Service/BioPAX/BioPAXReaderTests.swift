import Foundation
import PluginAPI
import Testing

@testable import PathCase

struct BioPAXReaderTests {
  @Test(arguments: MapTruth.files("biopax", ending: [".owl", ".gz"]))
  func `real pathways have the known counts`(file: String) throws {
    let document = try MapReader.read(try #require(MapTruth.bytes(file)))
    #expect(document.format == .biopax)
    let truth = try MapTruth.truth(of: file)
    #expect(document.counts == MapTruth.counts(truth))
    #expect(document.warnings.isEmpty)
    #expect(document.graph.nodes.contains { $0.kind == .process })
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `the first steps of glycolysis match the standard's example`() throws {
    let document = try MapReader.read(try #require(MapTruth.bytes("biopax/biopax3-short-metabolic-pathway.owl")))
    let graph = document.graph
    #expect(document.title == "Glycolysis Pathway" && document.organism == "Escherichia coli")
    let process = try #require(graph.nodes.firstIndex { $0.id.text.hasSuffix("#glucokinase") })
    let inputs = graph.edges.filter { $0.target == process && $0.kind == .flow }.map { graph.nodes[$0.source].label }
    #expect(inputs.sorted() == ["Adenosine 5'-triphosphate", "beta-D-glucose"])
    let enzymes = graph.edges.filter { $0.target == process && $0.kind == .catalysis }.map {
      graph.nodes[$0.source].label
    }
    #expect(enzymes == ["glucokinase"])
    #expect(graph.compartments.map(\.name) == ["cytoplasm"])
    #expect(graph.edges.filter { $0.kind == .flow }.allSatisfy { $0.isReversible })
  }

  private static func file(_ text: String, level: Int = 3, base: String = "") -> [UInt8] {
    Array(
      """
      <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" \(base)
      xmlns:bp="http://www.biopax.org/release/biopax-level\(level).owl#">\(text)</rdf:RDF>
      """.utf8)
  }

  private static func edges(_ text: String, base: String = "") throws -> [String] {
    let graph = try BioPAXReader.read(file(text, base: base)).graph
    return graph.edges.map {
      "\(graph.nodes[$0.source].label) \($0.kind) \(graph.nodes[$0.target].label) \($0.stoichiometry)"
    }
  }

  private static let molecules = """
    <bp:SmallMolecule rdf:ID="a"><bp:displayName>A</bp:displayName></bp:SmallMolecule>
    <bp:SmallMolecule rdf:about="#b"><bp:standardName>B</bp:standardName></bp:SmallMolecule>
    """

  @Test func `objects are found by ID, about and resource, and when nested`() throws {
    let text =
      Self.molecules
        + """
        <bp:Conversion rdf:about="http://x#r"><bp:displayName>R</bp:displayName><bp:left rdf:resource="#a"/>
        <bp:left><bp:Protein rdf:ID="p"><bp:name>P</bp:name></bp:Protein></bp:left><bp:right rdf:resource="http://x#b"/>
        <bp:participantStoichiometry><bp:Stoichiometry><bp:physicalEntity rdf:resource="#b"/>
        <bp:stoichiometricCoefficient>2.0</bp:stoichiometricCoefficient></bp:Stoichiometry></bp:participantStoichiometry>
        </bp:Conversion>
        """
    let edges = try Self.edges(text, base: "xml:base='http://x#'")
    #expect(edges == ["A flow R 1.0", "P flow R 1.0", "R flow B 2.0"])
  }

  @Test func `conversions run backward if stated, and a step's direction has precedence`() throws {
    func text(_ direction: String, _ step: String) -> String {
      Self.molecules
        + """
        <bp:BiochemicalReaction rdf:ID="r"><bp:displayName>R</bp:displayName><bp:left rdf:resource="#a"/>
        <bp:right rdf:resource="#b"/><bp:conversionDirection>\(direction)</bp:conversionDirection></bp:BiochemicalReaction>
        <bp:BiochemicalPathwayStep rdf:ID="s"><bp:stepConversion rdf:resource="#r"/>
        <bp:stepDirection>\(step)</bp:stepDirection></bp:BiochemicalPathwayStep>
        """
    }
    #expect(try Self.edges(text("RIGHT-TO-LEFT", "")) == ["R flow A 1.0", "B flow R 1.0"])
    #expect(try Self.edges(text("REVERSIBLE", "RIGHT-TO-LEFT")) == ["R flow A 1.0", "B flow R 1.0"])
    #expect(try Self.edges(text("RIGHT-TO-LEFT", "LEFT-TO-RIGHT")) == ["A flow R 1.0", "R flow B 1.0"])
    let graph = try BioPAXReader.read(Self.file(text("REVERSIBLE", ""))).graph
    #expect(graph.edges.map(\.isReversible) == [true, true])
  }

  @Test func `directions are read with hyphens and underscores, and unknown ones are reported`() throws {
    func text(_ conversion: String, _ step: String) -> String {
      Self.molecules
        + """
        <bp:BiochemicalReaction rdf:ID="r"><bp:displayName>R</bp:displayName><bp:left rdf:resource="#a"/>
        <bp:right rdf:resource="#b"/><bp:conversionDirection>\(conversion)</bp:conversionDirection></bp:BiochemicalReaction>
        <bp:BiochemicalPathwayStep rdf:ID="s"><bp:stepConversion rdf:resource="#r"/>
        <bp:stepDirection>\(step)</bp:stepDirection></bp:BiochemicalPathwayStep>
        """
    }
    #expect(try Self.edges(text("LEFT_TO_RIGHT", "RIGHT_TO_LEFT")) == ["R flow A 1.0", "B flow R 1.0"])
    #expect(try Self.edges(text("RIGHT_TO_LEFT", "")) == ["R flow A 1.0", "B flow R 1.0"])
    #expect(try Self.edges(text("RIGHT_TO_LEFT", "LEFT_TO_RIGHT")) == ["A flow R 1.0", "R flow B 1.0"])
    let odd = try BioPAXReader.read(Self.file(text("SIDEWAYS", "")))
    #expect(odd.graph.edges.count == 2 && odd.warnings.map(\.code) == ["pathcase.typ-003"])
    #expect(odd.warnings.first?.message.contains("'SIDEWAYS'") == true)
  }

  @Test func `a conversion that two steps run in opposite directions is reversible`() throws {
    let steps = ["LEFT_TO_RIGHT", "RIGHT_TO_LEFT"].enumerated().map { number, direction in
      """
      <bp:BiochemicalPathwayStep rdf:ID="s\(number)"><bp:stepConversion rdf:resource="#r"/>
      <bp:stepDirection>\(direction)</bp:stepDirection></bp:BiochemicalPathwayStep>
      """
    }
    let reaction = """
      <bp:BiochemicalReaction rdf:ID="r"><bp:displayName>R</bp:displayName><bp:left rdf:resource="#a"/>
      <bp:right rdf:resource="#b"/></bp:BiochemicalReaction>
      """
    let graph = try BioPAXReader.read(Self.file(Self.molecules + reaction + steps.joined())).graph
    #expect(graph.edges.map(\.isReversible) == [true, true])
  }

  @Test func `HTML entities in names are decoded, and other ampersands stay`() throws {
    let names = [
      "A &amp;rarr; B": "A → B", "&amp;alpha;-D": "α-D", "&amp;#946;&amp;#x3b2;": "ββ", "R&amp;D; &amp;x": "R&D; &x",
      "&amp;#xFFFFFFFFF;&amp;#0;": "&#xFFFFFFFFF;&#0;", "a &amp;amp;lt; b": "a &lt; b",
      "&amp;#+946;&amp;#x+3b2;&amp;#;": "&#+946;&#x+3b2;&#;",
    ]
    for (text, name) in names {
      let file = Self.file("<bp:BiochemicalReaction rdf:ID='r'><bp:name>\(text)</bp:name></bp:BiochemicalReaction>")
      #expect(try BioPAXReader.read(file).graph.nodes.map(\.label) == [name])
    }
  }

  @Test(.enabled(if: FoundFiles.has("Glycolysis_I_HumanCyc.owl.gz"), "the shared data are absent"))
  func `glycolysis leads from glucose 6-phosphate to pyruvate and not back`() throws {
    let graph = try MapReader.read(try #require(FoundFiles.bytes("Glycolysis_I_HumanCyc.owl.gz"))).graph
    let walk = GraphWalk(graph)
    let (start, end) = (walk.nodes("beta-D-glucose 6-phosphate"), walk.nodes("pyruvate"))
    #expect(!start.isEmpty && !end.isEmpty)
    let path = try #require(walk.path(from: start, to: end))
    #expect(path.count { graph.nodes[$0].kind == .process } >= 8)
    #expect(walk.path(from: end, to: start) == nil)
    #expect(!graph.nodes.contains { $0.label.contains("arr;") })
  }

  @Test func `a modulation of a catalysis acts on the process, and cyclic controls end`() throws {
    let text =
      Self.molecules
        + """
        <bp:BiochemicalReaction rdf:ID="r"><bp:displayName>R</bp:displayName></bp:BiochemicalReaction>
        <bp:Catalysis rdf:ID="c"><bp:controller rdf:resource="#a"/><bp:controlled rdf:resource="#r"/></bp:Catalysis>
        <bp:Modulation rdf:ID="m"><bp:controller rdf:resource="#b"/><bp:controlled rdf:resource="#c"/>
        <bp:controlType>INHIBITION-ALLOSTERIC</bp:controlType></bp:Modulation>
        <bp:Control rdf:ID="x"><bp:controlled rdf:resource="#y"/><bp:controller rdf:resource="#a"/></bp:Control>
        <bp:Control rdf:ID="y"><bp:controlled rdf:resource="#x"/><bp:controller rdf:resource="#a"/></bp:Control>
        """
    #expect(try Self.edges(text) == ["A catalysis R 1.0", "B inhibition R 1.0"])
    #expect(
      try BioPAXReader.read(Self.file(text)).warnings.map(\.code) == [
        "pathcase.map-simplified", "pathcase.map-simplified",
      ])
  }

  @Test func `an undescribed participant is kept with its address, and processes may take part in each other`() throws {
    let text = """
      <bp:Interaction rdf:ID="i"><bp:displayName>I</bp:displayName><bp:participant rdf:resource="#r"/></bp:Interaction>
      <bp:BiochemicalReaction rdf:ID="r"><bp:displayName>R</bp:displayName><bp:left rdf:resource="http://y/thing"/>
      </bp:BiochemicalReaction>
      """
    #expect(try Self.edges(text) == ["R association I 1.0", "thing flow R 1.0"])
    let document = try BioPAXReader.read(Self.file(text))
    #expect(
      document.warnings.map(\.code) == ["pathcase.ref-002"] && document.warnings[0].message.contains("http://y/thing"))
  }

  @Test func `an object without an address is reported with its position`() {
    let process = "\n<bp:BiochemicalReaction rdf:about=''/>"
    let error = #expect(throws: ErrorReport.self) { try BioPAXReader.read(Self.file(process)) }
    #expect(error == MapError.missingID(what: "the process").placed(line: 3, column: 37))
    let entity =
      "<bp:BiochemicalReaction rdf:ID='r'><bp:left>\n\n<bp:Protein rdf:about=''/></bp:left></bp:BiochemicalReaction>"
    let inner = #expect(throws: ErrorReport.self) { try BioPAXReader.read(Self.file(entity)) }
    #expect(inner == MapError.missingID(what: "the entity").placed(line: 4, column: 25))
  }

  @Test func `older BioPAX levels and other RDF are refused by name`() {
    let text = "<bp:pathway rdf:ID='p'/>"
    #expect(throws: MapError.version(.biopax, seen: "level 2", read: "level 3; Paxtools converts older files")) {
      try MapReader.read(Self.file(text, level: 2))
    }
    #expect(throws: MapError.version(.biopax, seen: "level 1", read: "level 3; Paxtools converts older files")) {
      try MapReader.read(Self.file(text, level: 1))
    }
    #expect(mapErrorCode { _ = try BioPAXReader.read(Array("<RDF/>".utf8)) } == "pathcase.str-001")
    let entity = "<!DOCTYPE rdf:RDF [<!ENTITY xsd 'http://www.w3.org/2001/XMLSchema#'>]>"
    #expect(mapErrorCode { _ = try BioPAXReader.read(Array(entity.utf8) + Self.file(text)) } == "pathcase.xml-002")
  }
}
