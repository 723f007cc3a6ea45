import PluginAPI

/// Writes a frame as text, with escape sequences, or as JSON.
enum FrameText {
  static func text(
    _ frame: TextFrame, _ format: ScreenLaunch.FrameFormat, path: [String], outline: Outline?, theme: Theme
  ) -> String {
    switch format {
    case .text: frame.plainText
    case .ansi: ansi(frame, theme)
    case .json: json(frame, path: path, outline: outline)
    }
  }

  /// Returns the frame with SGR sequences, one reset at the end of each line.
  ///
  /// - Source: ECMA-48 5th edition 8.3.117 (SGR); ISO 8613-6 for 38 and 48.
  static func ansi(_ frame: TextFrame, _ theme: Theme) -> String {
    let width = frame.frameSize.width
    return (0..<frame.frameSize.height).map { y in
      var line = ""
      var style = Style.plain
      for cell in frame.cells[y * width..<(y + 1) * width] {
        if cell.style != style {
          line += sequence(cell.style, theme)
          style = cell.style
        }
        line += cell.text
      }
      return style == .plain ? line : line + "\u{1B}[0m"
    }.joined(separator: "\n")
  }

  private static func sequence(_ style: Style, _ theme: Theme) -> String {
    var codes = ["0"]
    let attributes: [(Style.Attributes, String)] = [
      (.bold, "1"), (.dim, "2"), (.italic, "3"), (.underline, "4"), (.reverse, "7"),
    ]
    for (attribute, code) in attributes where style.attributes.contains(attribute) { codes.append(code) }
    codes += color(style.foreground, theme, base: 30) + color(style.background, theme, base: 40)
    return "\u{1B}[" + codes.joined(separator: ";") + "m"
  }

  private static func color(_ color: Color, _ theme: Theme, base: Int) -> [String] {
    if color.role != nil { return self.color(Color(packed: theme.color(ofRole: color.packed)), theme, base: base) }
    if let rgb = color.components { return ["\(base + 8)", "2", "\(rgb.red)", "\(rgb.green)", "\(rgb.blue)"] }
    guard let index = color.paletteIndex else { return [] }
    switch index {
    case 0..<8: return ["\(base + Int(index))"]
    case 8..<16: return ["\(base + 60 + Int(index) - 8)"]
    default: return ["\(base + 8)", "5", "\(index)"]
    }
  }

  /// Returns the frame with its path, cursor and outline: `{width, height, path, lines, cursor, outline}`.
  static func json(_ frame: TextFrame, path: [String], outline: Outline?) -> String {
    let lines = frame.plainText.split(separator: "\n", omittingEmptySubsequences: false).map { quoted(String($0)) }
    let cursor = frame.cursor.map { "{\"x\":\($0.x),\"y\":\($0.y)}" } ?? "null"
    return "{\"width\":\(frame.frameSize.width),\"height\":\(frame.frameSize.height),"
      + "\"path\":[\(path.map(quoted).joined(separator: ","))],\"lines\":[\(lines.joined(separator: ","))],"
      + "\"cursor\":\(cursor),\"outline\":\(outline.map(json) ?? "null")}"
  }

  private static func json(_ outline: Outline) -> String {
    let fields = outline.fields.map { "{\"label\":\(quoted($0.label)),\"value\":\(quoted($0.value))}" }
    let items = outline.items.map {
      "{\"id\":\(quoted($0.id)),\"text\":\(quoted($0.text)),\"action\":\($0.action.map { quoted($0.action) } ?? "null")}"
    }
    return "{\"title\":\(quoted(outline.title)),\"text\":[\(outline.text.map(quoted).joined(separator: ","))],"
      + "\"fields\":[\(fields.joined(separator: ","))],\"items\":[\(items.joined(separator: ","))]}"
  }

  /// Returns a JSON string.
  ///
  /// - Source: RFC 8259 section 7.
  static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\r": result += "\\r"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
