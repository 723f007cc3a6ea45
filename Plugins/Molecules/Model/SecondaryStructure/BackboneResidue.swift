/// A residue with a full backbone as in DSSP: single-precision coordinates, and a number that skips at chain breaks.
struct BackboneResidue {
  /// Residue index of the structure.
  var residue: Int
  /// Chain index of the structure.
  var chain: Int32
  /// The running number of the residue, which skips one at a chain break.
  var number = 0
  var nitrogen: SIMD3<Float>
  var alphaCarbon: SIMD3<Float>
  var carbon: SIMD3<Float>
  var oxygen: SIMD3<Float>
  /// The amide hydrogen; the nitrogen if there is none.
  var hydrogen: SIMD3<Float>
  /// A Boolean value indicating whether it can donate its hydrogen: all residues but proline can.
  var isDonor: Bool

  /// The longest C-N bond in Å that does not break the chain.
  private static let longestPeptideBond: Float = 2.5

  /// Returns the residues of a model that DSSP considers, in file order: polymer residues with N, CA, C and O in their
  /// conformers.
  ///
  /// Hydrogens are placed 1 Å from N, opposite to C=O of the previous residue, even across a break.
  /// - Source: mkdssp 4.2.2, as worked out by comparison of its results for files with one conformer of each residue.
  static func all(of structure: Structure, _ conformers: Conformers) -> [BackboneResidue] {
    let names = backboneNames(of: structure)
    let prolines = structure.names.id(of: "PRO")
    var list: [BackboneResidue] = []
    list.reserveCapacity(conformers.residues.count)
    for residue in conformers.residues {
      let row = structure.residues[residue]
      guard row.kind == .polymer, !conformers.isAlternative(residue),
        var entry = BackboneResidue(structure.atoms, residue, row, names, conformers)
      else { continue }
      entry.isDonor = row.name != prolines
      if let last = list.last { entry.follow(last) }
      list.append(entry)
    }
    return list
  }

  /// Returns the names of N, CA, C and O; `NameID.max` for a name that no atom of the structure has.
  static func backboneNames(of structure: Structure) -> SIMD4<NameID> {
    let names = ["N", "CA", "C", "O"].map { structure.names.id(of: $0) ?? NameID.max }
    return SIMD4(names[0], names[1], names[2], names[3])
  }

  /// Finds the first atoms of the four names in a residue's conformer; fails if one is missing.
  @inline(__always)
  private init?(
    _ atoms: AtomTable, _ residue: Int, _ row: Residue, _ names: SIMD4<NameID>, _ conformers: Conformers
  ) {
    var found = SIMD4<Int32>(repeating: -1)
    for atom in row.atoms {
      let name = atoms.name[atom]
      let isName = (names .== name) .& (found .< 0)
      if any(isName), conformers.contains(atom) { found.replace(with: Int32(atom), where: isName) }
    }
    guard found.min() >= 0 else { return nil }
    self.residue = residue
    chain = row.chain
    nitrogen = SIMD3<Float>(atoms.position(Int(found.x)))
    alphaCarbon = SIMD3<Float>(atoms.position(Int(found.y)))
    carbon = SIMD3<Float>(atoms.position(Int(found.z)))
    oxygen = SIMD3<Float>(atoms.position(Int(found.w)))
    hydrogen = nitrogen
    isDonor = true
  }

  /// Derives number and hydrogen from the previous residue.
  private mutating func follow(_ last: BackboneResidue) {
    let isBroken = Self.distance(last.carbon, nitrogen) > Self.longestPeptideBond
    number = last.number + (isBroken ? 2 : 1)
    guard isDonor else { return }
    hydrogen = nitrogen + (last.carbon - last.oxygen) / Self.distance(last.carbon, last.oxygen)
  }

  /// Returns the distance of two points, summed in the order that other programs use.
  @inline(__always)
  static func distance(_ first: SIMD3<Float>, _ second: SIMD3<Float>) -> Float {
    let step = first - second
    return (step.x * step.x + step.y * step.y + step.z * step.z).squareRoot()
  }

  /// Returns the angles phi and psi of residues in degrees, -180...180, by index; NaN at the ends of a chain and beside
  /// a break.
  ///
  /// - Parameter residues: All residues of a model that DSSP considers, in order.
  static func angles(of residues: [BackboneResidue]) -> (phi: [Double], psi: [Double]) {
    let all = residues.indices.map { index -> (phi: Double, psi: Double) in
      let own = residues[index]
      var angles = (phi: Double.nan, psi: Double.nan)
      if index > 0, isUnbroken(residues[index - 1], own, steps: 1) {
        angles.phi = dihedral(residues[index - 1].carbon, own.nitrogen, own.alphaCarbon, own.carbon)
      }
      if index + 1 < residues.count, isUnbroken(own, residues[index + 1], steps: 1) {
        angles.psi = dihedral(own.nitrogen, own.alphaCarbon, own.carbon, residues[index + 1].nitrogen)
      }
      return angles
    }
    return (all.map(\.phi), all.map(\.psi))
  }

  private static func dihedral(
    _ first: SIMD3<Float>, _ second: SIMD3<Float>, _ third: SIMD3<Float>, _ fourth: SIMD3<Float>
  ) -> Double {
    let points = [first, second, third, fourth].map { SIMD3<Double>($0) }
    return MeasuredQuantity.dihedral.value(points) ?? .nan
  }

  /// Returns true if the chain runs without a break from one residue to another, a given number of residues later.
  @inline(__always)
  static func isUnbroken(_ first: BackboneResidue, _ last: BackboneResidue, steps: Int) -> Bool {
    first.chain == last.chain && last.number - first.number == steps
  }
}

/// The hydrogen bonds between backbones, and the pairs of close residues.
struct BackboneBonds {
  /// A partner and the energy of the bond; -1 if there is none.
  private struct Partner {
    var index: Int32 = -1
    var energy = 0.0
  }

  /// The two best acceptors of each residue's N-H, the better first; two for each residue.
  private var acceptors: [Partner]
  /// Pairs of indices whose Cα are within 9 Å, ascending by first and second.
  let pairs: [(first: Int32, second: Int32)]

  private static let reach: Float = 9
  /// The maximum number of residues in the cells around one: proteins have 150; more must overlap, and get no bonds.
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
    return best.index == Int32(acceptor) && best.energy < Self.highestEnergy
      || other.index == Int32(acceptor) && other.energy < Self.highestEnergy
  }

  /// Returns all bonds by donor, as residue indices of the structure.
  func all(_ residues: [BackboneResidue]) -> [BackboneHydrogenBond] {
    acceptors.enumerated().compactMap { index, partner in
      guard partner.index >= 0, partner.energy < Self.highestEnergy else { return nil }
      return BackboneHydrogenBond(
        donor: residues[index / 2].residue, acceptor: residues[Int(partner.index)].residue, energy: partner.energy)
    }
  }

  private mutating func bond(_ residues: [BackboneResidue], _ donor: Int, _ acceptor: Int) {
    guard residues[donor].isDonor else { return }
    let energy = Self.energy(residues[donor], residues[acceptor])
    if energy < acceptors[donor * 2].energy {
      acceptors[donor * 2 + 1] = acceptors[donor * 2]
      acceptors[donor * 2] = Partner(index: Int32(acceptor), energy: energy)
    } else if energy < acceptors[donor * 2 + 1].energy {
      acceptors[donor * 2 + 1] = Partner(index: Int32(acceptor), energy: energy)
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
