import Foundation
import PluginAPI
import PluginCompression
import PluginTesting
import TestSupport
import Testing

@testable import PathCase

struct NetworkCommandTests {
  private func plugin() async throws -> TestPlugin {
    try await TestPlugin(PathCasePlugin(), resources: Checkout.root.path + "/Plugins/PathCase/Resources")
  }

  /// Calls a function with a temporary folder.
  private func inFolder(_ body: (String) async throws -> Void) async throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("networks-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try await body(folder.path)
  }

  private func report(_ error: (any Error)?) -> ErrorReport? { (error as? any ReportableError)?.report }

  @Test(arguments: ["sbml", "sbgn", "escher", "kgml", "json", "dot", "svg", "cobra"])
  func `a pathway is exported in every format, and read back from each readable one`(_ format: String) async throws {
    let plugin = try await plugin()
    let database = try BundledDatabase.linked.get()
    let pathway = try #require(database.index.pathways["w-urea"])
    let text = try #require(
      try await plugin.run("export", ["network": "w-urea", "format": .text(format)]).value.text)
    let bytes = Array(text.utf8)
    let members = database.members(ofPathway: pathway)
    switch format {
    case "json", "dot", "svg": #expect(bytes.count > 1000)
    case "sbml", "cobra":
      let content = try NetworkFile.content(of: bytes, name: "it")
      guard case .model(let document) = content else {
        Issue.record("it is no model")
        return
      }
      #expect(document.model.species.count == members.pools.count)
      #expect(document.model.reactions.count == members.processes.count)
      #expect(document.model.compartments.count == members.compartments.count)
      #expect(document.model.species.contains { $0.formula != nil && $0.charge != nil && !$0.references.isEmpty })
      if format == "sbml" {
        #expect(try SBMLValidator.problems(bytes).map(\.description) == [])
        #expect(document.model.groups.count == 2 && document.model.layouts.count == 1)
        let glyphs = document.model.layouts[0].glyphs
        #expect(glyphs.count { $0.kind == .reaction } == members.processes.count)
        #expect(glyphs.contains { $0.role == "sidesubstrate" && $0.segments.count > 0 })
      }
    default:
      let document = try MapReader.read(bytes)
      #expect(document.graph.nodes.count { $0.kind == .process } >= members.processes.count)
      #expect(document.graph.isPlaced)
    }
  }

  @Test func `a network exported as JSON is read back with as many pools and processes`() async throws {
    let plugin = try await plugin()
    let found = ["iCS291.xml.gz", "Glycolysis_I_HumanCyc.owl.gz", "insulin-like_growth_factor_signaling.sbgn"]
    let files = found.filter(FoundFiles.has).compactMap { file in
      SharedData.folder.map { $0.path + "/found/pathcase/" + file }
    }
    try await inFolder { folder in
      let output = Value.text(folder + "/network.json")
      for network in ["w-urea", "w-tca", "w-cori"] + files {
        let first = try await plugin.run("info", ["network": .text(network)]).value
        _ = try await plugin.run("export", ["network": .text(network), "format": "json", "output": output])
        let again = try await plugin.run("info", ["network": output]).value
        #expect(again["species"] == first["species"] && again["reactions"] == first["reactions"], "\(network)")
        #expect(again["pools"] == again["species"] && again["processes"] == again["reactions"], "\(network)")
        let imported = try await plugin.run("import", ["file": .list([output]), "id": "again", "replace": true]).value
        #expect(imported.table?.row(0)["species"] == first["species"], "\(network)")
      }
    }
  }

  @Test func `every bundled pathway is exported as valid SBML`() throws {
    let database = try BundledDatabase.linked.get()
    for pathway in database.pathways.indices {
      let written = try NetworkExport.Format.written(.pathway(pathway, database), as: "sbml")
      #expect(try SBMLValidator.problems(written.bytes).map(\.description) == [], "\(database.pathways[pathway].id)")
      let (model, _) = database.model(ofPathway: pathway).withPlainIdentifiers()
      var again = try SBMLReader.model(written.bytes).model
      again.layouts = []
      again.parameters = []
      #expect(again == model, "\(database.pathways[pathway].id)")
    }
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `files of all formats are described, drawn and exported as SBML and DOT`() async throws {
    let plugin = try await plugin()
    let folder = try #require(MapTruth.folder).path
    for file in [
      "sbml/textbook.xml.gz", "sbml/JSON_with_inf_bounds.json", "escher/RECON1.Glycolysis_TCA_PPP.json",
      "sbgn/glycolysis.sbgn", "gpml/WP78.gpml", "biopax/biopax3-short-metabolic-pathway.owl",
      "smda/t07_glycolysis_gng.json",
    ] {
      let path = Value.text("\(folder)/\(file)")
      _ = try await plugin.run("info", ["network": path])
      _ = try await plugin.run("show", ["network": path, "zoom": "names"])
      let svg = try await plugin.run("draw", ["network": path]).value.text
      #expect(svg?.hasSuffix("</svg>\n") == true, "\(file)")
      let sbml = try await plugin.run("export", ["network": path, "format": "sbml"]).value.text
      #expect(try SBMLValidator.problems(Array((sbml ?? "").utf8)).map(\.description) == [], "\(file)")
      _ = try await plugin.run("export", ["network": path, "format": "dot"])
    }
    let cobra = try await plugin.run("fba", ["network": .text("\(folder)/sbml/JSON_with_inf_bounds.json")]).value
    #expect(cobra["status"].text != nil)
    let overlay = Value.text("\(folder)/escher/flux_iJO1366_anaerobic.json")
    let error = await #expect(throws: (any Error).self) { try await plugin.run("info", ["network": overlay]) }
    #expect(report(error)?.code == "pathcase.no-network")
  }

  @Test func `an imported network is found by its id and stored once`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      let file = folder + "/model.sbml"
      _ = try await plugin.run("export", ["network": "w-urea", "format": "sbml", "output": .text(file)])
      let first = try #require(
        try await plugin.run("import", ["file": .list([.text(file)]), "id": "taken-in"]).value.table?.row(0))
      #expect(first["id"] == "taken-in" && first["isNew"] == true && (first["reactions"]?.integer ?? 0) > 5)
      let second = try #require(
        try await plugin.run("import", ["file": .list([.text(file)]), "id": "taken-in"]).value.table?.row(0))
      #expect(second["isNew"] == false)
      try FileManager.default.removeItem(atPath: file)
      #expect(try await plugin.run("info", ["network": "taken-in"]).value["species"] == first["species"])
      let list = try #require(try await plugin.run("list", ["filter": "taken-in"]).value.table)
      #expect(list.row(0)["id"] == "taken-in" && list.row(0)["processes"] == first["reactions"])
      let other = folder + "/other.sbml"
      _ = try await plugin.run("export", ["network": "w-tca", "format": "sbml", "output": .text(other)])
      let taken = await #expect(throws: (any Error).self) {
        try await plugin.run("import", ["file": .list([.text(other)]), "id": "taken-in"])
      }
      #expect(report(taken)?.code == "pathcase.import-taken")
      _ = try await plugin.run("import", ["file": .list([.text(other)]), "id": "taken-in", "replace": true])
      #expect(try await plugin.run("info", ["network": "taken-in"]).value["name"] == "Citrate cycle (TCA cycle)")
      let imports = try #require(try await plugin.run("imports").value.table)
      #expect(imports.rowCount == 1 && imports.row(0)["id"] == "taken-in" && imports.row(0)["file"] == "other.sbml")
      _ = try await plugin.run("forget", ["id": .list(["taken-in"])])
      #expect(try await plugin.run("imports").value.table?.rowCount == 0)
      let gone = await #expect(throws: (any Error).self) { try await plugin.run("info", ["network": "taken-in"]) }
      #expect(report(gone)?.kind == .notFound)
    }
  }

  @Test func `importing several files imports the readable ones and reports each of the others`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      for (id, name) in [("w-urea", "a"), ("w-tca", "c")] {
        let output = Value.text("\(folder)/\(name).sbml")
        _ = try await plugin.run("export", ["network": .text(id), "format": "sbml", "output": output])
      }
      try Data("{".utf8).write(to: URL(fileURLWithPath: folder + "/b.json"))
      let files = ["a.sbml", "b.json", "no.xml", "c.sbml"].map { Value.text("\(folder)/\($0)") }
      let error = await #expect(throws: (any Error).self) { try await plugin.run("import", ["file": .list(files)]) }
      #expect(report(error)?.code == "pathcase.import-not-all" && report(error)?.exitStatus == 5)
      #expect(report(error)?.message == "could not import 2 of 4 files")
      let list = try #require(try await plugin.run("list").value.table)
      let ids = (0..<list.rowCount).compactMap { list.row($0)["id"]?.text }
      #expect(ids.contains("w_urea") && ids.contains("w_tca"))
      // A single one is reported without a summary.
      let alone = await #expect(throws: (any Error).self) {
        try await plugin.run("import", ["file": .list([files[2]])])
      }
      #expect(report(alone)?.code == "pathcase.no-file")
    }
  }

  @Test(.enabled(if: MapTruth.folder != nil, "the shared data are absent"))
  func `an imported network has as many species and reactions as 'info' states`() async throws {
    let plugin = try await plugin()
    let folder = try #require(MapTruth.folder).path
    for file in ["sbml/mini_fbc2.xml", "gpml/WP78.gpml", "sbgn/glycolysis.sbgn", "smda/t07_glycolysis_gng.json"] {
      let path = Value.text("\(folder)/\(file)")
      let told = try await plugin.run("info", ["network": path]).value
      let kept = try #require(
        try await plugin.run("import", ["file": .list([path]), "id": .text("a\(file.utf8.count)")]).value.table?.row(0))
      #expect(kept["species"] == told["species"] && kept["reactions"] == told["reactions"], "\(file)")
    }
  }

  /// Networks without a name, in formats that have one, or with only an id in the file.
  static let nameless = [
    "sbgn": "<sbgn xmlns='http://sbgn.org/libsbgn/0.3'><map id='map1' language='process description'/></sbgn>",
    "gpml": "<Pathway xmlns='http://pathvisio.org/GPML/2013a'><Graphics BoardWidth='9' BoardHeight='9'/></Pathway>",
    "kgml": "<pathway name='path:ko00010' org='ko' number='00010'/>",
    "sbml": """
    <sbml xmlns='http://www.sbml.org/sbml/level3/version1/core' level='3' version='1'><model id='m7'/></sbml>
    """,
    "owl": """
    <rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'
      xmlns:bp='http://www.biopax.org/release/biopax-level3.owl#'><bp:Pathway rdf:ID='Pathway50'/></rdf:RDF>
    """,
  ]

  @Test(arguments: nameless.keys.sorted())
  func `a network without a name is named after its file, without folders and extensions`(_ ending: String) async throws
  {
    let plugin = try await plugin()
    try await inFolder { folder in
      let path = "\(folder)/insulin.v2.\(ending)"
      try Data((Self.nameless[ending] ?? "").utf8).write(to: URL(fileURLWithPath: path))
      let network: Record = ["network": .text(path)]
      #expect(try await plugin.run("info", network).value["name"] == "insulin.v2")
      let opened = OpenedNetwork.file(path, try NetworkFile.read(path))
      let shown = ShownNetwork(word: path, opened: opened, graph: try opened.graph())
      #expect(shown.title == "insulin.v2")
      #expect(PathwayPicture.picture(shown.graph).title == "insulin.v2")
      let dot = try await plugin.run("export", ["network": .text(path), "format": "dot"]).value.text
      #expect(dot?.hasPrefix("digraph \"insulin.v2\"") == true)
      let row = try #require(try await plugin.run("import", ["file": .list([.text(path)])]).value.table?.row(0))
      #expect(row["name"] == "insulin.v2")
      let ids = ["kgml": "path-ko00010", "sbml": "m7"]
      #expect(row["id"]?.text == ids[ending] ?? "insulin-v2")
    }
  }

  @Test func `the stem of a file name excludes folders, extension and gz`() {
    let stems = ["/a.b/c.v2.xml.gz": "c.v2", "c.gz": "c", "c": "c", ".xml": ".xml", "": ""]
    for (path, stem) in stems { #expect(NetworkFile.stem(of: path) == stem) }
  }

  @Test func `ids that look like options or paths are refused, ambiguous prefixes of pathways are not`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      let file = Value.text(folder + "/a.sbml")
      _ = try await plugin.run("export", ["network": "w-urea", "format": "sbml", "output": file])
      for id in ["-x", "a.b", "a/b", "a\u{1B}[1m"] {
        let error = await #expect(throws: (any Error).self) {
          try await plugin.run("import", ["file": .list([file]), "id": .text(id)])
        }
        #expect(report(error)?.code == "pathcase.import-id", "\(id)")
      }
      _ = try await plugin.run("import", ["file": .list([file]), "id": "g"])
      #expect(try await plugin.run("info", ["network": "g"]).value["format"] == "SBML level 3 version 1")
    }
  }

  @Test func `a check lists all violations of a format's rules before the command fails`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      let good = Value.text(folder + "/a.sbml")
      _ = try await plugin.run("export", ["network": "w-urea", "format": "sbml", "output": good])
      #expect(try await plugin.run("validate", ["file": good]).value.table?.rowCount == 0)
      let text = """
        <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1"><model id="m">
        <listOfCompartments/>
        <listOfParameters><parameter id="1" constant="true"/><parameter id="b" constant="maybe"/></listOfParameters>
        </model></sbml>
        """
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/b.xml"))
      let bytes = try NetworkFile.bytes(folder + "/b.xml")
      let found = try #require(try NetworkCheck.findings(bytes))
      #expect(found.map(\.problem.rule) == [20203, 1016, 10310, nil])
      #expect(found.map(\.problem.line) == [2, 3, 3, 3] && found.allSatisfy(\.isFault))
      let error = await #expect(throws: (any Error).self) {
        try await plugin.run("validate", ["file": .text(folder + "/b.xml")])
      }
      #expect(report(error)?.code == "pathcase.faults" && report(error)?.exitStatus == 5)
      try Data("<Pathway xmlns='http://pathvisio.org/GPML/2013a'><State GraphRef='x'/></Pathway>".utf8).write(
        to: URL(fileURLWithPath: folder + "/c.gpml"))
      let odd = try #require(try await plugin.run("validate", ["file": .text(folder + "/c.gpml")]).value.table)
      #expect(odd.rowCount == 1 && odd.row(0)["severity"] == "warning" && odd.row(0)["code"] == "pathcase.ref-002")
    }
  }

  @Test func `a model with a layout in its file is shown with that layout`() async throws {
    let database = try BundledDatabase.linked.get()
    // Only a few are used, because layouts take time.
    for id: Identifier in ["w-urea", "w-cori"] {
      let pathway = try #require(database.index.pathways[id])
      let first = try NetworkExport.Format.written(.pathway(pathway, database), as: "sbml")
      guard case .model(let document) = try NetworkFile.content(of: first.bytes, name: "it") else {
        Issue.record("\(id) is no model")
        continue
      }
      let opened = OpenedNetwork.file("it", .model(document))
      let graph = try opened.graph()
      let plain = document.model.graph
      #expect(graph.isPlaced && graph.canvas != nil, "\(id)")
      #expect(Set(graph.nodes.map(\.subject)) == Set(plain.nodes.map(\.subject)), "\(id)")
      // The number of kinds of lines between things is the same; a thing drawn several times counts once.
      func lines(_ graph: ReactionGraph) -> Set<String> {
        Set(
          graph.edges.map {
            "\(graph.nodes[$0.source].subject) \($0.kind) \(graph.nodes[$0.target].subject) \($0.stoichiometry)"
          })
      }
      #expect(lines(graph) == lines(plain), "\(id)")
      // Drawn again, it has the same positions.
      let again = ModelLayout(graph, of: document.model)
      let boxes = document.model.layouts[0].glyphs.filter { $0.kind == .species || $0.kind == .reaction }
      let same = again.glyphs.filter { $0.kind == .species || $0.kind == .reaction }
      #expect(Set(boxes.map(\.corner)) == Set(same.map(\.corner)), "\(id)")
    }
  }

  @Test func `data that SBML cannot hold is reported when a model or map is exported`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      let law = #"<math xmlns="http://www.w3.org/1998/Math/MathML"><apply><times/><cn>2</cn><ci>a</ci></apply></math>"#
      let model = """
        <sbml xmlns="http://www.sbml.org/sbml/level2/version4" level="2" version="4"><model id="m"><listOfCompartments>
        <compartment id="c"/></listOfCompartments><listOfSpecies><species id="a" compartment="c" initialAmount="1"/>
        </listOfSpecies><listOfReactions><reaction id="r"><listOfReactants><speciesReference species="a"/>
        </listOfReactants><kineticLaw>\(law)</kineticLaw></reaction></listOfReactions></model></sbml>
        """
      let map = """
        <Pathway xmlns="http://pathvisio.org/GPML/2013a" Name="m"><DataNode TextLabel="A" GraphId="a" Type="Metabolite">
        <Graphics CenterX="1" CenterY="1" Width="9" Height="9"/></DataNode><DataNode TextLabel="B" GraphId="b" Type="Protein">
        <Graphics CenterX="50" CenterY="1" Width="9" Height="9"/></DataNode><Interaction><Graphics><Point X="1" Y="1"
        GraphRef="a"/><Point X="50" Y="1" GraphRef="b" ArrowHead="mim-binding"/></Graphics></Interaction></Pathway>
        """
      for (name, text, expected) in [
        ("m.xml", model, "the file has data that is not read and is left out: initial amounts, rate laws"),
        ("m.gpml", map, "left out a line of the map that does not end at a process or has no known effect on it"),
      ] {
        try Data(text.utf8).write(to: URL(fileURLWithPath: "\(folder)/\(name)"))
        for format in ["sbml", "cobra"] {
          let network = Value.text("\(folder)/\(name)")
          let told = try await plugin.run("export", ["network": network, "format": .text(format)]).diagnostics
          #expect(told.map(\.message).contains(expected), "\(name) \(format): \(told.map(\.message))")
        }
      }
    }
  }

  @Test(arguments: [
    ("cut.xml", "<sbml><model><listOf", "pathcase.str-002", "the element <sbml> does not state its level"),
    ("old.xml", #"<sbml xmlns="http://x" level="1"/>"#, "pathcase.str-002", "level '1' of 'http://x' is not supported"),
    ("net.json", #"{"nodes": ["#, "pathcase.xml-001", "the JSON ends at byte 11"),
  ])
  func `an error about a file's format names the file`(
    name: String, content: String, code: String, reason: String
  ) async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      let path = folder + "/" + name
      try content.write(toFile: path, atomically: true, encoding: .utf8)
      let report = try #require(await plugin.report("info", ["network": .text(path)]))
      #expect(report.code == code && report.details["file"] == .text(path))
      #expect(report.message.hasPrefix("'\(path)': ") && report.message.contains(reason))
    }
  }

  @Test func `a check of a truncated compressed file names the file and advises once`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      let path = folder + "/cut.xml.gz"
      try Data(Gzip.compress(Array("<sbml/>".utf8)).dropLast(9)).write(to: URL(fileURLWithPath: path))
      let report = try #require(await plugin.report("validate", ["file": .text(path)]))
      #expect(report.code == "pathcase.xml-007")
      #expect(report.description == "'\(path)': the compressed data is truncated; fetch the file again")
    }
  }

  @Test func `pictures are written in the format of the file's extension`() async throws {
    let plugin = try await plugin()
    try await inFolder { folder in
      for (name, start) in [("a.svg", "<?xml"), ("a.pdf", "%PDF"), ("a.png", "\u{89}PNG")] {
        let made = try await plugin.run("draw", ["network": "w-tca", "output": .text("\(folder)/\(name)")]).value
        let data = try Data(contentsOf: URL(fileURLWithPath: "\(folder)/\(name)"))
        #expect(made["bytes"] == .integer(data.count))
        #expect(data.prefix(4).elementsEqual(start.unicodeScalars.prefix(4).map { UInt8($0.value) }), "\(name)")
      }
      let ending = await #expect(throws: (any Error).self) {
        try await plugin.run("draw", ["network": "w-tca", "output": .text("\(folder)/a.bmp")])
      }
      #expect(report(ending)?.code == "pathcase.unknown-ending")
      let missing = await #expect(throws: (any Error).self) {
        try await plugin.run("draw", ["network": "w-tca", "output": .text("\(folder)/no/a.svg")])
      }
      #expect(report(missing)?.code == "pathcase.not-writable" && report(missing)?.kind == .notFound)
    }
  }
}
