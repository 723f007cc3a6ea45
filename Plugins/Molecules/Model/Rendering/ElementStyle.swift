/// The drawn colors and radii of the elements, by element code (0 unknown, 1 to 118, 119 deuterium).
enum ElementStyle {
  /// The code of a virtual site, which is drawn as a point: a charge without an atom, as MW of the water TIP4P.
  static let virtualSite: UInt8 = 255
  private static let virtualSiteRadius: Float = 0.1

  /// Returns the code by which an atom is drawn: its element's, or that of a virtual site.
  ///
  /// - Source: names of virtual sites in the force fields of GROMACS (MW, LP1, LP2) and AMBER (EPW, EP1, EP2).
  static func code(ofAtom atom: Int, in residue: Residue, _ structure: Structure) -> UInt8 {
    let code = structure.atoms.element[atom].rawValue
    guard code == 0, residue.kind == .water else { return code }
    let name = structure.atomName(atom)
    return ["M", "EP", "LP"].contains { name.hasPrefix($0) } ? virtualSite : code
  }

  /// Returns the color of an element: Jmol's, and green for the unknown element as in the original application.
  static func color(of code: UInt8) -> RGBColor {
    if code == virtualSite { return RGBColor(ElementTable.rows[0].color) }
    let isKnown = code > 0 && Int(code) < ElementTable.rows.count
    return isKnown ? RGBColor(ElementTable.rows[Int(code)].color) : unknownColor
  }

  /// Returns the van der Waals radius of an element in ångström.
  static func vanDerWaalsRadius(of code: UInt8) -> Float {
    if code == virtualSite { return virtualSiteRadius }
    return Float(ElementTable.row(Element(rawValue: code)).vanDerWaalsRadius)
  }

  private static let unknownColor = RGBColor(0x00FF00)
}
