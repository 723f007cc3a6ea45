extension LevelSet {
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

  /// The levels in the set, lowest first.
  var levels: [MetaboliteLevel] { MetaboliteLevel.allCases.filter { contains(LevelSet(CollectionOfOne($0))) } }

  /// The number of levels in the set.
  var count: Int { rawValue.nonzeroBitCount }

  /// The letters of the levels, lowest first, such as `UA`.
  var letters: String { String(levels.map(\.letter)) }
}
