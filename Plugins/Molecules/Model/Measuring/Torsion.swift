import PluginAPI

/// A named torsion of a polymer.
struct Torsion: Equatable, Sendable {
  /// Residue index, 0-based.
  var residue: Int
  /// Alternate location of the residue as an ASCII code, 0 where it has none.
  var conformer: UInt8 = 0
  /// `phi`, `chi1`, `alpha` and so on.
  var name: String
  /// Atom indices, 0-based, in order.
  var atoms: [Int]
  /// The angle in degrees, -180...180.
  var degrees: Double
}

/// The named torsions of proteins and nucleic acids.
///
/// - Source: IUPAC-IUB 1970 for phi, psi, omega and chi; IUPAC-IUB 1983 for alpha to zeta and chi of nucleotides.
enum Torsions {
  /// Returns the torsions of a model's polymers in order.
  ///
  /// - Parameters:
  ///   - model: model index, 0-based.
  ///   - selection: the residues to list, in the selected conformer; nil for all.
  /// - Complexity: linear in the atoms.
  static func all(of structure: Structure, model: Int, selection: AtomSelection? = nil) -> [Torsion] {
    var result: [Torsion] = []
    let conformers = Conformers(structure, model: model, within: selection)
    for chain in structure.models[model].chains {
      let polymer = PolymerUnits(structure, chain: chain, conformers)
      for index in polymer.units.indices {
        let residue = polymer.units[index].residue
        if let selection, !selection.intersects(structure.residues[residue].atoms) { continue }
        for definition in definitions(structure, residue, conformers) {
          let atoms = definition.atoms.compactMap { polymer.atom($0, at: index) }
          guard atoms.count == 4, let degrees = MeasuredQuantity.dihedral(atoms, structure) else { continue }
          result.append(
            Torsion(
              residue: residue, conformer: conformers[residue], name: definition.name, atoms: atoms, degrees: degrees))
        }
      }
    }
    return result
  }

  private struct Definition {
    var name: String
    /// Four atom names; `-` and `+` in front mean the preceding and the next residue.
    var atoms: [String]
  }

  private static func definitions(
    _ structure: Structure, _ residue: Int, _ conformers: Conformers
  ) -> [Definition] {
    if conformers.atom("CA", ofResidue: residue) != nil, conformers.atom("N", ofResidue: residue) != nil {
      let name = structure.residueName(residue)
      let template = ResidueCatalog.entry(name)?.template ?? name
      return backbone + (sideChains[template] ?? [])
    }
    guard conformers.atom("C1'", ofResidue: residue) != nil else { return [] }
    let isPurine = conformers.atom("N9", ofResidue: residue) != nil
    return nucleotide + [Definition(name: "chi", atoms: ["O4'", "C1'"] + (isPurine ? ["N9", "C4"] : ["N1", "C2"]))]
  }

  private static let backbone = [
    Definition(name: "phi", atoms: ["-C", "N", "CA", "C"]), Definition(name: "psi", atoms: ["N", "CA", "C", "+N"]),
    Definition(name: "omega", atoms: ["CA", "C", "+N", "+CA"]),
  ]

  private static let nucleotide = [
    Definition(name: "alpha", atoms: ["-O3'", "P", "O5'", "C5'"]),
    Definition(name: "beta", atoms: ["P", "O5'", "C5'", "C4'"]),
    Definition(name: "gamma", atoms: ["O5'", "C5'", "C4'", "C3'"]),
    Definition(name: "delta", atoms: ["C5'", "C4'", "C3'", "O3'"]),
    Definition(name: "epsilon", atoms: ["C4'", "C3'", "O3'", "+P"]),
    Definition(name: "zeta", atoms: ["C3'", "O3'", "+P", "+O5'"]),
  ]

  /// Side chains from N on; each four consecutive atoms define chi1, chi2 and so on.
  private static let chains = [
    "ARG N CA CB CG CD NE CZ NH1", "ASN N CA CB CG OD1", "ASP N CA CB CG OD1", "CYS N CA CB SG",
    "GLN N CA CB CG CD OE1", "GLU N CA CB CG CD OE1", "HIS N CA CB CG ND1", "ILE N CA CB CG1 CD1",
    "LEU N CA CB CG CD1", "LYS N CA CB CG CD CE NZ", "MET N CA CB CG SD CE", "MSE N CA CB CG SE CE",
    "PHE N CA CB CG CD1", "PRO N CA CB CG CD", "PYL N CA CB CG CD CE NZ", "SEC N CA CB SE", "SER N CA CB OG",
    "THR N CA CB OG1", "TRP N CA CB CG CD1", "TYR N CA CB CG CD1", "VAL N CA CB CG1",
  ]

  private static let sideChains: [String: [Definition]] = {
    var table: [String: [Definition]] = [:]
    for line in chains {
      let words = line.split(separator: " ").map(String.init)
      table[words[0]] = (1...words.count - 4).map { first in
        Definition(name: "chi\(first)", atoms: Array(words[first..<first + 4]))
      }
    }
    return table
  }()
}

