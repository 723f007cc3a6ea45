/// A molecule that a service found.
struct SearchHit: Equatable, Sendable {
  /// By which it is fetched.
  var code: String
  /// Empty where the service says none.
  var title = ""
  /// The experimental method, or the formula of a compound; nil where the service says nothing.
  var method: String?
  /// In angstrom.
  var resolution: Double?
}

/// What a service tells of a molecule.
struct MoleculePage: Equatable, Sendable {
  var code: String
  var title: String
  /// What its authors say of it; nil if there is none.
  var abstract: String?
  /// The web page about it.
  var address: String
}

/// The services that molecules come from.
enum MoleculeService: String, CaseIterable, Sendable {
  /// The Protein Data Bank of today.
  case rcsb
  /// The Protein Data Bank of 2008, by SOAP.
  case soap
  /// The Protein Data Bank of 2009, by plain text.
  case text
  /// Small molecules.
  case pubchem
  /// Predicted structures of proteins.
  case alphafold
}
