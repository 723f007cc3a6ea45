import PluginAPI

/// One thing to capture of a person, with the sensor that does it and what it delivered.
struct BiometricItem: Sendable, Hashable {
  /// Never given twice.
  var id: Int
  var person: Int
  /// The place among the person's items, from 0, without gaps.
  var index: Int
  var submodality: Submodality
  /// The modality chosen in the walkthrough, which an unknown submodality does not imply.
  var modality: Modality
  var device: DeviceDefinition
  var annotation: Annotation
  /// The capture shown: the newest that is stored whole; nil while there is none.
  var capture: CaptureRecord?
  var created: Instant
  var modified: Instant
  /// The other pictures of the same answer, in the order of its ids.
  var rest: [CaptureRecord] = []
  /// Pictures of the same answer that never came.
  var losses: [LostPicture] = []
}
