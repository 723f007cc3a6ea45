extension BondOrigin {
  /// The name in scripts.
  var name: String {
    switch self {
    case .template: "template"
    case .polymer: "polymer"
    case .disulfide: "disulfide"
    case .link: "link"
    case .conect: "conect"
    case .distance: "distance"
    }
  }

  /// A short description.
  var summary: String {
    switch self {
    case .template: "the residue's own bonds, from templates or the file's dictionary"
    case .polymer: "between neighbours of a polymer"
    case .disulfide: "between cysteines"
    case .link: "links the file states"
    case .conect: "CONECT records"
    case .distance: "from distances, where nothing else is known"
    }
  }
}
