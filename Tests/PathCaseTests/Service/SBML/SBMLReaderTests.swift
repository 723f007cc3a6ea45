import PluginAPI
import Testing

@testable import PathCase

@Suite struct SBMLReaderTests {
  @Test(
    .enabled(if: SBMLTruth.folder != nil, "the shared data are absent"),
    arguments: [
      "annotation.xml", "e_coli_core.xml", "example_notes.xml", "fbc_ex1.xml", "fbc_ex2.xml", "iJO1366.xml.gz",
      "mini_cobra.xml", "mini_fbc1.xml", "mini_fbc2.xml", "textbook.xml.gz",
    ])
  func `real models have the known counts`(_ name: String) throws {
    let bytes = try #require(SBMLTruth.bytes("sbml/" + name))
    let truth = try #require(SBMLTruth.truth(name))
    let document = try SBMLReader.model(bytes)
    let model = document.model
    func count(_ key: String) -> Int? { truth[key] as? Int }
    #expect(document.level == count("level"))
    #expect(document.version == count("version"))
    #expect(model.id.text == truth["model"] as? String)
    #expect(model.species.count == count("species"))
    #expect(model.reactions.count == count("reactions"))
    #expect(model.compartments.map(\.id.text) == truth["compartment_ids"] as? [String])
    #expect(model.parameters.count == count("parameters"))
    #expect(model.species.count { $0.isBoundary } == count("boundary_species"))
    #expect(model.reactions.count { $0.isReversible } == count("reversible"))
    #expect(document.fluxPackage == count("fbc_version"))
    if let objectives = count("objectives") { #expect(model.objectives.count == objectives) }
    if let groups = count("groups") { #expect(model.groups.count == groups) }
    let genes = (truth["cobra"] as? [String: Any])?["genes"] as? Int
    #expect(model.genes.count == genes)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `invalid SBML files are refused with rule and position`() throws {
    let expected: [(String, String, Int?)] = [
      ("bad/51-sbml-dup-species.xml", "pathcase.id-001", 10301),
      ("bad/52-sbml-no-model.xml", "pathcase.str-001", 20201),
      ("bad/53-sbml-missing-compartment.xml", "pathcase.ref-001", 20601),
      ("bad/54-sbml-level9.xml", "pathcase.str-002", 20101),
    ]
    for (path, code, rule) in expected {
      let bytes = try #require(SBMLTruth.bytes(path))
      let error = #expect(throws: SBMLError.self) { try SBMLReader.model(bytes) }
      guard case .broken(let problem) = error else {
        Issue.record("\(path): \(String(describing: error))")
        continue
      }
      #expect(problem.code == code)
      #expect(problem.rule == rule)
      #expect(error?.report.exitStatus == 5)
      if path != "bad/52-sbml-no-model.xml" { #expect(problem.line == 2) }
    }
  }

  @Test func `a bound that is not a number is refused in older SBML`() {
    let text = """
      <sbml xmlns="http://www.sbml.org/sbml/level2/version4" level="2" version="4"><model id="m">
      <listOfReactions><reaction id="r"><kineticLaw><listOfParameters>
      <parameter id="LOWER_BOUND" value="NaN"/></listOfParameters></kineticLaw></reaction></listOfReactions></model></sbml>
      """
    let error = #expect(throws: SBMLError.self) { try SBMLReader.model(Array(text.utf8)) }
    #expect(error?.report.code == "pathcase.typ-001" && error?.report.details["line"] == 3)
  }

  @Test func `unsupported content is reported, and the name of a flux is not a rate law`() throws {
    func leftOut(_ law: String, _ more: String = "") throws -> Set<String> {
      let text = """
        <sbml xmlns="http://www.sbml.org/sbml/level2/version4" level="2" version="4"><model id="m">
        <listOfReactions><reaction id="r"><kineticLaw><math xmlns="http://www.w3.org/1998/Math/MathML">\(law)</math>
        </kineticLaw></reaction></listOfReactions>\(more)</model></sbml>
        """
      return try SBMLReader.model(Array(text.utf8)).leftOut
    }
    #expect(try leftOut("<ci> FLUX_VALUE </ci>") == [])
    #expect(try leftOut("<apply><times/><cn>2</cn><ci>k</ci></apply>") == ["rate laws"])
    #expect(try leftOut("<ci>v</ci>", "<listOfEvents><event/></listOfEvents>") == ["events"])
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `genes keep their names and labels`() throws {
    let genes = try SBMLReader.model(try #require(SBMLTruth.bytes("sbml/textbook.xml.gz"))).model.genes
    #expect(genes.first == ModelGene(id: "G_b1241", name: "adhE", label: "b1241"))
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `a required but unknown package causes a warning`() throws {
    let bytes = try #require(SBMLTruth.bytes("bad/55-sbml-required-package.xml"))
    let warning = try #require(try SBMLReader.model(bytes).warnings.first)
    #expect(warning.code == "pathcase.str-004")
    #expect(warning.text.contains("'comp'"))
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `malformed files of any kind are not read as models`() throws {
    for number in ["01-empty.xml", "02-not-xml.html", "03-truncated.xml", "07-xxe-file.xml", "09-billion-laughs.xml"] {
      let bytes = try #require(SBMLTruth.bytes("bad/" + number))
      #expect(throws: SBMLError.self) { try SBMLReader.model(bytes) }
    }
  }

  @Test func `bounds refer to parameters, which formulas can set`() throws {
    let model = try read(
      """
      <listOfParameters><parameter id="low" value="-5" constant="true"/><parameter id="high" constant="false"/>
      <parameter id="two" value="2" constant="true"/></listOfParameters>
      <listOfInitialAssignments><initialAssignment symbol="high"><math xmlns="http://www.w3.org/1998/Math/MathML">
      <apply><plus/><ci> two </ci><cn type="e-notation">1<sep/>1</cn><apply><power/><cn>2</cn><cn>3</cn></apply></apply>
      </math></initialAssignment></listOfInitialAssignments>
      <listOfReactions><reaction id="r" reversible="true" fbc:lowerFluxBound="low" fbc:upperFluxBound="high"/>
      </listOfReactions>
      """
    ).model
    #expect(model.reactions[0].lowerBound == -5)
    #expect(model.reactions[0].upperBound == 20)
    #expect(model.parameters[1].value == 20)
  }

  @Test func `formulas call the functions of the model`() throws {
    let math = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">"
    let text = """
      <listOfFunctionDefinitions><functionDefinition id="f">\(math)<lambda><bvar><ci> x </ci></bvar><bvar><ci>y</ci></bvar>
      <apply><minus/><ci>x</ci><ci>y</ci></apply></lambda></math></functionDefinition></listOfFunctionDefinitions>
      <listOfParameters><parameter id="two" value="2" constant="true"/><parameter id="up" constant="false"/>
      </listOfParameters><listOfInitialAssignments><initialAssignment symbol="up">\(math)<apply><times/><cn>3</cn>
      <apply><ci>f</ci><cn>7</cn><ci>two</ci></apply></apply></math></initialAssignment></listOfInitialAssignments>
      """
    #expect(try read(text).model.parameters[1].value == 15)
    #expect(refusal(text + "<listOfSpecies><species id='f'/></listOfSpecies>")?.rule == 10301)
  }

  @Test func `formulas that depend on each other are refused`() throws {
    let math = "<math xmlns=\"http://www.w3.org/1998/Math/MathML\">"
    let body = """
      <listOfParameters><parameter id="a" constant="true"/><parameter id="b" constant="true"/></listOfParameters>
      <listOfInitialAssignments><initialAssignment symbol="a">\(math)<ci>b</ci></math></initialAssignment>
      <initialAssignment symbol="b">\(math)<ci>a</ci></math></initialAssignment></listOfInitialAssignments>
      <listOfReactions><reaction id="r" fbc:lowerFluxBound="a" fbc:upperFluxBound="a"/></listOfReactions>
      """
    #expect(throws: SBMLError.self) { try read(body) }
    #expect(refusal(body)?.code == "pathcase.sem-006")
  }

  @Test func `a reaction with a missing species is refused`() {
    let body = """
      <listOfReactions><reaction id="r" reversible="true">
      <listOfReactants><speciesReference species="zz" stoichiometry="1"/></listOfReactants></reaction></listOfReactions>
      """
    let problem = refusal(body)
    #expect(problem?.code == "pathcase.ref-001")
    #expect(problem?.rule == 21111)
    #expect(problem?.line == 4)
    #expect(problem?.id == "r")
  }

  @Test(arguments: ["2,5", "0x10", "1e400", "nan", "NaN", "", "INF"])
  func `malformed amounts are refused`(_ amount: String) {
    let body = """
      <listOfCompartments><compartment id="c"/></listOfCompartments>
      <listOfSpecies><species id="s" compartment="c"/></listOfSpecies>
      <listOfReactions><reaction id="r" reversible="true"><listOfReactants>
      <speciesReference species="s" stoichiometry="\(amount)"/></listOfReactants></reaction></listOfReactions>
      """
    #expect(refusal(body)?.code == "pathcase.typ-001")
  }

  @Test func `gene rules keep their nesting, also if genes are listed later`() throws {
    let model = try read(
      """
      <listOfReactions><reaction id="r" reversible="true"><fbc:geneProductAssociation><fbc:or>
      <fbc:geneProductRef fbc:geneProduct="g2"/><fbc:and><fbc:geneProductRef fbc:geneProduct="g1"/>
      <fbc:geneProductRef fbc:geneProduct="g2"/></fbc:and></fbc:or></fbc:geneProductAssociation></reaction>
      </listOfReactions>
      <fbc:listOfGeneProducts><fbc:geneProduct fbc:id="g1" fbc:label="one"/><fbc:geneProduct fbc:id="g2"/>
      </fbc:listOfGeneProducts>
      """
    ).model
    #expect(model.reactions[0].geneRule == .any([.gene(1), .all([.gene(0), .gene(1)])]))
    #expect(model.genes[0].name == "one")
  }

  @Test func `hundreds of nested operations are evaluated`() throws {
    let depth = 400
    let inner =
      String(repeating: "<apply><minus/>", count: depth) + "<cn>3</cn>" + String(repeating: "</apply>", count: depth)
    let model = try read(
      """
      <listOfParameters><parameter id="a" constant="true"/></listOfParameters>
      <listOfInitialAssignments><initialAssignment symbol="a"><math xmlns="http://www.w3.org/1998/Math/MathML">
      \(inner)</math></initialAssignment></listOfInitialAssignments>
      """
    ).model
    #expect(model.parameters[0].value == 3)
  }

  @Test func `a species on both sides counts once`() throws {
    let model = try read(
      """
      <listOfCompartments><compartment id="c"/></listOfCompartments>
      <listOfSpecies><species id="s" compartment="c"/></listOfSpecies>
      <listOfReactions><reaction id="r" reversible="false"><listOfReactants>
      <speciesReference species="s" stoichiometry="1"/></listOfReactants><listOfProducts>
      <speciesReference species="s" stoichiometry="3"/></listOfProducts></reaction></listOfReactions>
      """
    ).model
    #expect(model.reactions[0].stoichiometry == [SpeciesAmount(species: 0, amount: 2)])
    #expect(model.reactions[0].lowerBound == 0)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `layouts have their glyphs`() throws {
    let files = SBMLTruth.archive("sbml/layout-pass.tar.gz")
    #expect(files.count >= 40)
    for (name, bytes) in files where name.hasSuffix(".xml") {
      let document = try SBMLReader.model(bytes)
      #expect(document.model.layouts.contains { !$0.glyphs.isEmpty || $0.size != nil }, "\(name)")
    }
  }

  @Test func `bounds, gene rules and formulas are read from their places in level 2`() throws {
    let text = """
      <sbml xmlns="http://www.sbml.org/sbml/level2" level="2" version="1"><model id="m">
      <listOfCompartments><compartment id="c"/></listOfCompartments>
      <listOfSpecies><species id="s" compartment="c" charge="-2"><notes><p xmlns="http://www.w3.org/1999/xhtml">FORMULA:
       C6H12O6</p></notes></species></listOfSpecies>
      <listOfReactions><reaction id="r" reversible="false"><notes><html xmlns="http://www.w3.org/1999/xhtml">
      <p>GENE_ASSOCIATION: (b1 and b2) or b3</p><p>SUBSYSTEM: Glycolysis</p></html></notes>
      <listOfReactants><speciesReference species="s"/></listOfReactants>
      <kineticLaw><math xmlns="http://www.w3.org/1998/Math/MathML"><ci>FLUX_VALUE</ci></math><listOfParameters>
      <parameter id="LOWER_BOUND" value="-1"/><parameter id="UPPER_BOUND" value="7"/>
      <parameter id="OBJECTIVE_COEFFICIENT" value="1"/></listOfParameters></kineticLaw></reaction></listOfReactions>
      </model></sbml>
      """
    let document = try SBMLReader.model(Array(text.utf8))
    let model = document.model
    #expect(document.level == 2)
    #expect(model.species[0].formula == "C6H12O6")
    #expect(model.species[0].charge == -2)
    #expect(model.reactions[0].lowerBound == -1)
    #expect(model.reactions[0].upperBound == 7)
    #expect(model.reactions[0].geneRule == .any([.all([.gene(0), .gene(1)]), .gene(2)]))
    #expect(model.genes.map(\.id.text) == ["b1", "b2", "b3"])
    #expect(model.reactions[0].subsystem == "Glycolysis")
    #expect(model.objectives == [FluxObjective(id: "obj", terms: [.init(reaction: 0, weight: 1)])])
    #expect(model.activeObjective == 0)
  }

  private func refusal(_ body: String) -> SBMLProblem? {
    do {
      _ = try read(body)
      return nil
    } catch SBMLError.broken(let problem) {
      return problem
    } catch {
      return nil
    }
  }

  private func read(_ body: String) throws -> SBMLDocument {
    try SBMLReader.model(
      Array(
        """
        <?xml version="1.0" encoding="UTF-8"?>
        <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core" level="3" version="1" \
        xmlns:fbc="http://www.sbml.org/sbml/level3/version1/fbc/version2" fbc:required="false"><model id="m">
        \(body)</model></sbml>
        """.utf8))
  }
}
