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
