import Foundation
import PluginAPI
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

/// Odd networks that must still be read, drawn and analyzed.
struct OddNetworkTests {
  private static func database(_ change: (inout DatabaseRecords) -> Void) throws -> MetabolicDatabase {
    var records = MawSamples.small
    records.activations = []
    change(&records)
    return try DatabaseLinker.link(records)
  }

  private static func drawing(_ graph: ReactionGraph) -> TextDrawing {
    TextDrawing(graph, LayeredLayout.layout(graph))
  }

  // MARK: Ids

  private static let alike = ["glc", "GLC", "caf\u{E9}", "cafe\u{301}"]

  @Test func `ids that only look alike are distinct in every format`() throws {
    let glyphs = Self.alike.map { "<glyph id='\($0)' class='simple chemical'><bbox x='1' y='1' w='2' h='2'/></glyph>" }
    let map =
      "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map language='process description'>\(glyphs.joined())</map></sbgn>"
    #expect(try MapReader.read(Array(map.utf8)).graph.nodes.count == 4)
    let metabolites = Self.alike.map { "{\"id\":\"\($0)\"}" }.joined(separator: ",")
    let cobra = "{\"id\":\"m\",\"metabolites\":[\(metabolites)],\"reactions\":[],\"genes\":[]}"
    #expect(try COBRAReader.model(Array(cobra.utf8)).species.count == 4)
    let species = Self.alike.map { "<species id=\"\($0)\" compartment=\"c\"/>" }.joined()
    let model = OwnDocuments.sbml(
      "<model id=\"m\"><listOfCompartments><compartment id=\"c\" constant=\"true\"/></listOfCompartments>"
        + "<listOfSpecies>\(species)</listOfSpecies></model>")
    #expect(try SBMLReader.model(model).model.species.count == 4)
    let pools = Self.alike.map { "{\"id\":\"\($0)\",\"kind\":\"internal\"}" }.joined(separator: ",")
    let network = try ScenarioNetworkReader.read(Array("{\"name\":\"n\",\"pools\":[\(pools)],\"processes\":[]}".utf8))
    let rows = try ObservationReader.read(Array("pool,label\nGLC,U\ncafe\u{301},A\n".utf8))
    #expect(try network.observing(rows).pools.map { $0.observed?.letters } == [nil, "U", nil, "A"])
  }

  // MARK: Processes

  @Test func `a process without participants is drawn alone and left out of the analysis`() throws {
    let database = try Self.database { $0.processes[0].participants = [] }
    let graph = database.graph(ofPathway: 0)
    let place = try #require(graph.nodes.firstIndex { $0.id == "r" })
    #expect(!graph.edges.contains { $0.source == place || $0.target == place })
    #expect(Self.drawing(graph).text.contains("A to B"))
    #expect(database.scenarioNetwork(ofPathways: [0]).processes.map(\.id) == ["t-a"])
  }

  @Test func `a process with equal sides is drawn, left out of scenarios, and changes no species`() throws {
    let database = try Self.database { records in
      records.processes[0].participants = [
        Participant(pool: "a-c", role: .substrate), Participant(pool: "a-c", role: .product),
      ]
    }
    let graph = database.graph(ofPathway: 0)
    let place = try #require(graph.nodes.firstIndex { $0.id == "r" })
    #expect(graph.edges.count { $0.source == place || $0.target == place } == 2)
    let layout = LayeredLayout.layout(graph)
    #expect(TextDrawing(graph, layout).text.contains("A to B") && !layout.routes.isEmpty)
    #expect(!database.scenarioNetwork(ofPathways: [0]).processes.contains { $0.id == "r" })
    let model = OwnDocuments.sbml(
      """
      <model id="m"><listOfCompartments><compartment id="c" constant="true"/></listOfCompartments><listOfSpecies>
      <species id="s" compartment="c"/></listOfSpecies><listOfReactions><reaction id="r" reversible="true">
      <listOfReactants><speciesReference species="s" stoichiometry="2"/></listOfReactants><listOfProducts>
      <speciesReference species="s" stoichiometry="2"/></listOfProducts></reaction></listOfReactions></model>
      """)
    let problem = FluxProblem(try SBMLReader.model(model).model)
    #expect(problem.amounts.isEmpty && problem.imbalance(of: [5]) == 0)
  }

