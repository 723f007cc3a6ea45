/// The state of the backbone at a residue, in the nine states of DSSP 4.
///
/// - Source: W. Kabsch, C. Sander, Biopolymers 22 (1983) 2577; polyproline helices as mkdssp 4 adds them.
enum SecondaryStructureKind: UInt8, Equatable, Sendable, CaseIterable {
  /// None of the others, written `-`.
  case coil
  case alphaHelix
  case helix310
  case piHelix
  case polyproline
  /// Residue in a ladder of several bridges.
  case strand
  /// Residue in an isolated bridge.
  case bridge
  case turn
  case bend

  /// The letter of the state, `-` for none.
  var letter: Character { Self.letters[Int(rawValue)] }

  /// A Boolean value indicating whether it is a helix with hydrogen bonds along the chain: alpha, 3-10 or pi.
  var isHelix: Bool { self == .alphaHelix || self == .helix310 || self == .piHelix }

  /// A Boolean value indicating whether it is a strand of a sheet; a single bridge is not.
  var isSheet: Bool { self == .strand }

  private static let letters: [Character] = ["-", "H", "G", "I", "P", "E", "B", "T", "S"]

  /// The display name.
  var title: String {
    switch self {
    case .alphaHelix: "alpha helix"
    case .helix310: "3-10 helix"
    case .piHelix: "pi helix"
    case .polyproline: "polyproline helix"
    case .coil, .strand, .bridge, .turn, .bend: "\(self)"
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

/// The secondary structure of each residue of a model.
///
/// Residues are numbered as in the structure, 0-based over all models. A residue without a full backbone (water, ligand,
/// nucleotide, Cα trace) has none.
struct SecondaryStructureAssignment: Equatable, Sendable {
  /// The residues of the model, as indices of the structure.
  let residues: Range<Int>
  /// The kinds by index within the model; nil for a residue that has no secondary structure.
  private(set) var kinds: [SecondaryStructureKind?]
  /// Hydrogen bonds between backbones, by donor: at most two for each, the stronger first.
  private(set) var hydrogenBonds: [BackboneHydrogenBond] = []

  /// Returns DSSP's assignment for the coordinates of a model, in the most occupied conformers.
  ///
  /// - Parameters:
  ///   - structure: Read from a file; residue kinds are known.
  ///   - model: Model index, 0-based.
  /// - Complexity: linear in the residues.
  static func dssp(_ structure: Structure, model: Int = 0) -> SecondaryStructureAssignment {
    dssp(structure, Conformers(structure, model: model))
  }

  /// Returns DSSP's assignment for conformers of a model; alternatives of a residue have its secondary structure.
  ///
  /// - Parameter backbone: The residues that DSSP considers; nil to find them.
  /// - Complexity: linear in the residues.
  static func dssp(
    _ structure: Structure, _ conformers: Conformers, backbone: [BackboneResidue]? = nil
  ) -> SecondaryStructureAssignment {
    let residues = conformers.residues
    var assignment = SecondaryStructureAssignment(residues: residues)
    let backbone = backbone ?? BackboneResidue.all(of: structure, conformers)
    let bonds = BackboneBonds(backbone)
    var states = DSSPStates(backbone, bonds)
    for (index, kind) in states.finish().enumerated() {
      assignment.kinds[backbone[index].residue - residues.lowerBound] = kind
    }
    for residue in residues where conformers.isAlternative(residue) && structure.residues[residue].kind == .polymer {
      let representative = conformers.representative(of: residue)
      assignment.kinds[residue - residues.lowerBound] = assignment.kinds[representative - residues.lowerBound]
    }
    assignment.hydrogenBonds = bonds.all(backbone)
    return assignment
  }

  /// Returns the assignment stated by the file's HELIX and SHEET records (_struct_conf, _struct_sheet_range).
  ///
  /// Polymer residues not covered by the records are coil; without any records, all are.
  static func stated(_ structure: Structure, model: Int = 0) -> SecondaryStructureAssignment {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    var assignment = SecondaryStructureAssignment(residues: structure.models[model].residues)
    for residue in assignment.residues where structure.residues[residue].kind == .polymer {
      assignment.kinds[residue - assignment.residues.lowerBound] = .coil
    }
    for sheet in structure.sheets {
      for strand in sheet.strands { assignment.set(.strand, strand.first, strand.last, structure, model) }
    }
    for helix in structure.helices {
      let kind: SecondaryStructureKind =
        switch helix.helixClass {
        case 3: .piHelix
        case 5: .helix310
        case 10: .polyproline
        default: .alphaHelix
        }
      assignment.set(kind, helix.first, helix.last, structure, model)
    }
    return assignment
  }

  /// Returns the best available assignment for each residue: DSSP if the backbone is complete, else the file's records.
  ///
  /// So Cα traces have their helices and strands too.
  static func best(_ structure: Structure, model: Int = 0) -> SecondaryStructureAssignment {
    var assignment = dssp(structure, model: model)
    guard !structure.helices.isEmpty || !structure.sheets.isEmpty else { return assignment }
    let stated = stated(structure, model: model)
    for index in assignment.kinds.indices where assignment.kinds[index] == nil {
      assignment.kinds[index] = stated.kinds[index]
    }
    return assignment
  }

  /// The secondary structure of a residue; nil if it has none or belongs to another model.
  subscript(residue: Int) -> SecondaryStructureKind? {
    residues.contains(residue) ? kinds[residue - residues.lowerBound] : nil
  }

  /// Returns the letters of each chain that has any, by author name, in order: one for each residue with secondary
  /// structure.
  ///
  /// - Parameter isWanted: Returns true for the residues to include, by their indices in the structure.
  func letters(
    of structure: Structure, where isWanted: (Int) -> Bool = { _ in true }
  ) -> [(chain: String, letters: String)] {
    var order: [Int32] = []
    var texts: [Int32: String] = [:]
    for (index, kind) in kinds.enumerated() {
      guard let kind, isWanted(residues.lowerBound + index) else { continue }
      let chain = structure.residues[residues.lowerBound + index].chain
      if texts[chain] == nil { order.append(chain) }
      texts[chain, default: ""].append(kind.letter)
    }
    return order.map { (structure.chains[Int($0)].name, texts[$0, default: ""]) }
  }

  private init(residues: Range<Int>) {
    self.residues = residues
    kinds = Array(repeating: nil, count: residues.count)
  }

  /// Sets the polymer residues between two residues of one chain.
  private mutating func set(
    _ kind: SecondaryStructureKind, _ first: ResidueAddress, _ last: ResidueAddress, _ structure: Structure,
    _ model: Int
  ) {
    guard let start = structure.residue(at: first, model: model), let end = structure.residue(at: last, model: model),
      start <= end, structure.residues[start].chain == structure.residues[end].chain
    else { return }
    for residue in start...end where kinds[residue - residues.lowerBound] != nil {
      kinds[residue - residues.lowerBound] = kind
    }
  }
}

/// A hydrogen bond from the N-H of one residue to the C=O of another.
struct BackboneHydrogenBond: Equatable, Sendable {
  /// Residue indices of the structure.
  var donor: Int
  var acceptor: Int
  /// The electrostatic energy in kcal/mol, below -0.5.
  var energy: Double
}
