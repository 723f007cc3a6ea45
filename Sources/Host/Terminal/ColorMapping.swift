import PluginAPI

/// Maps colours to what a terminal of a colour depth can show.
///
/// - Source: xterm's 256-colour table (256colres.pl): 16 of the theme, a 6×6×6 cube with the levels
///   0, 95, 135, 175, 215, 255, and 24 greys 8, 18 … 238; xterm's standard values for the 16.
struct ColorMapping: Sendable {
  /// The contract's depths as an enum of this module, which compares without a call.
  private enum Depth {
    case none, sixteen, palette, trueColor
  }

  private let depth: Depth

  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let theme: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]

  /// The colour in 15 bits → the nearest of the 16, made on first use.
  private static let nearestOf16: [UInt8] = (0..<32768).map { index in
    let (red, green, blue) = ((index >> 10) << 3 | 4, (index >> 5 & 31) << 3 | 4, (index & 31) << 3 | 4)
    return nearestInTheme(red, green, blue)
  }

  init(_ depth: ColorDepth) {
    self.depth =
      depth >= .trueColor ? .trueColor : depth >= .palette ? .palette : depth >= .sixteen ? .sixteen : .none
  }

  /// The packed colour a terminal of this depth shows for a packed colour.
  @inline(__always) func map(_ packed: UInt32) -> UInt32 {
    depth == .trueColor || packed == 0 ? packed : mapped(packed)
  }

  private func mapped(_ packed: UInt32) -> UInt32 {
    let isIndex = packed >> 24 == 1
    switch depth {
    case .trueColor: return packed
    case .none: return 0
    case .palette: return isIndex ? packed : 0x0100_0000 | UInt32(Self.nearestOf256(packed))
    case .sixteen:
      if isIndex, packed & 0xFF < 16 { return packed }
      return 0x0100_0000 | UInt32(Self.nearestOf16(isIndex ? Self.components(UInt8(packed & 0xFF)) : packed))
    }
  }

  /// Red, green and blue of a palette entry, as a packed colour's low 24 bits.
  static func components(_ index: UInt8) -> UInt32 {
    let value = Int(index)
    if value < 16 {
      let color = theme[value]
      return UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    }
    if value >= 232 { return UInt32(8 + 10 * (value - 232)) * 0x01_01_01 }
    let cube = value - 16
    return UInt32(levels[cube / 36]) << 16 | UInt32(levels[cube / 6 % 6]) << 8 | UInt32(levels[cube % 6])
  }

  /// The entry of the cube or the greys that is nearest to a colour; never one of the theme's 16.
  static func nearestOf256(_ packed: UInt32) -> UInt8 {
    let (red, green, blue) = (Int(packed >> 16 & 255), Int(packed >> 8 & 255), Int(packed & 255))
    let (r, g, b) = (cubeStep(red), cubeStep(green), cubeStep(blue))
    let cube = distance(red, green, blue, Int(levels[r]), Int(levels[g]), Int(levels[b]))
    let grey = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
    let level = 8 + 10 * grey
    if distance(red, green, blue, level, level, level) < cube { return UInt8(232 + grey) }
    return UInt8(16 + 36 * r + 6 * g + b)
  }

  private static func nearestOf16(_ packed: UInt32) -> UInt8 {
    nearestOf16[Int(packed >> 19 & 31) << 10 | Int(packed >> 11 & 31) << 5 | Int(packed >> 3 & 31)]
  }

  private static func nearestInTheme(_ red: Int, _ green: Int, _ blue: Int) -> UInt8 {
    var (best, least) = (0, Int.max)
    for (index, color) in theme.enumerated() {
      let off = distance(red, green, blue, Int(color.red), Int(color.green), Int(color.blue))
      if off < least { (best, least) = (index, off) }
    }
    return UInt8(best)
  }

  private static func cubeStep(_ value: Int) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
  }

  private static func distance(_ r: Int, _ g: Int, _ b: Int, _ red: Int, _ green: Int, _ blue: Int) -> Int {
    let (x, y, z) = (r - red, g - green, b - blue)
    return 3 * x * x + 4 * y * y + 2 * z * z
  }
}