  @Test func `a pool in two roles of one side counts once in scenarios and with its sum in fluxes`() throws {
    let database = try Self.database { records in
      records.processes[0].participants = [
        Participant(pool: "a-c", role: .substrate, stoichiometry: 2), Participant(pool: "a-c", role: .cofactorIn),
        Participant(pool: "a-m", role: .product),
      ]
    }
    let network = database.scenarioNetwork(ofPathways: [0])
    #expect(network.processes[0].inputs.count == 1 && network.processes[0].outputs.count == 1)
    let model = OwnDocuments.sbml(
      """
      <model id="m"><listOfCompartments><compartment id="c" constant="true"/></listOfCompartments><listOfSpecies>
      <species id="s" compartment="c"/></listOfSpecies><listOfReactions><reaction id="r" reversible="true">
      <listOfReactants><speciesReference species="s" stoichiometry="2"/><speciesReference species="s" stoichiometry="1"/>
      </listOfReactants></reaction></listOfReactions></model>
      """)
    #expect(FluxProblem(try SBMLReader.model(model).model).amounts == [-3])
  }

  // MARK: Pathways and pictures

  @Test func `cyclic links between pathways end every traversal`() throws {
    let database = try Self.database { records in
      records.pathways = ["x", "y", "z"].enumerated().map { place, id in
        MetabolicPathway(
          id: Identifier(id), name: id, processes: ["t-a"],
          links: [PathwayLink(pathway: Identifier(["y", "z", "x"][place])), PathwayLink(pathway: Identifier(id))])
      }
      records.layouts = []
    }
    #expect(database.links.linkedPathways[0].map { $0 } == [1, 0] && database.neighbors(ofPathway: 0) == [1, 2])
    for pathway in 0..<3 {
      let graph = database.graph(ofPathway: pathway)
      #expect(!Self.drawing(graph).text.isEmpty && graph.nodes.count { $0.kind == .process } == 1)
    }
    #expect(database.scenarioNetwork(ofPathways: [0, 1, 2]).processes.count == 1)
  }

  @Test func `a pathway of one node is drawn`() throws {
    let database = try Self.database { $0.processes[1].participants = [] }
    let graph = database.graph(ofPathway: 1)
    #expect(graph.nodes.count == 1)
    let drawing = Self.drawing(graph)
    #expect(drawing.boxes.count == 1 && drawing.text.contains("A into"))
  }

  @Test func `a stored layout without some nodes keeps the positions of the others`() throws {
    let places = ["t-a": (10.0, 20.0), "a-c": (300.0, -40.0)]
    let database = try Self.database { records in
      records.layouts[0].nodes = places.map { FrozenNode(ref: Identifier($0.key), x: $0.value.0, y: $0.value.1) }
      records.layouts[0].paths = []
    }
    #expect(database.warnings.map(\.code) == [.layoutLacksNodes])
    let graph = database.graph(ofPathway: 1)
    let layout = LayeredLayout.layout(graph)
    #expect(layout.places.count == graph.nodes.count && graph.nodes.count == 3)
    let one = try #require(layout.places.first { graph.nodes[$0.node].id == "t-a" }).frame
    let other = try #require(layout.places.first { graph.nodes[$0.node].id == "a-c" }).frame
    #expect(other.x - one.x == 290 && other.y - one.y == -60)
  }

  @Test(arguments: [1e9, -1e9, 1e300, -4]) func `distant positions need no large drawing`(_ far: Double) throws {
    let database = try Self.database { records in
      records.layouts[0].nodes = [
        FrozenNode(ref: "t-a", x: far, y: -far), FrozenNode(ref: "a-c", x: 0, y: 0),
        FrozenNode(ref: "a-m", x: 1, y: far),
      ]
      records.layouts[0].paths = []
    }
    let drawing = Self.drawing(database.graph(ofPathway: 1))
    #expect(drawing.boxes.count == 3 && drawing.width * drawing.height < 1 << 20)
  }

  @Test func `a molecule of two thousand processes is common, and hidden by default`() throws {
    let reactions = (0..<2000).map { number in
      """
      <reaction id="r\(number)" reversible="false"><listOfReactants><speciesReference species="hub" stoichiometry="1"/>
      </listOfReactants><listOfProducts><speciesReference species="s\(number)" stoichiometry="1"/></listOfProducts></reaction>
      """
    }
    let species = (0..<2000).map { "<species id=\"s\($0)\" compartment=\"c\"/>" }
    let model = try SBMLReader.model(
      OwnDocuments.sbml(
        """
        <model id="m"><listOfCompartments><compartment id="c" constant="true"/></listOfCompartments><listOfSpecies>
        <species id="hub" compartment="c"/>\(species.joined())</listOfSpecies><listOfReactions>\(reactions.joined())
        </listOfReactions></model>
        """)
    ).model
    let graph = model.graph
    #expect(graph.nodes.filter(\.isCommon).map(\.id) == ["hub"])
    var options = LayoutOptions()
    options.common = .hidden
    #expect(LayeredLayout.layout(graph, options: options).places.count == 4000)
  }

