extension SecondaryStructureKind {
  /// Its shape in a cartoon.
  var shape: SecondaryShape { isHelix ? .helix : isSheet ? .strand : .coil }

  /// The display name.
  var title: String {
    switch self {
    case .alphaHelix: "alpha helix"
    case .helix310: "3-10 helix"
    case .piHelix: "pi helix"
    case .polyproline: "polyproline helix"
    default: "\(self)"
    }
  }

  /// Returns the kinds of a model's residues in order, for cartoons and colors.
  ///
  /// They are computed where the backbone is complete, so that structures of all origins look alike and files without
  /// records are shown as well. For the rest, as for traces of alpha carbons, the records of the file are used.
  static func kinds(of structure: Structure, model: Int) -> [SecondaryStructureKind] {
    guard structure.models.indices.contains(model) else { return [] }
    return SecondaryStructureAssignment.best(structure, model: model).kinds.map { $0 ?? .coil }
  }
}
