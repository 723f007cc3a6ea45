import PluginAPI

/// Writes styled text for a terminal or a pipe.
///
/// Control characters of the text never reach the terminal: data must not be able to command it.
/// - Source: ECMA-48 section 8.3.117 (SGR); ITU-T T.416 colours as xterm writes them (`38;5;n`, `38;2;r;g;b`).
enum StyledTextWriter {
  /// The bytes of a text, every line ended by a line feed.
  static func bytes(of text: StyledText, colorDepth: ColorDepth) -> [UInt8] {
    var bytes: [UInt8] = []
    for line in text.lines {
      for run in line {
        let codes = codes(of: run.style, colorDepth)
        if !codes.isEmpty { bytes += "\u{1B}[\(codes.map(String.init).joined(separator: ";"))m".utf8 }
        bytes += harmless(run.text).utf8
        if !codes.isEmpty { bytes += "\u{1B}[0m".utf8 }
      }
      bytes.append(0x0A)
    }
    return bytes
  }

  /// The text with control characters other than tab shown as replacement characters.
  static func harmless(_ text: String) -> String {
    let isHarmless = text.utf8.allSatisfy { ($0 >= 0x20 && $0 != 0x7F && $0 < 0xC2) || $0 > 0xC2 || $0 == 0x09 }
    if isHarmless { return text }
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      let isControl = scalar.properties.generalCategory == .control && scalar != "\t"
      result.append(isControl ? "\u{FFFD}" : scalar)
    }
    return String(result)
  }

  private static func codes(of style: Style, _ depth: ColorDepth) -> [Int] {
    if depth == .none { return [] }
    var codes: [Int] = []
    for (attribute, code) in [
      (Style.Attributes.bold, 1), (.dim, 2), (.italic, 3), (.underline, 4), (.reverse, 7),
    ] where style.attributes.contains(attribute) {
      codes.append(code)
    }
    return codes + color(style.foreground, depth, base: 30) + color(style.background, depth, base: 40)
  }

  private static func color(_ color: Color, _ depth: ColorDepth, base: Int) -> [Int] {
    if let index = color.paletteIndex.map(Int.init) {
      if index < 8 { return [base + index] }
      if index < 16 { return [base + 52 + index] }
      return depth >= .palette ? [base + 8, 5, index] : []
    }
    guard let (red, green, blue) = color.components else { return [] }
    switch depth {
    case .trueColor: return [base + 8, 2, Int(red), Int(green), Int(blue)]
    case .palette: return [base + 8, 5, cube(red, green, blue)]
    default:
      let bits = (red > 127 ? 1 : 0) | (green > 127 ? 2 : 0) | (blue > 127 ? 4 : 0)
      return [base + bits]
    }
  }

  /// The nearest entry of the 6×6×6 colour cube of 256-colour terminals.
  private static func cube(_ red: UInt8, _ green: UInt8, _ blue: UInt8) -> Int {
    func level(_ component: UInt8) -> Int { component < 48 ? 0 : component < 115 ? 1 : (Int(component) - 35) / 40 }
    return 16 + 36 * level(red) + 6 * level(green) + level(blue)
  }
}
