/// A kind of biometric data, in the order in which the walkthrough offers them.
enum Modality: Int, CaseIterable, Sendable {
  case finger
  case face
  case iris
  case ear
  case vein
  case retina
  case foot
  /// Everything that is taken in one way only, such as a voice.
  case other

  /// What people read.
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

  /// The modality of a word on the wire or of people, whatever its case and blanks; nil for a word nobody knows.
  ///
  /// What is a modality of its own on the wire, such as `Voice`, is one of the others here; `HandGeometry`,
  /// `SignatureSign` and `Unknown` too.
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
