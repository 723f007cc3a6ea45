import PluginAPI

/// A file made of a map.
struct WrittenMap: Sendable, Hashable {
  var bytes: [UInt8]
  /// What the format has no room for.
  var warnings: [Diagnostic] = []
}
