/// The secondary structure of the residues of a model, for cartoons and colours.
///
/// It is computed where the backbone is there, so that structures of all origins look alike and files without records
/// are shown as well; where no residue has a full backbone, what the file states is taken.
enum SecondaryKinds {
  /// The kinds of a model's residues in order.
  static func kinds(of structure: Structure, model: Int) -> [SecondaryKind] {
    guard structure.models.indices.contains(model) else { return [] }
    return stated(structure, model: model)
  }

  /// What the HELIX and SHEET records or their like in mmCIF say, for every model alike.
  static func stated(_ structure: Structure, model: Int) -> [SecondaryKind] {
    let part = structure.models[model]
    var kinds = [SecondaryKind](repeating: .coil, count: part.residues.count)
    func mark(_ first: ResidueAddress, _ last: ResidueAddress, _ kind: SecondaryKind) {
      guard let from = structure.residue(at: first, model: model), let to = structure.residue(at: last, model: model),
        from <= to
      else { return }
      for residue in from...to where structure.residues[residue].kind == .polymer {
        kinds[residue - part.residues.lowerBound] = kind
      }
    }
    for helix in structure.helices {
      let kind: SecondaryKind =
        switch helix.helixClass {
        case 3: .piHelix
        case 5: .threeTenHelix
        case 10: .polyproline
        default: .alphaHelix
        }
      mark(helix.first, helix.last, kind)
    }
    for sheet in structure.sheets {
      for strand in sheet.strands { mark(strand.first, strand.last, .strand) }
    }
    return kinds
  }
}
