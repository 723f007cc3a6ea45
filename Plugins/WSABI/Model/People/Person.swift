import PluginAPI

/// A person whose biometric data is collected.
struct Person: Sendable, Hashable {
  /// Never reused, not even after the person was deleted.
  var id: Int
  var biography = Biography()
  var created: Instant
  var modified: Instant
}
