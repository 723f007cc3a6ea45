/// A list of captures that enroll a person, in their order.
enum EnrollmentTemplate: String, Sendable, CaseIterable {
  /// Ten flat fingers, the face and both irises.
  case full
  /// Ten flat fingers.
  case fingers
  /// Ten rolled fingers.
  case rolled
  /// Four fingers of each hand, then both thumbs.
  case slaps
  case face
  case irises

  /// The title that people read.
  var title: String {
    switch self {
    case .full: "Ten fingers, face, two irises"
    case .fingers: "Ten fingers"
    case .rolled: "Ten rolled fingers"
    case .slaps: "Three slaps"
    case .face: "Face"
    case .irises: "Two irises"
    }
  }

  /// The submodalities, in the order of capture.
  var submodalities: [Submodality] {
    switch self {
    case .full: Self.fingers.submodalities + Self.face.submodalities + Self.irises.submodalities
    case .fingers: Submodality.known.filter { $0.modality == .finger && $0.wireName.hasSuffix("Flat") && $0.isOfHand }
    case .rolled: Submodality.known.filter { $0.modality == .finger && $0.wireName.hasSuffix("Rolled") && $0.isOfHand }
    case .slaps: ["RightSlap", "LeftSlap", "ThumbsSlap"].map { Submodality(wire: $0) }
    case .face: [Submodality(wire: "Face2d")]
    case .irises: ["RightIris", "LeftIris"].map { Submodality(wire: $0) }
    }
  }

  /// Returns the items of the template that a person lacks.
  func missing(besides items: [BiometricItem]) -> [Submodality] {
    submodalities.filter { submodality in !items.contains { $0.submodality == submodality } }
  }
}

extension Submodality {
  /// True for a finger whose position on the hand is known.
  fileprivate var isOfHand: Bool { parts.count == 1 && parts[0].fingerPosition != nil }
}
