import PluginAPI

/// What is written for a node.
enum NodeLabel {
  /// Longer texts are cut before they are looked at.
  private static let limit = 400

  /// The text in or instead of a node's box; never empty.
  static func text(_ node: GraphNode, _ options: TextDrawing.Options) -> String {
    switch options.zoom {
    case .overview: return dot(node.kind, isASCII: options.isASCII)
    case .names:
      let label = short(node, limit: min(options.labelLimit, 10), options)
      return node.kind == .process ? "[\(label)]" : label
    case .full: return short(node, limit: options.labelLimit, options)
    }
  }

  private static func dot(_ kind: GraphNode.Kind, isASCII: Bool) -> String {
    switch kind {
    case .pool: isASCII ? "o" : "●"
    case .process: isASCII ? "#" : "■"
    case .macromolecule: isASCII ? "@" : "◆"
    case .pathway: isASCII ? "*" : "▣"
    case .other: isASCII ? "." : "·"
    }
  }

  private static func short(_ node: GraphNode, limit: Int, _ options: TextDrawing.Options) -> String {
    var text = shown(node.label)
    if TextWidth.columns(text) == 0 { text = shown(node.id.text) }
    if TextWidth.columns(text) == 0 { return "?" }
    return cut(text, to: max(1, limit), isASCII: options.isASCII)
  }

  /// The start of a text that fits into so many columns, with a mark if something was cut.
  static func cut(_ text: String, to limit: Int, isASCII: Bool) -> String {
    if !isASCII || TextWidth.columns(text) <= limit { return TextWidth.truncated(text, to: limit) }
    return limit > 2 ? TextWidth.prefix(text, columns: limit - 2) + ".." : String(repeating: ".", count: max(0, limit))
  }

  /// A text without what a terminal would obey: control characters and those that turn the direction of writing.
  static func shown(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars.prefix(limit) {
      switch scalar.value {
      case 0..<0x20, 0x7F..<0xA0, 0x2028...0x202E, 0x2066...0x2069, 0x200E, 0x200F, 0x61C:
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}
