extension SecondaryStructureKind {
  /// How a cartoon shows it.
  var shape: SecondaryShape { isHelix ? .helix : isSheet ? .strand : .coil }

  /// What people read.
  var title: String {
    switch self {
    case .alphaHelix: "alpha helix"
    case .helix310: "3-10 helix"
    case .piHelix: "pi helix"
    case .polyproline: "polyproline helix"
    default: "\(self)"
    }
  }

  /// The kinds of a model's residues in order, for cartoons and colours.
  ///
  /// They are computed where the backbone is there, so that structures of all origins look alike and files without
  /// records are shown as well; what the file states is taken for the rest, as for traces of alpha carbons.
  static func kinds(of structure: Structure, model: Int) -> [SecondaryStructureKind] {
    guard structure.models.indices.contains(model) else { return [] }
    return SecondaryStructureAssignment.best(structure, model: model).kinds.map { $0 ?? .coil }
  }
}
