/// A part of the body and the manner of its capture, such as the rolled right thumb; or a vendor-specific word.
struct Submodality: Sendable {
  /// The word on the wire, such as `RightThumbRolled`; an unknown one unchanged.
  let wireName: String
  /// The name shown to people, such as 'Right Thumb (Rolled)'.
  let title: String
  /// Nil for an unknown word.
  let modality: Modality?
  /// The parts that must be visible in a capture, in the order of the annotation rows.
  let parts: [BodyPart]

  /// Creates a submodality from its word on the wire, ignoring case; an unknown word is kept as it is.
  init(wire word: String) {
    self = Self.known.first { $0.wireName.lowercased() == word.lowercased() } ?? Self(unknown: word)
  }

  /// Creates a submodality from a word of people or of the wire, ignoring case and blanks: 'left middle' is the flat
  /// one.
  init(word: String) {
    self = Self.known.first { $0.isNamed(word) } ?? Self(unknown: word)
  }

  private init(unknown word: String) {
    self.init(wireName: word, title: word, modality: nil, parts: [BodyPart(title: word, fingerPosition: nil)])
  }

  init(wireName: String, title: String, modality: Modality?, parts: [BodyPart]) {
    self.wireName = wireName
    self.title = title
    self.modality = modality
    self.parts = parts
  }

  /// Returns true if a word, from the wire or from people, means this submodality.
  ///
  /// A vendor-specific word is compared ignoring case only: `R-1` and `R1` may be two fingers.
  func isNamed(_ word: String) -> Bool {
    if modality == nil { return wireName.lowercased() == word.lowercased() }
    let key = Self.key(word)
    return Self.key(wireName) == key || Self.key(title) == key || Self.otherNames[wireName] == key
  }

  /// The names that newer services use for some submodalities, as keys.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), appendix of modalities.
  private static let otherNames = ["Signature": "signaturesign"]

  /// Letters and digits in lower case: `Left Ear`, `leftEar` and `LeftEar` are the same.
  static func key(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }

  /// The largest length of an unknown word, in bytes.
  static let mostBytesOfWord = 1000

  /// Returns true if an unknown word can be a vendor-specific submodality: it has visible characters and no control
  /// characters.
  static func isPlausible(_ word: String) -> Bool {
    word.utf8.count <= mostBytesOfWord && word.contains { !$0.isWhitespace }
      && word.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
  }

  /// Returns the part of this submodality that a sensor reports for a picture, such as a finger of a slap or one of two
  /// eyes; this submodality itself if the sensor reports that, nil for any other part.
  ///
  /// - Parameter word: Of the wire or of people.
  func part(saidToBe word: String) -> Submodality? {
    let said = Submodality(word: word)
    if said == self { return self }
    guard said.modality != nil, said.modality == modality, said.parts.count < parts.count else { return nil }
    let fingers = Set(parts.compactMap(\.fingerPosition))
    if !fingers.isEmpty {
      let saidFingers = said.parts.map(\.fingerPosition)
      return saidFingers.allSatisfy { $0.map(fingers.contains) ?? false } ? said : nil
    }
    guard parts.map(\.title) == ["Left", "Right"] else { return nil }
    // The sides of a pair, such as 'Left Iris' of both irises.
    let sides = parts.map { "\($0.title) " }
    return sides.contains(where: said.title.hasPrefix) ? said : nil
  }
}

extension Submodality: Hashable {
  /// The key by which two submodalities are compared.
  private var identity: String { modality == nil ? wireName.lowercased() : Self.key(wireName) }

  static func == (left: Submodality, right: Submodality) -> Bool { left.identity == right.identity }

  func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}

/// A part of the body visible in a capture, which can be amputated, bandaged or missing.
struct BodyPart: Sendable, Hashable {
  /// The name shown to people, such as 'Index'.
  let title: String
  /// The code of ANSI/NIST-ITL, 1 (right thumb) to 10 (left little finger); nil if the part is not a finger.
  let fingerPosition: Int?
}

