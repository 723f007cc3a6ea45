extension LevelSet {
  static let unavailable = LevelSet(CollectionOfOne(MetaboliteLevel.unavailable))
  static let available = LevelSet(CollectionOfOne(MetaboliteLevel.available))
  static let accumulated = LevelSet(CollectionOfOne(MetaboliteLevel.accumulated))
  static let severelyAccumulated = LevelSet(CollectionOfOne(MetaboliteLevel.severelyAccumulated))
  /// All four levels.
  static let every = LevelSet(MetaboliteLevel.allCases)

  /// That level and those above.
  static func from(_ level: MetaboliteLevel) -> LevelSet {
    LevelSet(MetaboliteLevel.allCases.filter { $0 >= level })
  }

  /// Those below the level.
  static func below(_ level: MetaboliteLevel) -> LevelSet {
    LevelSet(MetaboliteLevel.allCases.filter { $0 < level })
  }

  /// The levels that an analysis with so many has, from the lowest.
  static func lowest(_ count: Int) -> LevelSet {
    LevelSet(MetaboliteLevel.allCases.prefix(count))
  }

  /// The levels in it, lowest first.
  var levels: [MetaboliteLevel] { MetaboliteLevel.allCases.filter { contains(LevelSet(CollectionOfOne($0))) } }

  /// How many levels are in it.
  var count: Int { rawValue.nonzeroBitCount }

  /// Its letters, lowest level first, such as `UA`.
  var letters: String { String(levels.map(\.letter)) }
}
