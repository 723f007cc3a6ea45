/// Colours and radii of the elements as they are drawn, by element code (0 unknown, 1 to 118, 119 deuterium).
enum ElementStyle {
  /// The colour of an element: Jmol's, and green for the unknown element as in the original application.
  static func color(of code: UInt8) -> RGBColor {
    let isKnown = code > 0 && Int(code) < ElementTable.rows.count
    return isKnown ? RGBColor(ElementTable.rows[Int(code)].color) : unknownColor
  }

  /// The van der Waals radius of an element in ångström.
  static func vanDerWaalsRadius(of code: UInt8) -> Float {
    Float(ElementTable.row(Element(rawValue: code)).vanDerWaalsRadius)
  }

  private static let unknownColor = RGBColor(0x00FF00)
}
