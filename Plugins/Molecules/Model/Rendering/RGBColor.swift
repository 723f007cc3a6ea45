/// A color of eight bits per channel, without transparency.
struct RGBColor: Hashable, Sendable {
  var red: UInt8
  var green: UInt8
  var blue: UInt8

  init(red: UInt8, green: UInt8, blue: UInt8) {
    self.red = red
    self.green = green
    self.blue = blue
  }

  /// Creates a color from a number of the form 0xRRGGBB; higher bits are ignored.
  init(_ hex: UInt32) {
    red = UInt8(truncatingIfNeeded: hex >> 16)
    green = UInt8(truncatingIfNeeded: hex >> 8)
    blue = UInt8(truncatingIfNeeded: hex)
  }

  static let black = RGBColor(0x000000)
  static let white = RGBColor(0xFFFFFF)

  /// The channels as numbers from 0 to 255, the fourth being 0.
  var channels: SIMD4<Float> {
    SIMD4(Float(red), Float(green), Float(blue), 0)
  }

  /// The color as a number of the form 0xBBGGRR.
  var packed: UInt32 { UInt32(red) | UInt32(green) << 8 | UInt32(blue) << 16 }

  /// Returns red, green and blue of a packed color, 0 to 255 each.
  @inline(__always)
  static func channels(ofPacked color: UInt32) -> SIMD4<UInt32> {
    (SIMD4(repeating: color) &>> SIMD4(0, 8, 16, 24)) & 0xFF
  }

  /// Returns the packed color of red, green and blue, 0 to 255 each.
  static func packed(_ channels: SIMD4<UInt32>) -> UInt32 { channels.x | channels.y << 8 | channels.z << 16 }

  /// Returns red, green and blue of a packed color as numbers from 0 to 255, the fourth being 0.
  @inline(__always)
  static func shades(ofPacked color: UInt32) -> SIMD4<Float> {
    SIMD4(Float(color & 0xFF), Float(color >> 8 & 0xFF), Float(color >> 16 & 0xFF), 0)
  }

  /// Returns the color of an unselected part: two fifths of its own color, mixed with a gray near the background.
  ///
  /// - Source: luma weights of ITU-R BT.601 in 256ths.
  func faded(on background: RGBColor) -> RGBColor {
    // A tenth of the way from the background to the opposite brightness keeps faded parts visible.
    let offset = background.luma < 128 ? 24 : -24
    let luma = self.luma
    func channel(_ value: UInt8, _ below: UInt8) -> UInt8 {
      UInt8(clamping: (3 * Int(value) + luma) / 10 + Int(below) * 3 / 5 + offset)
    }
    return RGBColor(
      red: channel(red, background.red), green: channel(green, background.green),
      blue: channel(blue, background.blue))
  }

  private var luma: Int { (77 * Int(red) + 150 * Int(green) + 29 * Int(blue)) >> 8 }
}

/// Colors of residues, chains and secondary structure, and the ramps for numbers.
enum ColorTable {
  /// Returns the color of a residue kind by the code of the original application: 0 unknown, 1 DA to 4 DT, 5 A to 8 U,
  /// 9 GLY to 28 GLN, 29 water.
  ///
  /// - Source: the RasMol "amino" colors as in the cylinder mode of Molecules 1.2.
  static func residueColor(_ code: UInt8) -> RGBColor {
    let index = Int(code)
    return index < residues.count ? RGBColor(residues[index]) : RGBColor(residues[0])
  }

  /// Returns the color of the chain at an index in its model (0-based); the twelve colors repeat.
  ///
  /// - Source: the first seven are for all kinds of color vision: M. Okabe and K. Ito, "Color Universal Design", 2008;
  ///   the others are lighter and less apart: P. Tol, "Colour schemes", SRON/EPS/TN/09-002, 2021, scheme light.
  static func chainColor(_ index: Int) -> RGBColor {
    let count = chains.count
    return RGBColor(chains[((index % count) + count) % count])
  }

  /// The number of chain colors that all kinds of color vision distinguish.
  static let safeChainCount = 7

  /// Returns the color of a kind of secondary structure.
  static func secondaryColor(_ kind: SecondaryStructureKind) -> RGBColor {
    switch kind {
    case .alphaHelix: RGBColor(0xE8456A)
    case .helix310: RGBColor(0xB8408F)
    case .piHelix: RGBColor(0xC24FD6)
    case .polyproline: RGBColor(0x5DBB63)
    case .strand: RGBColor(0xF5C32C)
    case .bridge: RGBColor(0xC79A34)
    case .turn: RGBColor(0x5B8DEF)
    case .bend: RGBColor(0x8CC4D8)
    case .coil: RGBColor(0xDCE1E6)
    }
  }

  /// The color of nucleotides in the colors of secondary structure.
  static let nucleicColor = RGBColor(0x9A86E4)

