import PluginAPI

/// A hydrogen bond between two atoms of different residues.
struct HydrogenBond: Equatable, Sendable {
  /// The evidence for a hydrogen bond.
  enum Evidence: String, CaseIterable, FieldValue {
    /// The energy between two backbones, as computed by DSSP.
    case energy
    /// Distance and angle at a hydrogen present in the file.
    case hydrogen
    /// Distance, and angles at the atoms bonded to donor and acceptor.
    case geometry
  }

  /// Atom indices of the structure.
  var donor: Int
  var acceptor: Int
  /// The distance from donor to acceptor in Å.
  var distance: Double
  /// The energy in kcal/mol, for bonds between backbones.
  var energy: Double?
  var evidence: Evidence
}

extension HydrogenBond: StructureItem {
  static let typeName = "molecules.hydrogen-bond"
  static let fields = Fields<StructureRow<HydrogenBond>> {
    Field("donor", { $0.label(ofAtom: $0.item.donor) }, "Atom with the hydrogen, such as A/GLY12/N", heading: "Donor")
    Field(
      "acceptor", { $0.label(ofAtom: $0.item.acceptor) }, "Atom that accepts the hydrogen", heading: "Acceptor")
    Field(
      "distance", \.item.distance, .length, "Distance between the atoms in angstrom", heading: "Distance",
      unit: "angstrom")
    Field("evidence", \.item.evidence, "Evidence for the bond", heading: "Evidence")
    Field(
      "energy", optional: \.item.energy, .energy, "Energy of a bond between backbones in kcal/mol; else null",
      heading: "Energy",
      unit: "kcal/mol")
  }
}

/// Finds the hydrogen bonds of a model.
///
/// Bonds between backbones are those of DSSP. All others need donor and acceptor within 3.5 Å. If the file has the
/// donor's hydrogens, one must be within 2.5 Å of the acceptor, at an angle of 120° or more. Otherwise the angles at
/// donor and acceptor to each bonded atom must be 90° or more.
/// - Source: E. N. Baker, R. E. Hubbard, Prog. Biophys. Mol. Biol. 44 (1984) 97; I. K. McDonald, J. M. Thornton, J. Mol.
///   Biol. 238 (1994) 777.
struct HydrogenBondFinder {
  private static let reach: Float = 3.5
  private static let hydrogenReach = 2.5
  /// The cosine of 120°.
  private static let hydrogenCosine = -0.5
  /// The cosine of 90°.
  private static let bearerCosine = 0.0

  private let structure: Structure
  private let conformers: Conformers
  private var roles: HydrogenBondRoles
  private let neighbors: BondNeighbors

  /// Creates a finder for a model.
  ///
  /// - Parameters:
  ///   - bonds: The bonds of the model; only bonds within the conformers are used.
  ///   - model: Model index, 0-based.
  ///   - selection: The atoms whose conformers are used, see ``Conformers``; nil for the most occupied ones.
  init(_ structure: Structure, bonds: [Bond], model: Int = 0, selection: AtomSelection? = nil) {
    self.structure = structure
    let conformers = Conformers(structure, model: model, within: selection)
    self.conformers = conformers
    let bonds = bonds.filter { conformers.contains(Int($0.first)) && conformers.contains(Int($0.second)) }
    roles = HydrogenBondRoles(structure)
    neighbors = BondNeighbors(bonds, of: structure.models[model].atoms)
  }

  /// Returns the bonds, sorted by donor and acceptor.
  ///
  /// - Parameter includesWater: True to include bonds with water.
  /// - Complexity: linear in the atoms.
  mutating func all(includesWater: Bool) -> [HydrogenBond] {
    let assignment = SecondaryStructureAssignment.dssp(structure, conformers)
    var found = assignment.hydrogenBonds.compactMap(backboneBond)
    var pairs = Set(found.map { SIMD2(Int32($0.donor), Int32($0.acceptor)) })
    let elements = structure.atoms.element
    let chosen = ContactAtoms(structure, conformers, reach: Self.reach) { residue, atom in
      let element = elements[atom]
      return (element == .nitrogen || element == .oxygen || element == .sulfur)
        && (includesWater || structure.residues[residue].kind != .water)
    }
    let known = chosen.atoms.map { roles.role(Int($0)) }
    let amides = backboneAtoms(assignment)
    for (index, atom) in chosen.atoms.enumerated() where known[index].contains(.donor) {
      let donor = Int(atom)
      chosen.forEachAtom(near: chosen.points[index], within: Self.reach) { other, square in
        let acceptor = Int(chosen.atoms[other])
        guard known[other].contains(.acceptor),
          structure.atoms.residue[donor] != structure.atoms.residue[acceptor],
          // DSSP's energy decides bonds between backbones.
          !(amides.contains(Int32(donor)) && amides.contains(Int32(acceptor)))
        else { return }
        // Two atoms that can be both donor and acceptor make one bond.
        let isTwoWay = known[index].contains(.acceptor) && known[other].contains(.donor)
        if isTwoWay, pairs.contains(SIMD2(Int32(acceptor), Int32(donor))) { return }
        guard let evidence = evidence(donor, acceptor) else { return }
        pairs.insert(SIMD2(Int32(donor), Int32(acceptor)))
        found.append(
          HydrogenBond(
            donor: donor, acceptor: acceptor, distance: Double(square).squareRoot(), energy: nil, evidence: evidence))
      }
    }
    return found.sorted { ($0.donor, $0.acceptor) < ($1.donor, $1.acceptor) }
  }

