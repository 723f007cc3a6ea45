import PluginAPI
import Testing

@testable import Host

/// Ids of public namespaces, and the columns that hold them.
struct ReferenceTests {
  @Test(arguments: [
    ("uniprot:P69905", "uniprot:P69905"), ("UniProt:p69905", "uniprot:P69905"), ("P69905", "uniprot:P69905"),
    ("A0A024R161", "uniprot:A0A024R161"), ("https://identifiers.org/uniprot/P77580", "uniprot:P77580"),
    ("http://identifiers.org/chebi/CHEBI:57604", "chebi:57604"), ("identifiers.org/CHEBI:57604", "chebi:57604"),
    ("urn:miriam:chebi:CHEBI%3A57604", "chebi:57604"), ("CHEBI:57604", "chebi:57604"), ("chebi:57604", "chebi:57604"),
    ("ec:2.7.1.11", "ec-code:2.7.1.11"), ("EC 2.7.1.11", "ec-code:2.7.1.11"), ("ec-code/2.7.1.-", "ec-code:2.7.1.-"),
    ("3.4.24.n1", "ec-code:3.4.24.n1"), ("4hhb", "pdb:4HHB"), ("pdb:1CRN", "pdb:1CRN"),
    ("cpd:C00031", "kegg.compound:C00031"), ("C00031", "kegg.compound:C00031"), ("rn:R00299", "kegg.reaction:R00299"),
    ("ZKHQWZAMYRWXGA-KQYNXXCUSA-N", "inchikey:ZKHQWZAMYRWXGA-KQYNXXCUSA-N"), ("taxonomy:9606", "taxonomy:9606"),
    ("R-HSA-70171", "reactome:R-HSA-70171"), ("HMDB0000122", "hmdb:HMDB0000122"),
    ("ENSG00000141510", "ensembl:ENSG00000141510"), ("openbis:20220318120000000-12", "openbis:20220318120000000-12"),
  ])
  func `all forms of an id are read`(text: String, reference: String) {
    #expect(Reference.references(in: text).map(\.text) == [reference])
  }

  @Test(arguments: [
    "", ":", "uniprot:", "uniprot:57604", "2026", "57604", "pyruvate", "2.7.1", "1234", "0ABC", "P6990", "X:Y:Z", "%3A",
    "http://", "urn:miriam:", "C000311", "\u{1B}[31m", "4hhb\u{0}", "é", "nothing:P69905", "CHEBI:x",
  ])
  func `other texts are not ids`(text: String) {
    #expect(Reference.references(in: text).isEmpty)
  }

  @Test func `a long text is not an id, and is rejected quickly`() {
    for character in ["9", "A", "9.", ":", "%3A", "EC "] {
      #expect(Reference.references(in: String(repeating: character, count: 100_000)).isEmpty)
    }
  }

  @Test func `a bare number is not a searched form of an id`() {
    #expect(Reference.references(in: "CHEBI:57604").map(\.forms) == [["chebi:57604"]])
    #expect(Reference.references(in: "4HHB").map(\.forms) == [["pdb:4hhb", "4hhb"]])
  }

  private func namespace(_ name: String, _ summary: String = "", _ values: [Value]) -> String? {
    ReferenceNamespace.namespace(of: .init(name, .text, summary), values: values)?.rawValue
  }

  @Test func `a field's name or summary decides its namespace, if its values fit`() {
    #expect(namespace("uniprotId", "", ["P69905", nil, ""]) == "uniprot")
    #expect(namespace("enzyme", "EC number of the enzyme", ["2.7.1.11", nil, "1.1.1.-"]) == "ec-code")
    #expect(namespace("chebi", "", ["CHEBI:57604", "17234"]) == "chebi")
    #expect(namespace("kegg", "", ["R00299", "R00200"]) == "kegg.reaction")
    #expect(namespace("kegg", "", ["R00299", "C00031"]) == nil)
    #expect(namespace("code", "Entry code; empty if the file has none", ["1CRN", ""]) == "pdb")
    #expect(namespace("code", "Entry code", ["1CRN", "AF-P69905-F1"]) == nil)
    #expect(namespace("taxon", "", [9606, 562]) == "taxonomy")
    #expect(namespace("uniprot", "", [["P69905", "P68871"]]) == "uniprot")
  }

  @Test func `without values only an unambiguous name decides`() {
    #expect(namespace("uniprot", "", []) == "uniprot" && namespace("pubchemCid", "", [nil]) == "pubchem.compound")
    #expect(namespace("kegg", "", []) == nil && namespace("code", "Entry code", [""]) == nil)
    #expect(namespace("enzyme", "EC number of the enzyme", [nil]) == nil)
  }

  @Test func `other fields and values have no namespace`() {
    #expect(namespace("id", "Id", ["4HHB"]) == nil && namespace("name", "", ["P69905"]) == nil)
    #expect(namespace("notes", "Text with an EC number", ["2.7.1.11"]) == nil)
    #expect(namespace("uniprot", "", ["hemoglobin"]) == nil && namespace("uniprot", "", [1.5]) == nil)
    #expect(namespace("uniprot", "", [["P69905", ["x": "y"]]]) == nil && namespace("pdb", "", [true]) == nil)
  }
}
