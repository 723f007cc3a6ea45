import PluginAPI

/// A file written from a map.
struct WrittenMap: Sendable, Hashable {
  var bytes: [UInt8]
  /// The features that the format cannot represent.
  var warnings: [Diagnostic] = []
}
