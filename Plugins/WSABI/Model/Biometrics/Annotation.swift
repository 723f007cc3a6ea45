/// What the operator says of a capture: the condition of each part, and notes.
struct Annotation: Sendable, Hashable {
  /// One per part of the submodality, in its order.
  var conditions: [PartCondition]
  /// Free text.
  var notes: String

  /// Whether there is anything to show.
  var isEmpty: Bool { notes.isEmpty && conditions.allSatisfy { $0 == .present } }
}
