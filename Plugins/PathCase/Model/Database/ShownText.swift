import PluginText

/// Names and counts as screens and reports show them.
enum ShownText {
  /// Returns a name, or the identifier if the name is blank.
  static func name(_ name: String, or id: Identifier) -> String {
    let line = SanitizedText.line(name)
    return line.unicodeScalars.allSatisfy { $0.properties.isWhitespace } ? SanitizedText.line(id.text) : line
  }

  /// Returns the name of a graph's node, or its identifier if it has no name.
  static func name(of node: GraphNode) -> String { name(node.shownName, or: node.id) }

  /// Returns a count with its noun: `3 processes`, `1 process`.
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }
}
