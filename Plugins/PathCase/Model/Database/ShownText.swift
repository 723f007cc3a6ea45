import PluginText

/// Names and counts as screens and reports show them.
enum ShownText {
  /// A name, or the id where the name is blank.
  static func name(_ name: String, or id: Identifier) -> String {
    let line = SanitizedText.line(name)
    return line.unicodeScalars.allSatisfy { $0.properties.isWhitespace } ? SanitizedText.line(id.text) : line
  }

  /// The name of a node of a graph; its id if nothing else is known of it.
  static func name(of node: GraphNode) -> String { name(node.shownName, or: node.id) }

  /// `3 processes`, `1 process`.
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }
}
