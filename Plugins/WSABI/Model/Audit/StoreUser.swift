/// Somebody with a key of the store.
struct StoreUser: Sendable, Hashable {
  /// Never given twice.
  var id: Int
  var name: String
  var role: Role
}
