import PluginAPI

/// The solvent-accessible surface area of each atom.
///
/// Water and hydrogens are excluded, both as measured atoms and as neighbors.
/// - Source: A. Shrake, J. A. Rupley, J. Mol. Biol. 79 (1973) 351.
struct SurfaceArea: Sendable {
  /// The sphere that probes the surface.
  struct Probe: Equatable, Sendable {
    /// The radius of the solvent in Å.
    var radius = 1.4
    /// The number of points on each atom's sphere; more points are more accurate and slower.
    var pointCount = 960
  }

  /// Atom indices of the structure, ascending.
  let atoms: [Int32]
  /// Their accessible areas in Å².
  let areas: [Double]

  /// The area of all atoms in Å².
  var total: Double { areas.reduce(0, +) }

  /// Measures the atoms of a model.
  ///
  /// - Parameters:
  ///   - structure: The structure; radii are the van der Waals radii of the elements.
  ///   - model: Model index, 0-based.
  ///   - selection: The atoms whose conformers are used, see ``Conformers``; nil for the most occupied ones.
  ///   - probe: The solvent.
  ///   - progress: Called periodically with the completed fraction, 0 to 1; returns true to continue.
  /// - Returns: Nil if `progress` returned false.
  /// - Complexity: linear in atoms × points where atoms are packed as in molecules.
  init?(
    _ structure: Structure, model: Int = 0, selection: AtomSelection? = nil, probe: Probe = Probe(),
    progress: ((Double) -> Bool)? = nil
  ) {
    precondition(probe.pointCount > 0 && probe.radius >= 0, "a probe has points and no negative radius")
    let radii = (0...255).map { Float(Element(rawValue: UInt8($0)).vanDerWaalsRadius + probe.radius) }
    let elements = structure.atoms.element
    let present = Set(elements[structure.models[model].atoms].map(\.rawValue))
    let largest = present.map { radii[Int($0)] }.max() ?? 3
    let conformers = Conformers(structure, model: model, within: selection)
    let chosen = ContactAtoms(structure, conformers, reach: 2 * largest) { residue, atom in
      structure.residues[residue].kind != .water && !elements[atom].isHydrogen
    }
    let own = chosen.atoms.map { radii[Int(elements[Int($0)].rawValue)] }
    var spheres = ProbedSpheres(
      chosen.points, radii: own, chosen.grid, SpherePatches(Self.sphere(probe.pointCount)))
    var areas: [Double] = []
    areas.reserveCapacity(own.count)
    for (index, radius) in own.enumerated() {
      if index & 1023 == 1023, let progress, !progress(Double(index) / Double(own.count)) { return nil }
      let free = spheres.freePoints(of: index)
      areas.append(4 * .pi * Double(radius * radius) * Double(free) / Double(probe.pointCount))
    }
    self.atoms = chosen.atoms
    self.areas = areas
  }

  /// Returns points spread evenly on the unit sphere along a spiral, each rotated by the golden angle from the previous
  /// one.
  ///
  /// - Source: Á. González, Math. Geosci. 42 (2010) 49.
  static func sphere(_ count: Int) -> [SIMD3<Float>] {
    // Cosine and sine of the golden angle, 2.399 963 229 728 653.
    let step = SIMD2(-0.737_368_878_078_319_7, 0.675_490_294_261_523_8)
    var turn = SIMD2(1.0, 0.0)
    return (0..<count).map { index in
      let z = 1 - (2 * Double(index) + 1) / Double(count)
      let r = (1 - z * z).squareRoot()
      defer { turn = SIMD2(turn.x * step.x - turn.y * step.y, turn.x * step.y + turn.y * step.x) }
      return SIMD3(Float(r * turn.x), Float(r * turn.y), Float(z))
    }
  }

  /// Returns the largest area in Å² of a residue of that name in a chain; nil for all but the twenty amino acids.
  ///
  /// - Source: M. Z. Tien et al., PLoS ONE 8 (2013) e80635, table 1, theoretical values.
  static func largestArea(ofResidue name: String) -> Double? { largest[name] }

  private static let largest: [String: Double] = [
    "ALA": 129, "ARG": 274, "ASN": 195, "ASP": 193, "CYS": 167, "GLN": 225, "GLU": 223, "GLY": 104, "HIS": 224,
    "ILE": 197, "LEU": 201, "LYS": 236, "MET": 224, "PHE": 240, "PRO": 159, "SER": 155, "THR": 172, "TRP": 285,
    "TYR": 263, "VAL": 174,
  ]
}

/// The accessible area of a residue.
struct ResidueArea: ResidueItem {
  /// Residue index of the structure, 0-based.
  let residue: Int
  /// The area in Å².
  var area: Double

  /// Returns the accessible area by residue, without residues that have no measured atoms; for a selection the area of
  /// its own atoms.
  static func all(_ area: SurfaceArea, of structure: Structure, selection: AtomSelection? = nil) -> [ResidueArea] {
    var rows: [ResidueArea] = []
    for (atom, value) in zip(area.atoms, area.areas) where selection?[Int(atom)] ?? true {
      let residue = Int(structure.atoms.residue[Int(atom)])
      if rows.last?.residue == residue {
        rows[rows.count - 1].area += value
      } else {
        rows.append(ResidueArea(residue: residue, area: value))
      }
    }
    return rows
  }

  static let typeName = "molecules.residue-area"
  static let fields = Fields<StructureRow<ResidueArea>> {
    StructureRow<ResidueArea>.chain
    StructureRow<ResidueArea>.residueName("residue")
    StructureRow<ResidueArea>.number
    StructureRow<ResidueArea>.insertionCode
    Field("area", \.item.area, .area, "Accessible area in square angstrom", heading: "Area", unit: "angstrom²")
    Field(
      "relative",
      optional: { row in
        SurfaceArea.largestArea(ofResidue: row.residueName(row.item.residue)).map { row.item.area / $0 }
      }, .ratio, "Fraction of the largest possible area; null except for amino acids", heading: "Relative")
  }
}
