import PluginAPI

/// An item of a person as an export takes it.
struct ExchangedItem: Sendable, Hashable {
  var submodality: Submodality
  var annotation: Annotation
  /// The picture; nil if there is none, or none that the standard takes.
  var image: ExchangedImage?
  /// The time of reception.
  var captured: Instant
  /// The modality, if the submodality is a vendor-specific word that does not imply it.
  var modality: Modality? = nil
  /// The word of the sensor for what the picture shows; empty if it said none.
  var shown = ""
}
