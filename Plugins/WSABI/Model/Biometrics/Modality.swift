/// A kind of biometric data, in the order in which the walkthrough offers them.
enum Modality: Int, CaseIterable, Sendable {
  case finger
  case face
  case iris
  case ear
  case vein
  case retina
  case foot
  /// Modalities with a single manner of capture, such as voice.
  case other

  /// The name shown to people.
  var title: String {
    switch self {
    case .finger: "Finger"
    case .face: "Face"
    case .iris: "Iris"
    case .ear: "Ear"
    case .vein: "Vein"
    case .retina: "Retina"
    case .foot: "Foot"
    case .other: "Other"
    }
  }

  /// The submodalities offered, in order.
  var submodalities: [Submodality] { Submodality.known.filter { $0.modality == self } }

  /// Creates the modality of a word from the wire or from people, ignoring case and blanks; nil for an unknown word.
  ///
  /// Wire modalities without a case here, such as `Voice`, `HandGeometry`, `SignatureSign` and `Unknown`, map to the
  /// case for others.
  init?(word: String) {
    let key = Submodality.key(word)
    if let modality = Modality.allCases.first(where: { Submodality.key($0.title) == key }) {
      self = modality
    } else if Modality.other.submodalities.contains(where: { $0.isNamed(word) }) {
      self = .other
    } else {
      return nil
    }
  }
}