  /// The four classes of confidence of a predicted position, the highest first, with their lower limits.
  ///
  /// - Source: AlphaFold Protein Structure Database, colors of the model confidence.
  static let confidence: [(lowest: Float, title: String, color: RGBColor)] = [
    (90, "very high (90 and more)", RGBColor(0x0053D6)), (70, "high (70 to 90)", RGBColor(0x65CBF3)),
    (50, "low (50 to 70)", RGBColor(0xFFDB13)), (-.infinity, "very low (below 50)", RGBColor(0xFF7D45)),
  ]

  /// Returns the color of a confidence from 0 to 100.
  static func confidenceColor(_ value: Float) -> RGBColor {
    (confidence.first { value >= $0.lowest } ?? confidence[confidence.count - 1]).color
  }

  /// A ramp from blue over gray to red, for displacements.
  ///
  /// - Source: K. Moreland, "Diverging color maps for scientific visualization", 2009 (ends and middle).
  static let coolToWarm = ColorRamp([0x3B6FE0, 0x9DBDF5, 0xDDDDDD, 0xF0A283, 0xC4232F])
  /// A ramp from dark violet over green to yellow, for occupancies.
  ///
  /// - Source: the ends and quarters of the map "viridis" by S. van der Walt and N. Smith, 2015.
  static let violetToYellow = ColorRamp([0x5B2A86, 0x3B528B, 0x21918C, 0x5EC962, 0xFDE725])
  /// A ramp from the start of a chain to its end.
  static let rainbow = ColorRamp([0x3D5BE0, 0x2BA9F0, 0x27D3A2, 0x9BE03C, 0xF8CF34, 0xF68A26, 0xDB3328])

  private static let residues: [UInt32] = [
    0x969696,
    0xA0A0FF, 0xFF8C4B, 0xFF7070, 0xA0FFA0,
    0xA0A0FF, 0xFF8C4B, 0xFF7070, 0xFF8080,
    0xEBEBEB, 0xC8C8C8, 0x0F820F, 0x0F820F, 0x0F820F, 0xFA9600, 0xE6E600, 0xFA9600, 0xE6E600, 0xDC9682,
    0x3232AA, 0x3232AA, 0xB45AB4, 0x8282D2, 0x145AFF, 0x145AFF, 0xE60A0A, 0xE60A0A, 0x00DCDC, 0x00DCDC,
    0x969696,
  ]

  private static let chains: [UInt32] = [
    0x56B4E9, 0xE69F00, 0x009E73, 0xCC79A7, 0xF0E442, 0x0072B2, 0xD55E00,
    0x99DDFF, 0xEE8866, 0xBBCC33, 0xFFAABB, 0xAAAAAA,
  ]
}

/// A gradient of colors.
struct ColorRamp: Equatable, Sendable {
  let stops: [RGBColor]

  /// Creates a ramp of two or more evenly spaced colors, as 0xRRGGBB.
  init(_ stops: [UInt32]) {
    precondition(stops.count > 1, "a ramp has two colors at least")
    self.stops = stops.map { RGBColor($0) }
  }

  /// Returns the color at a fraction of the ramp, 0 to 1; values outside and NaN are clamped to the nearest end.
  func color(at share: Float) -> RGBColor {
    let position = share > 0 ? min(share, 1) * Float(stops.count - 1) : 0
    let index = min(Int(position), stops.count - 2)
    let fraction = position - Float(index)
    let mixed = stops[index].channels * (1 - fraction) + stops[index + 1].channels * fraction + 0.5
    return RGBColor(red: UInt8(mixed.x), green: UInt8(mixed.y), blue: UInt8(mixed.z))
  }
}

/// The drawn colors and radii of the elements, by element code (0 unknown, 1 to 118, 119 deuterium).
enum ElementStyle {
  /// The code of a virtual site, which is drawn as a point.
  private static let virtualSite: UInt8 = 255
  private static let virtualSiteRadius: Float = 0.1

  /// Returns the code by which an atom is drawn: its element's, or that of a virtual site.
  static func code(ofAtom atom: Int, _ structure: Structure) -> UInt8 {
    structure.isVirtualSite(atom) ? virtualSite : structure.atoms.element[atom].rawValue
  }

  /// Returns the color of an element: Jmol's, and green for the unknown element as in the original application.
  static func color(of code: UInt8) -> RGBColor {
    if code == virtualSite { return RGBColor(Element.unknown.color) }
    let isKnown = code > 0 && code <= Element.deuterium.rawValue
    return isKnown ? RGBColor(Element(rawValue: code).color) : unknownColor
  }

  /// Returns the van der Waals radius of an element in ångström.
  static func vanDerWaalsRadius(of code: UInt8) -> Float {
    if code == virtualSite { return virtualSiteRadius }
    return Float(Element(rawValue: code).vanDerWaalsRadius)
  }

  private static let unknownColor = RGBColor(0x00FF00)
}
