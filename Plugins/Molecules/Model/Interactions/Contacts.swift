import PluginAPI

/// Two residues in contact.
struct ResidueContact: Equatable, Sendable {
  /// Residue indices of the structure, ascending.
  var first: Int
  var second: Int
  /// The closest pair of atoms.
  var firstAtom: Int
  var secondAtom: Int
  /// Their distance in Å.
  var distance: Double
  /// The number of pairs of atoms within the limit.
  var atomPairs: Int

  /// Returns the contacts of a model: residues with atoms other than hydrogens within a distance, by ascending
  /// residues.
  ///
  /// Bonded residues are ignored; water is included only on request.
  /// - Parameters:
  ///   - model: Model index, 0-based.
  ///   - limit: The distance in Å, above 0.
  ///   - includesWater: True to include contacts with water.
  ///   - isBetweenChains: True to include only contacts of different chains.
  ///   - selection: The atoms whose conformers are used, see ``Conformers``; nil for the most occupied ones.
  /// - Complexity: linear in the atoms for limits of a few Å.
  static func all(
    of structure: Structure, bonds: [Bond], model: Int = 0, within limit: Double, includesWater: Bool = false,
    isBetweenChains: Bool = false, selection: AtomSelection? = nil
  ) -> [ResidueContact] {
    let elements = structure.atoms.element
    let conformers = Conformers(structure, model: model, within: selection)
    let chosen = ContactAtoms(structure, conformers, reach: Float(limit)) { residue, atom in
      !elements[atom].isHydrogen && (includesWater || structure.residues[residue].kind != .water)
    }
    var joined: Set<SIMD2<Int32>> = []
    for bond in bonds {
      let pair = SIMD2(structure.atoms.residue[Int(bond.first)], structure.atoms.residue[Int(bond.second)])
      if pair.x != pair.y { joined.insert(SIMD2(min(pair.x, pair.y), max(pair.x, pair.y))) }
    }
    var rows: [SIMD2<Int32>: ResidueContact] = [:]
    for (index, atom) in chosen.atoms.enumerated() {
      chosen.forEachAtom(near: chosen.points[index], within: Float(limit)) { other, square in
        let (a, b) = (Int(atom), Int(chosen.atoms[other]))
        let (first, second) = (structure.atoms.residue[a], structure.atoms.residue[b])
        guard first < second else { return }
        let key = SIMD2(first, second)
        let isOtherChain = structure.residues[Int(first)].chain != structure.residues[Int(second)].chain
        guard isOtherChain || !isBetweenChains, !joined.contains(key) else { return }
        let distance = Double(square).squareRoot()
        var row =
          rows[key]
          ?? ResidueContact(
            first: Int(first), second: Int(second), firstAtom: a, secondAtom: b, distance: .infinity, atomPairs: 0)
        row.atomPairs += 1
        if distance < row.distance { (row.firstAtom, row.secondAtom, row.distance) = (a, b, distance) }
        rows[key] = row
      }
    }
    return rows.values.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }
}

extension ResidueContact: StructureItem {
  static let typeName = "molecules.contact"
  static let fields = Fields<StructureRow<ResidueContact>> {
    Field(
      "first", { $0.label(ofAtom: $0.item.firstAtom) }, "Atom of the first residue, such as A/CYS3/SG", heading: "Atom")
    Field("second", { $0.label(ofAtom: $0.item.secondAtom) }, "Atom of the second residue", heading: "Atom")
    Field(
      "distance", \.item.distance, .length, "Distance of the atoms in angstrom, the shortest of the two residues",
      heading: "Distance", unit: "angstrom")
    Field("atomPairs", \.item.atomPairs, "Number of atom pairs within the limit", heading: "Pairs")
  }
}

/// Two residues of opposite charge that are close.
struct SaltBridge: Equatable, Sendable {
  /// The closest pair of nitrogen and oxygen, as indices of the structure.
  var positive: Int
  var negative: Int
  /// Their distance in Å.
  var distance: Double

  /// The longest distance in Å between a charged nitrogen and a charged oxygen.
  ///
  /// - Source: D. J. Barlow, J. M. Thornton, J. Mol. Biol. 168 (1983) 867.
  static let limit = 4.0

  /// Charged nitrogens and oxygens by residue name; histidine counts as charged.
  private static let positives: [String: [String]] = [
    "ARG": ["NE", "NH1", "NH2"], "LYS": ["NZ"], "HIS": ["ND1", "NE2"], "HIP": ["ND1", "NE2"], "HSP": ["ND1", "NE2"],
  ]
  private static let negatives: [String: [String]] = ["ASP": ["OD1", "OD2"], "GLU": ["OE1", "OE2"]]

