import PluginAPI

/// A molecule found by a service.
struct SearchHit: Model, Equatable {
  /// The code for fetching the molecule.
  var code: String
  /// The title; empty if the service provides none.
  var title = ""
  /// The experimental method, or the formula of a compound; nil if the service provides none.
  var method: String?
  /// The resolution in Å.
  var resolution: Double?

  static let typeName = "molecules.search-hit"
  static let fields = Fields<SearchHit> {
    Field("code", \.code, "Code for 'fetch'", heading: "Code")
    Field("title", \.title, "Title; empty if the service gives none", heading: "Title")
    Field("method", \.method, "Experimental method, or formula of a compound", heading: "Method")
    Field("resolution", \.resolution, "Resolution in angstrom", heading: "Resolution", unit: "angstrom")
  }
}

/// The page of a molecule at a service.
struct MoleculePage: Model, Equatable {
  var code: String
  var title: String
  /// The authors' abstract; nil if there is none.
  var abstract: String?
  /// The address of the web page.
  var address: String
  /// The text of the web page; nil unless it was read.
  var text: String?
  /// The links of the web page, if it was read.
  var links: [WebLink] = []

  static let typeName = MoleculeValueType.page
  static let fields = Fields<MoleculePage> {
    Field("code", \.code, "Entry code; empty for other pages")
    Field("title", \.title, "Title")
    Field("abstract", \.abstract, "Abstract by the authors; null if there is none")
    Field("address", \.address, "Address of the web page")
    Field("text", \.text, "Web page as text; null if it was not read")
    Field("links", \.links, "Links of the web page, in order")
  }
}

/// A link of a web page and its address.
struct WebLink: Model, Equatable {
  /// The number that follows the link in the text, from 1.
  var number: Int
  var text: String
  var address: String

  static let typeName = "molecules.link"
  static let fields = Fields<WebLink> {
    Field("number", \.number, "Number in the text, from 1")
    Field("text", \.text, "Text of the link")
    Field("address", \.address, "Address of the link")
  }
}

/// The services that provide molecules.
enum MoleculeService: String, CaseIterable, ParameterValue {
  /// The current Protein Data Bank.
  case rcsb
  /// The Protein Data Bank of 2008, via SOAP.
  case soap
  /// The Protein Data Bank of 2009, as plain text.
  case text
  /// Small molecules.
  case pubchem
  /// Predicted structures of proteins.
  case alphafold

  /// The file formats of a service that offers several.
  enum FileFormat: String, CaseIterable, ParameterValue {
    case mmcif, pdb
  }
}
