import PluginAPI

/// An item of a person in the form of an export.
struct ExchangedItem: Sendable, Hashable {
  var submodality: Submodality
  var annotation: Annotation
  /// The picture; nil if there is none, or none that the standard supports.
  var image: ExchangedImage?
  /// The time of reception.
  var captured: Instant
  /// The modality, if the submodality is a vendor-specific word that does not imply it.
  var modality: Modality? = nil
  /// The sensor's word for the subject of the picture; empty if it gave none.
  var shown = ""
}
