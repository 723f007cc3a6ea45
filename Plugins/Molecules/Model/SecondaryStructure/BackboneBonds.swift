/// The hydrogen bonds between backbones, and the pairs of close residues.
struct BackboneBonds {
  /// A partner and the energy of the bond; -1 if there is none.
  private struct Partner {
    var place: Int32 = -1
    var energy = 0.0
  }

  /// The two best acceptors of each residue's N-H, the better first; two for each residue.
  private var acceptors: [Partner]
  /// Pairs of indices whose Cα are within 9 Å, ascending by first and second.
  let pairs: [(first: Int32, second: Int32)]

  private static let reach: Float = 9
  /// The most residues in the cells around one; proteins have 150, more overlap and have no bonds.
  private static let mostNeighbors = 3000
  /// The highest energy of a bond in kcal/mol.
  private static let highestEnergy = -0.5
  private static let lowestEnergy = -9.9
  /// The distance in Å below which atoms are considered overlapping.
  private static let closest: Float = 0.5
  /// The coupling constant: -332 × 0.42 × 0.20 kcal/mol Å.
  private static let coupling = -27.888

  /// Finds close pairs and the bonds among them.
  ///
  /// - Complexity: linear in the residues if they are packed as in proteins.
  init(_ residues: [BackboneResidue]) {
    let points = residues.map(\.alphaCarbon)
    let grid = PointGrid(points, edge: Self.reach)
    var pairs: [(first: Int32, second: Int32)] = []
    pairs.reserveCapacity(residues.count * 16)
    var near: [Int32] = []
    for first in residues.indices
    where grid.pointCount(near: points[first], within: Self.reach) <= Self.mostNeighbors {
      near.removeAll(keepingCapacity: true)
      grid.forEachPoint(near: points[first], within: Self.reach) { second in
        if second > first, BackboneResidue.distance(points[first], points[second]) <= Self.reach {
          near.append(Int32(second))
        }
      }
      near.sort()
      for second in near { pairs.append((Int32(first), second)) }
    }
    self.pairs = pairs
    acceptors = Array(repeating: Partner(), count: residues.count * 2)
    for (first, second) in pairs {
      bond(residues, Int(first), Int(second))
      if second != first + 1 { bond(residues, Int(second), Int(first)) }
    }
  }

  /// Returns true if the N-H of one residue is bonded to the C=O of another; both by index.
  @inline(__always)
  func isBond(_ donor: Int, _ acceptor: Int) -> Bool {
    let best = acceptors[donor * 2]
    let other = acceptors[donor * 2 + 1]
    return best.place == Int32(acceptor) && best.energy < Self.highestEnergy
      || other.place == Int32(acceptor) && other.energy < Self.highestEnergy
  }

  /// Returns all bonds by donor, as residue indices of the structure.
  func all(_ residues: [BackboneResidue]) -> [BackboneHydrogenBond] {
    acceptors.enumerated().compactMap { place, partner in
      guard partner.place >= 0, partner.energy < Self.highestEnergy else { return nil }
      return BackboneHydrogenBond(
        donor: residues[place / 2].residue, acceptor: residues[Int(partner.place)].residue, energy: partner.energy)
    }
  }

  private mutating func bond(_ residues: [BackboneResidue], _ donor: Int, _ acceptor: Int) {
    guard residues[donor].isDonor else { return }
    let energy = Self.energy(residues[donor], residues[acceptor])
    if energy < acceptors[donor * 2].energy {
      acceptors[donor * 2 + 1] = acceptors[donor * 2]
      acceptors[donor * 2] = Partner(place: Int32(acceptor), energy: energy)
    } else if energy < acceptors[donor * 2 + 1].energy {
      acceptors[donor * 2 + 1] = Partner(place: Int32(acceptor), energy: energy)
    }
  }

  /// Returns the electrostatic energy of a bond in kcal/mol, rounded to 0.001 as the first DSSP printed it.
  ///
  /// - Source: Kabsch and Sander 1983, equation 1; rounding and limits of mkdssp 4.2.2.
  private static func energy(_ donor: BackboneResidue, _ acceptor: BackboneResidue) -> Double {
    let hydrogenOxygen = BackboneResidue.distance(donor.hydrogen, acceptor.oxygen)
    let hydrogenCarbon = BackboneResidue.distance(donor.hydrogen, acceptor.carbon)
    let nitrogenCarbon = BackboneResidue.distance(donor.nitrogen, acceptor.carbon)
    let nitrogenOxygen = BackboneResidue.distance(donor.nitrogen, acceptor.oxygen)
    guard min(min(hydrogenOxygen, hydrogenCarbon), min(nitrogenCarbon, nitrogenOxygen)) >= closest else {
      return lowestEnergy
    }
    let energy =
      coupling / Double(hydrogenOxygen) - coupling / Double(hydrogenCarbon) + coupling / Double(nitrogenCarbon)
      - coupling / Double(nitrogenOxygen)
    return max((energy * 1000).rounded() / 1000, lowestEnergy)
  }
}
