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
    let assignment = SecondaryStructureAssignment.dssp(structure, conformers)
    let rows = ResidueState.all(assignment, of: structure, conformers, selection: selection, progress: progress)
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
  /// - Parameter conformers: Those of the assignment.
  static func all(
    _ assignment: SecondaryStructureAssignment, of structure: Structure, _ conformers: Conformers,
    selection: AtomSelection? = nil, progress: ((Double) -> Bool)? = nil
  ) -> [ResidueState]? {
    let backbone = BackboneResidue.all(of: structure, conformers)
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
  /// An atom as a sphere of DSSP's radius.
  private struct Sphere {
    var center: SIMD3<Float>
    /// The radius of the atom in Å, without the water's.
    var radius: Float
  }

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
    let spheres = residues.map { Self.spheres(of: $0, structure, conformers) }
    let all = spheres.flatMap { $0 }
    let largest = Self.alphaCarbon
    let grid = PointGrid(all.map(\.center), edge: 2 * (largest + Self.water))
    let measure = Self.Measure(all, grid, reach: largest)
    var areas: [Float] = []
    areas.reserveCapacity(residues.count)
    for (index, own) in spheres.enumerated() {
      if index & 127 == 127, let progress, !progress(Double(index) / Double(residues.count)) { return nil }
      areas.append(own.reduce(into: Float(0)) { $0 += measure.area(of: $1) })
    }
    self.areas = areas
  }

  /// Returns the area of a residue as DSSP prints it: whole Å², halves upward; nil if it is not known.
  func rounded(_ index: Int) -> Int? {
    areas[index].isFinite ? Int((areas[index] + 0.5).rounded(.down)) : nil
  }

  /// Returns the spheres of a residue: N, CA, C, O, then all others but hydrogens in file order.
  private static func spheres(
    of residue: BackboneResidue, _ structure: Structure, _ conformers: Conformers
  ) -> [Sphere] {
    let backbone = ["N", "CA", "C", "O"].map { structure.names.id(of: $0) }
    let others = structure.residues[residue.residue].atoms.filter {
      conformers.contains($0) && structure.atoms.element[$0] != .hydrogen
        && !backbone.contains(structure.atoms.name[$0])
    }
    return [
      Sphere(center: residue.nitrogen, radius: nitrogen), Sphere(center: residue.alphaCarbon, radius: alphaCarbon),
      Sphere(center: residue.carbon, radius: carbon), Sphere(center: residue.oxygen, radius: oxygen),
    ] + others.map { Sphere(center: SIMD3<Float>(structure.atoms.position($0)), radius: sideChainAtom) }
  }

  /// The precomputed values for measuring one sphere among all.
  private struct Measure {
    let all: [Sphere]
    let grid: PointGrid
    let reach: Float
    /// The squared distance in Å² up to which neighbors are measured first: bonds and their angles.
    private static let nearest: Float = 9
    let points = SolventAccessibility.points
    /// The sums of 0, 1, 2, … weights of a point, added one after the other.
    let sums: [Float]

    init(_ all: [Sphere], _ grid: PointGrid, reach: Float) {
      self.all = all
      self.grid = grid
      self.reach = reach
      let weight = Float(4 * Double.pi / Double(points.count))
      var sums: [Float] = [0]
      for _ in points { sums.append((sums.last ?? 0) + weight) }
      self.sums = sums
    }

    func area(of sphere: Sphere) -> Float {
      let distance = sphere.radius + reach + 2 * water
      guard grid.pointCount(near: sphere.center, within: distance) <= mostNeighbors else { return .nan }
      // The nearest cover the most points: they are first, so that few points are left for the others.
      var (neighbors, others): ([SIMD4<Float>], [SIMD4<Float>]) = ([], [])
      grid.forEachPoint(near: sphere.center, within: distance) { index in
        let (step, other) = (all[index].center - sphere.center, all[index].radius)
        let square = step.x * step.x + step.y * step.y + step.z * step.z
        let touching = sphere.radius + other + 2 * water
        guard square < touching * touching, square > samePlace else { return }
        let neighbor = SIMD4(step, (other + water) * (other + water))
        if square < Self.nearest { neighbors.append(neighbor) } else { others.append(neighbor) }
      }
      neighbors += others
      let radius = sphere.radius + water
      return sums[SurfaceArea.freePoints(points, radius: radius, neighbors)] * radius * radius
    }
  }

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
