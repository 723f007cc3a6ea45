import PluginAPI
import PluginText

/// A traversal of the graph from an entity, depth first, each entity once.
///
/// Cycles end where an entity is reached again; a chain of any length is traversed without recursion. Neighbors are
/// read in groups, so a list of a million of them is never held as entities.
struct EntityWalk: Sendable {
  /// One step of the traversal.
  struct Step: Model, Hashable {
    /// The kind of a step.
    enum Kind: Sendable, Hashable {
      /// An entity reached for the first time.
      case entity
      /// An entity that was reached before: its neighbors are not repeated.
      case again
      /// An id that was never loaded.
      case notLoaded
      /// A number of neighbors of the entity above that are left out.
      case left(Int)
      /// A number of neighbors beyond the depth limit.
      case deeper(Int)

      /// The name of a kind.
      enum Name: String, CaseIterable, ReadableField {
        case entity, again, notLoaded, left, deeper
      }

      var name: Name {
        switch self {
        case .entity: .entity
        case .again: .again
        case .notLoaded: .notLoaded
        case .left: .left
        case .deeper: .deeper
        }
      }

      /// The number of neighbors that are not shown; nil for an entity.
      var count: Int? {
        switch self {
        case .entity, .again, .notLoaded: nil
        case .left(let count), .deeper(let count): count
        }
      }
    }

    var kind: Kind
    var permID: String
    /// The summary of the entity; nil if it is unknown.
    var summary: EntitySummary?
    /// The depth, 0 for the first entity.
    var depth: Int
    /// A Boolean value indicating whether it is the last of its neighbors.
    var isLast: Bool

    /// The first line of the entity in lists; "" if it is unknown.
    var title: String { summary?.title ?? "" }
    /// The second line; "" if it is unknown.
    var secondLine: String { summary?.summary ?? "" }

    static let typeName = "openbis.tree-row"
    static let fields = Fields<Step> {
      Field("depth", \.depth, "Level below the first entity, which has 0")
      Field("isLast", \.isLast, "True if it is the last of its siblings")
      Field(
        "kind", \.kind.name,
        "Kind of row: an entity, a repeated one, an id alone, or a number of entities that are not shown")
      Field("permId", \.permID, "Id; empty for a number of entities")
      Field("title", \.title, "Title")
      Field("summary", \.secondLine, "Second line")
      Field("count", \.kind.count, "Number of entities that are not shown")
    }
  }

  /// The limits of a traversal.
  struct Limits: Sendable, Hashable {
    /// The depth beyond which entities are only counted; nil for no limit.
    var depth: Int?
    /// The number of neighbors visited per entity, beyond which they are only counted; nil for no limit.
    var neighbors: Int?
    /// The number of steps of any kind after which the traversal ends; nil for no limit.
    var steps: Int?

    /// Creates limits; each is absent unless given.
    init(depth: Int? = nil, neighbors: Int? = nil, steps: Int? = nil) {
      (self.depth, self.neighbors, self.steps) = (depth, neighbors, steps)
    }
  }

  /// The numbers of steps by kind.
  struct Counts: Sendable, Hashable {
    var entities = 0
    var again = 0
    var notLoaded = 0
    /// The number of neighbors left out by a limit.
    var left = 0
    /// The depth of the deepest entity.
    var depth = 0
    /// A Boolean value indicating whether the traversal ended early.
    var isCut = false
  }

  private struct Level: Sendable {
    var ids: PackedTexts
    var next = 0
    /// The number of ids to visit.
    var count: Int
    /// The summaries of the ids from index `first` on.
    var summaries: [EntitySummary?] = []
    var first = 0
  }

  /// The number of neighbors per read.
  private static let group = 256

  private let limits: Limits
  /// The id of the first entity until the first step; nil after it.
  private var root: String?
  private var seen: Set<ExactText> = []
  private var levels: [Level] = []
  /// The number of steps reported.
  private var stepCount = 0
  /// The numbers of steps so far.
  private(set) var counts = Counts()

  /// Traverses the graph from an entity and reports every step in reading order.
  ///
  /// - Parameters:
  ///   - root: The id of the first entity.
  ///   - reading: The graph.
  ///   - limits: The limits of the traversal.
  ///   - onStep: Receives each step; an error it throws, such as a cancellation, ends the traversal.
  /// - Throws: Errors of the reading or of `onStep`.
  /// - Complexity: O(*n*) in the entities and their neighbors' ids; memory for each id once.
  static func from(
    _ root: String, _ reading: GraphReading, limits: Limits = Limits(), _ onStep: (Step) throws -> Void
  ) throws -> Counts {
    var walk = EntityWalk(from: root, limits: limits)
    while try walk.advance(reading, onStep) {}
    return walk.counts
  }

  /// Creates a traversal that begins at an entity, to advance step by step.
  init(from root: String, limits: Limits = Limits()) {
    self.root = root
    self.limits = limits
  }

