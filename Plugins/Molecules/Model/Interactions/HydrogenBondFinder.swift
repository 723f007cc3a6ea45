/// Finds the hydrogen bonds of a model.
///
/// Between backbones DSSP's energies count. All others need donor and acceptor within 3.5 Å and, where the file has the
/// donor's hydrogens, one within 2.5 Å of the acceptor at 120° or more; else 90° or more at the donor and at the acceptor
/// to each atom bonded to it.
/// - Source: E. N. Baker, R. E. Hubbard, Prog. Biophys. Mol. Biol. 44 (1984) 97; I. K. McDonald, J. M. Thornton, J. Mol.
///   Biol. 238 (1994) 777.
struct HydrogenBondFinder {
  private static let reach: Float = 3.5
  private static let hydrogenReach = 2.5
  /// cos 120° and cos 90°.
  private static let hydrogenCosine = -0.5
  private static let bearerCosine = 0.0

  private let structure: Structure
  private let model: Int
  private var roles: HydrogenBondRoles
  /// Atoms bonded to each, by place in the model: starts, then members.
  private let starts: [Int32]
  private let partners: [Int32]
  private let firstAtom: Int

  /// Prepares a search.
  ///
  /// - Parameters:
  ///   - structure: Where atoms are.
  ///   - bonds: The bonds of the model.
  ///   - model: Model index, 0-based.
  init(_ structure: Structure, bonds: [Bond], model: Int = 0) {
    precondition(structure.models.indices.contains(model), "there is no model of this index")
    self.structure = structure
    self.model = model
    roles = HydrogenBondRoles(structure)
    let atoms = structure.models[model].atoms
    firstAtom = atoms.lowerBound
    var starts = [Int32](repeating: 0, count: atoms.count + 1)
    for bond in bonds {
      starts[Int(bond.first) - atoms.lowerBound + 1] += 1
      starts[Int(bond.second) - atoms.lowerBound + 1] += 1
    }
    for place in 0..<atoms.count { starts[place + 1] += starts[place] }
    var partners = [Int32](repeating: 0, count: bonds.count * 2)
    var next = starts
    for bond in bonds {
      for (own, other) in [(bond.first, bond.second), (bond.second, bond.first)] {
        let place = Int(own) - atoms.lowerBound
        partners[Int(next[place])] = other
        next[place] += 1
      }
    }
    self.starts = starts
    self.partners = partners
  }

  /// The bonds by ascending donor and acceptor.
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
        // Two that can do both make one bond.
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

  /// The bonds from N-H to C=O that DSSP finds.
  private func backboneBonds() -> [HydrogenBond] {
    guard let nitrogen = structure.names.id(of: "N"), let oxygen = structure.names.id(of: "O") else { return [] }
    return SecondaryStructureAssignment.dssp(structure, model: model).hydrogenBonds.compactMap { bond in
      // Of alternate locations DSSP takes the last row.
      guard let donor = structure.residues[bond.donor].atoms.last(where: { structure.atoms.name[$0] == nitrogen }),
        let acceptor = structure.residues[bond.acceptor].atoms.last(where: { structure.atoms.name[$0] == oxygen })
      else { return nil }
      let square = BondPerception.squaredDistance(structure.atoms, donor, acceptor)
      return HydrogenBond(
        donor: donor, acceptor: acceptor, distance: square.squareRoot(), energy: bond.energy, evidence: .energy)
    }
  }

  /// Nitrogens and oxygens of backbones that DSSP looks at.
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

  /// What tells that two atoms near enough are bonded; nil when the angles forbid it.
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

  /// The atoms bonded to an atom.
  private func bearers(_ atom: Int) -> ArraySlice<Int32> {
    partners[Int(starts[atom - firstAtom])..<Int(starts[atom - firstAtom + 1])]
  }

  /// The cosine of the angle that two atoms make at a third.
  private func cosine(_ first: Int, _ centre: Int, _ second: Int) -> Double {
    let a = structure.atoms.position(first) - structure.atoms.position(centre)
    let b = structure.atoms.position(second) - structure.atoms.position(centre)
    let lengths = ((a * a).sum() * (b * b).sum()).squareRoot()
    return lengths > 0 ? (a * b).sum() / lengths : 1
  }
}
