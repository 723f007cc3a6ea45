/// Ideal bond lengths and angles of amino acids.
///
/// - Source: R. A. Engh and R. Huber, International Tables for Crystallography F (2001), section 18.3, tables 18.3.2.1
///   and 18.3.2.3; proline as trans; the hydroxyl group of hydroxyproline as in threonine.
enum IdealGeometry {
  /// The ideal length of a bond inside a residue, in ångström, names in either order; nil for one not in the table.
  static func length(_ a: String, _ b: String, in residue: String) -> Double? {
    for key in ["\(residue) \(a)-\(b)", "\(residue) \(b)-\(a)", "\(a)-\(b)", "\(b)-\(a)"] {
      if let length = lengths[key] { return length }
    }
    return nil
  }

  /// The ideal angle a-b-c of a residue in degrees; nil for one not in the table.
  static func angle(_ a: String, _ b: String, _ c: String, in residue: String) -> Double? {
    for key in ["\(residue) \(a)-\(b)-\(c)", "\(residue) \(c)-\(b)-\(a)", "\(a)-\(b)-\(c)", "\(c)-\(b)-\(a)"] {
      if let degrees = angles[key] { return degrees }
    }
    return nil
  }

  /// Names with a plus belong to the next residue, those with a minus to the one before.
  private static let lengths: [String: Double] = [
    "N-CA": 1.459, "GLY N-CA": 1.456, "PRO N-CA": 1.468, "HYP N-CA": 1.468,
    "CA-C": 1.525, "GLY CA-C": 1.514, "PRO CA-C": 1.524, "HYP CA-C": 1.524,
    "C-O": 1.229, "C-OXT": 1.249, "C-+N": 1.336, "CA-CB": 1.530, "ALA CA-CB": 1.520,
    "VAL CA-CB": 1.543, "THR CA-CB": 1.529, "PRO CA-CB": 1.531, "HYP CA-CB": 1.531,
    "LEU CB-CG": 1.533, "LEU CG-CD1": 1.514, "LEU CG-CD2": 1.514,
    "VAL CB-CG1": 1.524, "VAL CB-CG2": 1.524, "THR CB-OG1": 1.428, "THR CB-CG2": 1.519,
    "LYS CB-CG": 1.521, "LYS CG-CD": 1.520, "LYS CD-CE": 1.508, "LYS CE-NZ": 1.486,
    "GLU CB-CG": 1.517, "GLU CG-CD": 1.515, "GLU CD-OE1": 1.252, "GLU CD-OE2": 1.252,
    "PRO CB-CG": 1.495, "PRO CG-CD": 1.502, "PRO N-CD": 1.474,
    "HYP CB-CG": 1.495, "HYP CG-CD": 1.502, "HYP N-CD": 1.474, "HYP CG-OD1": 1.428,
  ]

  private static let angles: [String: Double] = [
    "N-CA-C": 111.0, "GLY N-CA-C": 113.1, "PRO N-CA-C": 112.1, "HYP N-CA-C": 112.1,
    "N-CA-CB": 110.6, "ALA N-CA-CB": 110.1, "THR N-CA-CB": 110.3, "VAL N-CA-CB": 111.5,
    "PRO N-CA-CB": 103.3, "HYP N-CA-CB": 103.3,
    "C-CA-CB": 110.4, "ALA C-CA-CB": 110.1, "THR C-CA-CB": 111.6, "VAL C-CA-CB": 111.4,
    "PRO C-CA-CB": 111.7, "HYP C-CA-CB": 111.7,
    "CA-C-O": 120.1, "GLY CA-C-O": 120.6, "PRO CA-C-O": 120.2, "HYP CA-C-O": 120.2,
    "CA-C-+N": 117.2, "GLY CA-C-+N": 116.2, "PRO CA-C-+N": 117.1, "HYP CA-C-+N": 117.1,
    "O-C-+N": 122.7, "GLY O-C-+N": 123.2, "CA-C-OXT": 117.1, "O-C-OXT": 122.8,
    "-C-N-CA": 121.7, "GLY -C-N-CA": 122.3, "PRO -C-N-CA": 119.3, "HYP -C-N-CA": 119.3,
    "PRO -C-N-CD": 128.4, "HYP -C-N-CD": 128.4, "CA-N-CD": 111.7,
    "LEU CA-CB-CG": 115.3, "CB-CG-CD1": 111.0, "CB-CG-CD2": 111.0, "CD1-CG-CD2": 110.5,
    "VAL CA-CB-CG1": 110.9, "VAL CA-CB-CG2": 110.9, "CG1-CB-CG2": 110.9,
    "CA-CB-OG1": 109.0, "THR CA-CB-CG2": 112.4, "OG1-CB-CG2": 110.0,
    "CA-CB-CG": 113.4, "LYS CB-CG-CD": 111.6, "CG-CD-CE": 111.9, "CD-CE-NZ": 111.7,
    "GLU CB-CG-CD": 114.2, "CG-CD-OE1": 118.3, "CG-CD-OE2": 118.3, "OE1-CD-OE2": 123.3,
    "PRO CA-CB-CG": 104.8, "PRO CB-CG-CD": 106.5, "CG-CD-N": 103.2,
    "HYP CA-CB-CG": 104.8, "HYP CB-CG-CD": 106.5, "CB-CG-OD1": 109.0, "CD-CG-OD1": 109.0,
  ]
}