extension MeasuredQuantity {
  /// Returns the dihedral of four atoms in degrees.
  static func dihedral(_ atoms: [Int], _ structure: Structure) -> Double? {
    let points = atoms.map { structure.atoms.position($0) }
    return dihedral(points[0], points[1], points[2], points[3])
  }
}

extension Torsion: ConformerItem {
  static let typeName = "molecules.torsion"
  static let fields = Fields<StructureRow<Torsion>> {
    StructureRow<Torsion>.chain
    StructureRow<Torsion>.residueName("residue")
    StructureRow<Torsion>.number
    StructureRow<Torsion>.insertionCode
    StructureRow<Torsion>.alternate
    Field("torsion", \.item.name, "Name of the torsion, such as chi1", heading: "Torsion")
    Field(
      "atoms", { row in row.item.atoms.map { row.atomName($0) }.joined(separator: " ") },
      "Names of its four atoms", heading: "Atoms")
    Field("value", \.item.degrees, .angle, "Angle in degrees", heading: "Value", unit: "degree")
  }
}

/// The backbone angles of a residue in degrees; nil at an end of a chain and beside a break.
struct BackboneAngles: ConformerItem {
  let residue: Int
  let conformer: UInt8
  private var phi: Double?
  private var psi: Double?
  private var omega: Double?

  /// Returns phi, psi and omega of each residue that has one of them.
  static func all(of structure: Structure, model: Int, selection: AtomSelection?) -> [BackboneAngles] {
    let angles: [String: WritableKeyPath<BackboneAngles, Double?>] = ["phi": \.phi, "psi": \.psi, "omega": \.omega]
    var rows: [BackboneAngles] = []
    for torsion in Torsions.all(of: structure, model: model, selection: selection) {
      guard let angle = angles[torsion.name] else { continue }
      if rows.last?.residue != torsion.residue {
        rows.append(BackboneAngles(residue: torsion.residue, conformer: torsion.conformer))
      }
      rows[rows.count - 1][keyPath: angle] = torsion.degrees
    }
    return rows
  }

  static let typeName = "molecules.backbone-angles"
  static let fields = Fields<StructureRow<BackboneAngles>> {
    StructureRow<BackboneAngles>.chain
    StructureRow<BackboneAngles>.residueName("residue")
    StructureRow<BackboneAngles>.number
    StructureRow<BackboneAngles>.insertionCode
    StructureRow<BackboneAngles>.alternate
    Field(
      "phi", optional: \.item.phi, .angle, "Angle C, N, CA, C in degrees, rounded to 0.01", heading: "phi",
      unit: "degree")
    Field("psi", optional: \.item.psi, .angle, "Angle N, CA, C, N in degrees", heading: "psi", unit: "degree")
    Field(
      "omega", optional: \.item.omega, .angle, "Angle CA, C, N, CA to the next residue in degrees", heading: "omega",
      unit: "degree")
  }
}

/// The residues of a polymer in order, for computing torsions.
///
/// Each position is represented by one residue in its most occupied conformer.
private struct PolymerUnits {
  /// One residue of the polymer.
  struct Unit {
    /// Residue index, 0-based.
    var residue: Int
    /// A Boolean value indicating whether the next unit is bonded to it.
    var isLinked = false
  }

  /// The largest distance of bonded neighbors' C and N, or O3' and P, in Å.
  ///
  /// - Source: Kabsch and Sander 1983, the length beyond which DSSP sees a chain break.
  private static let longestLink = 2.5

  private let conformers: Conformers
  let units: [Unit]

  /// Creates the polymer of a chain, which belongs to the model of the conformers.
  init(_ structure: Structure, chain: Int, _ conformers: Conformers) {
    self.conformers = conformers
    var units: [Unit] = []
    for index in structure.chains[chain].residueRuns.joined() {
      guard structure.residues[index].kind == .polymer, !conformers.isAlternative(index) else { continue }
      units.append(Unit(residue: index))
    }
    for index in units.indices.dropLast() {
      units[index].isLinked = Self.areLinked(structure, conformers, units[index].residue, units[index + 1].residue)
    }
    self.units = units
  }

  private static func areLinked(
    _ structure: Structure, _ conformers: Conformers, _ first: Int, _ second: Int
  ) -> Bool {
    for (end, start) in [("C", "N"), ("O3'", "P")] {
      guard let a = conformers.atom(end, ofResidue: first), let b = conformers.atom(start, ofResidue: second) else {
        continue
      }
      return (structure.atoms.position(a) - structure.atoms.position(b)).length <= longestLink
    }
    return false
  }

  /// Returns an atom of a unit; of the preceding unit for `-NAME` and of the next one for `+NAME`, if bonded.
  func atom(_ name: String, at index: Int) -> Int? {
    switch name.first {
    case "-":
      guard index > 0, units[index - 1].isLinked else { return nil }
      return conformers.atom(String(name.dropFirst()), ofResidue: units[index - 1].residue)
    case "+":
      guard units[index].isLinked else { return nil }
      return conformers.atom(String(name.dropFirst()), ofResidue: units[index + 1].residue)
    default: return conformers.atom(name, ofResidue: units[index].residue)
    }
  }
}
