/// Colours and radii of the elements by atomic number; 0 and numbers beyond the table stand for the unknown element.
enum ElementStyle {
  /// The colour of an element.
  ///
  /// - Source: the element colours of Jmol (jmol.sourceforge.net/jscolors); deuterium is not told from hydrogen here.
  ///   The unknown element is green, as in the original application.
  static func color(of atomicNumber: UInt8) -> RGBColor {
    let index = Int(atomicNumber)
    return index < colors.count ? RGBColor(colors[index]) : RGBColor(colors[0])
  }

  /// The van der Waals radius of an element in ångström, 2.0 where none has been published.
  ///
  /// - Source: A. Bondi, J. Phys. Chem. 68 (1964) 441; main group elements it leaves out: M. Mantina et al.,
  ///   J. Phys. Chem. A 113 (2009) 5806. Hydrogen is Bondi's 1.20; iron is 1.26 as in the table of the original.
  static func vanDerWaalsRadius(of atomicNumber: UInt8) -> Float {
    let index = Int(atomicNumber)
    guard index < radii.count, radii[index] > 0 else { return 2 }
    return Float(radii[index]) / 100
  }

  private static let colors: [UInt32] = [
    0x00FF00,
    0xFFFFFF, 0xD9FFFF,
    0xCC80FF, 0xC2FF00, 0xFFB5B5, 0x909090, 0x3050F8, 0xFF0D0D, 0x90E050, 0xB3E3F5,
    0xAB5CF2, 0x8AFF00, 0xBFA6A6, 0xF0C8A0, 0xFF8000, 0xFFFF30, 0x1FF01F, 0x80D1E3,
    0x8F40D4, 0x3DFF00, 0xE6E6E6, 0xBFC2C7, 0xA6A6AB, 0x8A99C7, 0x9C7AC7, 0xE06633, 0xF090A0,
    0x50D050, 0xC88033, 0x7D80B0, 0xC28F8F, 0x668F8F, 0xBD80E3, 0xFFA100, 0xA62929, 0x5CB8D1,
    0x702EB0, 0x00FF00, 0x94FFFF, 0x94E0E0, 0x73C2C9, 0x54B5B5, 0x3B9E9E, 0x248F8F, 0x0A7D8C,
    0x006985, 0xC0C0C0, 0xFFD98F, 0xA67573, 0x668080, 0x9E63B5, 0xD47A00, 0x940094, 0x429EB0,
    0x57178F, 0x00C900, 0x70D4FF, 0xFFFFC7, 0xD9FFC7, 0xC7FFC7, 0xA3FFC7, 0x8FFFC7, 0x61FFC7, 0x45FFC7,
    0x30FFC7, 0x1FFFC7, 0x00FF9C, 0x00E675, 0x00D452, 0x00BF38, 0x00AB24,
    0x4DC2FF, 0x4DA6FF, 0x2194D6, 0x267DAB, 0x266696, 0x175487, 0xD0D0E0, 0xFFD123, 0xB8B8D0,
    0xA6544D, 0x575961, 0x9E4FB5, 0xAB5C00, 0x754F45, 0x428296,
    0x420066, 0x007D00, 0x70ABFA, 0x00BAFF, 0x00A1FF, 0x008FFF, 0x0080FF, 0x006BFF, 0x545CF2, 0x785CE3,
    0x8A4FE3, 0xA136D4, 0xB31FD4, 0xB31FBA, 0xB30DA6, 0xBD0D87, 0xC70066,
    0xCC0059, 0xD1004F, 0xD90045, 0xE00038, 0xE6002E, 0xEB0026,
  ]

  /// Radii in hundredths of an ångström; 0 where none has been published.
  private static let radii: [UInt16] = [
    170,
    120, 140,
    182, 153, 192, 170, 155, 152, 147, 154,
    227, 173, 184, 210, 180, 180, 175, 188,
    275, 231, 0, 0, 0, 0, 0, 126, 0,
    163, 140, 139, 187, 211, 185, 190, 185, 202,
    303, 249, 0, 0, 0, 0, 0, 0, 0,
    163, 172, 158, 193, 217, 206, 206, 198, 216,
    343, 268,
    0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0,
    0, 0, 0, 0, 0, 0, 175, 166, 155,
    196, 202, 207, 197, 202, 220,
    348, 283, 0, 0, 0, 186,
  ]
}