  /// Returns the salt bridges of a model, one for each pair of residues, by ascending residue of the positive side.
  ///
  /// - Parameter selection: The atoms whose conformers are used, see ``Conformers``; nil for the most occupied ones.
  /// - Complexity: linear in the atoms.
  static func all(of structure: Structure, model: Int = 0, selection: AtomSelection? = nil) -> [SaltBridge] {
    func isNamed(_ table: [String: [String]], _ residue: Int, _ atom: Int) -> Bool {
      table[structure.residueName(residue)]?.contains(structure.atomName(atom)) ?? false
    }
    let reach = Float(limit)
    let conformers = Conformers(structure, model: model, within: selection)
    let anions = ContactAtoms(structure, conformers, reach: reach) { isNamed(negatives, $0, $1) }
    let cations = ContactAtoms(structure, conformers, reach: reach) { isNamed(positives, $0, $1) }
    var rows: [SIMD2<Int32>: SaltBridge] = [:]
    for (index, atom) in cations.atoms.enumerated() {
      anions.forEachAtom(near: cations.points[index], within: reach) { other, square in
        let oxygen = anions.atoms[other]
        let key = SIMD2(structure.atoms.residue[Int(atom)], structure.atoms.residue[Int(oxygen)])
        let distance = Double(square).squareRoot()
        if distance < rows[key]?.distance ?? .infinity {
          rows[key] = SaltBridge(positive: Int(atom), negative: Int(oxygen), distance: distance)
        }
      }
    }
    return rows.sorted { ($0.key.x, $0.key.y) < ($1.key.x, $1.key.y) }.map(\.value)
  }
}

extension SaltBridge: StructureItem {
  static let typeName = "molecules.salt-bridge"
  static let fields = Fields<StructureRow<SaltBridge>> {
    Field("positive", { $0.label(ofAtom: $0.item.positive) }, "Nitrogen, such as A/LYS7/NZ", heading: "Positive")
    Field("negative", { $0.label(ofAtom: $0.item.negative) }, "Oxygen", heading: "Negative")
    Field(
      "distance", \.item.distance, .length, "Distance between the atoms in angstrom", heading: "Distance",
      unit: "angstrom")
  }
}

/// Two cysteines joined by their sulfurs.
struct Disulfide: Equatable, Sendable {
  /// The sulfurs, as atom indices of the structure, ascending.
  var first: Int
  var second: Int
  /// Their distance in Å.
  var distance: Double
  /// True if the file states the bond, false if it was found by distance.
  var isStated: Bool

  /// Returns the disulfides of a model, each once, by ascending first sulfur.
  ///
  /// Of several alternate locations, the bond between the conformers is used, else the one between the most occupied
  /// sulfurs.
  ///
  /// - Parameters:
  ///   - model: Index of an existing model, 0-based.
  ///   - selection: The atoms whose conformers are used, see ``Conformers``; nil for the most occupied ones.
  static func all(
    of structure: Structure, bonds: [Bond], model: Int, selection: AtomSelection? = nil
  ) -> [Disulfide] {
    let isOfCysteine = structure.names.texts.map { ["CYS", "CYX", "DCY", "CYM", "CME", "CSS"].contains($0) }
    func isCysteine(_ atom: Int32) -> Bool {
      let residue = structure.residues[Int(structure.atoms.residue[Int(atom)])]
      return structure.atoms.element[Int(atom)] == .sulfur && isOfCysteine[Int(residue.name)]
    }
    let stated = structure.connections.filter { $0.kind == .disulfide || $0.kind == .covalent }
    let linked = Set(stated.flatMap { [$0.first.residue.withoutName, $0.second.residue.withoutName] })
    let bridges = bonds.filter {
      structure.atoms.residue[Int($0.first)] != structure.atoms.residue[Int($0.second)] && isCysteine($0.first)
        && isCysteine($0.second)
    }
    let conformers = Conformers(structure, model: model, within: selection)
    return mostOccupied(bridges, structure, conformers).map { bond in
      let (first, second) = (Int(bond.first), Int(bond.second))
      let square = BondPerception.squaredDistance(structure.atoms, first, second)
      let isStated =
        bond.origin == .conect
        || [first, second].allSatisfy {
          linked.contains(structure.address(ofResidue: Int(structure.atoms.residue[$0])).withoutName)
        }
      return Disulfide(first: first, second: second, distance: square.squareRoot(), isStated: isStated)
    }
  }

