/// The operator's remarks on a capture: the condition of each part, and notes.
struct Annotation: Sendable, Hashable {
  /// One per part of the submodality, in its order.
  var conditions: [PartCondition]
  /// Free text.
  var notes: String

  /// True if there is nothing to show.
  var isEmpty: Bool { notes.isEmpty && conditions.allSatisfy { $0 == .present } }
}
