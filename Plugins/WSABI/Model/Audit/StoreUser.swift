/// A user with a key of the store.
struct StoreUser: Sendable, Hashable {
  /// Never reused.
  var id: Int
  var name: String
  var role: Role
}
