import PluginAPI

/// An item of a person as an export takes it.
struct ExchangedItem: Sendable, Hashable {
  var submodality: Submodality
  var annotation: Annotation
  /// The picture; nil if there is none, or none that the standard takes.
  var image: ExchangedImage?
  /// When it was received.
  var captured: Instant
  /// What it is of, where its submodality is a sensor's own word and does not say so.
  var modality: Modality? = nil
  /// The word of the sensor for what the picture shows; empty if it said none.
  var shown = ""
}
