import PluginAPI

/// A molecule found by a service.
struct SearchHit: Model, Equatable {
  /// The code to fetch it by.
  var code: String
  /// The title; empty if the service provides none.
  var title = ""
  /// The experimental method, or the formula of a compound; nil if the service provides none.
  var method: String?
  /// The resolution in Å.
  var resolution: Double?

  static let typeName = "molecules.search-hit"
  static let fields = Fields<SearchHit> {
    Field("code", \.code, "code to fetch it by", heading: "Code")
    Field("title", \.title, "title, empty if the service says none", heading: "Title")
    Field("method", \.method, "experimental method, or the formula of a compound", heading: "Method")
    Field("resolution", \.resolution, "resolution in angstrom", heading: "Resolution", unit: "angstrom")
  }
}

/// The page of a molecule at a service.
struct MoleculePage: Model, Equatable {
  var code: String
  var title: String
  /// The authors' abstract; nil if there is none.
  var abstract: String?
  /// The web page about it.
  var address: String
  /// The text of the web page; nil unless it was read.
  var text: String?
  /// The links of the web page, if it was read.
  var links: [WebLink] = []

  static let typeName = MoleculeValueType.page
  static let fields = Fields<MoleculePage> {
    Field("code", \.code, "entry code; empty for any page")
    Field("title", \.title, "title")
    Field("abstract", \.abstract, "authors' abstract; null if there is none")
    Field("address", \.address, "address of the web page")
    Field("text", \.text, "the web page as text; null unless it was read")
    Field("links", \.links, "the links of the web page, in order")
  }
}

/// A link of a web page and its address.
struct WebLink: Model, Equatable {
  /// The number after it in the text, from 1.
  var number: Int
  var text: String
  var address: String

  static let typeName = "molecules.link"
  static let fields = Fields<WebLink> {
    Field("number", \.number, "the number in the text, from 1")
    Field("text", \.text, "text of the link")
    Field("address", \.address, "address of the link")
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
