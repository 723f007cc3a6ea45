import PluginAPI

/// DSSP's assignment of a model: the letters of each chain, and a row for each residue with a full backbone.
struct SecondaryStructureReport: Model {
  let chains: ChainLetters
  private let residues: ModelTable<StructureRow<ResidueState>>

  /// Reports the assignment of a model.
  ///
  /// - Parameters:
  ///   - model: Model index, 0-based.
  ///   - selection: The residues to report, in the selected conformers; nil for all. The others still count as
  ///     neighbors.
  ///   - progress: Called from time to time with the fraction done, 0 to 1; returns whether to continue.
  /// - Returns: Nil if `progress` returned false.
  init?(
    of structure: Structure, model: Int, selection: AtomSelection?, progress: ((Double) -> Bool)? = nil
  ) {
    let conformers = Conformers(structure, model: model, within: selection)
    let backbone = BackboneResidue.all(of: structure, conformers)
    let assignment = SecondaryStructureAssignment.dssp(structure, conformers, backbone: backbone)
    let rows = ResidueState.all(
      assignment, of: structure, conformers, backbone: backbone, selection: selection, progress: progress)
    guard let rows else { return nil }
    residues = ModelTable(table: StructureRow<ResidueState>.table(of: rows, in: structure))
    chains = ChainLetters(
      letters: assignment.letters(of: structure) { residue in
        !conformers.isAlternative(residue) && selection?.intersects(structure.residues[residue].atoms) ?? true
      })
  }

  static let typeName = MoleculeValueType.secondaryStructure
  static let fields = Fields<SecondaryStructureReport> {
    Field("chains", \.chains, "Letters of each chain, by author name")
    Field("residues", \.residues, "One row for each letter, in file order")
  }

  /// The letters of chains by their names, in file order.
  struct ChainLetters: ReadableField {
    let letters: [(chain: String, letters: String)]

    static var schema: ValueSchema { .map(.text) }

    var fieldValue: Value {
      var record = Record()
      for (chain, text) in letters { record[chain] = .text((record[chain]?.text ?? "") + text) }
      return .record(record)
    }

    static func read(_ value: Value) -> ChainLetters? {
      value.record.map { ChainLetters(letters: $0.fields.map { ($0.name, $0.value.text ?? "") }) }
    }
  }
}

/// The secondary structure of a residue with a full backbone.
struct ResidueState: ConformerItem {
  let residue: Int
  let conformer: UInt8
  private let kind: SecondaryStructureKind
  /// The area in Å² that water can reach; nil where atoms overlap.
  private let accessibility: Int?
  /// The angles in degrees; NaN at the ends of a chain and beside a break.
  private let phi: Double
  private let psi: Double

  /// Returns the residues of an assignment that have a full backbone, in file order; nil if `progress` returned false.
  ///
  /// - Parameters:
  ///   - conformers: Those of the assignment.
  ///   - backbone: The residues that DSSP considers; nil to find them.
  static func all(
    _ assignment: SecondaryStructureAssignment, of structure: Structure, _ conformers: Conformers,
    backbone: [BackboneResidue]? = nil, selection: AtomSelection? = nil, progress: ((Double) -> Bool)? = nil
  ) -> [ResidueState]? {
    let backbone = backbone ?? BackboneResidue.all(of: structure, conformers)
    guard let accessibility = SolventAccessibility(backbone, of: structure, conformers, progress: progress) else {
      return nil
    }
    let (phi, psi) = BackboneResidue.angles(of: backbone)
    return backbone.indices.compactMap { index in
      let residue = backbone[index].residue
      guard selection?.intersects(structure.residues[residue].atoms) ?? true else { return nil }
      return ResidueState(
        residue: residue, conformer: conformers[residue], kind: assignment[residue] ?? .coil,
        accessibility: accessibility.rounded(index), phi: phi[index], psi: psi[index])
    }
  }

  static let typeName = "molecules.residue-state"
  static let fields = Fields<StructureRow<ResidueState>> {
    StructureRow<ResidueState>.chain
    StructureRow<ResidueState>.number
    StructureRow<ResidueState>.insertionCode
    StructureRow<ResidueState>.residueName("name")
    Field("state", \.item.kind, "Letter of the residue, as in 'chains'", heading: "State")
    Field(
      "accessibility", \.item.accessibility,
      "Water-accessible area in square angstrom, as in DSSP; null if atoms overlap",
      heading: "Accessible", unit: "angstrom²")
    Field(
      "phi", optional: { $0.item.phi }, .angle,
      "Angle C, N, CA, C in degrees; null at the start of a chain and after a break", heading: "phi", unit: "degree")
    Field(
      "psi", optional: { $0.item.psi }, .angle,
      "Angle N, CA, C, N in degrees; null at the end of a chain and before a break", heading: "psi", unit: "degree")
    StructureRow<ResidueState>.alternate
  }
}

extension SecondaryStructureKind: FieldValue {
  static var schema: ValueSchema { .choice(allCases.map { String($0.letter) }) }
  var fieldValue: Value { .text(String(letter)) }

  static func column(of contents: [SecondaryStructureKind], decimals: Int?) -> Table.Values {
    .texts(contents.map { String($0.letter) })
  }
}

