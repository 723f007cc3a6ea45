import PluginAPI

/// A molecule found by a service.
struct SearchHit: Equatable, Sendable {
  /// The code to fetch it by.
  var code: String
  /// The title; empty if the service provides none.
  var title = ""
  /// The experimental method, or the formula of a compound; nil if the service provides none.
  var method: String?
  /// The resolution in Å.
  var resolution: Double?
}

/// The page of a molecule at a service.
struct MoleculePage: Equatable, Sendable {
  var code: String
  var title: String
  /// The authors' abstract; nil if there is none.
  var abstract: String?
  /// The web page about it.
  var address: String
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
