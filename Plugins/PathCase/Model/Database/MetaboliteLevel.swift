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

/// A set of levels.
struct LevelSet: OptionSet, Sendable, Hashable {
  let rawValue: UInt8

  init(rawValue: UInt8) { self.rawValue = rawValue }

  init(_ levels: some Sequence<MetaboliteLevel>) {
    self.init(rawValue: levels.reduce(0) { $0 | 1 << $1.rawValue })
  }

  static let unavailable = LevelSet(CollectionOfOne(MetaboliteLevel.unavailable))
  static let available = LevelSet(CollectionOfOne(MetaboliteLevel.available))
  static let accumulated = LevelSet(CollectionOfOne(MetaboliteLevel.accumulated))
  static let severelyAccumulated = LevelSet(CollectionOfOne(MetaboliteLevel.severelyAccumulated))
  /// All four levels.
  static let every = LevelSet(MetaboliteLevel.allCases)

  /// Returns a level and those above it.
  static func from(_ level: MetaboliteLevel) -> LevelSet {
    LevelSet(MetaboliteLevel.allCases.filter { $0 >= level })
  }

  /// Returns the levels below a level.
  static func below(_ level: MetaboliteLevel) -> LevelSet {
    LevelSet(MetaboliteLevel.allCases.filter { $0 < level })
  }

  /// Returns the levels of an analysis with a given number of them, from the lowest.
  static func lowest(_ count: Int) -> LevelSet {
    LevelSet(MetaboliteLevel.allCases.prefix(count))
  }

  /// Returns the levels in an analysis of a number of levels: with three, severely accumulated becomes accumulated.
  func limited(to count: Int) -> LevelSet {
    count < 4 && contains(.severelyAccumulated) ? subtracting(.severelyAccumulated).union(.accumulated) : self
  }

  /// The levels in the set, lowest first.
  var levels: [MetaboliteLevel] { MetaboliteLevel.allCases.filter { contains(LevelSet(CollectionOfOne($0))) } }

  /// The number of levels in the set.
  var count: Int { rawValue.nonzeroBitCount }

  /// The letters of the levels, lowest first, such as `UA`.
  var letters: String { String(levels.map(\.letter)) }
}

/// The concentrations that separate the levels of a pool.
struct LevelThresholds: Sendable, Hashable {
  /// The concentration below which a pool is unavailable; nil if it never is.
  var unavailableBelow: Double?
  /// The concentration above which it is accumulated; nil if it never is.
  var accumulatedAbove: Double?
  /// The concentration above which it is severely accumulated; nil if it never is.
  var severeAbove: Double?

  /// A Boolean value indicating whether the thresholds are in ascending order.
  var isInOrder: Bool {
    let known = [unavailableBelow, accumulatedAbove, severeAbove].compactMap { $0 }
    return zip(known, known.dropFirst()).allSatisfy { $0 <= $1 }
  }

  /// Returns the level of a concentration; a threshold itself belongs to the level nearer to the normal one.
  func level(of value: Double) -> MetaboliteLevel {
    if let unavailableBelow, value < unavailableBelow { return .unavailable }
    if let severeAbove, value > severeAbove { return .severelyAccumulated }
    if let accumulatedAbove, value > accumulatedAbove { return .accumulated }
    return .available
  }

  /// Returns the levels that an interval touches, its ends included.
  func levels(from lowest: Double, to highest: Double) -> LevelSet {
    let range = level(of: lowest)...max(level(of: lowest), level(of: highest))
    return LevelSet(MetaboliteLevel.allCases.filter { range.contains($0) && exists($0) })
  }

  /// Returns whether some concentration has a level.
  private func exists(_ level: MetaboliteLevel) -> Bool {
    switch level {
    case .unavailable: unavailableBelow != nil
    case .available: true
    case .accumulated: accumulatedAbove != nil && (severeAbove == nil || accumulatedAbove != severeAbove)
    case .severelyAccumulated: severeAbove != nil
    }
  }
}

extension LevelThresholds {
  init(_ range: BiofluidRange) {
    self.init(
      unavailableBelow: range.unavailableBelow, accumulatedAbove: range.accumulatedAbove,
      severeAbove: range.severeAbove)
  }
}