  /// Returns a bond from N-H to C=O that DSSP found.
  private func backboneBond(_ bond: BackboneHydrogenBond) -> HydrogenBond? {
    guard let donor = conformers.atom("N", ofResidue: bond.donor),
      let acceptor = conformers.atom("O", ofResidue: bond.acceptor)
    else { return nil }
    let square = BondPerception.squaredDistance(structure.atoms, donor, acceptor)
    return HydrogenBond(
      donor: donor, acceptor: acceptor, distance: square.squareRoot(), energy: bond.energy, evidence: .energy)
  }

  /// Returns the backbone nitrogens and oxygens that DSSP considered.
  private func backboneAtoms(_ assignment: SecondaryStructureAssignment) -> Set<Int32> {
    let residues = assignment.residues.filter { assignment[$0] != nil }
    let atoms = residues.flatMap { residue in
      ["N", "O"].compactMap { conformers.atom($0, ofResidue: residue) }
    }
    return Set(atoms.map { Int32($0) })
  }

  /// Returns the evidence for a bond between two atoms within reach; nil if the angles exclude a bond.
  private func evidence(_ donor: Int, _ acceptor: Int) -> HydrogenBond.Evidence? {
    let hydrogens = neighbors[donor].filter { structure.atoms.element[Int($0)].isHydrogen }
    if !hydrogens.isEmpty {
      return hydrogens.contains { pointsAt(Int($0), donor, acceptor) } ? .hydrogen : nil
    }
    let isOpen = [(donor, acceptor), (acceptor, donor)].allSatisfy { center, other in
      neighbors[center].allSatisfy { bearer in
        structure.atoms.element[Int(bearer)].isHydrogen
          || cosine(Int(bearer), center, other) <= Self.bearerCosine
      }
    }
    return isOpen ? .geometry : nil
  }

  private func pointsAt(_ hydrogen: Int, _ donor: Int, _ acceptor: Int) -> Bool {
    BondPerception.squaredDistance(structure.atoms, hydrogen, acceptor) <= Self.hydrogenReach * Self.hydrogenReach
      && cosine(donor, hydrogen, acceptor) <= Self.hydrogenCosine
  }

  /// Returns the cosine of the angle that two atoms make at a third.
  private func cosine(_ first: Int, _ center: Int, _ second: Int) -> Double {
    let a = structure.atoms.position(first) - structure.atoms.position(center)
    let b = structure.atoms.position(second) - structure.atoms.position(center)
    let lengths = ((a * a).sum() * (b * b).sum()).squareRoot()
    return lengths > 0 ? (a * b).sum() / lengths : 1
  }
}

/// The atoms that can be donors of hydrogen bonds, and those that can be acceptors.
struct HydrogenBondRoles {
  /// The role of an atom in hydrogen bonds.
  struct Role: OptionSet {
    let rawValue: UInt8
    static let donor = Role(rawValue: 1)
    static let acceptor = Role(rawValue: 2)
  }

  private var roles: [SIMD2<UInt32>: Role] = [:]
  private let structure: Structure

  init(_ structure: Structure) { self.structure = structure }

  /// Returns the role of an atom, which depends on its name in standard residues, and on its element otherwise.
  ///
  /// Nitrogen and oxygen of ligands are both; carbon and other elements are neither.
  mutating func role(_ atom: Int) -> Role {
    let element = structure.atoms.element[atom]
    guard element == .nitrogen || element == .oxygen || element == .sulfur else { return [] }
    let residue = structure.residues[Int(structure.atoms.residue[atom])]
    let key = SIMD2(residue.name, structure.atoms.name[atom])
    if let known = roles[key] { return known }
    let role = Self.role(structure.names[structure.atoms.name[atom]], in: structure.names[residue.name], element)
    roles[key] = role
    return role
  }

  private static func role(_ atom: String, in residue: String, _ element: Element) -> Role {
    if let entry = ResidueCatalog.entry(residue) {
      switch entry.family {
      case .water: return [.donor, .acceptor]
      case .aminoAcid: return aminoAcidRole(atom, entry.template, element)
      case .ribonucleotide, .deoxyribonucleotide: return nucleotideRole(atom, entry.letter)
      }
    }
    return element == .sulfur ? .acceptor : [.donor, .acceptor]
  }

  private static func aminoAcidRole(_ atom: String, _ residue: String, _ element: Element) -> Role {
    if atom == "N" { return residue == "PRO" ? [] : .donor }
    if atom == "O" || atom == "OXT" { return .acceptor }
    let key = residue + " " + atom
    if bothNames.contains(key) { return [.donor, .acceptor] }
    if donorNames.contains(key) { return .donor }
    return element == .nitrogen ? .donor : .acceptor
  }

  private static let donorNames: Set<String> = [
    "ARG NE", "ARG NH1", "ARG NH2", "ASN ND2", "GLN NE2", "LYS NZ", "TRP NE1",
  ]
  private static let bothNames: Set<String> = [
    "SER OG", "THR OG1", "TYR OH", "HIS ND1", "HIS NE2", "CYS SG",
  ]

  /// Returns the role of an atom of a nucleotide: ring nitrogens without hydrogen accept, amino groups donate,
  /// hydroxyls do both.
  private static func nucleotideRole(_ atom: String, _ letter: Character) -> Role {
    switch atom {
    case "N6", "N4", "N2": return .donor
    case "N1": return letter == "G" || letter == "I" ? .donor : letter == "A" ? .acceptor : []
    case "N3": return letter == "U" || letter == "T" ? .donor : .acceptor
    case "N7": return .acceptor
    case "N9": return []
    case "O2'", "O2*": return [.donor, .acceptor]
    default: return .acceptor
    }
  }
}
