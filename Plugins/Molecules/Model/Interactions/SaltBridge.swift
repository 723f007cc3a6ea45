import PluginAPI

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
  /// - Complexity: linear in the atoms.
  static func all(of structure: Structure, model: Int = 0) -> [SaltBridge] {
    func isNamed(_ table: [String: [String]], _ residue: Int, _ atom: Int) -> Bool {
      table[structure.residueName(residue)]?.contains(structure.atomName(atom)) ?? false
    }
    let reach = Float(limit)
    let anions = ContactAtoms(structure, model: model, reach: reach) { isNamed(negatives, $0, $1) }
    let cations = ContactAtoms(structure, model: model, reach: reach) { isNamed(positives, $0, $1) }
    var rows: [SIMD2<Int32>: SaltBridge] = [:]
    for (place, atom) in cations.atoms.enumerated() {
      anions.forEachAtom(near: cations.points[place], within: reach) { other, square in
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
    Field("positive", { $0.label(ofAtom: $0.item.positive) }, "nitrogen, as A/LYS7/NZ", heading: "Positive")
    Field("negative", { $0.label(ofAtom: $0.item.negative) }, "oxygen", heading: "Negative")
    Field(
      "distance", \.item.distance, .length, "their distance in angstrom", heading: "Distance", unit: "angstrom")
  }
}
