import PluginAPI

/// Maps colors to the nearest ones that a terminal can show.
///
/// - Source: xterm's 256-color table (256colres.pl): 16 of the theme, a 6×6×6 cube with the levels
///   0, 95, 135, 175, 215, 255, and 24 grays 8, 18 … 238; xterm's standard values for the 16.
struct ColorMapping: Sendable {
  /// The contract's depths as an enum of this module, so that comparing them needs no function call.
  private enum Depth {
    case none, sixteen, palette, trueColor
  }

  private let depth: Depth
  private let isOnLight: Bool
  private let theme: Theme

  private static let levels: [UInt8] = [0, 95, 135, 175, 215, 255]
  private static let sixteen: [(red: UInt8, green: UInt8, blue: UInt8)] = [
    (0, 0, 0), (205, 0, 0), (0, 205, 0), (205, 205, 0), (0, 0, 238), (205, 0, 205), (0, 205, 205), (229, 229, 229),
    (127, 127, 127), (255, 0, 0), (0, 255, 0), (255, 255, 0), (92, 92, 255), (255, 0, 255), (0, 255, 255),
    (255, 255, 255),
  ]

  /// Creates a mapping.
  ///
  /// - Parameters:
  ///   - depth: The colors the terminal shows.
  ///   - background: The terminal's background; on a light one, the terminal's 16 colors are darkened for text.
  ///   - theme: The colors of roles.
  init(_ depth: ColorDepth, background: Color = .black, theme: Theme = .standard) {
    self.depth =
      depth >= .trueColor ? .trueColor : depth >= .palette ? .palette : depth >= .sixteen ? .sixteen : .none
    isOnLight = background.isLight
    self.theme = theme
  }

  /// Returns the packed color that a terminal of this depth shows for another one.
  @inline(__always) func map(_ packed: UInt32) -> UInt32 {
    let color = concrete(packed)
    return depth == .trueColor || color == 0 ? color : mapped(color)
  }

  /// Returns the packed color for text: readable on the background if the color belongs to the theme.
  ///
  /// A theme's yellow and white are unknown; on a white background, those of xterm are unreadable.
  @inline(__always) func mapText(_ packed: UInt32) -> UInt32 {
    let color = concrete(packed)
    return isOnLight && color >> 24 == 1 && color & 0xFF < 16 && depth != .none ? textOnLight(color) : map(color)
  }

  /// Returns the theme's color of a role, and every other color as it is.
  @inline(__always) private func concrete(_ packed: UInt32) -> UInt32 {
    packed >> 24 == 3 ? theme.color(ofRole: packed) : packed
  }

  private func textOnLight(_ packed: UInt32) -> UInt32 {
    let entry = (depth == .sixteen ? Self.textOnLightOf16 : Self.textOnLightOf256)[Int(packed & 0xFF)]
    return entry < 0 ? 0 : 0x0100_0000 | UInt32(entry)
  }

  /// Entries for text in each of the 16 on a light background; -1 for the terminal's own color.
  ///
  /// Yellow becomes magenta, and cyan becomes blue: no yellow or cyan of the 16 is dark in every theme.
  private static let textOnLightOf16: [Int] = [0, 1, 2, 5, 4, 5, 4, 8, 8, 1, 2, 5, 4, 5, 4, -1]
  /// The same from 256: the nearest hues whose contrast with white is 4 to 1 or more.
  private static let textOnLightOf256: [Int] = [0, 1, 28, 94, 4, 127, 30, 243, 243, 160, 28, 94, 26, 127, 30, -1]

  @_optimize(speed)
  private func mapped(_ packed: UInt32) -> UInt32 {
    let isIndex = packed >> 24 == 1
    switch depth {
    case .trueColor: return packed
    case .none: return 0
    case .palette: return isIndex ? packed : 0x0100_0000 | UInt32(Self.nearestOf256(packed))
    case .sixteen:
      if isIndex, packed & 0xFF < 16 { return packed }
      let color = ThemeColor(isIndex ? Self.components(UInt8(packed & 0xFF)) : packed)
      return 0x0100_0000 | UInt32(color.entry(isOnLight: isOnLight))
    }
  }

  /// Red, green and blue of a palette entry, as a packed color's low 24 bits.
  static func components(_ index: UInt8) -> UInt32 {
    let value = Int(index)
    if value < 16 {
      let color = sixteen[value]
      return UInt32(color.red) << 16 | UInt32(color.green) << 8 | UInt32(color.blue)
    }
    if value >= 232 { return UInt32(8 + 10 * (value - 232)) * 0x01_01_01 }
    let cube = value - 16
    return UInt32(levels[cube / 36]) << 16 | UInt32(levels[cube / 6 % 6]) << 8 | UInt32(levels[cube % 6])
  }

  /// Returns the entry of the color cube or the grays nearest to a color; never one of the theme's 16.
  static func nearestOf256(_ packed: UInt32) -> UInt8 {
    let (red, green, blue) = (Int(packed >> 16 & 255), Int(packed >> 8 & 255), Int(packed & 255))
    let (r, g, b) = (cubeStep(red), cubeStep(green), cubeStep(blue))
    let cube = distance(red, green, blue, Int(levels[r]), Int(levels[g]), Int(levels[b]))
    let gray = min(23, max(0, ((red + green + blue) / 3 - 3) / 10))
    let level = 8 + 10 * gray
    if distance(red, green, blue, level, level, level) < cube { return UInt8(232 + gray) }
    return UInt8(16 + 36 * r + 6 * g + b)
  }

  private static func cubeStep(_ value: Int) -> Int {
    value < 48 ? 0 : value < 115 ? 1 : (value - 35) / 40
  }