  // MARK: Messages

  @Test func `messages about very long ids are short`() throws {
    let id = String(repeating: "x", count: 100_000) + String(repeating: "\u{301}", count: 100_000)
    let errors: [any ReportableError] = [
      MapError.duplicate(id: id, what: "the glyph"),
      MapError.dangling(from: id, to: id).placed(line: 1, column: 2).short,
      COBRAError.duplicate(Identifier(id)), SBMLError.broken(SBMLProblem(error: FileErrors.duplicateID, text: id)),
      SBMLWriteError.unusableID(Identifier(id)), PathwayError.unknownNode(id, known: []),
      LinkingError.unusable(issues: [RecordIssue(code: .danglingReference, message: id)], total: 1),
      ContractError.otherType(document: "d", found: id, expected: nil),
    ]
    for error in errors { #expect(error.report.message.utf8.count < 4000, "\(error.report.code)") }
    #expect("short".asMessage == "short" && id.asMessage.unicodeScalars.count == 701)
  }

  /// Returns the error of a command on a file with a text.
  private static func report(_ command: String, _ text: [UInt8], _ more: Record = Record()) async throws -> ErrorReport?
  {
    let plugin = try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
    let folder = try PathCaseFolder()
    let file = folder.url.appendingPathComponent("network.json")
    try Data(text).write(to: file)
    var arguments: Record = ["network": .text(file.path)]
    for field in more.fields {
      let path = folder.url.appendingPathComponent(field.name).path
      try Data((field.value.text ?? "").utf8).write(to: URL(fileURLWithPath: path))
      arguments[field.name] = .text(path)
    }
    return await plugin.report(command, arguments)
  }

  private static func fluxModel(_ bounds: (String, String), objective: String = "r") -> [UInt8] {
    Array(
      """
      <?xml version="1.0"?><sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" xmlns:fbc="http://www.sbml.org/sbml/level3/version1/fbc/version2" level="3" version="1" fbc:required="false">
      <model id="m" fbc:strict="false"><listOfParameters><parameter id="lo" value="\(bounds.0)" constant="true"/>
      <parameter id="up" value="\(bounds.1)" constant="true"/></listOfParameters><listOfReactions>
      <reaction id="r" reversible="true" fbc:lowerFluxBound="lo" fbc:upperFluxBound="up"/></listOfReactions>
      <fbc:listOfObjectives fbc:activeObjective="o"><fbc:objective fbc:id="o" fbc:type="maximize"><fbc:listOfFluxObjectives>
      <fbc:fluxObjective fbc:reaction="\(objective)" fbc:coefficient="1"/></fbc:listOfFluxObjectives></fbc:objective>
      </fbc:listOfObjectives></model></sbml>
      """.utf8)
  }

  @Test(arguments: ["fba", "pfba", "fva"])
  func `flux analyses without an optimum end with their status and exit code 5`(_ command: String) async throws {
    for (bounds, status) in [(("2", "1"), "infeasible"), (("0", "INF"), "unbounded"), (("INF", "INF"), "infeasible")] {
      let report = try #require(
        try await Self.report(command, Self.fluxModel(bounds)), "\(command) of \(bounds) has an answer")
      #expect(report.code == "pathcase.no-optimum" && report.exitStatus == 5, "\(command) \(bounds): \(report)")
      #expect(report.message.contains(status), "\(command) \(bounds): \(report)")
    }
    #expect(try await Self.report(command, Self.fluxModel(("0", "1"))) == nil)
    #expect(try await Self.report(command, Self.fluxModel(("0", "NaN")))?.exitStatus == 5)
  }

  @Test(arguments: [
    ("pool,label\nnobody,A\n", "'nobody'"), ("pool,label\nglc,A\nglc,U\n", "glc"),
    ("pool,value,unavailable_below,accumulated_above\nglc,1,5,2\n", "glc"), ("pool,label\nglc,X\n", "'X'"),
    ("pool,value\nglc,2;5\n", "'2;5'"),
  ])
  func `an unusable observation is reported with its row`(_ table: String, _ word: String) async throws {
    let network = Array(
      """
      {"name":"n","pools":[{"id":"glc","kind":"boundary"},{"id":"pyr","kind":"internal"}],
      "processes":[{"id":"p","reversible":false,"in":["glc"],"out":["pyr"]}]}
      """.utf8)
    let report = try #require(try await Self.report("smda", network, ["observations": .text(table)]))
    #expect(report.exitStatus == 5 && report.code.hasPrefix("pathcase."), "\(report)")
    #expect(report.message.contains("line ") || report.message.contains("row "), "\(report)")
    #expect(report.message.contains(word), "\(report)")
  }
}
