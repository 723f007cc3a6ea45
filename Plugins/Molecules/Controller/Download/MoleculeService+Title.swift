import PluginAPI

extension MoleculeService {
  /// The service that is meant by an argument, else by the setting.
  init(_ argument: Value?, _ context: any PluginContext) {
    let named = argument?.text ?? context.setting("service").text ?? ""
    self = MoleculeService(rawValue: named) ?? .rcsb
  }

  /// What people read.
  var title: String {
    switch self {
    case .rcsb: "Protein Data Bank"
    case .pubchem: "PubChem"
    case .alphafold: "AlphaFold"
    case .soap: "Protein Data Bank of 2008"
    case .text: "Protein Data Bank of 2009"
    }
  }

  /// The one after this, around the end; the old protocols last.
  var next: MoleculeService {
    switch self {
    case .rcsb: .pubchem
    case .pubchem: .alphafold
    case .alphafold: .soap
    case .soap: .text
    case .text: .rcsb
    }
  }
}
