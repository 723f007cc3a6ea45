import PluginAPI

/// The property shown by the colors of atoms.
enum ColorScheme: String, CaseIterable, ParameterValue {
  case element
  case residue
  case chain
  case entity
  case secondaryStructure = "secondary-structure"
  case bFactor = "b-factor"
  case plddt
  case occupancy
  case rainbow

  /// The display name.
  var title: String {
    switch self {
    case .bFactor: "B factor"
    case .plddt: "pLDDT"
    case .secondaryStructure: "secondary structure"
    case .element, .residue, .chain, .entity, .occupancy, .rainbow: rawValue
    }
  }
}
