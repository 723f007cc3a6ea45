import PluginAPI

/// An item of a person as an export takes it.
struct ExchangedItem: Sendable, Hashable {
  var submodality: Submodality
  var annotation: Annotation
  /// The picture; nil if there is none, or none that the standard takes.
  var image: ExchangedImage?
  /// When it was received.
  var captured: Instant
}