  /// Returns for each pair of residues the bond between atoms of the conformers, else the most occupied one.
  private static func mostOccupied(_ bonds: [Bond], _ structure: Structure, _ conformers: Conformers) -> [Bond] {
    func rank(_ bond: Bond) -> (Int, Float) {
      let ends = [Int(bond.first), Int(bond.second)]
      return (ends.count(where: conformers.contains), ends.reduce(0) { $0 + structure.atoms.occupancy[$1] })
    }
    let pairs = Dictionary(grouping: bonds) { bond in
      SIMD2(structure.atoms.residue[Int(bond.first)], structure.atoms.residue[Int(bond.second)])
    }
    let best = pairs.values.compactMap { pair in
      pair.dropFirst().reduce(pair.first) { best, bond in best.map { rank(bond) > rank($0) ? bond : $0 } }
    }
    return best.sorted { ($0.first, $0.second) < ($1.first, $1.second) }
  }

}

extension Disulfide: StructureItem {
  static let typeName = "molecules.disulfide"
  static let fields = Fields<StructureRow<Disulfide>> {
    Field("first", { $0.label(ofAtom: $0.item.first) }, "Sulfur, such as A/CYS3/SG", heading: "Sulfur")
    Field("second", { $0.label(ofAtom: $0.item.second) }, "Sulfur bonded to it", heading: "Sulfur")
    Field(
      "distance", \.item.distance, .length, "Distance between the atoms in angstrom", heading: "Distance",
      unit: "angstrom")
    Field("stated", \.item.isStated, "True if the file states the bond", heading: "Stated")
  }
}

/// The atoms of conformers that can take part in contacts, sorted into a grid.
struct ContactAtoms {
  /// Atom indices of the structure, ascending.
  let atoms: [Int32]
  /// Their positions in Å.
  let points: [SIMD3<Float>]
  let grid: PointGrid

  /// Collects atoms.
  ///
  /// - Parameters:
  ///   - conformers: The conformers of the residues of a model.
  ///   - reach: The radius of later searches, in Å.
  ///   - isTaken: Returns true for the residues and atoms that take part, by index in the structure.
  init(
    _ structure: Structure, _ conformers: Conformers, reach: Float,
    where isTaken: (_ residue: Int, _ atom: Int) -> Bool
  ) {
    var atoms: [Int32] = []
    for residue in conformers.residues {
      for atom in structure.residues[residue].atoms where conformers.contains(atom) && isTaken(residue, atom) {
        atoms.append(Int32(atom))
      }
    }
    self.atoms = atoms
    points = atoms.map { SIMD3<Float>(structure.atoms.position(Int($0))) }
    grid = PointGrid(points, edge: reach)
  }

  /// Calls `body` with the index of each atom within a distance of a position, and the squared distance in Å².
  @inline(__always)
  func forEachAtom(near position: SIMD3<Float>, within distance: Float, _ body: (Int, Float) -> Void) {
    grid.forEachPoint(near: position, within: distance) { other in
      let step = points[other] - position
      let square = step.x * step.x + step.y * step.y + step.z * step.z
      if square <= distance * distance { body(other, square) }
    }
  }
}

/// An implausible number of atoms at one position, as in a broken file.
///
/// The number of pairs grows with the square of the number of atoms, so contacts and surface areas are not computed for them.
struct AtomCrowd: Equatable, Sendable {
  /// The index of its central atom in the structure.
  var atom: Int
  /// The number of atoms around the central atom, itself included.
  var count: Int

  /// The radius around an atom within which others are counted, in Å.
  static let radius: Float = 2
  /// The largest plausible number of atoms other than hydrogens within the radius; diamond has 6.
  static let mostAtoms = 100

  /// Finds the first crowd of a model; nil for a sound structure.
  ///
  /// - Parameters:
  ///   - model: Model index, 0-based.
  ///   - includesWater: False to ignore water.
  ///   - selection: The atoms whose conformers are used, see ``Conformers``; nil for the most occupied ones.
  /// - Complexity: linear in the atoms of a sound structure.
  init?(_ structure: Structure, model: Int, includesWater: Bool, selection: AtomSelection? = nil) {
    let elements = structure.atoms.element
    let conformers = Conformers(structure, model: model, within: selection)
    let atoms = ContactAtoms(structure, conformers, reach: Self.radius) { residue, atom in
      !elements[atom].isHydrogen && (includesWater || structure.residues[residue].kind != .water)
    }
    for (index, point) in atoms.points.enumerated()
    where atoms.grid.pointCount(near: point, within: Self.radius) > Self.mostAtoms {
      var count = 0
      atoms.forEachAtom(near: point, within: Self.radius) { _, _ in count += 1 }
      if count > Self.mostAtoms {
        self.init(atom: Int(atoms.atoms[index]), count: count)
        return
      }
    }
    return nil
  }

  init(atom: Int, count: Int) {
    self.atom = atom
    self.count = count
  }
}
