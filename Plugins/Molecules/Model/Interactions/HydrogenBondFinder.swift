/// Finds the hydrogen bonds of a model.
///
/// Between backbones DSSP's energies decide. All others need donor and acceptor within 3.5 Å and, where the file has
/// the donor's hydrogens, one within 2.5 Å of the acceptor at 120° or more; else 90° or more at the donor and at the
/// acceptor to each atom bonded to it.
/// - Source: E. N. Baker, R. E. Hubbard, Prog. Biophys. Mol. Biol. 44 (1984) 97; I. K. McDonald, J. M. Thornton, J. Mol.
///   Biol. 238 (1994) 777.
struct HydrogenBondFinder {
  private static let reach: Float = 3.5
  private static let hydrogenReach = 2.5
  /// The cosines of 120° and 90°.
  private static let hydrogenCosine = -0.5
  private static let bearerCosine = 0.0

  private let structure: Structure
  private let model: Int
  private let conformers: Conformers
  private var roles: HydrogenBondRoles
  private let neighbors: BondNeighbors

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - structure: The structure.
  ///   - bonds: The bonds of the model; those of the conformers count.
  ///   - model: Model index, 0-based.
  init(_ structure: Structure, bonds: [Bond], model: Int = 0) {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    self.structure = structure
    self.model = model
    let conformers = Conformers(structure, model: model)
    self.conformers = conformers
    let bonds = bonds.filter { conformers.contains(Int($0.first)) && conformers.contains(Int($0.second)) }
    roles = HydrogenBondRoles(structure)
    neighbors = BondNeighbors(bonds, of: structure.models[model].atoms)
  }

  /// Returns the bonds by ascending donor and acceptor.
  ///
  /// - Parameter includesWater: Whether bonds with water count.
  /// - Complexity: linear in the atoms.
  mutating func all(includesWater: Bool) -> [HydrogenBond] {
    var found = backboneBonds()
    var pairs = Set(found.map { SIMD2(Int32($0.donor), Int32($0.acceptor)) })
    let elements = structure.atoms.element
    let chosen = ContactAtoms(structure, model: model, reach: Self.reach) { residue, atom in
      let element = elements[atom]
      return (element == .nitrogen || element == .oxygen || element == .sulfur)
        && (includesWater || structure.residues[residue].kind != .water)
    }
    let known = chosen.atoms.map { roles.role(Int($0)) }
    let amides = backboneAtoms()
    for (place, atom) in chosen.atoms.enumerated() where known[place].contains(.donor) {
      let donor = Int(atom)
      chosen.forEachAtom(near: chosen.points[place], within: Self.reach) { other, square in
        let acceptor = Int(chosen.atoms[other])
        guard known[other].contains(.acceptor),
          structure.atoms.residue[donor] != structure.atoms.residue[acceptor],
          // Between backbones the energy has decided already.
          !(amides.contains(Int32(donor)) && amides.contains(Int32(acceptor)))
        else { return }
        // Two atoms that can be both donor and acceptor make one bond.
        let isTwoWay = known[place].contains(.acceptor) && known[other].contains(.donor)
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

  /// Returns the bonds from N-H to C=O that DSSP finds.
  private func backboneBonds() -> [HydrogenBond] {
    SecondaryStructureAssignment.dssp(structure, model: model).hydrogenBonds.compactMap { bond in
      guard let donor = conformers.atom("N", ofResidue: bond.donor),
        let acceptor = conformers.atom("O", ofResidue: bond.acceptor)
      else { return nil }
      let square = BondPerception.squaredDistance(structure.atoms, donor, acceptor)
      return HydrogenBond(
        donor: donor, acceptor: acceptor, distance: square.squareRoot(), energy: bond.energy, evidence: .energy)
    }
  }

  /// Returns the backbone nitrogens and oxygens that DSSP considers.
  private func backboneAtoms() -> Set<Int32> {
    guard let nitrogen = structure.names.id(of: "N"), let oxygen = structure.names.id(of: "O") else { return [] }
    var atoms: Set<Int32> = []
    for entry in BackboneResidue.all(of: structure, in: structure.models[model].residues) {
      for atom in structure.residues[entry.residue].atoms {
        let name = structure.atoms.name[atom]
        if name == nitrogen || name == oxygen { atoms.insert(Int32(atom)) }
      }
    }
    return atoms
  }

  /// Returns the evidence that two atoms close enough are bonded; nil if the angles forbid it.
  private func evidence(_ donor: Int, _ acceptor: Int) -> HydrogenBond.Evidence? {
    let hydrogens = bearers(donor).filter { structure.atoms.element[Int($0)].isHydrogen }
    if !hydrogens.isEmpty {
      return hydrogens.contains { pointsAt(Int($0), donor, acceptor) } ? .hydrogen : nil
    }
    let isOpen = [(donor, acceptor), (acceptor, donor)].allSatisfy { centre, other in
      bearers(centre).allSatisfy { bearer in
        structure.atoms.element[Int(bearer)].isHydrogen
          || cosine(Int(bearer), centre, other) <= Self.bearerCosine
      }
    }
    return isOpen ? .geometry : nil
  }

  private func pointsAt(_ hydrogen: Int, _ donor: Int, _ acceptor: Int) -> Bool {
    BondPerception.squaredDistance(structure.atoms, hydrogen, acceptor) <= Self.hydrogenReach * Self.hydrogenReach
      && cosine(donor, hydrogen, acceptor) <= Self.hydrogenCosine
  }

  /// Returns the atoms bonded to an atom.
  private func bearers(_ atom: Int) -> ArraySlice<Int32> { neighbors[atom] }

  /// Returns the cosine of the angle that two atoms make at a third.
  private func cosine(_ first: Int, _ centre: Int, _ second: Int) -> Double {
    let a = structure.atoms.position(first) - structure.atoms.position(centre)
    let b = structure.atoms.position(second) - structure.atoms.position(centre)
    let lengths = ((a * a).sum() * (b * b).sum()).squareRoot()
    return lengths > 0 ? (a * b).sum() / lengths : 1
  }
}
