import PluginAPI

/// A part of a person to capture, with its sensor and its captures.
struct BiometricItem: Sendable, Hashable {
  /// Never reused.
  var id: Int
  var person: Int
  /// The index among the person's items, from 0, without gaps.
  var index: Int
  var submodality: Submodality
  /// The modality chosen in the walkthrough, which an unknown submodality does not imply.
  var modality: Modality
  var device: DeviceDefinition
  var annotation: Annotation
  /// The current capture: the newest that is completely stored; nil while there is none.
  var capture: CaptureRecord?
  var created: Instant
  var modified: Instant
  /// The other pictures of the same response, in the order of its ids.
  var rest: [CaptureRecord] = []
  /// Pictures of the same response that were not received.
  var losses: [LostPicture] = []
}
