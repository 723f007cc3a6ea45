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
