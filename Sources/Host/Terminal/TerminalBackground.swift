import PluginAPI

/// Finds the color of a terminal's background: by the user's setting, the terminal's response, or `COLORFGBG`.
enum TerminalBackground {
  /// Returns the background to draw for; black if it is unknown.
  ///
  /// A setting of `dark` or `light` decides between the two; the reported color is kept if it fits.
  /// - Parameters:
  ///   - choice: The setting `host.background`.
  ///   - reported: The color the terminal reported.
  ///   - environment: The process's environment.
  static func chosen(
    _ choice: GlobalOptions.BackgroundChoice, reported: Color?, environment: [String: String]
  ) -> Color {
    let found = reported ?? color(inEnvironment: environment)
    switch choice {
    case .auto: return found ?? .black
    case .dark: return found.flatMap { $0.isLight ? nil : $0 } ?? .black
    case .light: return found.flatMap { $0.isLight ? $0 : nil } ?? .white
    }
  }

  /// Reads the color from a response to the question `OSC 11 ; ?`.
  ///
  /// - Returns: The color; nil if the response has another form.
  /// - Source: xterm control sequences, OSC 11; XParseColor(3), `rgb:r/g/b` with one to four hexadecimal digits each.
  static func color(inResponse bytes: [UInt8]) -> Color? {
    let text = String(decoding: bytes.drop { $0 != UInt8(ascii: ";") }.dropFirst(), as: UTF8.self)
    let prefix = ["rgb:", "rgba:"].first(where: text.hasPrefix)
    guard let prefix else { return nil }
    let value = text.dropFirst(prefix.count).prefix { $0.isHexDigit || $0 == "/" }
    let channels = value.split(separator: "/", omittingEmptySubsequences: false).map { digits -> UInt8? in
      guard (1...4).contains(digits.count), let number = Int(digits, radix: 16) else { return nil }
      let largest = 1 << (4 * digits.count) - 1
      return UInt8((number * 255 + largest / 2) / largest)
    }
    guard channels.count >= 3, let red = channels[0], let green = channels[1], let blue = channels[2] else {
      return nil
    }
    return .rgb(red, green, blue)
  }

  /// Reads the color from `COLORFGBG`, whose last part is the background's entry in the palette.
  ///
  /// - Source: rxvt(7), COLORFGBG.
  static func color(inEnvironment environment: [String: String]) -> Color? {
    guard let last = environment["COLORFGBG"]?.split(separator: ";").last, let index = UInt8(last), index < 16 else {
      return nil
    }
    return Color(packed: 0x0200_0000 | ColorMapping.components(index))
  }
}

extension Color {
  static let black = Color.rgb(0, 0, 0)
  static let white = Color.rgb(255, 255, 255)

  /// True if dark text is easier to read on this color than light text.
  ///
  /// - Source: ITU-R BT.601-7 §2.5.1 (luma).
  var isLight: Bool {
    guard let (red, green, blue) = components else { return false }
    return 77 * Int(red) + 150 * Int(green) + 29 * Int(blue) >= 128 * 256
  }
}
