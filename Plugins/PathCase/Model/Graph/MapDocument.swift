import PluginAPI

/// A pathway map as read from a file.
struct MapDocument: Sendable, Hashable {
  var format: NetworkFormat
  /// The format version as given in the file: a namespace or a schema; "" if it is not given.
  var version = ""
  var graph: ReactionGraph
  /// Further maps in the file, to which nodes of the first may link.
  var submaps: [ReactionGraph] = []
  /// The title of the map.
  var title = ""
  /// The description in the file.
  var summary = ""
  /// The organism as given in the file: a name or a code; "" if it is not given.
  var organism = ""
  /// The number of elements in the file, keyed by the format's names; `glyph_classes.process` for kinds.
  var counts: [String: Int] = [:]
  /// The repairs, omissions and guesses made by the reader.
  var warnings: [Diagnostic] = []

  /// The counts ordered by name.
  var sortedCounts: [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted { Identifier($0.name) < Identifier($1.name) }
  }
}
