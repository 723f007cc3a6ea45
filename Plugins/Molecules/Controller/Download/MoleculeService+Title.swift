import PluginAPI

extension MoleculeService {
  /// Creates the service named by an argument, or else by the setting.
  init(_ argument: Value?, _ context: any PluginContext) {
    let named = argument?.text ?? context.setting("service").text ?? ""
    self = MoleculeService(rawValue: named) ?? .rcsb
  }

  /// The display name.
  var title: String {
    switch self {
    case .rcsb: "Protein Data Bank"
    case .pubchem: "PubChem"
    case .alphafold: "AlphaFold"
    case .soap: "Protein Data Bank of 2008"
    case .text: "Protein Data Bank of 2009"
    }
  }

  /// The next service, cyclically; the old protocols are last.
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