  /// Advances to the first entity, or to the next neighbor of the deepest one; returns false at the end.
  mutating func advance(_ reading: GraphReading, _ onStep: (Step) throws -> Void) throws -> Bool {
    if let first = root {
      root = nil
      try meet(first, try reading.summaries([first]).first ?? nil, isLast: true, reading, onStep)
      return true
    }
    guard let last = levels.indices.last else { return false }
    let level = levels[last]
    let remaining = level.ids.count - level.count
    if level.next < level.count || remaining > 0, let limit = limits.steps, stepCount >= limit {
      counts.isCut = true
      return false
    }
    if level.next < level.count {
      let (id, summary) = try take(from: last, reading)
      try meet(id, summary, isLast: levels[last].next == level.ids.count, reading, onStep)
      return true
    }
    let depth = levels.count
    levels.removeLast()
    if remaining > 0 {
      counts.left += remaining
      stepCount += 1
      let isDeeper = level.count == 0
      try onStep(
        Step(
          kind: isDeeper ? .deeper(remaining) : .left(remaining), permID: "", summary: nil, depth: depth, isLast: true))
    }
    return true
  }

  /// Returns the next id of a level and its summary.
  private mutating func take(from level: Int, _ reading: GraphReading) throws -> (String, EntitySummary?) {
    let next = levels[level].next
    if next >= levels[level].first + levels[level].summaries.count {
      let end = min(levels[level].count, next + Self.group)
      let ids = (next..<end).map { levels[level].ids[$0] }
      levels[level].summaries = try reading.summaries(ids)
      levels[level].first = next
    }
    levels[level].next += 1
    let index = next - levels[level].first
    let summaries = levels[level].summaries
    return (levels[level].ids[next], index < summaries.count ? summaries[index] : nil)
  }

  private mutating func meet(
    _ id: String, _ summary: EntitySummary?, isLast: Bool, _ reading: GraphReading, _ onStep: (Step) throws -> Void
  ) throws {
    let depth = levels.count
    stepCount += 1
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
    if let summary, !reading.mayHaveNeighbors(summary) { return }
    let ids = try reading.neighbors(id)
    if ids.isEmpty { return }
    let isTooDeep = limits.depth.map { depth >= $0 } ?? false
    let count = isTooDeep ? 0 : min(ids.count, limits.neighbors ?? ids.count)
    levels.append(Level(ids: ids, count: count))
  }
}

/// The graph of entities as a traversal reads it: children or parents, of a store or of a test.
struct GraphReading {
  /// The ids of an entity's neighbors, in list order.
  var neighbors: (String) throws -> PackedTexts
  /// The summaries of entities, in the order of the ids; nil for an unknown id.
  var summaries: ([String]) throws -> [EntitySummary?]
  /// False if a summary shows that its entity has no neighbors, which saves reading them.
  var mayHaveNeighbors: (EntitySummary) -> Bool = { _ in true }
}

/// A writer of the steps of a traversal as lines of a text tree.
///
/// ```text
/// P1  Plate 1                     [plate]
/// ├─ W1  Well 1
/// │  └─ (not loaded) X7
/// └─ P1  Plate 1  ↑ above
/// ```
/// Beyond a depth of 24, lines begin with their depth and are not indented further; otherwise a chain of 50 000
/// entities would take gigabytes of blanks.
struct TreeText {
  /// The largest number of levels by which lines are indented.
  static let deepestIndent = 24

  /// A Boolean value for each level, indicating whether its line continues below.
  private var guides: [Bool] = []
  /// A Boolean value indicating whether words replace lines, for linear reading.
  private let isPlain: Bool

  /// Creates a writer of one tree.
  init(isPlain: Bool = false) {
    self.isPlain = isPlain
  }

  /// Returns the line of the next step.
  mutating func line(_ step: EntityWalk.Step) -> String {
    let depth = step.depth
    guides.removeLast(max(0, guides.count - depth))
    defer { if depth < Self.deepestIndent { guides.append(!step.isLast) } }
    return indent(step) + Self.text(step)
  }

  /// Returns the prefix of a step's text.
  private func indent(_ step: EntityWalk.Step) -> String {
    if step.depth == 0 { return "" }
    if isPlain { return "level \(step.depth + 1): " }
    if step.depth >= Self.deepestIndent {
      return String(repeating: " ", count: 3 * Self.deepestIndent) + "⋮\(step.depth) "
    }
    let above = guides.dropFirst().prefix(step.depth - 1).map { $0 ? "│  " : "   " }.joined()
    return above + (step.isLast ? "└─ " : "├─ ")
  }

  /// Returns the text of a step.
  static func text(_ step: EntityWalk.Step) -> String {
    switch step.kind {
    case .entity: title(step)
    case .again: title(step) + "  ↑ above"
    case .notLoaded: EntityTitle.notLoaded(step.permID)
    case .left(let count): "… \(count) more"
    case .deeper(let count): "… \(count) below"
    }
  }

  private static func title(_ step: EntityWalk.Step) -> String {
    guard let summary = step.summary else { return SanitizedText.line(step.permID) }
    let category = SanitizedText.line(summary.category)
    return EntityTitle.line(summary) + (category.isEmpty ? "" : "  [\(category)]")
  }
}
