/// The amount of a metabolite relative to normal.
///
/// - Source: A. Cakmak et al., J. Bioinform. Comput. Biol. 10, 1240003 (2012); the order is that of its labels.
enum MetaboliteLevel: UInt8, Sendable, CaseIterable, Comparable {
  case unavailable, available, accumulated, severelyAccumulated

  static func < (left: MetaboliteLevel, right: MetaboliteLevel) -> Bool { left.rawValue < right.rawValue }

  /// The word that documents use.
  var word: String {
    switch self {
    case .unavailable: "Unavailable"
    case .available: "Available"
    case .accumulated: "Accumulated"
    case .severelyAccumulated: "SeverelyAccumulated"
    }
  }

  /// The letter used in files and pictures: U, A, C, S.
  var letter: Character {
    switch self {
    case .unavailable: "U"
    case .available: "A"
    case .accumulated: "C"
    case .severelyAccumulated: "S"
    }
  }

  /// Creates the level of a letter; nil if the letter does not stand for a level.
  init?(letter: some StringProtocol) {
    guard let level = Self.allCases.first(where: { String($0.letter) == String(letter) }) else { return nil }
    self = level
  }
}
