/// Which part of the body is captured and how, such as the rolled right thumb; or a word of a sensor that nobody knows.
struct Submodality: Sendable {
  /// The word on the wire, such as `RightThumbRolled`; an unknown one as it came.
  let wireName: String
  /// What people read, such as 'Right Thumb (Rolled)'.
  let title: String
  /// Nil for an unknown word.
  let modality: Modality?
  /// What must be seen in a capture, in order: the rows of the annotations.
  let parts: [BodyPart]

  /// A submodality by its word on the wire, whatever its case; one nobody knows stays as it came.
  init(wire word: String) {
    self = Self.known.first { $0.wireName.lowercased() == word.lowercased() } ?? Self(unknown: word)
  }

  /// A submodality by the word people use or that of the wire, whatever case and blanks: 'left middle' is the flat one.
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

  /// Whether a word, of the wire or of people, means this.
  func isNamed(_ word: String) -> Bool {
    let key = Self.key(word)
    return Self.key(wireName) == key || Self.key(title) == key
  }

  /// Letters and digits in lower case: `Left Ear`, `leftEar` and `LeftEar` are the same.
  private static func key(_ word: String) -> String { word.lowercased().filter { $0.isLetter || $0.isNumber } }
}

extension Submodality: Hashable {
  static func == (left: Submodality, right: Submodality) -> Bool { key(left.wireName) == key(right.wireName) }

  func hash(into hasher: inout Hasher) { hasher.combine(Self.key(wireName)) }
}

/// A part of the body that a capture shows: what can be amputated, bandaged or missed.
struct BodyPart: Sendable, Hashable {
  /// What people read, such as 'Index'.
  let title: String
  /// The code of ANSI/NIST-ITL, 1 (right thumb) to 10 (left little finger); nil if it is no finger.
  let fingerPosition: Int?
}
