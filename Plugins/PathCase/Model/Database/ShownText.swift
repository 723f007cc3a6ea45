/// Makes texts of databases and files harmless and short enough for one line of a screen.
enum ShownText {
  /// So many scalars of a text are looked at.
  static let limit = 400

  /// A text on one line; what a terminal would obey or that turns the direction of writing is shown escaped.
  static func line(_ text: String) -> String {
    let shown = NodeLabel.shown(text)
    return text.unicodeScalars.dropFirst(limit).isEmpty ? shown : shown + "…"
  }

  /// A name, or the id where there is none to see.
  static func name(_ name: String, or id: Identifier) -> String {
    let isBlank = name.unicodeScalars.prefix(limit).allSatisfy { $0.properties.isWhitespace }
    return line(isBlank ? id.text : name)
  }

  /// The name of a node of a graph; its id if nothing else is known of it.
  static func name(of node: GraphNode) -> String { name(node.shownName, or: node.id) }

  /// `3 processes`, `1 process`.
  static func count(_ count: Int, _ one: String, _ many: String? = nil) -> String {
    "\(count) \(count == 1 ? one : many ?? one + "s")"
  }
}
