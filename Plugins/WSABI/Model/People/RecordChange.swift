/// A change of the store, for its observers.
enum RecordChange: Sendable, Hashable {
  /// A person was added, edited or deleted.
  case person(Int)
  /// An item of a person was added, edited, cleared or deleted, or has another capture.
  case item(Int, person: Int)
  /// A capture began, got a response, was stored, was lost, or ended.
  case journal
  case users
  /// The store was locked or unlocked.
  case lock
}
