/// Walks from an entity through the graph, depth first, every entity once.
///
/// Cycles end where an entity is met again; a chain of any length is walked without recursion. Entities that lie next
/// to each other are read in groups, so a list of a million neighbours is never held as entities.
struct EntityWalk {
  /// A place of the walk.
  struct Step: Hashable {
    /// What was met.
    enum Kind: Hashable {
      /// An entity, for the first time.
      case entity
      /// An entity that stands elsewhere in the walk already: what lies beyond it is not repeated.
      case again
      /// An id that was never loaded.
      case notLoaded
      /// So many neighbours of the entity above are left out.
      case left(Int)
      /// So many neighbours lie beyond the depth wanted.
      case deeper(Int)
    }

    var kind: Kind
    var permID: String
    /// nil if nothing is known of it.
    var summary: EntitySummary?
    /// 0 for the first entity.
    var depth: Int
    /// Whether it is the last of its neighbours.
    var isLast: Bool
  }

  /// How far a walk goes.
  struct Limits: Hashable {
    /// Entities of greater depth are only counted; nil for no limit.
    var depth: Int?
    /// So many neighbours of an entity are walked to, the others are counted; nil for no limit.
    var neighbours: Int?
    /// The walk ends after so many steps, of whatever kind; nil for no limit.
    var steps: Int?

    /// No limit but those given.
    init(depth: Int? = nil, neighbours: Int? = nil, steps: Int? = nil) {
      (self.depth, self.neighbours, self.steps) = (depth, neighbours, steps)
    }
  }

  /// What a walk met, in numbers.
  struct Counts: Hashable {
    var entities = 0
    var again = 0
    var notLoaded = 0
    /// Neighbours left out by a limit.
    var left = 0
    /// The depth of the deepest entity.
    var depth = 0
    /// Whether the walk ended before all was seen.
    var isCut = false
  }

  private struct Level {
    var ids: PackedTexts
    var next = 0
    /// How many of the ids are walked to.
    var count: Int
    /// Summaries of the ids from `first` on.
    var summaries: [EntitySummary?] = []
    var first = 0
  }

  /// So many neighbours are read at once.
  private static let group = 256

  private let reading: GraphReading
  private let limits: Limits
  private var seen: Set<ExactText> = []
  private var levels: [Level] = []
  /// How many steps were told.
  private var told = 0
  /// What was met so far.
  private(set) var counts = Counts()

  /// Walks from an entity and tells every step, in the order of reading.
  ///
  /// - Parameters:
  ///   - root: Where the walk begins.
  ///   - reading: How the graph is read.
  ///   - limits: How far it goes.
  ///   - onStep: Takes each step; what it throws ends the walk, a cancellation say.
  /// - Throws: What the reading or `onStep` throws.
  /// - Complexity: O(*n*) in the entities and the ids next to them; memory for every id once.
  static func from(
    _ root: String, _ reading: GraphReading, limits: Limits = Limits(), _ onStep: (Step) throws -> Void
  ) throws -> Counts {
    var walk = EntityWalk(reading: reading, limits: limits)
    let summary = try reading.summaries([root]).first ?? nil
    try walk.meet(root, summary, isLast: true, onStep)
    while try walk.advance(onStep) {}
    return walk.counts
  }

  private init(reading: GraphReading, limits: Limits) {
    self.reading = reading
    self.limits = limits
  }

  /// Goes to the next neighbour of the deepest entity; whether there was anything left to do.
  private mutating func advance(_ onStep: (Step) throws -> Void) throws -> Bool {
    guard let last = levels.indices.last else { return false }
    let level = levels[last]
    let rest = level.ids.count - level.count
    if level.next < level.count || rest > 0, let limit = limits.steps, told >= limit {
      counts.isCut = true
      return false
    }
    if level.next < level.count {
      let (id, summary) = try take(from: last)
      try meet(id, summary, isLast: levels[last].next == level.ids.count, onStep)
      return true
    }
    let depth = levels.count
    levels.removeLast()
    if rest > 0 {
      counts.left += rest
      told += 1
      let isDeeper = level.count == 0
      try onStep(
        Step(kind: isDeeper ? .deeper(rest) : .left(rest), permID: "", summary: nil, depth: depth, isLast: true))
    }
    return true
  }

  /// The next id of a level and what is known of it.
  private mutating func take(from level: Int) throws -> (String, EntitySummary?) {
    let next = levels[level].next
    if next >= levels[level].first + levels[level].summaries.count {
      let end = min(levels[level].count, next + Self.group)
      let ids = (next..<end).map { levels[level].ids[$0] }
      levels[level].summaries = try reading.summaries(ids)
      levels[level].first = next
    }
    levels[level].next += 1
    let place = next - levels[level].first
    let summaries = levels[level].summaries
    return (levels[level].ids[next], place < summaries.count ? summaries[place] : nil)
  }

  private mutating func meet(
    _ id: String, _ summary: EntitySummary?, isLast: Bool, _ onStep: (Step) throws -> Void
  ) throws {
    let depth = levels.count
    told += 1
    var step = Step(kind: .entity, permID: id, summary: summary, depth: depth, isLast: isLast)
    guard seen.insert(ExactText(id)).inserted else {
      counts.again += 1
      step.kind = .again
      return try onStep(step)
    }
    counts.depth = max(counts.depth, depth)
    if summary.map({ $0.flags.contains(.notLoaded) }) ?? true {
      counts.notLoaded += 1
      step.kind = .notLoaded
    } else {
      counts.entities += 1
    }
    try onStep(step)
    if let summary, !reading.mayHaveNeighbours(summary) { return }
    let ids = try reading.neighbours(id)
    if ids.isEmpty { return }
    let isTooDeep = limits.depth.map { depth >= $0 } ?? false
    let count = isTooDeep ? 0 : min(ids.count, limits.neighbours ?? ids.count)
    levels.append(Level(ids: ids, count: count))
  }
}
