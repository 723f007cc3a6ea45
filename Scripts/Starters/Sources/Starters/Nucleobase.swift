/// The bases of DNA: where their atoms lie in the frame of a base pair, their bonds and their angles.
///
/// - Source: planar base coordinates in the standard reference frame: W. K. Olson et al., J. Mol. Biol. 313 (2001) 229,
///   table 1; bond lengths and angles: L. Clowney et al., J. Am. Chem. Soc. 118 (1996) 509.
struct Nucleobase {
  var residue: String
  /// The nitrogen bonded to the sugar, and the ring atom that the glycosidic torsion is measured to.
  var nitrogen: String
  var reference: String
  /// Names with x and y in ångström; C1′ belongs to the sugar.
  var places: [(name: String, x: Double, y: Double)]
  var bonds: [(String, String, Double)]
  /// Interior angles of the rings in degrees; angles to atoms outside the ring share what is left of the circle.
  var angles: [String: Double]

  static func base(_ letter: Character) -> Nucleobase {
    switch letter {
    case "A": adenine
    case "C": cytosine
    case "G": guanine
    default: thymine
    }
  }

  static let adenine = Nucleobase(
    residue: "DA", nitrogen: "N9", reference: "C4",
    places: [
      ("C1'", -2.479, 5.346), ("N9", -1.291, 4.498), ("C8", 0.024, 4.897), ("N7", 0.877, 3.902), ("C5", 0.071, 2.771),
      ("C6", 0.369, 1.398), ("N6", 1.611, 0.909), ("N1", -0.668, 0.532), ("C2", -1.912, 1.023), ("N3", -2.320, 2.290),
      ("C4", -1.267, 3.124),
    ],
    bonds: [
      ("N1", "C2", 1.339), ("C2", "N3", 1.331), ("N3", "C4", 1.344), ("C4", "C5", 1.383), ("C5", "C6", 1.406),
      ("C6", "N1", 1.351), ("C5", "N7", 1.388), ("N7", "C8", 1.311), ("C8", "N9", 1.373), ("N9", "C4", 1.374),
      ("C6", "N6", 1.335), ("C1'", "N9", 1.462),
    ],
    angles: [
      "C6-N1-C2": 118.6, "N1-C2-N3": 129.3, "C2-N3-C4": 110.6, "N3-C4-C5": 126.8, "C4-C5-C6": 117.0, "C5-C6-N1": 117.7,
      "C4-C5-N7": 110.7, "C5-N7-C8": 103.9, "N7-C8-N9": 113.8, "C8-N9-C4": 105.8, "N9-C4-C5": 105.8,
    ])

  static let guanine = Nucleobase(
    residue: "DG", nitrogen: "N9", reference: "C4",
    places: [
      ("C1'", -2.477, 5.399), ("N9", -1.289, 4.551), ("C8", 0.023, 4.962), ("N7", 0.870, 3.969), ("C5", 0.071, 2.833),
      ("C6", 0.424, 1.460), ("O6", 1.554, 0.955), ("N1", -0.700, 0.641), ("C2", -1.999, 1.087), ("N2", -2.949, 0.139),
      ("N3", -2.342, 2.364), ("C4", -1.265, 3.177),
    ],
    bonds: [
      ("N1", "C2", 1.373), ("C2", "N3", 1.323), ("N3", "C4", 1.350), ("C4", "C5", 1.379), ("C5", "C6", 1.419),
      ("C6", "N1", 1.391), ("C5", "N7", 1.388), ("N7", "C8", 1.305), ("C8", "N9", 1.374), ("N9", "C4", 1.375),
      ("C2", "N2", 1.341), ("C6", "O6", 1.237), ("C1'", "N9", 1.459),
    ],
    angles: [
      "C6-N1-C2": 125.1, "N1-C2-N3": 123.9, "C2-N3-C4": 111.9, "N3-C4-C5": 128.6, "C4-C5-C6": 118.8, "C5-C6-N1": 111.5,
      "C4-C5-N7": 110.8, "C5-N7-C8": 104.3, "N7-C8-N9": 113.1, "C8-N9-C4": 106.4, "N9-C4-C5": 105.4,
    ])

  static let cytosine = Nucleobase(
    residue: "DC", nitrogen: "N1", reference: "C2",
    places: [
      ("C1'", -2.477, 5.402), ("N1", -1.285, 4.542), ("C2", -1.472, 3.158), ("O2", -2.628, 2.709),
      ("N3", -0.391, 2.344),
      ("C4", 0.837, 2.868), ("N4", 1.875, 2.027), ("C5", 1.056, 4.275), ("C6", -0.023, 5.068),
    ],
    bonds: [
      ("N1", "C2", 1.397), ("C2", "N3", 1.353), ("N3", "C4", 1.335), ("C4", "C5", 1.425), ("C5", "C6", 1.339),
      ("C6", "N1", 1.367), ("C2", "O2", 1.240), ("C4", "N4", 1.335), ("C1'", "N1", 1.470),
    ],
    angles: [
      "C6-N1-C2": 120.3, "N1-C2-N3": 119.2, "C2-N3-C4": 119.9, "N3-C4-C5": 121.9, "C4-C5-C6": 117.4, "C5-C6-N1": 121.0,
    ])

  static let thymine = Nucleobase(
    residue: "DT", nitrogen: "N1", reference: "C2",
    places: [
      ("C1'", -2.481, 5.354), ("N1", -1.284, 4.500), ("C2", -1.462, 3.135), ("O2", -2.562, 2.608),
      ("N3", -0.298, 2.407),
      ("C4", 0.994, 2.897), ("O4", 1.944, 2.119), ("C5", 1.106, 4.338), ("C7", 2.466, 4.961), ("C6", -0.024, 5.057),
    ],
    bonds: [
      ("N1", "C2", 1.376), ("C2", "N3", 1.373), ("N3", "C4", 1.382), ("C4", "C5", 1.445), ("C5", "C6", 1.339),
      ("C6", "N1", 1.378), ("C2", "O2", 1.220), ("C4", "O4", 1.228), ("C5", "C7", 1.496), ("C1'", "N1", 1.478),
    ],
    angles: [
      "C6-N1-C2": 121.3, "N1-C2-N3": 114.6, "C2-N3-C4": 127.2, "N3-C4-C5": 115.2, "C4-C5-C6": 118.0, "C5-C6-N1": 123.7,
    ])

  /// The angle a-b-c of the base: that of a ring, or the share left over by the rings at the middle atom.
  func angle(_ a: String, _ b: String, _ c: String) -> Double? {
    if let known = angles["\(a)-\(b)-\(c)"] ?? angles["\(c)-\(b)-\(a)"] { return known }
    let rings = angles.filter { $0.key.split(separator: "-")[1] == b }.map(\.value)
    guard !rings.isEmpty else { return nil }
    // Two rings: the angle across both; one ring: half of what is left on either side of the outer bond.
    return rings.count == 2 ? 360 - rings.reduce(0, +) : (360 - rings[0]) / 2
  }
}