  private static func distance(_ r: Int, _ g: Int, _ b: Int, _ red: Int, _ green: Int, _ blue: Int) -> Int {
    let (x, y, z) = (r - red, g - green, b - blue)
    return 3 * x * x + 4 * y * y + 2 * z * z
  }
}

/// Maps a color to one of the theme's 16, by hue first, because hues distinguish elements and chains.
///
/// Lit and shaded parts of a surface thus keep their hue; with the nearest color they would not.
private struct ThemeColor {
  private enum Hue {
    case gray, red, orange, yellow, green, cyan, blue, magenta
  }

  private let hue: Hue
  private let largest: Int
  private let luma: Int

  /// Finds the hue of a packed color.
  init(_ packed: UInt32) {
    let (red, green, blue) = (Int(packed >> 16 & 255), Int(packed >> 8 & 255), Int(packed & 255))
    largest = max(red, green, blue)
    luma = (77 * red + 150 * green + 29 * blue) >> 8
    let chroma = largest - min(red, green, blue)
    // A saturation below a fifth looks gray.
    if 5 * chroma <= largest || chroma < 12 {
      hue = .gray
      return
    }
    let tenthsOfDegrees =
      switch largest {
      case red: 600 * (green - blue) / chroma
      case green: 1200 + 600 * (blue - red) / chroma
      default: 2400 + 600 * (red - green) / chroma
      }
    hue =
      switch tenthsOfDegrees {
      case 3450..., -150..<283: .red
      case 283..<440: .orange
      case 440..<700: .yellow
      case 700..<1700: .green
      case 1700..<1900: .cyan
      // Sky blue and blue can have the same hue; lightness separates them.
      case 1900..<2150: 10 * luma >= 6 * largest ? .cyan : .blue
      case 2150..<2580: .blue
      default: .magenta
      }
  }

  /// Returns the entry, darker on a light background.
  func entry(isOnLight: Bool) -> UInt8 {
    if hue == .gray { return luma < 40 ? 0 : luma < 178 ? 8 : luma < 242 || isOnLight ? 7 : 15 }
    if largest < 32 { return 0 }
    let bright: UInt8 = largest >= 200 && !isOnLight ? 8 : 0
    switch hue {
    case .gray, .red: return 1 + bright
    // The dark yellow of most themes is an orange or a brown.
    case .orange: return 3
    case .yellow: return 3 + bright
    case .green: return 2 + bright
    case .cyan: return 6 + bright
    case .blue: return 4 + bright
    case .magenta: return 5 + bright
    }
  }
}

extension ColorDepth {
  /// Returns the number of colors for a stream.
  ///
  /// There are none with `--color never`, with `NO_COLOR` unless `--color always` is given, and if `TERM` names a
  /// terminal without colors, such as `dumb` or `vt100`. A name with few colors, such as `xterm-16color` or `linux`, is
  /// obeyed too. Otherwise `COLORTERM`, the terminal's responses and the name in `TERM` decide, in this order: many
  /// terminals with all colors are named `xterm-256color`. A number of colors in `--color` applies to every stream that
  /// has colors.
  /// - Parameters:
  ///   - choice: `--color`.
  ///   - environment: The process's environment.
  ///   - isTerminal: True if the stream is a terminal.
  ///   - showsTrueColor: True if the terminal is known to show all colors.
  /// - Source: https://no-color.org; https://github.com/termstandard/colors.
  static func chosen(
    _ choice: GlobalOptions.ColorChoice, environment: [String: String], isTerminal: Bool, showsTrueColor: Bool = false
  ) -> ColorDepth {
    let name = environment["TERM"] ?? ""
    switch choice {
    case .never: return .none
    case .always: return max(.sixteen, named(name, environment, showsTrueColor))
    case .auto:
      let isForced = environment["CLICOLOR_FORCE"].map { !$0.isEmpty && $0 != "0" } ?? false
      if !(environment["NO_COLOR"] ?? "").isEmpty { return .none }
      if isForced { return max(.sixteen, named(name, environment, showsTrueColor)) }
      return isTerminal ? named(name, environment, showsTrueColor) : .none
    case .sixteen, .palette, .trueColor:
      let usual = chosen(.auto, environment: environment, isTerminal: isTerminal, showsTrueColor: showsTrueColor)
      if usual == .none { return .none }
      return choice == .sixteen ? .sixteen : choice == .palette ? .palette : .trueColor
    }
  }

  private static func named(_ name: String, _ environment: [String: String], _ showsTrueColor: Bool) -> ColorDepth {
    if isMonochrome(name) { return .none }
    if hasFewColors(name) { return .sixteen }
    let colors = environment["COLORTERM"] ?? ""
    if showsTrueColor || colors == "truecolor" || colors == "24bit" || name.hasSuffix("-direct") { return .trueColor }
    if name.split(separator: "-").contains("256color") || name.hasPrefix("xterm-kitty") || name == "alacritty"
      || name == "foot"
    {
      return .palette
    }
    return name.isEmpty ? .none : .sixteen
  }

  /// Returns true if a name in `TERM` is that of a terminal without colors.
  private static func isMonochrome(_ name: String) -> Bool {
    if name == "dumb" || name.hasSuffix("-m") || name.hasSuffix("-mono") { return true }
    return ["vt1", "vt2", "vt3", "vt4", "vt510", "vt520"].contains(where: name.hasPrefix)
  }

  /// Returns true if a name in `TERM` indicates at most 16 colors, or 88, whose palette differs.
  private static func hasFewColors(_ name: String) -> Bool {
    let parts = name.split(separator: "-")
    return parts.first == "linux" || parts.contains { ["8color", "16color", "88color"].contains($0) }
  }
}