extension Submodality {
  /// The fifty of the original, in its order.
  static let standard: [Submodality] = Array(known.prefix(50))

  /// All named submodalities, in the order in which they are offered: for each modality the original ones, then those
  /// of older and newer services.
  ///
  /// - Source: WS-Biometric Devices 1.0 (OASIS, July 2017), appendix of modalities; the order is that of wsabi2.
  static let known: [Submodality] = fingers + slaps + eyesFacesEars + veinsRetinasFeet + singles + others

  private static let digits = ["Thumb", "Index", "Middle", "Ring", "Little"]

  private static let fingers: [Submodality] = [("Right", 1), ("Left", 6)].flatMap { side, first in
    ["Rolled", "Flat"].flatMap { manner in
      digits.enumerated().map { index, digit in
        let name = "\(side) \(digit)"
        return Submodality(
          wireName: side + digit + manner, title: manner == "Flat" ? name : "\(name) (Rolled)", modality: .finger,
          parts: [BodyPart(title: name, fingerPosition: first + index)])
      }
    }
  }

  private static let slaps = [
    Submodality(wireName: "LeftSlap", title: "Left Slap", modality: .finger, parts: fourFingers(from: 7)),
    Submodality(wireName: "RightSlap", title: "Right Slap", modality: .finger, parts: fourFingers(from: 2)),
    Submodality(
      wireName: "ThumbsSlap", title: "Thumbs Slap", modality: .finger,
      parts: [BodyPart(title: "Left", fingerPosition: 6), BodyPart(title: "Right", fingerPosition: 1)]),
  ]

  private static let eyesFacesEars =
    pair("Iris", both: "Irises", .iris) + [
      single("Face2d", "Face", .face), single("Face3d", "Face (3D)", .face),
    ] + pair("Ear", both: "Ears", .ear)

  private static let veinsRetinasFeet =
    [
      single("LeftVein", "Left Vein", .vein), single("RightVein", "Right Vein", .vein), single("Palm", "Palm", .vein),
      single("BackOfHand", "Back of Hand", .vein), single("Wrist", "Wrist", .vein),
    ] + pair("Retina", both: "Retinas", .retina) + pair("Foot", both: "Feet", .foot)

  private static let singles = [
    single("Scent", "Scent", .other), single("Dna", "DNA", .other), single("HandGeometry", "Hand Geometry", .other),
    single("Voice", "Voice", .other), single("Gait", "Gait", .other), single("Keystroke", "Keystroke", .other),
    single("LipMovement", "Lip Movement", .other), single("Signature", "Signature", .other),
  ]

  private static let others = [
    single("TwoFingerSlap", "Two-Finger Slap", .finger), single("UnknownSlap", "Unknown Slap", .finger),
    single("UnknownFlat", "Unknown Finger", .finger), single("UnknownRolled", "Unknown Finger (Rolled)", .finger),
    single("frontalFace", "Frontal Face", .face), single("Unknown", "Unknown", .other),
  ]

  private static func fourFingers(from first: Int) -> [BodyPart] {
    digits.dropFirst().enumerated().map { BodyPart(title: $1, fingerPosition: first + $0) }
  }

  private static func single(_ wireName: String, _ title: String, _ modality: Modality) -> Submodality {
    Submodality(
      wireName: wireName, title: title, modality: modality, parts: [BodyPart(title: title, fingerPosition: nil)])
  }

  /// Returns left, right and both of a paired part of the body.
  private static func pair(_ name: String, both: String, _ modality: Modality) -> [Submodality] {
    [
      single("Left\(name)", "Left \(name)", modality), single("Right\(name)", "Right \(name)", modality),
      Submodality(
        wireName: "Both\(both)", title: "Both \(both)", modality: modality,
        parts: ["Left", "Right"].map { BodyPart(title: $0, fingerPosition: nil) }),
    ]
  }
}

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
