import PluginAPI

/// The lists on the path from the first screen to the current list, and the reading of their rows.
struct BrowserPath {
  /// One list on the path.
  struct Level {
    /// The number that distinguishes this level, also from earlier levels at the same position.
    let serial: Int
    let source: EntityListSource
    var list: EntityListState
    /// The search it was opened from, to which going back leads.
    var search: Record?
    /// The text of the filter whose matches were requested last.
    var filteredText = ""

    /// The entity whose children are listed; nil on the first screen.
    var entity: EntitySummary? { list.parent }
  }

  /// The rows that were read for a level.
  struct Rows: Sendable {
    let range: Range<Int>
    let page: EntityPage
    /// The current state of the entities of all levels, from the first screen on; nil for those that were removed.
    let entities: [EntitySummary?]
  }

  /// The reading of rows; one level at a time is read.
  private enum Reading {
    case idle
    /// Rows of a level are being read; they are stale if something has changed since that read began.
    case running(serial: Int, isStale: Bool)
  }

  private var levels: [Level] = []
  private var serial = 0
  private var reading = Reading.idle

  /// Creates the path to the first screen.
  init() { reset() }

  /// The current level.
  var current: Level {
    get { levels[levels.count - 1] }
    set { levels[levels.count - 1] = newValue }
  }

  /// The entities whose children are listed, from the first screen on.
  var entities: [EntitySummary] { levels.compactMap(\.entity) }

  // MARK: Moving

  /// Resets to the first screen, of which nothing was read yet.
  mutating func reset() {
    serial += 1
    levels = [Level(serial: serial, source: .top, list: EntityListState())]
  }

  /// Opens the list below an entity.
  mutating func descend(to entity: EntitySummary) {
    serial += 1
    levels.append(
      Level(serial: serial, source: EntityListSource(below: entity), list: EntityListState(parent: entity)))
  }

  /// Leaves the current list, whose entity is selected in the list above.
  ///
  /// - Returns: The level that was left; nil on the first screen, which cannot be left.
  mutating func ascend() -> Level? {
    guard levels.count > 1 else { return nil }
    let left = levels.removeLast()
    if let entity = left.entity { current.list.want(entity.permID) }
    current.list.expire()
    return left
  }

  /// Leaves all lists but the first two; the second one no longer leads back to a search.
  ///
  /// - Returns: False on the first screen.
  mutating func ascendToSecond() -> Bool {
    guard levels.count > 1 else { return false }
    levels.removeLast(levels.count - 2)
    current.search = nil
    return true
  }

  // MARK: Reading

  /// A Boolean value indicating whether the first rows of the current list are being read.
  var awaitsFirstRows: Bool { current.list.total == nil && isReadingCurrent }

  private var isReadingCurrent: Bool {
    switch reading {
    case .idle: false
    case .running(let serial, _): serial == current.serial
    }
  }

  /// Begins to read missing rows of the current list, in place of another list's.
  ///
  /// - Returns: The rows to read; nil if none are missing or they are being read already.
  mutating func beginReading(height: Int) -> Range<Int>? {
    guard !isReadingCurrent, let range = current.list.missing(height: height) else { return nil }
    reading = .running(serial: current.serial, isStale: false)
    return range
  }

  /// Ends the reading of a level's rows.
  ///
  /// - Returns: False if another level is being read meanwhile.
  mutating func endReading(of serial: Int) -> Bool {
    guard case .running(serial, _) = reading else { return false }
    reading = .idle
    return true
  }

  /// Stores the rows of a level and updates the entities of all levels.
  ///
  /// - Returns: The entity of the current list if it was deleted; the current list is that of its nearest living
  ///   ancestor then.
  mutating func take(_ rows: Rows, of serial: Int) -> EntitySummary? {
    guard case .running(serial, let isStale) = reading else { return nil }
    reading = .idle
    guard let index = levels.firstIndex(where: { $0.serial == serial }) else { return nil }
    levels[index].list.take(rows.page, for: rows.range)
    if isStale { levels[index].list.expire() }
    var deleted: EntitySummary?
    for (depth, entity) in rows.entities.enumerated().reversed() {
      let index = depth + 1
      guard levels.indices.contains(index), let known = levels[index].entity else { continue }
      if let entity, !entity.flags.contains(.notLoaded) || known.flags.contains(.notLoaded) {
        levels[index].list.parent = entity
      } else if index == levels.count - 1 {
        deleted = known
        levels.removeLast()
      }
    }
    return deleted
  }

  /// Marks all rows as stale after a change of the store; they stay visible until they are read again.
  mutating func expire() {
    for index in levels.indices { levels[index].list.expire() }
    if case .running(let serial, _) = reading { reading = .running(serial: serial, isStale: true) }
  }
}
