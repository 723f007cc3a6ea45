import PluginAPI

/// A drawn map as it was read from a file.
struct MapDocument: Sendable, Hashable {
  var format: NetworkFormat
  /// Which version of the format, as the file says it: a namespace, a schema; "" if it does not.
  var version = ""
  var graph: ReactionGraph
  /// Further maps in the file, to which nodes of the first may lead.
  var submaps: [ReactionGraph] = []
  /// What people call it.
  var title = ""
  /// What the file says about it.
  var summary = ""
  /// The organism in the file's words: a name or a code; "" if it is not said.
  var organism = ""
  /// How often things are in the file, by the names that the format has for them; `glyph_classes.process` for kinds.
  var counts: [String: Int] = [:]
  /// What was repaired, skipped or guessed.
  var warnings: [Diagnostic] = []

  /// The counts in the order of their names.
  var sortedCounts: [(name: String, count: Int)] {
    counts.map { (name: $0.key, count: $0.value) }.sorted { Identifier($0.name) < Identifier($1.name) }
  }
}
