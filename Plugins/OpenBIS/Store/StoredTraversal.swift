import PluginAPI
import Synchronization

/// A traversal of stored entities that continues from read to read.
///
/// Each read waits for the store's thread, so it takes many steps; between two reads others have their turn, and a
/// change committed there is seen by the rest of the traversal.
final class StoredTraversal: Sendable {
  /// The number of steps per read.
  private static let stepsPerRead = 1024

  private let walk: Mutex<EntityWalk>
  private let isUpward: Bool

  /// Creates a traversal.
  ///
  /// - Parameters:
  ///   - walk: The traversal before its first step.
  ///   - isUpward: True to visit parents rather than children.
  init(_ walk: EntityWalk, isUpward: Bool = false) {
    self.walk = Mutex(walk)
    self.isUpward = isUpward
  }

  /// The numbers of steps so far.
  var counts: EntityWalk.Counts { walk.withLock { $0.counts } }

  /// Returns the next steps; nil at the end.
  func nextSteps(_ reader: EntityReader) throws -> [EntityWalk.Step]? {
    try walk.withLock { walk in
      let graph = reader.graph(isUpward: isUpward)
      var steps: [EntityWalk.Step] = []
      var isOver = false
      while !isOver, steps.count < Self.stepsPerRead { isOver = try !walk.advance(graph) { steps.append($0) } }
      return isOver && steps.isEmpty ? nil : steps
    }
  }

  /// Returns the entities among the next steps, with their depths and children; nil at the end.
  func nextFamilies(_ reader: EntityReader) throws -> [EntityFamily]? {
    guard let steps = try nextSteps(reader)?.filter({ $0.kind == .entity }) else { return nil }
    return zip(steps, try reader.families(steps.map(\.permID))).compactMap { step, family in
      guard var family else { return nil }
      family.depth = step.depth
      return family
    }
  }

  /// Returns the properties of the entities among the next steps; nil at the end.
  func nextProperties(_ reader: EntityReader) throws -> [[Property]]? {
    guard let steps = try nextSteps(reader) else { return nil }
    return try steps.compactMap { $0.kind == .entity ? try reader.properties($0.permID) : nil }
  }
}
