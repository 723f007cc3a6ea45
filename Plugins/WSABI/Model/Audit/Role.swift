/// What somebody who opens the store is there for.
enum Role: String, CaseIterable, Sendable {
  /// Enrols people: adds them, captures, annotates.
  case `operator`
  /// Looks at what was captured, says what is wrong with it, and hands it on.
  case reviewer
  /// Everything, keys and deletion of people included.
  case admin

  /// Whether somebody of this role may do something.
  func may(_ permission: Permission) -> Bool { permission.roles.contains(self) }
}
