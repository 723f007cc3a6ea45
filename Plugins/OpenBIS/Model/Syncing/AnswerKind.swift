/// The kind of a request, which determines the meaning of its rows beyond their columns.
enum AnswerKind: Sendable, Hashable {
  /// The navigation entities: those missing in the rows are no longer navigation, unless there are no rows at all.
  case navigation
  /// The roots of a navigation entity that changed since a time; nil for those of all navigation entities.
  case roots(of: String?)
  /// The children of an entity.
  case drill(of: String)
  /// All of these entities; one missing in the rows is marked as missing on the server, unless it is a category.
  case details(of: [String])
  /// The results of a search on the server.
  case search
  /// V3 objects.
  case objects
}