/// The solvent-accessible surface of each residue, as measured by DSSP.
///
/// Only residues with a full backbone are included; ligands, water and nucleic acids cover nothing. `surface-area`
/// measures the accessible surface of the whole molecule.
/// - Source: W. Kabsch, C. Sander, Biopolymers 22 (1983) 2577, "Solvent exposure"; radii, points and the order of the
///   single-precision sums of mkdssp 4.2.2.
private struct SolventAccessibility {
  private static let (nitrogen, alphaCarbon, carbon, oxygen): (Float, Float, Float, Float) = (1.65, 1.87, 1.76, 1.4)
  private static let sideChainAtom: Float = 1.8
  private static let water: Float = 1.4
  /// The number of rings of points on each side of a sphere's equator.
  private static let ringsPerSide = 200
  /// The squared distance in Å² below which atoms are considered identical.
  private static let samePlace: Float = 0.0001
  /// The largest plausible number of atoms in the cells around one: proteins have 800; more must overlap.
  private static let mostNeighbors = 20_000

  /// The areas in Å², by index in the list of residues; NaN where atoms overlap.
  let areas: [Float]

  /// Measures residues.
  ///
  /// - Parameters:
  ///   - residues: All residues of a model that DSSP considers.
  ///   - conformers: The conformers of the residues.
  ///   - progress: Called from time to time with the fraction done, 0 to 1; returns whether to continue.
  /// - Returns: Nil if `progress` returned false.
  /// - Complexity: linear in the atoms if they are packed as in proteins.
  init?(
    _ residues: [BackboneResidue], of structure: Structure, _ conformers: Conformers,
    progress: ((Double) -> Bool)? = nil
  ) {
    var (points, radii, ends): ([SIMD3<Float>], [Float], [Int]) = ([], [], [])
    points.reserveCapacity(residues.count * 8)
    radii.reserveCapacity(residues.count * 8)
    ends.reserveCapacity(residues.count)
    let backbone = BackboneResidue.backboneNames(of: structure)
    for residue in residues {
      points += [residue.nitrogen, residue.alphaCarbon, residue.carbon, residue.oxygen]
      radii += Self.backboneRadii
      // All others but hydrogens, in file order.
      for atom in structure.residues[residue.residue].atoms
      where conformers.contains(atom) && structure.atoms.element[atom] != .hydrogen
        && !any(backbone .== structure.atoms.name[atom])
      {
        points.append(SIMD3<Float>(structure.atoms.position(atom)))
        radii.append(Self.sideChainAtom + Self.water)
      }
      ends.append(points.count)
    }
    let grid = PointGrid(points, edge: 2 * (Self.alphaCarbon + Self.water))
    var spheres = ProbedSpheres(points, radii: radii, grid, Self.patches, samePlace: Self.samePlace)
    let sums = Self.sums
    var areas: [Float] = []
    areas.reserveCapacity(residues.count)
    var start = 0
    for (index, end) in ends.enumerated() {
      if index & 127 == 127, let progress, !progress(Double(index) / Double(residues.count)) { return nil }
      var area: Float = 0
      for sphere in start..<end {
        guard spheres.candidateCount(of: sphere) <= Self.mostNeighbors else {
          area = .nan
          break
        }
        area += sums[spheres.freePoints(of: sphere)] * radii[sphere] * radii[sphere]
      }
      areas.append(area)
      start = end
    }
    self.areas = areas
  }

  /// Returns the area of a residue as DSSP prints it: whole Å², halves upward; nil if it is not known.
  func rounded(_ index: Int) -> Int? {
    areas[index].isFinite ? Int((areas[index] + 0.5).rounded(.down)) : nil
  }

  /// The radii of N, CA, C and O with that of the water, in Å.
  private static let backboneRadii = [nitrogen + water, alphaCarbon + water, carbon + water, oxygen + water]

  /// The sums of 0, 1, 2, … weights of a point, added one after the other.
  private static let sums: [Float] = {
    let weight = Float(4 * Double.pi / Double(points.count))
    return points.reduce(into: [0]) { sums, _ in sums.append((sums.last ?? 0) + weight) }
  }()

  private static let patches = SpherePatches(points)

  /// The points of the unit sphere that DSSP tests, from the south pole to the north, each rotated by 2π/φ.
  ///
  /// Single precision is used wherever mkdssp uses it: a point that is off by a millionth may be covered in one program
  /// but not in the other.
  /// - Source: Á. González, Math. Geosci. 42 (2010) 49, as mkdssp 4 has it.
  private static let points: [SIMD3<Float>] = {
    let golden = Double((1 + Float(5).squareRoot()) / 2)
    return (-ringsPerSide...ringsPerSide).map { ring in
      let height = Double(2 * Float(ring) / Float(2 * ringsPerSide + 1))
      let latitude = Float(ArcTangent.degrees(height, (1 - height * height).squareRoot()) * .pi / 180)
      let longitude = Float(Double(ring).truncatingRemainder(dividingBy: golden) * 2 * .pi / golden)
      let (upward, turn) = (SineAndCosine.of(Double(latitude)), SineAndCosine.of(Double(longitude)))
      let radius = Float(upward.cosine)
      return SIMD3(Float(turn.sine) * radius, Float(turn.cosine) * radius, Float(upward.sine))
    }
  }()
}
