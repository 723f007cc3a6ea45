import Foundation
import PluginAPI
import Testing

@testable import PathCase

/// The survival of SBO terms, notes and subsystems in SBML and COBRA JSON, or the warnings about their loss.
@Suite struct ModelMetadataTests {
  /// Returns the text that `export` writes for a model, and its warnings.
  private func exported(
    _ document: SBMLDocument, _ format: String
  ) throws -> (text: String, warnings: [String]) {
    let network = OpenedNetwork.file("m", .model(document))
    let written = try NetworkExport.Format.written(network, as: format)
    return (String(decoding: written.bytes, as: UTF8.self), written.warnings.map(\.message))
  }

  private func sbml(_ text: String) throws -> SBMLDocument { try SBMLReader.model(Array(text.utf8)) }

  @Test func `terms and notes of all parts are exported to SBML unchanged`() throws {
    let text = try exported(try sbml(Self.noted), "sbml").text
    for tag in [
      "<compartment sboTerm=\"SBO:0000290\"", "<species sboTerm=\"SBO:0000247\"", "<parameter sboTerm=\"SBO:0000626\"",
      "<reaction sboTerm=\"SBO:0000176\"", "fbc:geneProduct sboTerm=\"SBO:0000243\"",
      "groups:group sboTerm=\"SBO:0000633\"",
    ] { #expect(text.contains(tag), "\(tag)") }
    #expect(text.contains("<p>Confidence: 4</p>") && text.contains("<p>A &amp; B <i>see</i> text</p>"))
    #expect(text.contains("<p>About the model</p>"))
    let again = try exported(try sbml(text), "sbml").text
    #expect(again == text)
  }

  @Test func `COBRA JSON has ids without prefixes, terms, notes and subsystems`() throws {
    let (text, warnings) = try exported(try sbml(Self.noted), "cobra")
    let root = try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    let reactions = try #require(root["reactions"] as? [[String: Any]])
    #expect(reactions.map { $0["id"] as? String } == ["PGK", "x-y"])
    #expect(reactions[0]["gene_reaction_rule"] as? String == "b1.2")
    #expect((reactions[0]["metabolites"] as? [String: Double]) == ["a_c": -1, "M_b": 1])
    #expect(reactions[0]["subsystem"] as? String == "Glycolysis")
    #expect((reactions[0]["annotation"] as? [String: Any])?["sbo"] as? String == "SBO:0000176")
    #expect((reactions[0]["notes"] as? [String: Any])?["Confidence"] as? String == "4")
    let species = try #require(root["metabolites"] as? [[String: Any]])
    // Without its prefix the second would have the id of the third.
    #expect(species.map { $0["id"] as? String } == ["a_c", "M_b", "b"])
    #expect((species[0]["annotation"] as? [String: Any])?["sbo"] as? String == "SBO:0000247")
    #expect((root["genes"] as? [[String: Any]])?.first?["id"] as? String == "b1.2")
    // The group is in the subsystems; the parts that cannot be written are named.
    #expect(!warnings.contains { $0.contains("for groups (") })
    #expect(warnings.contains { $0.contains("notes that are not 'key: value'") })
  }

  @Test func `SBML from COBRA JSON has the usual prefixes, groups of subsystems, terms and notes`() throws {
    let json = #"""
      {"metabolites":[{"id":"a-b_c","compartment":"c","annotation":{"sbo":"SBO:0000247","kegg.compound":["C1","C2"]}}],
      "reactions":[{"id":"PGK","metabolites":{"a-b_c":-1},"lower_bound":0,"upper_bound":1,"subsystem":"Glycolysis",
      "gene_reaction_rule":"b1.2","notes":{"Confidence":"4","ids":["x","y"]},"annotation":{"sbo":["SBO:0000176"]}},
      {"id":"PFK","metabolites":{},"lower_bound":0,"upper_bound":1,"subsystem":"Glycolysis"}],
      "genes":[{"id":"b1.2","name":"","notes":{"ids":["y","z"]}}],"id":"m","compartments":{"c":""}}
      """#
    let document = try COBRAReader.document(Array(json.utf8))
    let (text, _) = try exported(document, "sbml")
    for tag in [
      "id=\"M_a__45__b_c\"", "id=\"R_PGK\"", "fbc:id=\"G_b1_SBML_DOT_2\"", "sboTerm=\"SBO:0000176\"",
      "sboTerm=\"SBO:0000247\"", "<p>Confidence: 4</p>", "groups:name=\"Glycolysis\"", "groups:idRef=\"R_PFK\"",
    ] { #expect(text.contains(tag), "\(tag)") }
    // The groups hold the subsystems; notes that no file had are not added.
    #expect(!text.contains("SUBSYSTEM"))
    let copy = try COBRAReader.model(Array(try exported(try sbml(text), "cobra").text.utf8))
    #expect(copy.species == document.model.species && copy.reactions == document.model.reactions)
    #expect(copy.genes == document.model.genes)
    // A model from COBRA JSON is written back unchanged.
    let same = try COBRAReader.model(Array(try exported(document, "cobra").text.utf8))
    #expect(same == document.model)
  }

  @Test(.enabled(if: SBMLTruth.folder != nil, "the shared data are absent"))
  func `a real model keeps its SBO terms, except for amounts and gene rules, which are reported`() throws {
    // The counts of the files, without those of 'sbml', 'speciesReference', 'fbc:and' and 'fbc:or'.
    for (name, count) in [("sbml/e_coli_core.xml", 112), ("sbml/iJO1366.xml.gz", 2629)] {
      let document = try SBMLReader.model(try #require(SBMLTruth.bytes(name)))
      let (text, warnings) = try exported(document, "sbml")
      #expect(text.components(separatedBy: "sboTerm=").count - 1 == count, "\(name)")
      #expect(warnings.contains { $0.contains("SBO terms of the document, amounts and gene rules") })
    }
  }

  @Test func `notes nested extremely deep are an error, not a crash`() {
    let deep = String(repeating: "<p>", count: 100_000) + String(repeating: "</p>", count: 100_000)
    let text = Self.noted.replacing("<p>About the model</p>", with: deep)
    #expect(throws: SBMLError.self) { try sbml(text) }
  }

  private static let noted = """
    <sbml xmlns="http://www.sbml.org/sbml/level3/version1/core"
     xmlns:fbc="http://www.sbml.org/sbml/level3/version1/fbc/version2" fbc:required="false"
     xmlns:groups="http://www.sbml.org/sbml/level3/version1/groups/version1" groups:required="false"
     level="3" version="1"><model id="m" fbc:strict="true">
    <notes><body xmlns="http://www.w3.org/1999/xhtml"><p>About the model</p></body></notes>
    <listOfCompartments><compartment id="c" constant="true" sboTerm="SBO:0000290"/></listOfCompartments>
    <listOfSpecies>
    <species id="M_a_c" sboTerm="SBO:0000247" compartment="c" hasOnlySubstanceUnits="false" boundaryCondition="false"
     constant="false"/>
    <species id="M_b" compartment="c" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>
    <species id="b" compartment="c" hasOnlySubstanceUnits="false" boundaryCondition="false" constant="false"/>
    </listOfSpecies>
    <listOfParameters><parameter id="u" value="10" constant="true" sboTerm="SBO:0000626"/></listOfParameters>
    <listOfReactions>
    <reaction id="R_PGK" sboTerm="SBO:0000176" reversible="false" fast="false" fbc:lowerFluxBound="u"
     fbc:upperFluxBound="u">
    <notes><html xmlns="http://www.w3.org/1999/xhtml"><p>Confidence: 4</p><p>A &amp; B <i>see</i> text</p></html></notes>
    <listOfReactants><speciesReference species="M_a_c" stoichiometry="1" constant="true"/></listOfReactants>
    <listOfProducts><speciesReference species="M_b" stoichiometry="1" constant="true"/></listOfProducts>
    <fbc:geneProductAssociation><fbc:geneProductRef fbc:geneProduct="G_b1_SBML_DOT_2"/></fbc:geneProductAssociation>
    </reaction>
    <reaction id="R_x__45__y" reversible="false" fast="false" fbc:lowerFluxBound="u" fbc:upperFluxBound="u"/>
    </listOfReactions>
    <fbc:listOfGeneProducts><fbc:geneProduct fbc:id="G_b1_SBML_DOT_2" fbc:label="b1.2" sboTerm="SBO:0000243"/>
    </fbc:listOfGeneProducts>
    <groups:listOfGroups><groups:group groups:id="g1" groups:name="Glycolysis" groups:kind="partonomy"
     sboTerm="SBO:0000633"><groups:listOfMembers><groups:member groups:idRef="R_PGK"/></groups:listOfMembers>
    </groups:group></groups:listOfGroups>
    </model></sbml>
    """
}
