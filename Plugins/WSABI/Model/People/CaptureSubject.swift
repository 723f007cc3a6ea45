/// The subject that a capture was made as.
struct CaptureSubject: Sendable, Hashable {
  var modality: Modality
  var submodality: Submodality
}

/// A picture of a response that was not received, while others of the same response were.
struct LostPicture: Sendable, Hashable {
  /// The act of capture, as in ``CaptureRecord/act``.
  var act: Int
  /// The index of the id within the response, from 0.
  var place: Int
  /// The service's id of the data.
  var captureID: SensorUUID
  /// The reason the data is no longer available.
  var reason: String
}
