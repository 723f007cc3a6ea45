/// What was asked for, which tells what the rows of the answer mean beyond their columns.
enum AnswerKind: Sendable, Hashable {
  /// The navigation entities: those not among the rows are none any more, unless there are no rows at all.
  case navigation
  /// What a navigation entity holds, changed since a time; nil for all of them at once.
  case roots(of: String?)
  /// What is below an entity.
  case drill(of: String)
  /// All of these entities; one that is not among the rows is marked as missing on the server, unless it is a category.
  case details(of: [String])
  /// What a search on the server found.
  case search
  /// Objects of V3.
  case objects
}
