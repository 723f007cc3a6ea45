/// The role of a user of the store.
enum Role: String, CaseIterable, Sendable {
  /// Enrols people: adds them, captures, annotates.
  case `operator`
  /// Reviews captures, annotates their faults, and passes them on.
  case reviewer
  /// Everything, keys and deletion of people included.
  case admin

  /// Returns true if this role has a permission.
  func may(_ permission: Permission) -> Bool { permission.roles.contains(self) }
}
